/* SPDX-License-Identifier: MIT */

/* This file finds where the cotangent of a read is read: it solves the equations "index (…) is my index" for
 * axes of the result. */

#include "diagram/analysis/sizes.h"
#include "diagram/differentiate/build.h"
#include "diagram/differentiate/solve.h"
#include "diagram/expression/polynomial.h"
#include "diagram/expression/solve.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram.h"

static HeddleExpr *
place_index (const HeddleExpr *leaf, gpointer data)
{
  const HeddleTranspose *self = data;
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

/* Returns whether the index is a whole number; its arguments always are. */
static gboolean
is_whole (HeddleExpr *index)
{
  g_autoptr (HeddleExpr) plain = heddle_expr_substitute (index, some_number, NULL);

  return heddle_expr_is_whole (plain);
}

static void
make_equations (HeddleTranspose *self)
{
  for (guint i = 0; i < self->open->len; i++)
    g_ptr_array_add (self->equations, heddle_expr_substitute (g_ptr_array_index (self->operation->indices,
                                                                  g_array_index (self->open, guint, i)),
                                          place_index, self));
}

static HeddleExpr *
equation_index (const HeddleTranspose *self, guint i)
{
  return heddle_expr_index (heddle_ids_index (self->operand->axes, g_array_index (self->open, guint, i)));
}

gboolean
heddle_transpose_is_number_axis (const HeddleTranspose *self, const char *axis)
{
  for (guint i = 0; i < self->numbers->len; i++)
    if (heddle_ids_contain (
            heddle_reverse_value (self->reverse, heddle_ids_index (self->numbers, i))->axes, axis))
      return TRUE;
  return FALSE;
}

/* Returns the longest of the summed axes for which the equation can be solved, so that the sum over it goes;
 * NULL if there is none. */
static const char *
choose_unknown (HeddleTranspose *self, guint i)
{
  const HeddleExpr *index = g_ptr_array_index (self->equations, i);
  const HeddleSizes *sizes = self->reverse->sizes;
  const char *best = NULL;
  gint64 longest = -1;

  for (guint j = 0; j < self->result->axes->len; j++)
    {
      const char *axis = heddle_ids_index (self->result->axes, j);
      const char *place = g_hash_table_lookup (self->renames, axis);
      gint64 size = sizes != NULL ? heddle_sizes_get (sizes, axis) : 0;

      if (size <= longest || !heddle_ids_contain (self->summed, place)
          || heddle_transpose_is_number_axis (self, place)
          || !heddle_expr_solve (index, place, index, NULL, NULL))
        continue;
      longest = size;
      best = place;
    }
  return best;
}

typedef struct
{
  const char *axis;
  HeddleExpr *solution;
} Solved;

static HeddleExpr *
replace_solved (const HeddleExpr *leaf, gpointer data)
{
  const Solved *solved = data;

  return heddle_expr_get_kind (leaf) == HEDDLE_EXPR_INDEX && heddle_expr_get_symbol (leaf) == solved->axis
             ? heddle_expr_ref (solved->solution)
             : NULL;
}

static void
replace_everywhere (HeddleTranspose *self, Solved *solved)
{
  GPtrArray *lists[] = { self->equations, self->conditions };
  GHashTableIter iter;
  gpointer solution;

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    for (guint j = 0; j < lists[i]->len; j++)
      {
        HeddleExpr *expr = g_ptr_array_index (lists[i], j);

        if (expr == NULL)
          continue;
        g_ptr_array_index (lists[i], j) = heddle_expr_substitute (expr, replace_solved, solved);
        heddle_expr_unref (expr);
      }
  g_hash_table_iter_init (&iter, self->solutions);
  while (g_hash_table_iter_next (&iter, NULL, &solution))
    g_hash_table_iter_replace (&iter, heddle_expr_substitute (solution, replace_solved, solved));
}

static void
solve_equations (HeddleTranspose *self)
{
  for (guint i = 0; i < self->open->len; i++)
    {
      Solved solved = { choose_unknown (self, i), NULL };
      g_autoptr (HeddleExpr) value = equation_index (self, i);
      HeddleExpr *condition = NULL;

      if (solved.axis == NULL)
        continue;
      heddle_expr_solve (
          g_ptr_array_index (self->equations, i), solved.axis, value, &solved.solution, &condition);
      g_clear_pointer (&g_ptr_array_index (self->equations, i), heddle_expr_unref);
      replace_everywhere (self, &solved);
      if (condition != NULL)
        g_ptr_array_add (self->conditions, condition);
      g_hash_table_insert (self->solutions, (gpointer) solved.axis, solved.solution);
      g_array_remove_index (self->summed, (guint) heddle_ids_find (self->summed, solved.axis));
    }
}

/* Adds the conditions that the read is of the operand's own point, for the equations that were not solved. */
static void
add_conditions (HeddleTranspose *self)
{
  for (guint i = 0; i < self->open->len; i++)
    {
      HeddleExpr *index = g_ptr_array_index (self->equations, i);

      if (index == NULL)
        continue;
      index = is_whole (index) ? heddle_expr_ref (index)
                               : heddle_expr_unary (HEDDLE_EXPR_FLOOR, heddle_expr_ref (index));
      g_ptr_array_add (
          self->conditions, heddle_expr_binary (HEDDLE_EXPR_EQ, index, equation_index (self, i)));
    }
}

void
heddle_transpose_add_bounds (HeddleTranspose *self)
{
  for (guint i = 0; i < self->result->axes->len; i++)
    {
      const char *axis = heddle_ids_index (self->result->axes, i);
      HeddleExpr *solution = g_hash_table_lookup (self->solutions, g_hash_table_lookup (self->renames, axis));

      if (solution == NULL)
        continue;
      g_ptr_array_add (self->conditions,
          heddle_expr_binary (HEDDLE_EXPR_GE, heddle_expr_ref (solution), heddle_expr_number (0.)));
      g_ptr_array_add (self->conditions,
          heddle_expr_binary (HEDDLE_EXPR_LT, heddle_expr_ref (solution), heddle_expr_size (axis)));
    }
}

HeddleExpr *
heddle_transpose_all_conditions (const HeddleTranspose *self)
{
  HeddleExpr *all = NULL;

  for (guint i = 0; i < self->conditions->len; i++)
    {
      HeddleExpr *condition = heddle_expr_ref (g_ptr_array_index (self->conditions, i));

      all = all != NULL ? heddle_expr_binary (HEDDLE_EXPR_AND, all, condition) : condition;
    }
  return all;
}

void
heddle_transpose_solve (HeddleTranspose *self)
{
  make_equations (self);
  solve_equations (self);
  add_conditions (self);
}
