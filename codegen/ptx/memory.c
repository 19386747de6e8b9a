/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "codegen/ptx/memory.h"

/* The alignment of buffers, as the driver's is. */
#define ALIGNMENT 256

/* The least distance between two buffers, and what a memory may hold in all. */
#define GUARD (G_GUINT64_CONSTANT (1) << 24)
#define FIRST (G_GUINT64_CONSTANT (1) << 32)
#define MOST_BYTES (G_GUINT64_CONSTANT (1) << 34)

typedef struct
{
  char *name;
  guint64 address;
  gsize size;
  guint8 *bytes;
  gboolean constant;
} Buffer;

/* The memory of a device. @buffers are in the order of their addresses; a released one stays, without its
 * bytes, to be named in errors. */
struct _HeddlePtxMemory
{
  GPtrArray *buffers;
  const Buffer *last;
  guint64 next;
  guint64 total;
};

static void
buffer_free (gpointer data)
{
  Buffer *self = data;
  g_free (self->name);
  g_free (self->bytes);
  g_free (self);
}

HeddlePtxMemory *
heddle_ptx_memory_new (void)
{
  HeddlePtxMemory *self = g_new0 (HeddlePtxMemory, 1);
  self->buffers = g_ptr_array_new_with_free_func (buffer_free);
  self->next = FIRST;
  return self;
}

void
heddle_ptx_memory_free (HeddlePtxMemory *self)
{
  g_return_if_fail (self != NULL);
  g_ptr_array_unref (self->buffers);
  g_free (self);
}

/* Returns a new buffer, filled with 0xff; kernels cannot write a constant one. The gap behind it grows with
 * its size, so that an index that is off by up to the size still falls into it. */
guint64
ptx_memory_place (HeddlePtxMemory *self, const char *name, gsize size, gboolean constant, GError **error)
{
  guint8 *bytes = self->total + size <= MOST_BYTES ? g_try_malloc (MAX (size, 1)) : NULL;
  if (bytes == NULL)
    {
      g_set_error (error, HEDDLE_PTX_ERROR, HEDDLE_PTX_ERROR_LIMIT, _ ("no room for the %zu bytes of “%s”"),
          size, name);
      return 0;
    }
  memset (bytes, 0xff, size);
  Buffer *buffer = g_new0 (Buffer, 1);
  buffer->name = g_strdup (name);
  buffer->address = self->next;
  buffer->size = size;
  buffer->bytes = bytes;
  buffer->constant = constant;
  g_ptr_array_add (self->buffers, buffer);
  self->total += size;
  guint64 end = buffer->address + size + MAX (GUARD, size);
  self->next = (end + ALIGNMENT - 1) & ~(guint64) (ALIGNMENT - 1);
  return buffer->address;
}

guint64
heddle_ptx_memory_allocate (HeddlePtxMemory *self, const char *name, gsize size, GError **error)
{
  g_return_val_if_fail (self != NULL && name != NULL, 0);
  return ptx_memory_place (self, name, size, FALSE, error);
}

