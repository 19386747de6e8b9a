/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/tile/mma.h"
#include "codegen/tile/program.h"
#include "codegen/tile/types.h"
#include "derive/program/loop-program.h"
#include "diagram/base/dtype.h"

/* This file decides in which type factors are held in shared memory, and so multiplied. Elements of 8 bits
 * are multiplied as they are where the tensor core can: it wants the sum to go along both factors. Else they
 * become 16 bits wide on their way, which every number of e4m3 fits into; what a kernel makes itself, as
 * attention does its probabilities, is never rounded to 3 bits of fraction. */

static const HeddleBuffer *
buffer_of (const HeddleTileMaker *self, guint i)
{
  return heddle_loop_program_get_buffer (self->made->program, i);
}

/* Returns whether the sum of a product goes along the contiguous axis of a factor, and along it alone. */
static gboolean
sums_along (const HeddleTileMaker *self, const HeddleNode *node, guint i)
{
  const HeddleBuffer *buffer = buffer_of (self, i);
  const char *last = buffer->axes->len > 0 ? heddle_ids_index (buffer->axes, buffer->axes->len - 1) : NULL;

  return last != NULL && heddle_ids_contain (node->over, last)
         && heddle_tile_extent (self->made, buffer, buffer->axes->len - 1) > 1;
}

/* Returns why the product does not take factor @i as it is; NULL if it does. */
static char *
fault_of_use (const HeddleTileMaker *self, const HeddleNode *node, guint i, guint other)
{
  const HeddleBuffer *buffer = buffer_of (self, i), *factor = buffer_of (self, other);

  if (factor->role != HEDDLE_BUFFER_OPERAND)
    return g_strdup_printf (_ ("%s, which it is multiplied by, is made in the kernel and would be rounded to "
                               "3 bits of fraction"),
        factor->name);
  if (factor->dtype != buffer->dtype)
    return g_strdup_printf (
        _ ("%s, which it is multiplied by, is %s"), factor->name, heddle_dtype_to_string (factor->dtype));
  if (!sums_along (self, node, i) || !sums_along (self, node, other))
    return g_strdup_printf (_ ("elements of 8 bits are multiplied where the sum is along the last axis of "
                               "both arrays, which it is not in %s"),
        sums_along (self, node, i) ? factor->name : buffer->name);
  if (!self->bytes)
    return g_strdup (_ ("tensor cores multiply elements of 8 bits from sm_89 on"));
  return NULL;
}

/* Returns the type of 16 bits that a product of the other factor has. */
static HeddleDtype
wide_type (const HeddleBuffer *other)
{
  return other->dtype == HEDDLE_DTYPE_BF16 ? HEDDLE_DTYPE_BF16 : HEDDLE_DTYPE_F16;
}

typedef struct
{
  guint buffer;
  gboolean others; /* the factors that it is multiplied by are checked too */
  HeddleDtype wide;
  char *fault;
} Uses;

static char *fault_of (HeddleTileMaker *self, guint i, gboolean others, HeddleDtype *wide);

static gboolean
look_at_use (HeddleTileMaker *self, const HeddleNode *node, gpointer data)
{
  Uses *uses = data;
  guint left, right, other;
  HeddleDtype unused;

  if (!heddle_tile_is_contraction (node, &left, &right) || (left != uses->buffer && right != uses->buffer))
    return TRUE;
  other = left == uses->buffer ? right : left;
  if (uses->wide == HEDDLE_DTYPE_UNSET)
    uses->wide = wide_type (buffer_of (self, other));
  if (uses->fault == NULL)
    uses->fault = fault_of_use (self, node, uses->buffer, other);
  if (uses->fault == NULL && uses->others)
    uses->fault = fault_of (self, other, FALSE, &unused);
  return TRUE;
}

/* Returns why some product that reads the tile does not take it, or (@others) what it is multiplied by, as it
 * is, or NULL; @wide receives the type that it then has. */
static char *
fault_of (HeddleTileMaker *self, guint i, gboolean others, HeddleDtype *wide)
{
  Uses uses = { i, others, HEDDLE_DTYPE_UNSET, NULL };

  heddle_tile_walk (self, look_at_use, &uses);
  *wide = uses.wide;
  return uses.fault;
}

gboolean
heddle_tile_hold (HeddleTileMaker *self, HeddleTensorTile *tile)
{
  const HeddleBuffer *buffer = buffer_of (self, tile->buffer);
  const HeddleMma *mma = heddle_mma_get (buffer->dtype);
  g_autofree char *types = heddle_mma_types (self->warpgroups), *fault = NULL;
  HeddleDtype wide = HEDDLE_DTYPE_F16;

  if (mma == NULL && buffer->dtype == HEDDLE_DTYPE_F32)
    return heddle_tile_refuse (self,
        _ ("%s is f32: the products of this family take %s; for the tensor core declare it tf32 (4 bytes, "
           "multiplied with 11 bits), bf16 or f16, which heddle import --f32-as does for a whole model"),
        buffer->name, types);
  if (mma == NULL || (self->warpgroups && !mma->groups))
    return heddle_tile_refuse (self, _ ("%s is %s: the products of this family take %s"), buffer->name,
        heddle_dtype_to_string (buffer->dtype), types);
  tile->dtype = buffer->dtype;
  if (mma->bytes > 1)
    return TRUE;
  if (self->windowed != NULL && (tile->buffer == self->window || tile->buffer == self->matrices))
    return heddle_tile_refuse (self, _ ("%s is %s: windows cannot be read from it"), buffer->name,
        heddle_dtype_to_string (buffer->dtype));
  fault = tile->unpacked ? g_strdup (_ ("maps read it, too")) : fault_of (self, tile->buffer, TRUE, &wide);
  if (fault == NULL)
    return TRUE;
  tile->dtype = wide;
  tile->widened = g_steal_pointer (&fault);
  return TRUE;
}
