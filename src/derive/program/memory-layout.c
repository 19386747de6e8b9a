/* SPDX-License-Identifier: MIT */
#include "derive/program/memory-layout.h"
#include "derive/program/windows.h"
#include "diagram/base/dtype.h"

/* The alignment of the parts of shared memory: the widest load a kernel makes. */
#define ALIGNMENT 16

static gint64
multiply (gint64 a, gint64 b)
{
  gint64 product;

  return __builtin_mul_overflow (a, b, &product) ? G_MAXINT64 : product;
}

static gint64
buffer_bytes (const HeddleLoopProgram *self, const HeddleSizes *sizes, const HeddleBuffer *buffer)
{
  gint64 bytes = heddle_dtype_bytes (buffer->dtype);

  for (guint i = 0; i < buffer->axes->len; i++)
    bytes = multiply (bytes, heddle_buffer_most (self, sizes, buffer, i));
  return bytes > G_MAXINT64 / 2 ? G_MAXINT64 / 2 : bytes;
}

/* Returns the first buffer that can share memory with @i: it has the same slot and is as wide, so that
 * threads that go through points in place never touch one another's. */
static guint
find_home (const HeddleLoopProgram *self, guint i)
{
  const HeddleBuffer *buffer = g_ptr_array_index (self->buffers, i);

  for (guint k = 0; k < i; k++)
    {
      const HeddleBuffer *other = g_ptr_array_index (self->buffers, k);

      if (other->slot == buffer->slot
          && heddle_dtype_bytes (other->dtype) == heddle_dtype_bytes (buffer->dtype))
        return k;
    }
  return i;
}

/* Returns the end of the first @n buffers. */
static gint64
end_of (const HeddleLoopProgram *self, const HeddleSizes *sizes, guint n)
{
  gint64 end = 0;

  for (guint i = 0; i < n; i++)
    {
      gint64 bytes = buffer_bytes (self, sizes, g_ptr_array_index (self->buffers, i));

      if (find_home (self, i) != i)
        continue;
      bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
      end = bytes > G_MAXINT64 - end ? G_MAXINT64 : end + bytes;
    }
  return end;
}

gint64
heddle_loop_program_shared_bytes (const HeddleLoopProgram *self, const HeddleSizes *sizes)
{
  g_return_val_if_fail (self != NULL && sizes != NULL, 0);

  return end_of (self, sizes, self->buffers->len);
}

gint64
heddle_loop_program_buffer_offset (const HeddleLoopProgram *self, const HeddleSizes *sizes, guint i)
{
  g_return_val_if_fail (self != NULL && sizes != NULL && i < self->buffers->len, 0);

  return end_of (self, sizes, find_home (self, i));
}
