/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/base/dtype.h"
#include "diagram/base/error.h"
#include "diagram/differentiate/build.h"
#include "diagram/differentiate/outside.h"
#include "diagram/differentiate/private.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram-build.h"
#include "diagram/graph/diagram-index.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/name.h"
#include "diagram/graph/operation-table.h"

#include <glib/gi18n-lib.h>

/* --- small things -------------------------------------------------------------------- */

GArray *
heddle_axes_minus (const GArray *axes, const GArray *others)
{
  GArray *rest = heddle_ids_new ();

  for (guint i = 0; i < axes->len; i++)
    if (!heddle_ids_contain (others, heddle_ids_index (axes, i)))
      heddle_ids_append (rest, heddle_ids_index (axes, i));
  return rest;
}

/* Each axis of any of the values, once. */
GArray *
heddle_axes_union (const HeddleReverse *self, const GArray *values)
{
  GArray *axes = heddle_ids_new ();

  for (guint i = 0; i < values->len; i++)
    {
      g_autoptr (GArray) more
          = heddle_axes_minus (heddle_reverse_value (self, heddle_ids_index (values, i))->axes, axes);

      g_array_append_vals (axes, more->data, more->len);
    }
  return axes;
}

const HeddleValue *
heddle_reverse_value (const HeddleReverse *self, const char *id)
{
  return heddle_diagram_get_value (self->backward, id);
}

gboolean
heddle_reverse_is_active (const HeddleReverse *self, const char *value_id)
{
  return g_hash_table_contains (self->active, value_id);
}

/* @format has one %s, for the value. */
void
heddle_reverse_fail (HeddleReverse *self, const char *value_id, const char *format)
{
  g_autofree char *label = heddle_diagram_value_label (self->backward, value_id);
  g_auto (GStrv) parts = g_strsplit (format, "%s", 2);
  g_autofree char *message = g_strjoinv (label, parts);

  if (self->error == NULL)
    self->error = g_error_new_literal (HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_UNSUPPORTED, message);
}

/* --- names --------------------------------------------------------------------------- */

/**
 * heddle_cotangent_name:
 * @name: the name of a value
 *
 * Returns: (transfer full): "d" and the name where that is a name, as "dO" of "O"; else "d" with it as a subscript, as
 *   "d_{\\bar x}" of "\\bar x" and "d_{ef}" of "ef"
 */
char *
heddle_cotangent_name (const char *name)
{
  char *plain;

  g_return_val_if_fail (name != NULL, NULL);

  plain = g_strconcat ("d", name, NULL);
  if (heddle_name_is_valid (plain, NULL))
    return plain;
  g_free (plain);
  return g_strdup_printf ("d_{%s}", name);
}

char *
heddle_reverse_take_name (HeddleReverse *self, const char *name)
{
  char *taken = heddle_cotangent_name (name);

  while (g_hash_table_contains (self->names, taken))
    {
      char *longer = g_strconcat (taken, "'", NULL);

      g_free (taken);
      taken = longer;
    }
  g_hash_table_add (self->names, g_strdup (taken));
  return taken;
}

/* --- operations ---------------------------------------------------------------------- */

static HeddleOperation *
add_operation (
    HeddleReverse *self, const char *kind, const GArray *axes, const GArray *operands, const GArray *core)
{
  const HeddleValue *value = heddle_diagram_add_value (
      self->backward, NULL, NULL, HEDDLE_ROLE_INTERMEDIATE, HEDDLE_DTYPE_UNSET, axes);

  return heddle_diagram_add_operation (
      self->backward, NULL, heddle_operation_kind (kind), operands, value->id, core, -1);
}

/* The operands that a body uses, each once, and the body in terms of them. */
typedef struct
{
  const GArray *operands;
  GArray *used;
} Compaction;

static HeddleExpr *
compact_argument (const HeddleExpr *leaf, gpointer data)
{
  Compaction *self = data;
  const char *id;

  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_ARGUMENT)
    return NULL;
  id = heddle_ids_index (self->operands, heddle_expr_get_operand (leaf));
  if (!heddle_ids_contain (self->used, id))
    heddle_ids_append (self->used, id);
  return heddle_expr_argument ((guint) heddle_ids_find (self->used, id));
}

/* A map that the rule at work has already made of the same; NULL: none. */
static const HeddleOperation *
find_map (const HeddleReverse *self, const GArray *axes, const HeddleExpr *body, const GArray *operands)
{
  for (guint i = self->first; i < self->backward->operations->len; i++)
    {
      const HeddleOperation *made = g_ptr_array_index (self->backward->operations, i);

      if (made->body != NULL && heddle_expr_equal (made->body, body)
          && heddle_ids_equal (made->operands, operands)
          && heddle_ids_equal (heddle_reverse_value (self, made->result)->axes, axes))
        return made;
    }
  return NULL;
}

const char *
heddle_reverse_map (HeddleReverse *self, const GArray *axes, HeddleExpr *body, const GArray *operands)
{
  g_autoptr (GArray) used = heddle_ids_new ();
  g_autoptr (HeddleExpr) raw = body;
  Compaction compaction = { operands, used };
  g_autoptr (HeddleExpr) compact = heddle_expr_substitute (raw, compact_argument, &compaction);
  const HeddleOperation *made = find_map (self, axes, compact, used);
  HeddleOperation *operation;

  if (made != NULL)
    {
      g_hash_table_add (self->shared, (gpointer) made->result);
      return made->result;
    }
  operation = add_operation (self, "map", axes, used, NULL);
  operation->body = heddle_expr_ref (compact);
  heddle_reverse_mark (self, operation);
  return operation->result;
}

