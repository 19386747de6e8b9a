/* SPDX-License-Identifier: MIT */
#include "diagram/differentiate-private.h"
#include "diagram/polynomial.h"

/* The transpose of a read. Each axis of the operand whose index is an axis of the result, as it is, is that axis (the way back renames it);
 * for each other one there is a condition "index (…) is my index"; and what is left of the result's axes is summed. So a permutation
 * goes back as a permutation, a repetition as a sum, a diagonal as a choice, and any other read, affine or not, as the contraction with
 * a mask of 0 and 1; reads outside meet no index and add nothing. The numbers that a gather reads at come along under the same names. */
typedef struct
{
  HeddleReverse *reverse;
  const HeddleOperation *operation;
  const HeddleValue *operand;
  const HeddleValue *result;
  GHashTable *renames; /* id of an axis of the result -> id of that in its place */
  GArray *summed; /* ids, of those in the place of what no plain index is */
  GArray *open; /* numbers (guint) of the indices that make conditions */
  GArray *numbers; /* value ids: the arrays of indices in their places; those of ARGUMENT 1 … */
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

/* An array of indices along the axes in place. */
static const char *
rename_numbers (Transpose *self, const char *id)
{
  const GArray *axes = heddle_reverse_value (self->reverse, id)->axes;
  g_autoptr (GArray) places = heddle_ids_new ();
  g_autoptr (GPtrArray) indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  gboolean changed = FALSE;

  for (guint i = 0; i < axes->len; i++)
    {
      const char *place = g_hash_table_lookup (self->renames, heddle_ids_index (axes, i));

      changed |= place != heddle_ids_index (axes, i);
      heddle_ids_append (places, place);
      g_ptr_array_add (indices, heddle_expr_index (place));
    }
  return changed ? heddle_reverse_reindex (self->reverse, places, id, indices) : id;
}

static void
place_numbers (Transpose *self)
{
  for (guint i = 1; i < self->operation->operands->len; i++)
    heddle_ids_append (self->numbers, rename_numbers (self, heddle_ids_index (self->operation->operands, i)));
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

static HeddleExpr *
some_number (const HeddleExpr *leaf, gpointer data)
{
  return heddle_expr_get_kind (leaf) == HEDDLE_EXPR_ARGUMENT ? heddle_expr_number (1.) : NULL;
}

/* The arguments of an index are whole numbers. */
static gboolean
is_whole (HeddleExpr *index)
{
  g_autoptr (HeddleExpr) plain = heddle_expr_substitute (index, some_number, NULL);

  return heddle_expr_is_whole (plain);
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

      if (!is_whole (index))
        index = heddle_expr_unary (HEDDLE_EXPR_FLOOR, index);
      equal = heddle_expr_binary (
          HEDDLE_EXPR_EQ, index, heddle_expr_index (heddle_ids_index (self->operand->axes, j)));
      all = all != NULL ? heddle_expr_binary (HEDDLE_EXPR_AND, all, equal) : equal;
    }
  return all;
}

static gboolean
is_used (Transpose *self, const HeddleExpr *condition, const char *axis)
{
  for (guint i = 0; i < self->numbers->len; i++)
    if (heddle_ids_contain (
            heddle_reverse_value (self->reverse, heddle_ids_index (self->numbers, i))->axes, axis))
      return TRUE;
  return heddle_expr_uses (condition, HEDDLE_EXPR_INDEX, axis);
}

static void
append_used (Transpose *self, GArray *axes, const GArray *candidates, const HeddleExpr *condition)
{
  for (guint i = 0; i < candidates->len; i++)
    if (is_used (self, condition, heddle_ids_index (candidates, i))
        && !heddle_ids_contain (axes, heddle_ids_index (candidates, i)))
      heddle_ids_append (axes, heddle_ids_index (candidates, i));
}

/* The cotangent (none: 1) where the condition holds. */
static const char *
choose (Transpose *self, const GArray *axes, const char *renamed, HeddleExpr *condition)
{
  g_autoptr (GArray) operands = heddle_ids_new ();
  HeddleExpr *chosen = renamed != NULL ? heddle_expr_argument (0) : heddle_expr_number (1.);

  heddle_ids_append (operands, renamed);
  g_array_append_vals (operands, self->numbers->data, self->numbers->len);
  return heddle_reverse_map (self->reverse, axes,
      heddle_expr_where (heddle_expr_ref (condition), chosen, heddle_expr_number (0.)), operands);
}

static const char *
contract_with_mask (Transpose *self, const char *renamed, HeddleExpr *condition)
{
  g_autoptr (GArray) axes = heddle_ids_new ();
  g_autoptr (GArray) factors = heddle_ids_new ();

  append_used (self, axes, self->summed, condition);
  append_used (self, axes, self->operand->axes, condition);
  heddle_ids_append (factors, renamed);
  heddle_ids_append (factors, choose (self, axes, NULL, condition));
  return heddle_reverse_contract (self->reverse, self->operand->axes, factors, FALSE);
}

static const char *
transpose (Transpose *self, const char *renamed)
{
  const GArray *axes = self->operand->axes;
  g_autoptr (HeddleExpr) condition = condition_of (self);
  g_autoptr (GArray) all = heddle_ids_copy (axes);

  if (condition == NULL && self->summed->len == 0)
    return renamed;
  if (condition != NULL && self->summed->len > 0)
    return contract_with_mask (self, renamed, condition);
  if (condition == NULL)
    {
      g_array_append_vals (all, self->summed->data, self->summed->len);
      return heddle_reverse_reduce (self->reverse, "sum", all, renamed, self->summed, FALSE);
    }
  return choose (self, axes, renamed, condition);
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
  g_autoptr (GArray) numbers = heddle_ids_new ();
  Transpose job = { self, operation, heddle_reverse_value (self, operand),
    heddle_reverse_value (self, operation->result), renames, summed, open, numbers };
  const char *back;

  if (!heddle_reverse_is_active (self, operand))
    return; /* the numbers of a gather do not move */
  match_axes (&job);
  back = open->len > 0 && operation->operands->len == 1 ? heddle_reverse_unmerge (self, operation, cotangent)
                                                        : NULL;
  if (back != NULL)
    {
      heddle_reverse_contribute (self, operand, back, TRUE);
      return;
    }
  place_summed (&job);
  place_numbers (&job);
  check_outside (&job, cotangent);
  back = transpose (&job, rename_cotangent (&job, cotangent));
  heddle_reverse_contribute (self, operand, back, back != cotangent);
}
