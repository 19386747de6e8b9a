/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "files/equations/indices.h"
#include "files/equations/report.h"

guint64
heddle_eq_scope_bit (HeddleEqScope *self, const char *name, guint column)
{
  const char *id = g_hash_table_lookup (self->names->axes, name);

  for (guint i = 0; i < self->n_axes; i++)
    if (self->axes[i] == id)
      return G_GUINT64_CONSTANT (1) << i;
  if (self->n_axes == HEDDLE_EQ_MAX_INDICES)
    {
      if (self->line->n_errors == 0) /* once is enough */
        heddle_eq_error (
            self->line, column, _ ("more than %d different indices in one statement"), HEDDLE_EQ_MAX_INDICES);
      return 0;
    }
  self->axes[self->n_axes] = id;
  self->axis_names[self->n_axes] = name;
  return G_GUINT64_CONSTANT (1) << self->n_axes++;
}

void
heddle_eq_order_of_appearance (const HeddleEqNode *node, guint64 *left, GArray *bits)
{
  if ((node->free & *left) == 0)
    return;
  if (node->kind == HEDDLE_EQ_INDEX)
    {
      *left &= ~node->free;
      g_array_append_val (bits, node->free);
      return;
    }
  for (guint i = 0; i < node->n_children && *left != 0; i++)
    heddle_eq_order_of_appearance (node->children[i], left, bits);
}

void
heddle_eq_add_missing (GArray *ids, const char *id)
{
  if (!heddle_ids_contain (ids, id))
    heddle_ids_append (ids, id);
}

GArray *
heddle_eq_free_axes (const HeddleEqScope *scope, const HeddleEqNode *node)
{
  g_autoptr (GArray) bits = g_array_new (FALSE, FALSE, sizeof (guint64));
  GArray *axes = heddle_ids_new ();
  guint64 left = node->free;

  heddle_eq_order_of_appearance (node, &left, bits);
  for (guint i = 0; i < bits->len; i++)
    heddle_ids_append (axes, scope->axes[g_bit_nth_lsf (g_array_index (bits, guint64, i), -1)]);
  return axes;
}
