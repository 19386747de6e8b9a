/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "codegen/plan/choice.h"
#include "codegen/plan/derive.h"
#include "codegen/plan/heads.h"
#include "codegen/plan/plan.h"
#include "codegen/plan/tiles.h"
#include "codegen/plan/windows.h"
#include "derive/derivation/derive.h"
#include "derive/index/extent.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/program/loop-program.h"
#include "derive/stream/stream-kind.h"
#include "diagram/analysis/sizes.h"
#include "diagram/graph/operation-table.h"

/* This file treats axes that go through a kernel from its arrays to its result, heads of attention or
 * batches: a block that has all of one can have one of it as well, which leaves its rows to another axis.
 * Products that sum over two axes: a step that has one of the first sums over the other. And streams that
 * leave multiprocessors idle: their parts go to blocks of their own. */

/* The number of tries beyond which they are not worth the time that planning takes. */
#define MOST_TRIES 8

/* Returns the axis of @result along which an input lies, if that is not the result's last one; NULL if there
 * is none. A block may then have a single index of the last one, too. */
static const char *
find_across (const HeddleLoopProgram *program, const HeddleBuffer *result)
{
  const char *columns = result->axes->len > 0 ? heddle_ids_index (result->axes, result->axes->len - 1) : NULL;

  for (guint i = 0; columns != NULL && i < program->buffers->len; i++)
    {
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (program, i);
      const char *last = buffer->role == HEDDLE_BUFFER_OPERAND && buffer->axes->len > 0
                             ? heddle_ids_index (buffer->axes, buffer->axes->len - 1)
                             : NULL;

      if (last != NULL && last != columns && heddle_ids_contain (result->axes, last))
        return last;
    }
  return NULL;
}

/* Returns the axes of a kernel's results that a block has all of, except the contiguous one if all inputs lie
 * along it, too. */
static GArray *
whole_axes (const HeddlePlan *plan, const HeddleKernel *kernel)
{
  GArray *axes = heddle_ids_new ();

  for (guint i = 0; kernel->program != NULL && kernel->tensor_flops > 0 && i < kernel->program->buffers->len;
       i++)
    {
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (kernel->program, i);

      for (guint k = 0; buffer->value != NULL && heddle_ids_contain (kernel->program->outputs, buffer->value)
                        && k + (find_across (kernel->program, buffer) != NULL ? 0 : 1) < buffer->axes->len;
           k++)
        {
          const char *axis = heddle_ids_index (buffer->axes, k);

          if (g_array_index (buffer->extents, HeddleExtent, k) == HEDDLE_EXTENT_FULL
              && heddle_sizes_get (plan->sizes, axis) > 1 && !heddle_ids_contain (axes, axis))
            heddle_ids_append (axes, axis);
        }
    }
  return axes;
}

/* Returns the axes that products sum over, if they sum over several. */
static GArray *
summed_axes (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleRegion *region)
{
  GArray *axes = heddle_ids_new ();

  for (guint i = 0; i < region->operations->len; i++)
    {
      const HeddleOperation *operation
          = heddle_diagram_get_operation (diagram, heddle_ids_index (region->operations, i));

      for (guint k = 0; operation->kind->form == HEDDLE_FORM_CONTRACT && operation->axes->len > 1
                        && k < operation->axes->len;
           k++)
        if (heddle_sizes_get (plan->sizes, heddle_ids_index (operation->axes, k)) > 1
            && !heddle_ids_contain (axes, heddle_ids_index (operation->axes, k)))
          heddle_ids_append (axes, heddle_ids_index (operation->axes, k));
    }
  return axes;
}

/* Returns the seconds of the region with @size of @axis in a block, or in a step; the label stays. They are
 * infinite if its products leave the tensor core for it although they are @bound to it. */
static double
seconds_with (const HeddlePlan *plan, const HeddleDiagram *diagram, HeddleSchedule *schedule,
    HeddleRegion *region, gboolean bound, HeddleLabelKind kind, const char *axis, gint64 size,
    GCancellable *cancellable)
{
  HeddleDerivation *derivation;
  double seconds = INFINITY;

  g_ptr_array_add (region->labels, heddle_label_new (axis, "smem", kind, size));
  derivation = heddle_plan_derive (diagram, schedule, region, plan, cancellable, NULL);
  if (derivation != NULL && derivation->kernels->len == 1
      && (!bound || heddle_plan_is_bound (plan, diagram, derivation)))
    seconds = heddle_plan_seconds (plan, diagram, derivation);
  g_clear_pointer (&derivation, heddle_derivation_free);
  return seconds;
}

