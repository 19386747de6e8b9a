/* SPDX-License-Identifier: MIT */
#include "codegen/cuda/barrier.h"
#include "codegen/cuda/lanes.h"
#include "codegen/cuda/piece-load.h"
#include "codegen/cuda/points.h"
#include "codegen/cuda/register-tile.h"
#include "codegen/cuda/text.h"
#include "derive/program/memory-layout.h"
#include "derive/region/region.h"

/* This file decides where the threads of a block must wait for one another: between two statements that
 * access the same shared memory, one of them writing, unless each thread accesses only what it accessed
 * itself. */

typedef struct
{
  gint64 offset; /* in shared memory: buffers in place of one another have the same */
  const HeddleBuffer *loop; /* whose points the threads go through */
  gboolean own; /* at the point itself */
  gboolean writes;
} Access;

static void
add_access (const HeddleCudaKernel *self, GArray *list, const HeddleNode *node, guint buffer, gboolean own,
    gboolean writes)
{
  Access access = { heddle_loop_program_buffer_offset (self->program, self->sizes, buffer),
    heddle_loop_program_get_buffer (self->program, node->buffer), own, writes };

  g_array_append_val (list, access);
}

static GArray *
accesses_of (HeddleCudaKernel *self, const HeddleNode *node)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (Access));

  gboolean folds = node->form == HEDDLE_COMPUTE_FOLD && heddle_cuda_lane_axis (self, node) == NULL
                   && heddle_register_tiles_get (self->tiles, node) == NULL
                   && !heddle_cuda_loads_pieces (self, node);

  add_access (self, list, node, node->buffer, folds, node->kind != HEDDLE_NODE_SAVE);
  if (node->second != HEDDLE_NO_BUFFER)
    add_access (self, list, node, node->second, FALSE, TRUE);
  for (guint i = 0; i < node->sources->len; i++)
    {
      guint source = g_array_index (node->sources, guint, i);
      gboolean own = folds && g_ptr_array_index (node->source_indices, i) == NULL
                     && heddle_buffer_same_points (heddle_loop_program_get_buffer (self->program, source),
                         heddle_loop_program_get_buffer (self->program, node->buffer));

      add_access (self, list, node, source, own, FALSE);
    }
  return list;
}

static gboolean
clash (const Access *a, const Access *b)
{
  return a->offset == b->offset && (a->writes || b->writes)
         && !(a->own && b->own && heddle_buffer_same_points (a->loop, b->loop));
}

static gboolean
any_clash (const GArray *before, const GArray *now)
{
  for (guint i = 0; i < before->len; i++)
    for (guint k = 0; k < now->len; k++)
      if (clash (&g_array_index (before, Access, i), &g_array_index (now, Access, k)))
        return TRUE;
  return FALSE;
}

GArray *
heddle_cuda_accesses_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (Access));
}

/* Prints a barrier, unless nothing was accessed since the last one. */
void
heddle_cuda_barrier (HeddleCudaKernel *self)
{
  if (self->copying)
    {
      heddle_cuda_line (self, "commit_copies ();");
      heddle_cuda_line (self, "wait_for_copies<0> ();");
    }
  self->copying = FALSE;
  if (self->accesses->len > 0)
    heddle_cuda_line (self, "__syncthreads ();");
  g_array_set_size (self->accesses, 0);
}

/* Returns whether the node reads from global memory what the kernel writes there. */
static gboolean
reads_back (const HeddleCudaKernel *self, const HeddleNode *node)
{
  const char *value = heddle_loop_program_get_buffer (self->program, node->buffer)->value;

  return node->kind == HEDDLE_NODE_LOAD && node->upper == HEDDLE_GLOBAL
         && (heddle_ids_contain (self->program->outputs, value)
             || heddle_ids_contain (self->program->spilled, value));
}

void
heddle_cuda_barrier_before (HeddleCudaKernel *self, const HeddleNode *node)
{
  g_autoptr (GArray) now = accesses_of (self, node);

  if (any_clash (self->accesses, now) || reads_back (self, node))
    heddle_cuda_barrier (self);
  g_array_append_vals (self->accesses, now->data, now->len);
}
