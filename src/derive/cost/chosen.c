/* SPDX-License-Identifier: MIT */
#include "derive/cost/chosen.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

#include <math.h>

double
heddle_chosen_matrices (double n, double rows)
{
  return n * (1. - pow (1. - 1. / n, rows));
}

double
heddle_chosen_when_sorted (double n, double rows, double all)
{
  double chosen = heddle_chosen_matrices (n, all);

  if (n > HEDDLE_DEALT_MATRICES || all <= 0.)
    return heddle_chosen_matrices (n, rows);
  return MIN (rows, 1. + MAX (chosen - 1., 0.) * MIN (rows / all, 1.));
}

static const HeddleNode *
find_load (const HeddleNode *node, guint buffer)
{
  const HeddleNode *found = NULL;

  if (node->kind == HEDDLE_NODE_LOAD && node->buffer == buffer)
    return node;
  for (guint i = 0; found == NULL && i < node->children->len; i++)
    found = find_load (g_ptr_array_index (node->children, i), buffer);
  return found;
}

/* Returns the load of matrices that rows choose into a buffer; NULL if it has none. */
static const HeddleNode *
load_into (const HeddleCost *self, guint buffer)
{
  const HeddleNode *load = self->matrices > 0 ? find_load (self->program->root, buffer) : NULL;

  return load != NULL && load->at != NULL && load->sources->len == 1 ? load : NULL;
}

/* Returns the load of matrices that rows choose; NULL if the transfer is none. */
static const HeddleNode *
load_of (const HeddleCost *self, const HeddleTerms *terms)
{
  return terms->saved ? NULL : load_into (self, terms->buffer);
}

/* Returns whether the array that is loaded has the axis itself; otherwise rows along it choose. */
static gboolean
is_own (const HeddleNode *load, const char *axis)
{
  for (guint i = 0; i < load->at->len; i++)
    {
      const HeddleExpr *index = g_ptr_array_index (load->at, i);

      if (heddle_expr_get_kind (index) == HEDDLE_EXPR_INDEX && heddle_expr_get_symbol (index) == axis)
        return TRUE;
    }
  return FALSE;
}

gboolean
heddle_cost_is_chosen_along (const HeddleCost *self, guint buffer, const char *axis)
{
  const HeddleNode *load = load_into (self, buffer);

  return load != NULL && !is_own (load, axis);
}

/* Returns the number of group @axis; -1 if it is not grouped. */
static int
find_group (const HeddleCost *self, const char *axis)
{
  for (guint i = 0; i < self->n_groups; i++)
    if (self->bands[i]->axis == axis)
      return (int) i;
  return -1;
}

/* Returns the number of rows that choose what the transfer reads: those of a block at these tiles, or all rows where
 * @tiles is NULL. */
static double
count_rows (const HeddleCost *self, const HeddleTerms *terms, const HeddleNode *load, const gint64 *tiles)
{
  const GArray *axes = heddle_loop_program_get_buffer (self->program, terms->buffer)->axes;
  double rows = 1.;

  for (guint i = 0; i < axes->len; i++)
    {
      const char *axis = heddle_ids_index (axes, i);
      int group = tiles != NULL ? find_group (self, axis) : -1;
      gint64 n = heddle_sizes_get (self->sizes, axis);

      if (!is_own (load, axis))
        rows *= (double) (group >= 0 ? MIN (tiles[group], n) : n);
    }
  return rows;
}

double
heddle_cost_chosen_share (const HeddleCost *self, const HeddleTerms *terms, const gint64 *tiles)
{
  const HeddleNode *load = load_of (self, terms);
  double rows, matrices = (double) self->matrices;

  if (load == NULL)
    return 1.;
  rows = count_rows (self, terms, load, tiles);
  return (self->dealt && tiles != NULL
                 ? heddle_chosen_when_sorted (matrices, rows, count_rows (self, terms, load, NULL))
                 : heddle_chosen_matrices (matrices, rows))
         / rows;
}

guint32
heddle_cost_choosing_groups (const HeddleCost *self, const HeddleTerms *terms)
{
  const HeddleNode *load = load_of (self, terms);
  const GArray *axes;
  guint32 bits = 0;

  if (load == NULL)
    return 0;
  axes = heddle_loop_program_get_buffer (self->program, terms->buffer)->axes;
  for (guint i = 0; i < axes->len; i++)
    {
      int group = find_group (self, heddle_ids_index (axes, i));

      if (group >= 0 && !is_own (load, heddle_ids_index (axes, i)))
        bits |= 1u << group;
    }
  return bits;
}

double
heddle_cost_choosing_turns (const HeddleCost *self, const HeddleTerms *terms)
{
  const HeddleNode *load = self->dealt ? load_of (self, terms) : NULL;

  if (load == NULL)
    return 1.;
  return MAX (1., heddle_chosen_matrices ((double) self->matrices, count_rows (self, terms, load, NULL)));
}