static void
drop_label (HeddleRegion *region)
{
  g_ptr_array_set_size (region->labels, region->labels->len - 1);
}

/* Streams one axis at most: the best of @axes, if any is faster than @seconds. */
static void
try_streams (const HeddlePlan *plan, const HeddleDiagram *diagram, HeddleSchedule *schedule,
    HeddleRegion *region, gboolean bound, const GArray *axes, double *seconds, GCancellable *cancellable)
{
  const char *best = NULL;

  for (guint k = 0; k < MIN (axes->len, MOST_TRIES); k++)
    {
      const char *axis = heddle_ids_index (axes, k);
      double own
          = seconds_with (plan, diagram, schedule, region, bound, HEDDLE_LABEL_STREAM, axis, 1, cancellable);

      drop_label (region);
      if (own >= *seconds)
        continue;
      *seconds = own;
      best = axis;
    }
  if (best != NULL)
    g_ptr_array_add (region->labels, heddle_label_new (best, "smem", HEDDLE_LABEL_STREAM, 1));
}

/* Returns the axes that softmaxes, norms and sums of products go over. */
static GArray *
step_axes (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleRegion *region)
{
  GArray *axes = heddle_ids_new ();

  for (guint i = 0; i < region->operations->len; i++)
    {
      const HeddleOperation *operation
          = heddle_diagram_get_operation (diagram, heddle_ids_index (region->operations, i));

      if (operation->kind->form != HEDDLE_FORM_NORMALISE && operation->kind->form != HEDDLE_FORM_CONTRACT)
        continue;
      for (guint k = 0; k < operation->axes->len; k++)
        if (heddle_sizes_get (plan->sizes, heddle_ids_index (operation->axes, k)) > 1
            && !heddle_ids_contain (axes, heddle_ids_index (operation->axes, k)))
          heddle_ids_append (axes, heddle_ids_index (operation->axes, k));
    }
  return axes;
}

/* The steps along such an axis, if a block would have all of it; the longer one first. */
static const gint64 step_sizes[] = { 128, 64 };

/* Tries steps along @axes. The derivation keeps all of a short row in a block, and everything that a small
 * tile sums over, which is too much for the tensor core; the best step that lets it run the kernel is taken
 * if that is faster than @seconds. */
static gboolean
try_steps (const HeddlePlan *plan, const HeddleDiagram *diagram, HeddleSchedule *schedule,
    HeddleRegion *region, const GArray *axes, double *seconds, GCancellable *cancellable)
{
  const char *best = NULL;
  gint64 step = 0;

  for (guint i = 0; i < MIN (axes->len, MOST_TRIES); i++)
    for (guint k = 0; k < G_N_ELEMENTS (step_sizes); k++)
      {
        const char *axis = heddle_ids_index (axes, i);
        double own;

        if (step_sizes[k] >= heddle_sizes_get (plan->sizes, axis))
          continue;
        own = seconds_with (
            plan, diagram, schedule, region, TRUE, HEDDLE_LABEL_STREAM, axis, step_sizes[k], cancellable);
        drop_label (region);
        if (own >= *seconds)
          continue;
        *seconds = own;
        best = axis;
        step = step_sizes[k];
      }
  if (best == NULL)
    return FALSE;
  g_ptr_array_add (region->labels, heddle_label_new (best, "smem", HEDDLE_LABEL_STREAM, step));
  return TRUE;
}

static void
try_groups (const HeddlePlan *plan, const HeddleDiagram *diagram, HeddleSchedule *schedule,
    HeddleRegion *region, gboolean bound, const GArray *axes, double *seconds, GCancellable *cancellable)
{
  for (guint k = 0; k < MIN (axes->len, MOST_TRIES); k++)
    {
      double own = seconds_with (plan, diagram, schedule, region, bound, HEDDLE_LABEL_GROUP,
          heddle_ids_index (axes, k), 1, cancellable);

      if (own < *seconds)
        *seconds = own;
      else
        drop_label (region);
    }
}

