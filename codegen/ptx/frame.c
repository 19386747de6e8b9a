/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/ptx/frame.h"
#include "codegen/ptx/ptx.h"

/* This file makes activations of functions: registers, local memory and the space for the arguments of
 * calls. */

/* Gives every lane @bytes of local memory; what is new is poisoned. */
static gboolean
reserve_local (PtxWarp *warp, gsize bytes)
{
  if (bytes <= warp->local_size)
    return TRUE;
  gsize size = MAX (bytes, 2 * warp->local_size);
  guint8 *local = g_try_malloc (size * PTX_LANES);
  if (local == NULL)
    return FALSE;
  memset (local, 0xff, size * PTX_LANES);
  for (guint l = 0; l < PTX_LANES && warp->local_size > 0; l++)
    memcpy (local + l * size, warp->local + l * warp->local_size, warp->local_size);
  g_free (warp->local);
  warp->local = local;
  warp->local_size = size;
  return TRUE;
}

static gboolean
place_local (PtxWarp *warp, PtxFrame *frame, const PtxFrame *parent)
{
  const PtxFunction *function = frame->function;
  gsize top = parent != NULL ? parent->local_base + parent->function->local_bytes : 0;
  frame->local_base = (top + 15) & ~(gsize) 15;
  if (function->local_bytes == 0)
    return TRUE;
  gsize end = frame->local_base + function->local_bytes;
  if (end > PTX_MOST_LOCAL || !reserve_local (warp, end))
    return FALSE;
  for (guint l = 0; l < PTX_LANES; l++)
    if (parent == NULL || (warp->mask >> l & 1) != 0)
      memset (warp->local + l * warp->local_size + frame->local_base, 0xff, function->local_bytes);
  return TRUE;
}

/* Puts the addresses of local memory into the registers that hold them. */
static void
fill_addresses (PtxFrame *frame)
{
  const GArray *addresses = frame->function->local_addresses;
  for (guint i = 0; i < addresses->len; i++)
    {
      const PtxLocalAddress *address = &g_array_index (addresses, PtxLocalAddress, i);
      guint32 place = PTX_SLOT_INDEX (address->slot);
      for (guint l = 0; l < PTX_LANES; l++)
        frame->registers[(gsize) place * PTX_LANES + l] = frame->local_base + address->offset;
      frame->defined[place] = G_MAXUINT32;
    }
}

static void
frame_destroy (gpointer data)
{
  PtxFrame *self = data;
  g_free (self->registers);
  g_free (self->defined);
  g_free (self->parameters);
  g_free (self);
}

/* Takes the memory of an activation, out of what all of them together may have. */
static gboolean
reserve_frame (PtxRun *run, PtxFrame *self)
{
  gsize registers = MAX (self->function->n_registers, 1), parameters = MAX (self->function->call_bytes, 1);
  gsize bytes = registers * PTX_LANES * sizeof (guint64) + parameters * PTX_LANES;
  if (bytes > PTX_MOST_FRAME_BYTES - run->frame_bytes)
    return FALSE;
  run->frame_bytes += self->bytes = bytes;
  self->registers = g_malloc0 (registers * PTX_LANES * sizeof (guint64));
  self->defined = g_new0 (guint32, registers);
  self->parameters = g_malloc (parameters * PTX_LANES);
  memset (self->parameters, 0xff, parameters * PTX_LANES);
  return TRUE;
}

PtxFrame *
ptx_frame_new (PtxWarp *warp, const PtxFunction *function, PtxFrame *parent, GError **error)
{
  PtxFrame *self = g_new0 (PtxFrame, 1);
  if (warp->frames == NULL)
    warp->frames = g_ptr_array_new_with_free_func (frame_destroy);
  g_ptr_array_add (warp->frames, self);
  self->function = function;
  self->parent = parent;
  self->depth = parent != NULL ? parent->depth + 1 : 0;
  if (self->depth > PTX_MOST_CALLS || !reserve_frame (warp->run, self) || !place_local (warp, self, parent))
    {
      g_set_error (error, HEDDLE_PTX_ERROR, HEDDLE_PTX_ERROR_LIMIT,
          _ ("“%s” needs too much memory, or calls nest too deep"), function->name);
      return NULL;
    }
  fill_addresses (self);
  return self;
}

void
ptx_frame_free (PtxWarp *warp, PtxFrame *frame)
{
  warp->run->frame_bytes -= frame->bytes;
  g_ptr_array_remove_fast (warp->frames, frame);
}

void
ptx_frame_free_all (PtxWarp *warp)
{
  while (warp->frames != NULL && warp->frames->len > 0)
    ptx_frame_free (warp, g_ptr_array_index (warp->frames, warp->frames->len - 1));
}
