/* SPDX-License-Identifier: MIT */
#include "diagram/differentiate/build.h"
#include "diagram/differentiate/merge.h"
#include "diagram/differentiate/reindex.h"
#include "diagram/differentiate/solve.h"
#include "diagram/differentiate/transpose-private.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"

/* The transpose of a read. Each axis of the operand whose index is an axis of the result, as it is, is that
 * axis (the way back renames it); for each other one there is an equation "index (…) is my index". It is
 * solved for one of the result's axes where that can be done, which is then read at its solution; else it is
 * a condition. What is left of the result's axes is summed. So a permutation goes back as a permutation, a
 * repetition as a sum, a diagonal as a choice, a window as a window the other way round, with a mask where it
 * had a stride, and any other read as the contraction with a mask of 0 and 1; reads outside meet no index and
 * add nothing. The numbers that a gather reads at come along under the same names. */

static gboolean
is_plain (const HeddleTranspose *self, const HeddleExpr *index)
{
  return heddle_expr_get_kind (index) == HEDDLE_EXPR_INDEX
         && !g_hash_table_contains (self->renames, heddle_expr_get_symbol (index));
}

static void
match_axes (HeddleTranspose *self)
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

/* Adds another axis of the same size, for an index that must differ from the operand's own, and returns its
 * id. */
static const char *
twin_of (HeddleTranspose *self, const char *axis_id)
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
place_summed (HeddleTranspose *self)
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

/* Returns the axes of the operand along which the cotangent is read: those of plain indices and of solved
 * equations. */
static GArray *
closed_axes (const HeddleTranspose *self)
{
  GArray *closed = heddle_ids_copy (self->operand->axes);

  for (guint i = self->open->len; i-- > 0;)
    if (g_ptr_array_index (self->equations, i) != NULL)
      g_array_remove_index (closed, g_array_index (self->open, guint, i));
  return closed;
}

typedef struct
{
  const GArray *candidates;
  GArray *seen;
} Appearance;

static gboolean
see_axis (const HeddleExpr *node, gpointer data)
{
  Appearance *self = data;

  if (heddle_expr_get_kind (node) == HEDDLE_EXPR_INDEX
      && heddle_ids_contain (self->candidates, heddle_expr_get_symbol (node))
      && !heddle_ids_contain (self->seen, heddle_expr_get_symbol (node)))
    heddle_ids_append (self->seen, heddle_expr_get_symbol (node));
  return TRUE;
}

/* Returns the axes of the read: those of the operand in their order or, where some are to be summed, all as
 * they occur in the indices, which is how equations read them. */
static GArray *
axes_of_read (const HeddleTranspose *self, const GPtrArray *indices)
{
  GArray *places = closed_axes (self);
  Appearance appearance = { places, NULL };

  if (self->summed->len == 0)
    return places;
  g_array_append_vals (places, self->summed->data, self->summed->len);
  appearance.seen = heddle_ids_new ();
  for (guint i = 0; i < indices->len; i++)
    heddle_expr_walk (g_ptr_array_index (indices, i), see_axis, &appearance);
  g_array_unref (places);
  return appearance.seen;
}

/* Returns the cotangent along the axes in place; itself if it has them already. */
static const char *
rename_cotangent (HeddleTranspose *self, const char *cotangent)
{
  const GArray *axes = heddle_reverse_value (self->reverse, cotangent)->axes;
  g_autoptr (GArray) places = NULL;
  g_autoptr (GPtrArray) indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  gboolean changed = FALSE;

  for (guint i = 0; i < axes->len; i++)
    {
      const char *place = g_hash_table_lookup (self->renames, heddle_ids_index (axes, i));
      HeddleExpr *solution = g_hash_table_lookup (self->solutions, place);

      changed |= place != heddle_ids_index (axes, i) || solution != NULL;
      g_ptr_array_add (indices, solution != NULL ? heddle_expr_ref (solution) : heddle_expr_index (place));
    }
  places = axes_of_read (self, indices);
  return changed ? heddle_reverse_reindex (self->reverse, places, cotangent, indices) : cotangent;
}

/* Returns an array of indices along the axes in place. */
static const char *
rename_numbers (HeddleTranspose *self, const char *id)
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
place_numbers (HeddleTranspose *self)
{
  for (guint i = 1; i < self->operation->operands->len; i++)
    heddle_ids_append (self->numbers, rename_numbers (self, heddle_ids_index (self->operation->operands, i)));
}

/* --- the way back ---------------------------------------------------------------------- */

static gboolean
is_used (HeddleTranspose *self, const HeddleExpr *condition, const char *axis)
{
  return (heddle_transpose_is_number_axis (self, axis)
             && heddle_expr_uses (condition, HEDDLE_EXPR_ARGUMENT, NULL))
         || heddle_expr_uses (condition, HEDDLE_EXPR_INDEX, axis);
}