const char *
heddle_reverse_reindex (HeddleReverse *self, const GArray *axes, const char *operand, GPtrArray *indices)
{
  g_autoptr (GArray) operands = heddle_ids_new ();
  HeddleOperation *operation;

  heddle_ids_append (operands, operand);
  operation = add_operation (self, "reindex", axes, operands, NULL);
  g_clear_pointer (&operation->indices, g_ptr_array_unref);
  operation->indices = g_ptr_array_ref (indices);
  heddle_reverse_mark (self, operation);
  return operation->result;
}

const char *
heddle_reverse_scan (
    HeddleReverse *self, const char *kind, const GArray *axes, const GArray *operands, const GArray *core)
{
  HeddleOperation *operation = add_operation (self, kind, axes, operands, core);

  heddle_reverse_mark (self, operation);
  return operation->result;
}

void
heddle_reverse_fail_outside (HeddleReverse *self, const char *value_id)
{
  heddle_reverse_fail (self, value_id,
      _ ("%s stands for reads outside an array, which a reduction leaves out; its derivative is only "
         "understood "
         "where such reads are reduced at once, or are 0 and summed"));
}

/* A sum must not leave out terms that count. */
static void
check_exact (HeddleReverse *self, const GArray *operands, const GArray *core)
{
  for (guint i = 0; i < operands->len; i++)
    {
      const HeddleReadMark *mark = heddle_reverse_taken (self, heddle_ids_index (operands, i), core);

      if (mark != NULL && !mark->vanishes)
        heddle_reverse_fail_outside (self, heddle_ids_index (operands, i));
    }
}

const char *
heddle_reverse_reduce (HeddleReverse *self, const char *kind, const GArray *axes, const char *operand,
    const GArray *core, gboolean exact)
{
  g_autoptr (GArray) operands = heddle_ids_new ();
  g_autoptr (GArray) rest = heddle_axes_minus (axes, core);
  HeddleOperation *operation;

  heddle_ids_append (operands, operand);
  operation = add_operation (self, kind, rest, operands, core);
  if (exact)
    check_exact (self, operands, core);
  heddle_reverse_mark (self, operation);
  return operation->result;
}

/* A product that sums nothing: a map, as equations read it. */
static const char *
multiply (HeddleReverse *self, const GArray *axes, const GArray *operands)
{
  HeddleExpr *product = heddle_expr_argument (0);

  for (guint i = 1; i < operands->len; i++)
    product = heddle_expr_binary (HEDDLE_EXPR_MUL, product, heddle_expr_argument (i));
  return heddle_reverse_map (self, axes, product, operands);
}

const char *
heddle_reverse_contract (HeddleReverse *self, const GArray *axes, const GArray *operands, gboolean exact)
{
  g_autoptr (GArray) all = heddle_axes_union (self, operands);
  g_autoptr (GArray) core = heddle_axes_minus (all, axes);
  g_autoptr (GArray) surplus = heddle_axes_minus (axes, all);
  g_autoptr (GArray) rest = heddle_axes_minus (axes, surplus);
  g_autoptr (GArray) narrow = heddle_ids_new ();
  HeddleOperation *operation;

  if (core->len == 0)
    return multiply (self, axes, operands);
  operation = add_operation (self, "contract", rest, operands, core);
  if (exact)
    check_exact (self, operands, core);
  heddle_reverse_mark (self, operation);
  if (surplus->len == 0)
    return operation->result;
  heddle_ids_append (narrow, operation->result);
  return heddle_reverse_map (self, axes, heddle_expr_argument (0), narrow);
}

/* --- cotangents ---------------------------------------------------------------------- */

void
heddle_reverse_contribute (HeddleReverse *self, const char *value_id, const char *cotangent, gboolean fresh)
{
  GArray *list = g_hash_table_lookup (self->contributions, value_id);

  if (list == NULL)
    {
      list = heddle_ids_new ();
      g_hash_table_insert (self->contributions, (gpointer) value_id, list);
    }
  heddle_ids_append (list, cotangent);
  if (fresh && !g_hash_table_contains (self->fresh, cotangent))
    g_hash_table_insert (self->fresh, (gpointer) cotangent, (gpointer) value_id);
}

/* Fan-out of a value is the sum of what comes back. */
static const char *
add_up (HeddleReverse *self, const char *value_id, const GArray *list)
{
  HeddleExpr *sum = heddle_expr_argument (0);

  for (guint i = 1; i < list->len; i++)
    sum = heddle_expr_binary (HEDDLE_EXPR_ADD, sum, heddle_expr_argument (i));
  return heddle_reverse_map (self, heddle_reverse_value (self, value_id)->axes, sum, list);
}

const char *
heddle_reverse_total (HeddleReverse *self, const char *value_id)
{
  GArray *list = g_hash_table_lookup (self->contributions, value_id);
  const char *name = heddle_reverse_value (self, value_id)->name;
  const char *total;

  self->first = self->backward->operations->len;
  if (list == NULL)
    return NULL;
  total = list->len == 1 ? heddle_ids_index (list, 0) : add_up (self, value_id, list);
  if (list->len > 1)
    g_hash_table_insert (self->fresh, (gpointer) total, (gpointer) value_id);
  if (name != NULL && heddle_reverse_is_own (self, value_id, total))
    heddle_diagram_edit_value (self->backward, total)->name = heddle_reverse_take_name (self, name);
  return total;
}

gboolean
heddle_reverse_is_own (const HeddleReverse *self, const char *value_id, const char *cotangent)
{
  return g_hash_table_lookup (self->fresh, cotangent) == value_id
         && !g_hash_table_contains (self->shared, cotangent)
         && heddle_ids_equal (
             heddle_reverse_value (self, cotangent)->axes, heddle_reverse_value (self, value_id)->axes);
}
