/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "codegen/plan/labelled.h"
#include "codegen/plan/tiles.h"
#include "codegen/plan/windows.h"
#include "codegen/tile/mma.h"
#include "derive/derivation/derive.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"

/* This file labels products of windows, as convolutions are: of the axes that the windows move along a block
 * has a small box, of the others one, of the result's columns a tile; the axis of the sum that is no window
 * streams. */

static const gint64 box_sizes[] = { 2, 4, 8, 16, 32 };
static const gint64 column_sizes[] = { 32, 64, 128 };
static const gint64 chunk_sizes[] = { 16, 32, 64 };
/* The least and greatest number of rows of a block: others leave the tensor core idle or have no
 * registers. */
#define LEAST_ROWS 16
#define MOST_ROWS 256

void
heddle_plan_axes_clear (HeddlePlanAxes *self)
{
  g_clear_pointer (&self->rows, g_array_unref);
  g_clear_pointer (&self->ones, g_array_unref);
}

static gboolean
moves_with (const GPtrArray *indices, const char *axis)
{
  for (guint i = 0; i < indices->len; i++)
    {
      const HeddleExpr *index = g_ptr_array_index (indices, i);

      if (heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX
          && heddle_expr_uses (index, HEDDLE_EXPR_INDEX, axis))
        return TRUE;
    }
  return FALSE;
}

static const GPtrArray *
indices_of (const HeddleNode *node, guint *other)
{
  for (guint i = 0; node->source_indices != NULL && i < node->source_indices->len; i++)
    if (g_ptr_array_index (node->source_indices, i) != NULL && node->sources->len == 2)
      {
        *other = g_array_index (node->sources, guint, 1 - i);
        return g_ptr_array_index (node->source_indices, i);
      }
  return NULL;
}

/* Returns the statement that sums products of windows, for the tensor core. */
static const HeddleNode *
find_product (const HeddleLoopProgram *program, const HeddleNode *node)
{
  const HeddleNode *found = NULL;
  guint other;

  if (node->kind == HEDDLE_NODE_COMPUTE && node->over != NULL && node->over->len > 0
      && node->monoid == HEDDLE_MONOID_SUM && heddle_expr_get_kind (node->body) == HEDDLE_EXPR_MUL
      && indices_of (node, &other) != NULL
      && heddle_mma_get (heddle_loop_program_get_buffer (program, other)->dtype) != NULL)
    return node;
  for (guint i = 0; found == NULL && i < node->children->len; i++)
    found = find_product (program, g_ptr_array_index (node->children, i));
  return found;
}

/* Sorts the axes by their role; returns %FALSE if the product has no rows, columns or sum as the tensor core
 * needs them. */
static gboolean
sort_axes (const HeddlePlan *plan, const HeddleLoopProgram *program, HeddlePlanAxes *self)
{
  const HeddleNode *product = find_product (program, program->root);
  const GPtrArray *indices;
  const HeddleBuffer *result, *matrices;
  guint other = 0;

  if (product == NULL)
    return FALSE;
  indices = indices_of (product, &other);
  matrices = heddle_loop_program_get_buffer (program, other);
  result = heddle_loop_program_get_buffer (program, product->buffer);
  for (guint k = 0; k < result->axes->len; k++)
    {
      const char *axis = heddle_ids_index (result->axes, k);

      if (moves_with (indices, axis))
        heddle_ids_append (self->rows, axis);
      else if (heddle_ids_contain (matrices->axes, axis) && self->columns == NULL)
        self->columns = axis;
      else if (heddle_sizes_get (plan->sizes, axis) > 1)
        heddle_ids_append (self->ones, axis);
    }
  for (guint i = 0; i < product->over->len; i++)
    if (!moves_with (indices, heddle_ids_index (product->over, i)))
      self->depth = heddle_ids_index (product->over, i);
  return self->rows->len > 0 && self->columns != NULL && self->depth != NULL;
}

/* --- sizes --- */

typedef struct
{
  const HeddlePlan *plan;
  const HeddleDiagram *diagram;
  const HeddleKernel *kernel;
  const HeddlePlanAxes *axes;
  HeddleNode *bands[4]; /* rows, then columns, then the sum */
  gint64 best[4];
  guint n, rows;
  double cycles;
} Search;

static void
rank (Search *self)
{
  double seconds;
  gint64 rows = 1;

  for (guint i = 0; i < self->rows; i++)
    rows *= self->bands[i]->size;
  if (rows < LEAST_ROWS || rows > MOST_ROWS)
    return;
  seconds = heddle_plan_tile_seconds (self->plan, self->diagram, self->kernel);
  if (seconds == 0 || (self->cycles > 0 && seconds > self->cycles))
    return;
  self->cycles = seconds;
  for (guint i = 0; i < self->n; i++)
    self->best[i] = self->bands[i]->size;
}