static void
append_used (HeddleTranspose *self, GArray *axes, const GArray *candidates, const HeddleExpr *condition)
{
  for (guint i = 0; i < candidates->len; i++)
    if (is_used (self, condition, heddle_ids_index (candidates, i))
        && !heddle_ids_contain (axes, heddle_ids_index (candidates, i)))
      heddle_ids_append (axes, heddle_ids_index (candidates, i));
}

/* Returns the cotangent (or 1, if there is none) where the condition holds. */
static const char *
choose (HeddleTranspose *self, const GArray *axes, const char *renamed, HeddleExpr *condition)
{
  g_autoptr (GArray) operands = heddle_ids_new ();
  HeddleExpr *chosen = renamed != NULL ? heddle_expr_argument (0) : heddle_expr_number (1.);

  heddle_ids_append (operands, renamed);
  g_array_append_vals (operands, self->numbers->data, self->numbers->len);
  return heddle_reverse_map (self->reverse, axes,
      heddle_expr_where (heddle_expr_ref (condition), chosen, heddle_expr_number (0.)), operands);
}

/* Sums the cotangent with each condition as a mask of its own, which has few axes. */
static const char *
contract_with_masks (HeddleTranspose *self, const char *renamed)
{
  g_autoptr (GArray) factors = heddle_ids_new ();

  heddle_ids_append (factors, renamed);
  for (guint i = 0; i < self->conditions->len; i++)
    {
      HeddleExpr *condition = g_ptr_array_index (self->conditions, i);
      g_autoptr (GArray) axes = heddle_ids_new ();

      append_used (self, axes, self->summed, condition);
      append_used (self, axes, self->operand->axes, condition);
      heddle_ids_append (factors, choose (self, axes, NULL, condition));
    }
  return heddle_reverse_contract (self->reverse, self->operand->axes, factors, FALSE);
}

/* Sums the cotangent where all conditions hold. What is read outside is left out of the sum, or else made 0:
 * no mark is left. */
static const char *
choose_inside (HeddleTranspose *self, const char *renamed, const char *cotangent)
{
  g_autoptr (HeddleExpr) condition = NULL;
  const char *chosen;

  if (g_hash_table_contains (self->reverse->marks, renamed) && renamed != cotangent)
    heddle_transpose_add_bounds (self);
  condition = heddle_transpose_all_conditions (self);
  if (condition == NULL)
    return renamed;
  chosen = choose (self, self->operand->axes, renamed, condition);
  if (!g_hash_table_contains (self->reverse->marks, cotangent))
    g_hash_table_remove (self->reverse->marks, chosen);
  return chosen;
}

static const char *
transpose (HeddleTranspose *self, const char *renamed, const char *cotangent)
{
  g_autoptr (GArray) all = heddle_ids_copy (self->operand->axes);

  if (self->summed->len == 0)
    return choose_inside (self, renamed, cotangent);
  if (renamed != cotangent && self->conditions->len == 0
      && heddle_reverse_taken (self->reverse, renamed, self->summed) == NULL
      && g_hash_table_contains (self->reverse->marks, renamed))
    heddle_transpose_add_bounds (self);
  if (self->conditions->len > 0)
    return contract_with_masks (self, renamed);
  g_array_append_vals (all, self->summed->data, self->summed->len);
  return heddle_reverse_reduce (self->reverse, "sum", all, renamed, self->summed, FALSE);
}

/* Checks that what the evaluator leaves out of the sum, because the cotangent was made of reads outside, is
 * what this read had outside. */
static void
check_outside (HeddleTranspose *self, const char *cotangent)
{
  g_autofree char *condition = heddle_reverse_read_condition (self->reverse, self->operation);
  const HeddleReadMark *mark = heddle_reverse_taken (self->reverse, cotangent, self->result->axes);

  if (mark != NULL && !mark->vanishes && (*condition == '\0' || g_strcmp0 (condition, mark->read) != 0))
    heddle_reverse_fail_outside (self->reverse, self->operation->result);
}

static void
clear_equation (gpointer equation)
{
  if (equation != NULL)
    heddle_expr_unref (equation);
}

void
heddle_reverse_reindex_rule (HeddleReverse *self, const HeddleOperation *operation, const char *cotangent)
{
  const char *operand = heddle_ids_index (operation->operands, 0);
  g_autoptr (GHashTable) renames = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) summed = heddle_ids_new ();
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) numbers = heddle_ids_new ();
  g_autoptr (GPtrArray) equations = g_ptr_array_new_with_free_func (clear_equation);
  g_autoptr (GPtrArray) conditions = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  g_autoptr (GHashTable) solutions
      = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) heddle_expr_unref);
  HeddleTranspose job = { self, operation, heddle_reverse_value (self, operand),
    heddle_reverse_value (self, operation->result), renames, summed, open, equations, solutions, conditions,
    numbers };
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
  heddle_transpose_solve (&job);
  back = transpose (&job, rename_cotangent (&job, cotangent), cotangent);
  heddle_reverse_contribute (self, operand, back, back != cotangent);
}