/* The numbers of rows that a block is tried with if it has fewer than the tensor core multiplies at a time. */
static const gint64 tall_sizes[] = { 64, 128 };
#define FEW_ROWS 16

/* Returns an axis of which a block has few, though it is long, and which nobody labelled; NULL if there is none. */
static const char *
find_flat (const HeddlePlan *plan, const HeddleRegion *region, const HeddleDerivation *derivation)
{
  const HeddleKernel *kernel = derivation != NULL && derivation->kernels->len == 1
                                   ? g_ptr_array_index (derivation->kernels, 0)
                                   : NULL;

  for (guint i = 0; kernel != NULL && kernel->tensor_flops > 0 && i < kernel->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (kernel->labels, i);

      if (label->kind == HEDDLE_LABEL_GROUP && label->inactive == NULL && label->size < FEW_ROWS
          && heddle_sizes_get (plan->sizes, label->axis) >= tall_sizes[0]
          && heddle_region_get_label (region, label->axis, label->level, HEDDLE_LABEL_GROUP) == NULL)
        return label->axis;
    }
  return NULL;
}

/* Tries more rows a block where the search for labels, which knows nothing of the tensor core's shapes, gives it
 * few. */
static void
try_rows (const HeddlePlan *plan, const HeddleDiagram *diagram, HeddleSchedule *schedule,
    HeddleRegion *region, gboolean bound, double *seconds, GCancellable *cancellable)
{
  HeddleDerivation *derivation = heddle_plan_derive (diagram, schedule, region, plan, cancellable, NULL);
  const char *axis = find_flat (plan, region, derivation);
  gint64 best = 0;

  g_clear_pointer (&derivation, heddle_derivation_free);
  for (guint i = 0; axis != NULL && i < G_N_ELEMENTS (tall_sizes); i++)
    {
      double own = seconds_with (
          plan, diagram, schedule, region, bound, HEDDLE_LABEL_GROUP, axis, tall_sizes[i], cancellable);

      drop_label (region);
      if (own >= *seconds)
        continue;
      *seconds = own;
      best = tall_sizes[i];
    }
  if (best > 0)
    g_ptr_array_add (region->labels, heddle_label_new (axis, "smem", HEDDLE_LABEL_GROUP, best));
}

/* The axes of a result: one along which an input lies, the result's last one, and the longest other one. */
typedef struct
{
  const char *across, *columns, *rows; /* NULL: all that is read lies along the last one; there is no other */
} Across;

static const char *
longest_but (const HeddlePlan *plan, const HeddleBuffer *result, const char *across)
{
  const char *longest = NULL;

  for (guint i = 0; i + 1 < result->axes->len; i++)
    {
      const char *axis = heddle_ids_index (result->axes, i);

      if (axis != across
          && (longest == NULL
              || heddle_sizes_get (plan->sizes, axis) > heddle_sizes_get (plan->sizes, longest)))
        longest = axis;
    }
  return longest;
}

static Across
across_of (const HeddlePlan *plan, const HeddleKernel *kernel)
{
  const HeddleLoopProgram *program = kernel->tensor_flops > 0 ? kernel->program : NULL;

  for (guint i = 0; program != NULL && i < program->buffers->len; i++)
    {
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (program, i);
      const char *across = buffer->value != NULL && buffer->axes->len > 1
                                   && heddle_ids_contain (program->outputs, buffer->value)
                               ? find_across (program, buffer)
                               : NULL;

      if (across != NULL)
        return (Across){ across, heddle_ids_index (buffer->axes, buffer->axes->len - 1),
          longest_but (plan, buffer, across) };
    }
  return (Across){ NULL, NULL, NULL };
}

/* The numbers of rows of a block: as many as the search leaves it, and else these. */
static const gint64 row_sizes[] = { 0, 64, 256 };

/* Tries all of the axis that an array lies along, and one index of the result's last one: the array is read
 * by vectors, and stored element by element. The search for labels does not know how arrays lie. */
