/* SPDX-License-Identifier: MIT */
#include "codegen/plan/choice.h"
#include "codegen/plan/private.h"
#include "codegen/plan/windows.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/operation-table.h"

/* This file labels products with matrices that rows choose, as mixtures of experts have them: Y[t,s,f] =
 * X[t,m] W[I[t,s],m,f]. What prices kernels for a derivation has a matrix for each row, and so blocks of one
 * row. The tensor core goes through the matrices that many rows choose: of the longest axis that rows choose
 * along a block has a tile, of other such axes one, of the columns a tile; the axis of the sum streams. */

static const gint64 row_sizes[] = { 16, 32, 64, 128, 256 };

typedef struct
{
  const HeddleLoopProgram *program;
  const HeddleNode *load; /* of the matrices */
  const HeddleNode *product; /* which reads them */
} Choice;

static gboolean
reads (const HeddleNode *node, guint buffer)
{
  for (guint i = 0; i < node->sources->len; i++)
    if (g_array_index (node->sources, guint, i) == buffer)
      return TRUE;
  return FALSE;
}

/* Finds the first load at the elements of one other array, and the product that reads what it loads. */
static void
find (Choice *self, const HeddleNode *node)
{
  if (node->kind == HEDDLE_NODE_LOAD && node->at != NULL && node->sources->len == 1 && self->load == NULL)
    self->load = node;
  if (node->kind == HEDDLE_NODE_COMPUTE && self->load != NULL && self->product == NULL && node->over->len == 1
      && node->monoid == HEDDLE_MONOID_SUM && heddle_expr_get_kind (node->body) == HEDDLE_EXPR_MUL
      && node->sources->len == 2 && reads (node, self->load->buffer))
    self->product = node;
  for (guint i = 0; i < node->children->len; i++)
    find (self, g_ptr_array_index (node->children, i));
}

/* Sorts the axes of the result by their role; returns %FALSE if there is none for rows, or for columns. */
static gboolean
sort_axes (const HeddlePlan *plan, const Choice *choice, HeddlePlanAxes *axes)
{
  const HeddleBuffer *result = heddle_loop_program_get_buffer (choice->program, choice->product->buffer);
  const HeddleBuffer *gathered = heddle_loop_program_get_buffer (choice->program, choice->load->buffer);
  const HeddleBuffer *chooser
      = heddle_loop_program_get_buffer (choice->program, g_array_index (choice->load->sources, guint, 0));
  const char *longest = NULL;

  for (guint k = 0; k < chooser->axes->len; k++)
    {
      const char *axis = heddle_ids_index (chooser->axes, k);

      if (longest == NULL || heddle_sizes_get (plan->sizes, axis) > heddle_sizes_get (plan->sizes, longest))
        longest = axis;
    }
  for (guint k = 0; k < result->axes->len; k++)
    {
      const char *axis = heddle_ids_index (result->axes, k);

      if (axis == longest)
        heddle_ids_append (axes->rows, axis);
      else if (!heddle_ids_contain (chooser->axes, axis) && heddle_ids_contain (gathered->axes, axis)
               && axes->columns == NULL)
        axes->columns = axis;
      else if (heddle_sizes_get (plan->sizes, axis) > 1)
        heddle_ids_append (axes->ones, axis);
    }
  axes->depth = heddle_ids_index (choice->product->over, 0);
  return axes->rows->len > 0 && axes->columns != NULL;
}

gboolean
heddle_plan_label_choices (const HeddlePlan *plan, const HeddleDiagram *diagram, HeddleSchedule *schedule,
    HeddleRegion *region, const HeddleKernel *kernel, GCancellable *cancellable)
{
  g_auto (HeddlePlanAxes) axes = { .rows = heddle_ids_new (),
    .ones = heddle_ids_new (),
    .row_sizes = row_sizes,
    .n_row_sizes = G_N_ELEMENTS (row_sizes) };
  Choice choice = { .program = kernel->program };

  if (kernel->program == NULL || region->labels->len > 0)
    return FALSE;
  find (&choice, kernel->program->root);
  if (choice.product == NULL || !sort_axes (plan, &choice, &axes)
      || !heddle_plan_label_product (plan, diagram, schedule, region, &axes, cancellable))
    return FALSE;
  /* Blocks that run at a time have the same columns, so that a matrix is read once by all whose rows chose it. */
  g_ptr_array_add (region->labels, heddle_label_new (axes.columns, "smem", HEDDLE_LABEL_ORDER, 1));
  return TRUE;
}
