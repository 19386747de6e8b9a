/* SPDX-License-Identifier: MIT */
#include "diagram/differentiate-private.h"
#include "diagram/polynomial.h"

/* The transpose of a read. Each axis of the operand whose index is an axis of the result, as it is, is that axis (the way back renames it);
 * for each other one there is a condition "index (…) is my index"; and what is left of the result's axes is summed. So a permutation
 * goes back as a permutation, a repetition as a sum, a diagonal as a choice, and any other read, affine or not, as the contraction with
 * a mask of 0 and 1; reads outside meet no index and add nothing. */
typedef struct
{
  HeddleReverse *reverse;
  const HeddleOperation *operation;
  const HeddleValue *operand;
  const HeddleValue *result;
  GHashTable *renames; /* id of an axis of the result -> id of that in its place */
  GArray *summed; /* ids, of those in the place of what no plain index is */
  GArray *open; /* numbers (guint) of the indices that make conditions */
} Transpose;

static gboolean
is_plain (const Transpose *self, const HeddleExpr *index)
{
  return heddle_expr_get_kind (index) == HEDDLE_EXPR_INDEX
         && !g_hash_table_contains (self->renames, heddle_expr_get_symbol (index));
}

static void
match_axes (Transpose *self)
{
  for (guint i = 0; i < self->operation->indices->len; i++)
    {
      const HeddleExpr *index = g_ptr_array_index (self->operation->indices, i);

      if (is_plain (self, index))
        g_hash_table_insert (self->renames, (gpointer) heddle_expr_get_symbol (index),
            (gpointer) heddle_ids_index (self->operand->axes, i));
      else
        g_array_append_val (self->open, i);
    }
}

/* Another axis of the same size, for an index that must be told from the operand's own. */
static const char *
twin_of (Transpose *self, const char *axis_id)
{
  HeddleReverse *reverse = self->reverse;
  const HeddleAxis *axis = heddle_diagram_get_axis (reverse->backward, axis_id);
  g_autofree char *name = g_strconcat (axis->name, "'", NULL);

  while (g_hash_table_contains (reverse->names, name))
    {
      char *longer = g_strconcat (name, "'", NULL);

      g_free (name);
      name = longer;
    }
  g_hash_table_add (reverse->names, g_strdup (name));
  return heddle_diagram_add_axis (reverse->backward, NULL, name, heddle_expr_size (axis_id))->id;
}

static void
place_summed (Transpose *self)
{
  for (guint i = 0; i < self->result->axes->len; i++)
    {
      const char *axis = heddle_ids_index (self->result->axes, i);
      const char *place = axis;

      if (g_hash_table_contains (self->renames, axis))
        continue;
      if (heddle_ids_contain (self->operand->axes, axis))
        place = twin_of (self, axis);
      g_hash_table_insert (self->renames, (gpointer) axis, (gpointer) place);
      heddle_ids_append (self->summed, place);
    }
}

/* The cotangent along the axes in place, those of the operand first; itself where they are its own. */
static const char *
rename_cotangent (Transpose *self, const char *cotangent)
{
  const GArray *axes = heddle_reverse_value (self->reverse, cotangent)->axes;
  g_autoptr (GArray) places = heddle_ids_new ();
  g_autoptr (GArray) closed = heddle_ids_copy (self->operand->axes);
  g_autoptr (GPtrArray) indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  gboolean changed = FALSE;

  for (guint i = 0; i < axes->len; i++)
    {
      const char *place = g_hash_table_lookup (self->renames, heddle_ids_index (axes, i));

      changed |= place != heddle_ids_index (axes, i);
      g_ptr_array_add (indices, heddle_expr_index (place));
    }
  for (guint i = self->open->len; i-- > 0;)
    g_array_remove_index (closed, g_array_index (self->open, guint, i));
  g_array_append_vals (places, closed->data, closed->len);
  g_array_append_vals (places, self->summed->data, self->summed->len);
  return changed ? heddle_reverse_reindex (self->reverse, places, cotangent, indices) : cotangent;
}

static HeddleExpr *
place_index (const HeddleExpr *leaf, gpointer data)
{
  const Transpose *self = data;
  const char *place = heddle_expr_get_kind (leaf) == HEDDLE_EXPR_INDEX
                          ? g_hash_table_lookup (self->renames, heddle_expr_get_symbol (leaf))
                          : NULL;

  return place != NULL ? heddle_expr_index (place) : NULL;
}