static gboolean
try_across (const HeddlePlan *plan, const HeddleDiagram *diagram, HeddleSchedule *schedule,
    HeddleRegion *region, gboolean bound, Across axes, double *seconds, GCancellable *cancellable)
{
  gint64 best = -1;

  if (axes.across == NULL || region->labels->len > 0)
    return FALSE;
  g_ptr_array_add (region->labels, heddle_label_new (axes.across, "smem", HEDDLE_LABEL_GROUP,
                                       heddle_sizes_get (plan->sizes, axes.across)));
  for (guint i = 0; i < (axes.rows != NULL ? G_N_ELEMENTS (row_sizes) : 1); i++)
    {
      double own;

      if (row_sizes[i] > 0)
        g_ptr_array_add (
            region->labels, heddle_label_new (axes.rows, "smem", HEDDLE_LABEL_GROUP, row_sizes[i]));
      own = seconds_with (
          plan, diagram, schedule, region, bound, HEDDLE_LABEL_GROUP, axes.columns, 1, cancellable);
      g_ptr_array_set_size (region->labels, 1);
      if (own >= *seconds)
        continue;
      *seconds = own;
      best = row_sizes[i];
    }
  if (best < 0)
    {
      g_ptr_array_set_size (region->labels, 0);
      return FALSE;
    }
  if (best > 0)
    g_ptr_array_add (region->labels, heddle_label_new (axes.rows, "smem", HEDDLE_LABEL_GROUP, best));
  g_ptr_array_add (region->labels, heddle_label_new (axes.columns, "smem", HEDDLE_LABEL_GROUP, 1));
  return TRUE;
}

/* --- parts of a stream --- */

/* The numbers of parts into which a stream is divided; parts of less than @LEAST_PART are not worth
 * merging. */
static const gint64 part_counts[] = { 2, 4, 8, 16, 32 };
#define LEAST_PART 512
#define PART_MULTIPLE 128
/* The share of the time at which dividing is worth it, for merging moves more. */
#define WORTH_PARTS 0.9
/* The number of blocks for each multiprocessor with which nothing is left idle. */
#define ENOUGH_WAVES 4

static gint64
count_blocks (const HeddlePlan *plan, const HeddleKernel *kernel)
{
  gint64 blocks = 1;

  for (guint i = 0; i < kernel->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (kernel->labels, i);
      gint64 n = heddle_sizes_get (plan->sizes, label->axis);

      if (label->kind == HEDDLE_LABEL_GROUP && label->inactive == NULL)
        blocks *= (n + label->size - 1) / MAX (1, label->size);
    }
  return blocks;
}

/* Returns the axis that the kernel streams whole with states that can be merged, on the tensor core, with too
 * few blocks for the machine; NULL if there is none. */
static const char *
axis_to_share (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleRegion *region,
    const HeddleDerivation *derivation)
{
  const HeddleKernel *kernel = derivation != NULL && derivation->kernels->len == 1
                                   ? g_ptr_array_index (derivation->kernels, 0)
                                   : NULL;
  const char *axis = NULL;

  if (kernel == NULL || kernel->stream_kind != HEDDLE_STREAM_MONOID || kernel->program->combine != NULL
      || kernel->tensor_flops == 0
      || count_blocks (plan, kernel) >= ENOUGH_WAVES * (gint64) plan->machine->sms
      || !heddle_plan_has_tiles (plan, diagram, kernel))
    return NULL;
  for (guint i = 0; i < kernel->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (kernel->labels, i);

      if (label->kind == HEDDLE_LABEL_STREAM && label->inactive == NULL)
        axis = label->axis;
    }
  for (guint i = 0; axis != NULL && i < region->labels->len; i++)
    if (((const HeddleLabel *) g_ptr_array_index (region->labels, i))->axis == axis)
      return NULL;
  return axis;
}

/* Tries to divide the stream among blocks, whose states another kernel merges, and does so if that is
 * faster. */
static void
try_parts (const HeddlePlan *plan, const HeddleDiagram *diagram, HeddleSchedule *schedule,
    HeddleRegion *region, double *seconds, GCancellable *cancellable)
{
  HeddleDerivation *derivation = heddle_plan_derive (diagram, schedule, region, plan, cancellable, NULL);
  const char *axis = axis_to_share (plan, diagram, region, derivation);
  gint64 n = axis != NULL ? heddle_sizes_get (plan->sizes, axis) : 0, best = 0;
  double least = *seconds * WORTH_PARTS;

  g_clear_pointer (&derivation, heddle_derivation_free);
  for (guint i = 0; axis != NULL && i < G_N_ELEMENTS (part_counts); i++)
    {
      gint64 part = (n / part_counts[i] + PART_MULTIPLE) / PART_MULTIPLE * PART_MULTIPLE;
      double own;

      if (part < LEAST_PART || part >= n)
        continue;
      own = seconds_with (plan, diagram, schedule, region, TRUE, HEDDLE_LABEL_GROUP, axis, part, cancellable);
      drop_label (region);
      if (own >= least)
        continue;
      *seconds = least = own;
      best = part;
    }
  if (best > 0)
    g_ptr_array_add (region->labels, heddle_label_new (axis, "smem", HEDDLE_LABEL_GROUP, best));
}