static void
try_sizes (Search *self, guint i)
{
  gboolean stream, row = i < self->rows;
  const gint64 *sizes;
  guint count;
  gint64 n;

  if (i >= self->n || i >= G_N_ELEMENTS (self->bands))
    {
      rank (self);
      return;
    }
  stream = self->bands[i]->band == HEDDLE_BAND_STREAM;
  sizes = row ? self->axes->row_sizes : stream ? chunk_sizes : column_sizes;
  count = row ? self->axes->n_row_sizes : stream ? G_N_ELEMENTS (chunk_sizes) : G_N_ELEMENTS (column_sizes);
  n = heddle_sizes_get (self->plan->sizes, self->bands[i]->axis);
  for (guint k = 0; k < count; k++)
    {
      self->bands[i]->size = sizes[k];
      try_sizes (self, i + 1);
      if (sizes[k] >= n)
        break;
    }
}

static gboolean
add_band (Search *self, const char *axis, HeddleBandKind kind)
{
  self->bands[self->n] = heddle_loop_program_get_band (self->kernel->program, axis, kind);
  return self->bands[self->n++] != NULL;
}

static void
label (HeddleRegion *region, const char *axis, HeddleLabelKind kind, gint64 size)
{
  g_ptr_array_add (region->labels, heddle_label_new (axis, "smem", kind, size));
}

/* Labels the region as the tensor core needs it, with the best sizes by the model. */
static gboolean
label_product (const HeddlePlan *plan, const HeddleDiagram *diagram, HeddleSchedule *schedule,
    HeddleRegion *region, const HeddlePlanAxes *axes, GCancellable *cancellable)
{
  const guint first = region->labels->len;
  Search search = { .plan = plan, .diagram = diagram, .axes = axes, .rows = axes->rows->len };
  HeddleDerivation *derivation;
  gboolean good = TRUE, streams = heddle_sizes_get (plan->sizes, axes->depth) > chunk_sizes[0];

  for (guint i = 0; i < axes->ones->len; i++)
    label (region, heddle_ids_index (axes->ones, i), HEDDLE_LABEL_GROUP, 1);
  for (guint i = 0; i < axes->rows->len; i++)
    label (region, heddle_ids_index (axes->rows, i), HEDDLE_LABEL_GROUP, axes->row_sizes[0]);
  label (region, axes->columns, HEDDLE_LABEL_GROUP, column_sizes[0]);
  if (streams)
    label (region, axes->depth, HEDDLE_LABEL_STREAM, chunk_sizes[0]);
  derivation = heddle_plan_derive_region (plan, diagram, schedule, region, cancellable);
  if (derivation == NULL || derivation->kernels->len != 1
      || ((HeddleKernel *) g_ptr_array_index (derivation->kernels, 0))->program == NULL)
    {
      g_clear_pointer (&derivation, heddle_derivation_free);
      return FALSE;
    }
  search.kernel = g_ptr_array_index (derivation->kernels, 0);
  for (guint i = 0; i < axes->rows->len; i++)
    good = good && add_band (&search, heddle_ids_index (axes->rows, i), HEDDLE_BAND_GROUP);
  good = good && add_band (&search, axes->columns, HEDDLE_BAND_GROUP)
         && (!streams || add_band (&search, axes->depth, HEDDLE_BAND_STREAM));
  if (good)
    try_sizes (&search, 0);
  for (guint i = 0; i < search.n; i++)
    ((HeddleLabel *) g_ptr_array_index (region->labels, first + axes->ones->len + i))->size = search.best[i];
  heddle_derivation_free (derivation);
  return search.cycles > 0;
}

gboolean
heddle_plan_label_product (const HeddlePlan *plan, const HeddleDiagram *diagram, HeddleSchedule *schedule,
    HeddleRegion *region, const HeddlePlanAxes *axes, GCancellable *cancellable)
{
  guint n = region->labels->len;

  if (label_product (plan, diagram, schedule, region, axes, cancellable))
    return TRUE;
  g_ptr_array_set_size (region->labels, n);
  return FALSE;
}

gboolean
heddle_plan_label_windows (const HeddlePlan *plan, const HeddleDiagram *diagram, HeddleSchedule *schedule,
    HeddleRegion *region, const HeddleKernel *kernel, GCancellable *cancellable)
{
  g_auto (HeddlePlanAxes) axes = { .rows = heddle_ids_new (),
    .ones = heddle_ids_new (),
    .row_sizes = box_sizes,
    .n_row_sizes = G_N_ELEMENTS (box_sizes) };

  return kernel->program != NULL && region->labels->len == 0 && sort_axes (plan, kernel->program, &axes)
         && axes.rows->len <= 2
         && heddle_plan_label_product (plan, diagram, schedule, region, &axes, cancellable);
}