/* Where the read is of the operand's own point. */
static HeddleExpr *
condition_of (Transpose *self)
{
  HeddleExpr *all = NULL;

  for (guint i = 0; i < self->open->len; i++)
    {
      guint j = g_array_index (self->open, guint, i);
      HeddleExpr *index
          = heddle_expr_substitute (g_ptr_array_index (self->operation->indices, j), place_index, self);
      HeddleExpr *equal;

      if (!heddle_expr_is_whole (index))
        index = heddle_expr_unary (HEDDLE_EXPR_FLOOR, index);
      equal = heddle_expr_binary (
          HEDDLE_EXPR_EQ, index, heddle_expr_index (heddle_ids_index (self->operand->axes, j)));
      all = all != NULL ? heddle_expr_binary (HEDDLE_EXPR_AND, all, equal) : equal;
    }
  return all;
}

static void
append_used (GArray *axes, const GArray *candidates, const HeddleExpr *condition)
{
  for (guint i = 0; i < candidates->len; i++)
    if (heddle_expr_uses (condition, HEDDLE_EXPR_INDEX, heddle_ids_index (candidates, i))
        && !heddle_ids_contain (axes, heddle_ids_index (candidates, i)))
      heddle_ids_append (axes, heddle_ids_index (candidates, i));
}

static const char *
contract_with_mask (Transpose *self, const char *renamed, HeddleExpr *condition)
{
  g_autoptr (GArray) axes = heddle_ids_new ();
  g_autoptr (GArray) none = heddle_ids_new ();
  g_autoptr (GArray) factors = heddle_ids_new ();

  append_used (axes, self->summed, condition);
  append_used (axes, self->operand->axes, condition);
  heddle_ids_append (factors, renamed);
  heddle_ids_append (factors,
      heddle_reverse_map (self->reverse, axes,
          heddle_expr_where (heddle_expr_ref (condition), heddle_expr_number (1.), heddle_expr_number (0.)),
          none));
  return heddle_reverse_contract (self->reverse, self->operand->axes, factors, FALSE);
}

static const char *
transpose (Transpose *self, const char *renamed)
{
  const GArray *axes = self->operand->axes;
  g_autoptr (HeddleExpr) condition = condition_of (self);
  g_autoptr (GArray) all = heddle_ids_copy (axes);
  g_autoptr (GArray) operands = heddle_ids_new ();

  if (condition == NULL && self->summed->len == 0)
    return renamed;
  if (condition != NULL && self->summed->len > 0)
    return contract_with_mask (self, renamed, condition);
  if (condition == NULL)
    {
      g_array_append_vals (all, self->summed->data, self->summed->len);
      return heddle_reverse_reduce (self->reverse, "sum", all, renamed, self->summed, FALSE);
    }
  heddle_ids_append (operands, renamed);
  return heddle_reverse_map (self->reverse, axes,
      heddle_expr_where (heddle_expr_ref (condition), heddle_expr_argument (0), heddle_expr_number (0.)),
      operands);
}

/* What the evaluator leaves out of the sum because the cotangent was made of reads outside must be what this read had outside. */
static void
check_outside (Transpose *self, const char *cotangent)
{
  g_autofree char *condition = heddle_reverse_read_condition (self->reverse, self->operation);
  const HeddleReadMark *mark = heddle_reverse_taken (self->reverse, cotangent, self->result->axes);

  if (mark != NULL && !mark->vanishes && (*condition == '\0' || !g_str_equal (condition, mark->condition)))
    heddle_reverse_fail_outside (self->reverse, self->operation->result);
}

void
heddle_reverse_reindex_rule (HeddleReverse *self, const HeddleOperation *operation, const char *cotangent)
{
  const char *operand = heddle_ids_index (operation->operands, 0);
  g_autoptr (GHashTable) renames = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) summed = heddle_ids_new ();
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint));
  Transpose job = { self, operation, heddle_reverse_value (self, operand),
    heddle_reverse_value (self, operation->result), renames, summed, open };
  const char *back;

  match_axes (&job);
  place_summed (&job);
  check_outside (&job, cotangent);
  back = transpose (&job, rename_cotangent (&job, cotangent));
  heddle_reverse_contribute (self, operand, back, back != cotangent);
}
