/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "diagram/graph/calls.h"
#include "files/equations/indices.h"
#include "files/equations/invoke.h"
#include "files/equations/report.h"

/* --- scoping ---------------------------------------------------------------------------- */

GArray *
heddle_eq_callee_slots (const HeddleDiagram *callee)
{
  g_autoptr (GArray) formals = heddle_diagram_get_formals (callee);
  GArray *slots = heddle_ids_new ();

  for (guint i = 0; i < formals->len; i++)
    if (!heddle_ids_contain (callee->arguments, heddle_ids_index (formals, i)))
      heddle_ids_append (slots, heddle_ids_index (formals, i));
  g_array_append_vals (slots, callee->arguments->data, callee->arguments->len);
  return slots;
}

/* --- the axes of a result --------------------------------------------------------------- */

/* Returns the axes to which the trailing axes of the arguments are bound; the leading ones are woven. */
static GHashTable *
bind_axes (HeddleEqScope *self, const HeddleEqNode *node, const GArray *slots, GArray *woven)
{
  GHashTable *bound = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < slots->len; i++)
    {
      const HeddleValue *formal = heddle_diagram_get_value (node->callee, heddle_ids_index (slots, i));
      g_autoptr (GArray) axes = formal != NULL ? heddle_eq_free_axes (self, node->children[i]) : NULL;
      guint leading = formal != NULL ? axes->len - formal->axes->len : 0;

      for (guint j = 0; j < leading; j++)
        heddle_eq_add_missing (woven, heddle_ids_index (axes, j));
      for (guint j = 0; formal != NULL && j < formal->axes->len; j++)
        if (!g_hash_table_contains (bound, heddle_ids_index (formal->axes, j)))
          g_hash_table_insert (bound, (gpointer) heddle_ids_index (formal->axes, j),
              (gpointer) heddle_ids_index (axes, leading + j));
    }
  return bound;
}

GArray *
heddle_eq_result_axes (HeddleEqScope *self, const HeddleEqNode *node)
{
  g_autoptr (GArray) slots = heddle_eq_callee_slots (node->callee), axes = heddle_ids_new ();
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (node->callee);
  g_autoptr (GHashTable) bound = bind_axes (self, node, slots, axes);
  const HeddleValue *output
      = outputs->len == 1 ? heddle_diagram_get_value (node->callee, heddle_ids_index (outputs, 0)) : NULL;
  gboolean good = output != NULL;

  if (node->n_axes > 0)
    heddle_eq_add_missing (axes, g_hash_table_lookup (self->names->axes, node->axes[0].name));
  for (guint i = 0; good && i < output->axes->len; i++)
    {
      const char *axis = g_hash_table_lookup (bound, heddle_ids_index (output->axes, i));

      good = axis != NULL && !heddle_ids_contain (axes, axis);
      if (good)
        heddle_ids_append (axes, axis);
    }
  if (good)
    return g_steal_pointer (&axes);
  heddle_eq_error (self->line, node->column,
      _ ("the results of %s need axes that are named: expected a statement of its own, such as Z[x,m] = "
         "%s(…)"),
      node->name, node->name);
  return NULL;
}