/* Tries the labels that the tensor core needs for a product of windows, or with matrices that rows choose,
 * and takes them if that is faster. */
static gboolean
try_gathered (const HeddlePlan *plan, const HeddleDiagram *diagram, HeddleSchedule *schedule,
    HeddleRegion *region, const HeddleKernel *kernel, double *seconds, GCancellable *cancellable)
{
  HeddleDerivation *derivation;
  double own;

  if (!heddle_plan_label_windows (plan, diagram, schedule, region, kernel, cancellable)
      && !heddle_plan_label_choices (plan, diagram, schedule, region, kernel, cancellable))
    return FALSE;
  derivation = heddle_plan_derive (diagram, schedule, region, plan, cancellable, NULL);
  own = heddle_plan_seconds (plan, diagram, derivation);
  g_clear_pointer (&derivation, heddle_derivation_free);
  if (own >= *seconds)
    {
      g_ptr_array_set_size (region->labels, 0);
      return FALSE;
    }
  *seconds = own;
  return TRUE;
}

double
heddle_plan_price_region (const HeddleDiagram *diagram, HeddleSchedule *schedule, HeddleRegion *region,
    const HeddlePlan *plan, GCancellable *cancellable)
{
  HeddleDerivation *derivation = heddle_plan_derive (diagram, schedule, region, plan, cancellable, NULL);
  double seconds = heddle_plan_seconds (plan, diagram, derivation);
  gboolean one = derivation != NULL && derivation->kernels->len == 1;
  gboolean bound = one && heddle_plan_is_bound (plan, diagram, derivation);
  g_autoptr (GArray) whole = one ? whole_axes (plan, g_ptr_array_index (derivation->kernels, 0)) : NULL;
  g_autoptr (GArray) summed = one ? summed_axes (plan, diagram, region) : NULL;
  Across across = { NULL, NULL, NULL };

  if (one)
    across = across_of (plan, g_ptr_array_index (derivation->kernels, 0));
  if (one && plan->family != HEDDLE_FAMILY_GENERAL
      && try_gathered (
          plan, diagram, schedule, region, g_ptr_array_index (derivation->kernels, 0), &seconds, cancellable))
    {
      heddle_derivation_free (derivation);
      return seconds;
    }
  g_clear_pointer (&derivation, heddle_derivation_free);
  if (one && !bound && plan->family != HEDDLE_FAMILY_GENERAL)
    {
      g_autoptr (GArray) rows = step_axes (plan, diagram, region);

      if (try_steps (plan, diagram, schedule, region, rows, &seconds, cancellable))
        {
          bound = TRUE;
          derivation = heddle_plan_derive (diagram, schedule, region, plan, cancellable, NULL);
          g_clear_pointer (&whole, g_array_unref);
          if (derivation == NULL)
            return INFINITY; /* cancelled meanwhile */
          whole = whole_axes (plan, g_ptr_array_index (derivation->kernels, 0));
          g_clear_pointer (&derivation, heddle_derivation_free);
        }
    }
  if (summed != NULL && plan->family != HEDDLE_FAMILY_GENERAL)
    try_streams (plan, diagram, schedule, region, bound, summed, &seconds, cancellable);
  if (whole != NULL && plan->family != HEDDLE_FAMILY_GENERAL
      && !try_across (plan, diagram, schedule, region, bound, across, &seconds, cancellable))
    try_groups (plan, diagram, schedule, region, bound, whole, &seconds, cancellable);
  if (one && plan->family != HEDDLE_FAMILY_GENERAL)
    try_rows (plan, diagram, schedule, region, bound, &seconds, cancellable);
  if (bound && plan->thorough && plan->family != HEDDLE_FAMILY_GENERAL)
    try_parts (plan, diagram, schedule, region, &seconds, cancellable);
  return seconds;
}