/* Returns the last buffer that begins at or before @address; NULL if none does. */
static Buffer *
buffer_before (const HeddlePtxMemory *self, guint64 address)
{
  guint low = 0, high = self->buffers->len;
  while (low < high)
    {
      guint middle = (low + high) / 2;
      const Buffer *buffer = g_ptr_array_index (self->buffers, middle);
      if (buffer->address <= address)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 ? g_ptr_array_index (self->buffers, low - 1) : NULL;
}

/* Returns a sentence on where @address lies relative to the buffer nearest to it. */
static char *
describe (const HeddlePtxMemory *self, guint64 address)
{
  const Buffer *before = buffer_before (self, address);
  const Buffer *after = NULL;
  for (guint i = 0; i < self->buffers->len && after == NULL; i++)
    {
      const Buffer *buffer = g_ptr_array_index (self->buffers, i);
      after = buffer->address > address ? buffer : NULL;
    }
  if (before != NULL && before->bytes == NULL && address < before->address + before->size)
    return g_strdup_printf (_ ("it lies in “%s”, which was released"), before->name);
  if (before != NULL && address < before->address + before->size)
    return g_strdup_printf (_ ("it runs over the end of “%s” of %zu bytes at 0x%" PRIx64), before->name,
        before->size, before->address);
  if (before != NULL
      && (after == NULL || address - (before->address + before->size) < after->address - address))
    return g_strdup_printf (_ ("the nearest buffer is “%s” of %zu bytes at 0x%" PRIx64
                               "; the access begins %" PRId64 " bytes behind its end"),
        before->name, before->size, before->address, (gint64) (address - before->address - before->size));
  if (after != NULL)
    return g_strdup_printf (_ ("the nearest buffer is “%s” of %zu bytes at 0x%" PRIx64
                               "; the access begins %" PRIu64 " bytes before it"),
        after->name, after->size, after->address, after->address - address);
  return g_strdup (_ ("there is no buffer at all"));
}

/* Returns the bytes at an address of global memory; NULL with @problem if they do not all lie in one live
 * buffer. */
guint8 *
ptx_memory_find (HeddlePtxMemory *self, guint64 address, gsize size, gboolean write, char **problem)
{
  const Buffer *buffer = self->last;
  if (buffer == NULL || address - buffer->address >= buffer->size)
    buffer = buffer_before (self, address);
  if (buffer == NULL || buffer->bytes == NULL || address - buffer->address > buffer->size
      || size > buffer->size - (address - buffer->address))
    {
      *problem = describe (self, address);
      return NULL;
    }
  if (write && buffer->constant)
    {
      *problem = g_strdup_printf (_ ("“%s” is constant"), buffer->name);
      return NULL;
    }
  self->last = buffer;
  return buffer->bytes + (address - buffer->address);
}

/* Forgets a buffer altogether; it has to be the last one. */
void
ptx_memory_drop (HeddlePtxMemory *self, guint64 address)
{
  const Buffer *buffer = g_ptr_array_index (self->buffers, self->buffers->len - 1);
  g_assert (buffer->address == address);
  self->total -= buffer->size;
  self->last = NULL;
  g_ptr_array_set_size (self->buffers, (gint) self->buffers->len - 1);
}

gboolean
heddle_ptx_memory_release (HeddlePtxMemory *self, guint64 address, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  Buffer *buffer = buffer_before (self, address);
  if (buffer == NULL || buffer->address != address || buffer->bytes == NULL)
    {
      g_set_error (
          error, HEDDLE_PTX_ERROR, HEDDLE_PTX_ERROR_ACCESS, _ ("no buffer begins at 0x%" PRIx64), address);
      return FALSE;
    }
  g_clear_pointer (&buffer->bytes, g_free);
  self->total -= buffer->size;
  self->last = NULL;
  return TRUE;
}

static guint8 *
host_access (HeddlePtxMemory *self, guint64 address, gsize size, GError **error)
{
  g_autofree char *problem = NULL;
  guint8 *bytes = ptx_memory_find (self, address, size, FALSE, &problem);
  if (bytes == NULL)
    g_set_error (error, HEDDLE_PTX_ERROR, HEDDLE_PTX_ERROR_ACCESS,
        _ ("a copy of %zu bytes at 0x%" PRIx64 " leaves the buffers: %s"), size, address, problem);
  return bytes;
}

gboolean
heddle_ptx_memory_write (
    HeddlePtxMemory *self, guint64 address, gconstpointer data, gsize size, GError **error)
{
  g_return_val_if_fail (self != NULL && (data != NULL || size == 0), FALSE);
  guint8 *bytes = host_access (self, address, size, error);
  if (bytes != NULL && size > 0)
    memcpy (bytes, data, size);
  return bytes != NULL;
}

gboolean
heddle_ptx_memory_read (HeddlePtxMemory *self, guint64 address, gpointer data, gsize size, GError **error)
{
  g_return_val_if_fail (self != NULL && (data != NULL || size == 0), FALSE);
  const guint8 *bytes = host_access (self, address, size, error);
  if (bytes != NULL && size > 0)
    memcpy (data, bytes, size);
  return bytes != NULL;
}
