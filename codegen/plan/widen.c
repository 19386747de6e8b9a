/* SPDX-License-Identifier: MIT */
#include "codegen/plan/given.h"
#include "codegen/plan/widen.h"
#include "derive/program/loop-program.h"
#include "derive/program/memory-layout.h"
#include "derive/program/windows.h"
#include "diagram/analysis/sizes.h"

/* This file enlarges tiles of the general family whose size does not change what is moved: larger ones give
 * all threads of a block work, and let neighbours read side by side. */

/* The bytes beyond which a multiprocessor has room for few blocks. */
#define MOST_BYTES (24 * 1024)
/* The number of values of a buffer that a block works on: several for each thread. */
#define ENOUGH_VALUES 4096
/* The number of blocks that each multiprocessor is to have. */
#define LEAST_BLOCKS 4

typedef struct
{
  const HeddlePlan *plan;
  HeddleLoopProgram *program;
  GPtrArray *bands; /* of HeddleNode: those that may grow */
} Widening;

static void
collect (Widening *self, const HeddleRegion *region)
{
  const HeddleNode *node = self->program->root;

  while (node->children->len == 1)
    {
      HeddleNode *child = g_ptr_array_index (node->children, 0);

      if (child->kind != HEDDLE_NODE_BAND || child->band != HEDDLE_BAND_GROUP)
        return;
      if (!heddle_plan_is_given (region, child) && !heddle_plan_is_part (self->program, child))
        g_ptr_array_add (self->bands, child);
      node = child;
    }
}

static gint64
blocks_of (const Widening *self)
{
  const HeddleNode *node = self->program->root;
  gint64 blocks = 1;

  while (node->children->len == 1)
    {
      node = g_ptr_array_index (node->children, 0);
      if (node->kind != HEDDLE_NODE_BAND || node->band != HEDDLE_BAND_GROUP)
        break;
      blocks *= (heddle_sizes_get (self->plan->sizes, node->axis) + node->size - 1) / node->size;
    }
  return blocks;
}

/* Returns the number of values of the largest buffer. */
static gint64
values_of (const Widening *self)
{
  gint64 most = 0;

  for (guint i = 0; i < self->program->buffers->len; i++)
    {
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, i);
      gint64 n = 1;

      for (guint k = 0; k < buffer->axes->len; k++)
        n *= heddle_buffer_most (self->program, self->plan->sizes, buffer, k);
      most = MAX (most, n);
    }
  return most;
}

/* Doubles the tile along the band's axis; returns %FALSE if it stays as it is. */
static gboolean
grow (const Widening *self, HeddleNode *band)
{
  gint64 own = band->size;

  if (own >= heddle_sizes_get (self->plan->sizes, band->axis) || values_of (self) >= ENOUGH_VALUES)
    return FALSE;
  band->size = 2 * own;
  if (heddle_loop_program_shared_bytes (self->program, self->plan->sizes) <= MOST_BYTES
      && blocks_of (self) >= (gint64) self->plan->machine->sms * LEAST_BLOCKS)
    return TRUE;
  band->size = own;
  return FALSE;
}

/* Returns the band of the axis that is contiguous in the kernel's results; NULL if none is grouped. */
static HeddleNode *
contiguous (const Widening *self)
{
  for (guint i = 0; i < self->program->buffers->len; i++)
    {
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, i);

      for (guint k = 0; k < self->bands->len && buffer->role == HEDDLE_BUFFER_RESULT && buffer->axes->len > 0;
           k++)
        {
          HeddleNode *band = g_ptr_array_index (self->bands, k);

          if (band->axis == heddle_ids_index (buffer->axes, buffer->axes->len - 1))
            return band;
        }
    }
  return NULL;
}

gboolean
heddle_plan_widen (const HeddlePlan *plan, const HeddleKernel *kernel, const HeddleRegion *region)
{
  Widening self = { plan, kernel->program, g_ptr_array_new () };
  HeddleNode *first;
  gboolean grown = FALSE;

  collect (&self, region);
  first = contiguous (&self);
  while (first != NULL && grow (&self, first))
    grown = TRUE;
  for (guint i = self.bands->len; i-- > 0;)
    while (grow (&self, g_ptr_array_index (self.bands, i)))
      grown = TRUE;
  g_ptr_array_unref (self.bands);
  return grown;
}
