/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "codegen/cuda/rows.h"
#include "codegen/plan/derive.h"
#include "codegen/plan/given.h"
#include "codegen/plan/labelled.h"
#include "codegen/plan/rows.h"
#include "codegen/plan/tiles.h"
#include "derive/derivation/derive.h"
#include "derive/machine/derive-options.h"
#include "derive/program/loop-program.h"
#include "derive/program/memory-layout.h"
#include "diagram/analysis/sizes.h"

/* The number of elements of a block: sixteen for each of 256 threads. */
#define BLOCK 4096
/* The number of elements of a block whose rows read around their elements: a vector for each thread. */
#define REACHING 2048
/* The number of times that an axis may be longer than a block's rows along it for the block to have all of
 * it: a size that is known is divided by fast. */
#define MOST_WHOLE 4
/* The columns and rows of tiles that are read across: the lanes meet in no bank of shared memory. */
#define COLUMNS_ACROSS 64
#define LEAST_COLUMNS_ACROSS 32
#define ROWS_ACROSS 64
/* The lengths of parts in which rows are processed. */
#define PART 8192
#define LEAST_PART 1024
#define MOST_BANDS 8
/* The bytes of shared memory beyond which sizes are left as they were suggested: the model counts them for a
 * tile whatever holds it. */
#define MOST_BYTES 49152

typedef struct
{
  const HeddlePlan *plan;
  const HeddleRegion *region;
  HeddleNode *bands[MOST_BANDS]; /* the groups, outermost first */
  gint64 sizes[MOST_BANDS]; /* as they were */
  guint n;
} Sizing;

/* Collects the bands. Returns %FALSE if there is another loop among them, too many groups, or a size that a
 * label gives. */
static gboolean
collect (Sizing *self, HeddleNode *node)
{
  for (guint i = 0; i < node->children->len; i++)
    {
      HeddleNode *child = g_ptr_array_index (node->children, i);

      if (child->kind != HEDDLE_NODE_BAND)
        continue;
      if ((child->band != HEDDLE_BAND_GROUP && child->band != HEDDLE_BAND_STREAM) || self->n == MOST_BANDS
          || heddle_plan_is_given (self->region, child))
        return FALSE;
      self->sizes[self->n] = child->size;
      self->bands[self->n++] = child;
      if (!collect (self, child))
        return FALSE;
    }
  return TRUE;
}

/* Counts the rows of the whole array. */
static gint64
count_rows (const Sizing *self, const HeddleRows *rows)
{
  gint64 n = 1;

  for (guint k = 0; k < rows->axes->len; k++)
    if (__builtin_mul_overflow (
            n, heddle_sizes_get (self->plan->sizes, heddle_ids_index (rows->axes, k)), &n))
      return G_MAXINT64;
  return n;
}

/* Sets the sizes of the bands. No SM is left without a block for the sake of a fuller one. A block has as
 * many columns as it has elements, or all of them, up to the next multiple of a vector; of the innermost rows
 * it has the rest, and of others one. */
static void
resize (Sizing *self, const HeddleRows *rows, gint64 columns)
{
  gint64 left = BLOCK;

  for (guint i = 0; i < self->n; i++)
    self->bands[i]->size = 1;
  for (guint i = 0; i < self->n; i++)
    if (self->bands[i]->axis == rows->columns)
      columns = self->bands[i]->size = MIN ((columns + 7) / 8 * 8, BLOCK);
  left = MAX (MIN (BLOCK / columns, count_rows (self, rows) / self->plan->machine->sms), 1);
  for (guint k = rows->axes->len; k-- > 0;)
    for (guint i = 0; i < self->n && left > 1; i++)
      if (self->bands[i]->axis == heddle_ids_index (rows->axes, k))
        {
          self->bands[i]->size = MIN (left, heddle_sizes_get (self->plan->sizes, self->bands[i]->axis));
          left = 1;
        }
}

/* Sets the sizes of a block that goes through each row by itself, in parts. */
static void
resize_streamed (Sizing *self, const HeddleRows *rows, gint64 part)
{
  for (guint i = 0; i < self->n; i++)
    self->bands[i]->size = self->bands[i]->axis == rows->columns ? part : 1;
}

/* Sets the sizes of tiles that are read along one axis and written along another: they have whole sectors of
 * both. */
static void
resize_across (Sizing *self, const HeddleRows *rows, gint64 columns)
{
  for (guint i = 0; i < self->n; i++)
    self->bands[i]->size = self->bands[i]->axis == rows->columns  ? columns
                           : self->bands[i]->axis == rows->across ? ROWS_ACROSS
                                                                  : 1;
}

