/* SPDX-License-Identifier: MIT */
#include "codegen/cuda/sums.h"
#include "codegen/plan/labelled.h"
#include "codegen/plan/sums.h"
#include "derive/derivation/derive.h"
#include "derive/machine/derive-options.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"

/* The bytes of the columns of a block: four sectors of each place. */
#define COLUMN_BYTES 128
/* The number of values of a block in a step of the stream: the model counts them in shared memory, though
 * registers hold them. */
#define STEP 4096
#define MOST_STEPS 64
/* The number of blocks of each multiprocessor: as many as have their reads under way at once. */
#define BLOCKS 4
/* The number of values of a block that are worth the merging of parts. */
#define LEAST_PART 16384

typedef struct
{
  const HeddlePlan *plan;
  const HeddleLoopProgram *program;
  const HeddleBuffer *largest;
  const GArray *over;
  guint bytes; /* of the largest array's elements */
} Form;

/* Finds the array that is read with the most axes, and what is reduced over. */
static void
find (Form *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer
      = node->kind == HEDDLE_NODE_LOAD ? heddle_loop_program_get_buffer (self->program, node->buffer) : NULL;

  if (buffer != NULL && node->at == NULL
      && (self->largest == NULL || buffer->axes->len > self->largest->axes->len))
    self->largest = buffer;
  if (node->kind == HEDDLE_NODE_COMPUTE && self->over == NULL && node->over != NULL && node->over->len > 0)
    self->over = node->over;
  for (guint i = 0; i < node->children->len; i++)
    find (self, g_ptr_array_index (node->children, i));
}

static const char *
axis_at (const Form *self, guint i)
{
  return heddle_ids_index (self->largest->axes, i);
}

/* Returns how many of the last axes are reduced: vectors go through those as one. */
static guint
count_inner (const Form *self)
{
  guint n = 0, all = self->largest->axes->len;

  while (n < all && heddle_ids_contain (self->over, axis_at (self, all - 1 - n)))
    n++;
  return n;
}

/* Returns the longest reduced axis outside of those; else the first of them, if it is not the contiguous one.
 * Returns NULL if there is none. */
static const char *
streamed_axis (const Form *self)
{
  guint all = self->largest->axes->len, inner = count_inner (self);
  const char *longest = NULL;

  for (guint i = 0; i + MAX (inner, 1) < all; i++)
    if (heddle_ids_contain (self->over, axis_at (self, i))
        && (longest == NULL
            || heddle_sizes_get (self->plan->sizes, axis_at (self, i))
                   > heddle_sizes_get (self->plan->sizes, longest)))
      longest = axis_at (self, i);
  return longest == NULL && inner > 1 ? axis_at (self, all - inner) : longest;
}

static void
label (HeddleRegion *region, const char *axis, HeddleLabelKind kind, gint64 size)
{
  g_ptr_array_add (region->labels, heddle_label_new (axis, "smem", kind, size));
}

static void
label_all (const Form *self, HeddleRegion *region, const char *streamed)
{
  gint64 blocks = 1, inner = 1, columns = MAX (COLUMN_BYTES / self->bytes, 1), n, step, part;
  gint64 wanted = (gint64) self->plan->machine->sms * BLOCKS;

  for (guint i = 0; i < self->largest->axes->len; i++)
    {
      const char *axis = axis_at (self, i);
      gboolean last = i + 1 == self->largest->axes->len;
      gint64 size = heddle_sizes_get (self->plan->sizes, axis);

      if (!heddle_ids_contain (self->over, axis))
        {
          label (region, axis, HEDDLE_LABEL_GROUP, last ? columns : 1);
          blocks *= last ? (size + columns - 1) / columns : size;
          inner *= last ? MIN (columns, size) : 1;
        }
      else if (axis != streamed)
        inner *= size;
    }
  n = heddle_sizes_get (self->plan->sizes, streamed);
  step = CLAMP (STEP / inner, 1, MOST_STEPS);
  part = blocks > 0 ? n * blocks / wanted : n;
  part = MAX (part, LEAST_PART / inner);
  part = (MAX (part, 1) + step - 1) / step * step;
  if (2 * part <= n)
    label (region, streamed, HEDDLE_LABEL_GROUP, part);
  label (region, streamed, HEDDLE_LABEL_STREAM, step);
}

/* Returns whether the kernel that the labels make has the form. */
static gboolean
is_good (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleRegion *region)
{
  g_autoptr (HeddleDerivation) derivation = heddle_plan_derive_labelled (plan, diagram, schedule, region);
  g_auto (HeddleSums) sums = { 0 };

  return derivation != NULL
         && heddle_sums_find (&sums,
             ((const HeddleKernel *) g_ptr_array_index (derivation->kernels, 0))->program, plan->sizes,
             plan->dtype);
}

gboolean
heddle_plan_label_sums (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    HeddleRegion *region, const HeddleKernel *kernel)
{
  Form self = { .plan = plan, .program = kernel->program };
  const char *streamed;

  if ((plan->family != HEDDLE_FAMILY_AUTO && plan->family != HEDDLE_FAMILY_ROWS) || region->labels->len > 0
      || kernel->region_id == NULL)
    return FALSE;
  find (&self, kernel->program->root);
  streamed = self.largest != NULL && self.over != NULL ? streamed_axis (&self) : NULL;
  if (streamed == NULL)
    return FALSE;
  self.bytes = heddle_dtype_bytes (heddle_diagram_dtype (diagram, self.largest->value, plan->dtype));
  label_all (&self, region, streamed);
  if (is_good (plan, diagram, schedule, region))
    return TRUE;
  g_ptr_array_set_size (region->labels, 0);
  return FALSE;
}