static gboolean
is_changed (const Sizing *self)
{
  for (guint i = 0; i < self->n; i++)
    if (self->bands[i]->size != self->sizes[i])
      return TRUE;
  return FALSE;
}

/* Returns whether the kernel has the form at the current sizes, and the memory that the model counts has
 * room. */
static gboolean
fits (const HeddlePlan *plan, const HeddleLoopProgram *program)
{
  g_auto (HeddleRows) rows = { 0 };

  return heddle_rows_find (&rows, program, plan->sizes, plan->dtype)
         && heddle_loop_program_shared_bytes (program, plan->sizes) <= MOST_BYTES;
}

gboolean
heddle_plan_size_rows (const HeddlePlan *plan, const HeddleKernel *kernel, const HeddleRegion *region)
{
  Sizing self = { .plan = plan, .region = region };
  g_auto (HeddleRows) rows = { 0 };
  gboolean good = FALSE;

  if ((plan->family != HEDDLE_FAMILY_AUTO && plan->family != HEDDLE_FAMILY_ROWS)
      || !collect (&self, kernel->program->root))
    return FALSE;
  heddle_rows_find (&rows, kernel->program, plan->sizes, plan->dtype);
  if (rows.columns == NULL)
    return FALSE;
  for (gint64 columns = COLUMNS_ACROSS; rows.across != NULL && !good && columns >= LEAST_COLUMNS_ACROSS;
       columns /= 2)
    {
      resize_across (&self, &rows, columns);
      good = fits (plan, kernel->program);
    }
  for (gint64 part = PART; rows.streamed && !good && part >= LEAST_PART; part /= 2)
    {
      resize_streamed (&self, &rows, part);
      good = fits (plan, kernel->program);
    }
  if (rows.across == NULL && !rows.streamed)
    {
      resize (&self, &rows, heddle_sizes_get (plan->sizes, rows.columns));
      good = fits (plan, kernel->program);
    }
  if (good)
    return is_changed (&self);
  for (guint i = 0; i < self.n; i++)
    self.bands[i]->size = self.sizes[i];
  return FALSE;
}

/* --- how many rows --- */

/* Returns the price of the region with its labels as they are. */
static double
price_labelled (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleRegion *region, HeddleProductSharesFunc shares)
{
  const HeddleDeriveOptions options = { .machine = plan->machine,
    .dtype = plan->dtype,
    .objective = HEDDLE_OBJECTIVE_TIME,
    .stages = 1,
    .plain = TRUE,
    .region = region->id,
    .product_shares = shares };
  g_autoptr (HeddleDerivation) derivation
      = heddle_derive (diagram, schedule, plan->sizes, &options, NULL, NULL);
  const HeddleKernel *kernel = derivation != NULL && derivation->kernels->len == 1
                                   ? g_ptr_array_index (derivation->kernels, 0)
                                   : NULL;

  return kernel != NULL && kernel->program != NULL && kernel->fits && kernel->refusals->len == 0
             ? kernel->expected_s
             : INFINITY;
}

void
heddle_plan_take_fewer_rows (const HeddlePlan *plan, const HeddleDiagram *diagram,
    const HeddleSchedule *schedule, HeddleRegion *region, const HeddleKernel *kernel,
    HeddleProductSharesFunc shares)
{
  g_auto (HeddleRows) rows = { 0 };
  double seconds = INFINITY;

  if (!heddle_rows_find (&rows, kernel->program, plan->sizes, plan->dtype) || rows.across != NULL)
    return;
  for (guint i = 0; i < region->labels->len; i++)
    {
      HeddleLabel *label = g_ptr_array_index (region->labels, i);

      if (label->kind != HEDDLE_LABEL_GROUP || label->axis == rows.columns || label->inactive != NULL)
        continue;
      if (seconds == INFINITY && label->size > 1)
        seconds = price_labelled (plan, diagram, schedule, region, shares);
      for (gint64 size = label->size / 2; size > 0; size /= 2)
        {
          const gint64 before = label->size;
          double own;

          label->size = size;
          own = price_labelled (plan, diagram, schedule, region, shares);
          if (own < seconds)
            seconds = own;
          else
            label->size = before;
        }
    }
}

/* --- rows that read around their elements --- */

/* Returns whether a statement reads at indices. */
static gboolean
has_reads (const HeddleNode *node)
{
  gboolean found = node->at != NULL;

  for (guint i = 0; !found && node->kind == HEDDLE_NODE_COMPUTE && i < node->source_indices->len; i++)
    found = g_ptr_array_index (node->source_indices, i) != NULL;
  for (guint i = 0; !found && i < node->children->len; i++)
    found = has_reads (g_ptr_array_index (node->children, i));
  return found;
}

/* Returns the buffer that the kernel stores; NULL if it is more than one array, or one without axes. */
static const HeddleBuffer *
find_result (const HeddleLoopProgram *program)
{
  const HeddleBuffer *result = NULL;

  for (guint i = 0; i < program->buffers->len; i++)
    {
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (program, i);

      if (!heddle_ids_contain (program->outputs, buffer->value))
        continue;
      if (result != NULL || buffer->axes->len == 0)
        return NULL;
      result = buffer;
    }
  return result;
}

/* Returns whether the kernel that the labels make has the form, and fits. */
static gboolean
is_good (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleRegion *region)
{
  g_autoptr (HeddleDerivation) derivation = heddle_plan_derive_labelled (plan, diagram, schedule, region);
  g_auto (HeddleRows) rows = { 0 };

  return derivation != NULL
         && heddle_rows_find (&rows,
             ((const HeddleKernel *) g_ptr_array_index (derivation->kernels, 0))->program, plan->sizes,
             plan->dtype);
}

gboolean
heddle_plan_label_rows (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    HeddleRegion *region, const HeddleKernel *kernel)
{
  const HeddleBuffer *result;
  gint64 columns, left, rows = 1;
  guint n;

  if ((plan->family != HEDDLE_FAMILY_AUTO && plan->family != HEDDLE_FAMILY_ROWS) || region->labels->len > 0
      || kernel->region_id == NULL || !has_reads (kernel->program->root))
    return FALSE;
  result = find_result (kernel->program);
  if (result == NULL)
    return FALSE;
  n = result->axes->len;
  columns = heddle_sizes_get (plan->sizes, heddle_ids_index (result->axes, n - 1));
  columns = MIN ((columns + 7) / 8 * 8, BLOCK);
  for (guint i = 0; i + 1 < n; i++)
    if (__builtin_mul_overflow (
            rows, heddle_sizes_get (plan->sizes, heddle_ids_index (result->axes, i)), &rows))
      return FALSE;
  /* no SM is left without a block */
  for (left = MAX (MIN (REACHING / columns, rows / plan->machine->sms), 1); left > 0; left /= 2)
    {
      for (guint i = 0; i < n; i++)
        if (i + 2 != n
            || heddle_sizes_get (plan->sizes, heddle_ids_index (result->axes, i)) > MOST_WHOLE * left)
          g_ptr_array_add (region->labels,
              heddle_label_new (heddle_ids_index (result->axes, i), "smem", HEDDLE_LABEL_GROUP,
                  i + 1 == n   ? columns
                  : i + 2 == n ? left
                               : 1));
      if (is_good (plan, diagram, schedule, region))
        return TRUE;
      g_ptr_array_set_size (region->labels, 0);
    }
  return FALSE;
}

/* --- rows of an array that lies along another axis --- */

/* Returns the axis along which an input lies, if that is not the last one of the result; NULL if there is
 * none. */
static const char *
find_across (const HeddleLoopProgram *program, const HeddleBuffer *result)
{
  const char *columns = heddle_ids_index (result->axes, result->axes->len - 1);

  for (guint i = 0; i < program->buffers->len; i++)
    {
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (program, i);
      const char *last = buffer->axes->len > 1 && buffer->role == HEDDLE_BUFFER_OPERAND
                             ? heddle_ids_index (buffer->axes, buffer->axes->len - 1)
                             : NULL;

      if (last != NULL && last != columns && heddle_ids_contain (result->axes, last))
        return last;
    }
  return NULL;
}

gboolean
heddle_plan_label_across (const HeddlePlan *plan, const HeddleDiagram *diagram,
    const HeddleSchedule *schedule, HeddleRegion *region, const HeddleKernel *kernel)
{
  const HeddleBuffer *result;
  const char *across;

  if ((plan->family != HEDDLE_FAMILY_AUTO && plan->family != HEDDLE_FAMILY_ROWS) || region->labels->len > 0
      || kernel->region_id == NULL || (result = find_result (kernel->program)) == NULL
      || (across = find_across (kernel->program, result)) == NULL)
    return FALSE;
  for (gint64 columns = COLUMNS_ACROSS; columns >= LEAST_COLUMNS_ACROSS; columns /= 2)
    {
      for (guint i = 0; i < result->axes->len; i++)
        g_ptr_array_add (
            region->labels, heddle_label_new (heddle_ids_index (result->axes, i), "smem", HEDDLE_LABEL_GROUP,
                                i + 1 == result->axes->len                     ? columns
                                : heddle_ids_index (result->axes, i) == across ? ROWS_ACROSS
                                                                               : 1));
      if (is_good (plan, diagram, schedule, region))
        return TRUE;
      g_ptr_array_set_size (region->labels, 0);
    }
  return FALSE;
}
