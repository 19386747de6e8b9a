/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/ptx.h"

/* The global and constant memory of the simulated device. It owns its buffers, which lie apart from each other
 * so that an access past the end of one is seen; their bytes are 0xff, a NaN, until they are written. */

/* Makes an empty memory, which the caller frees with heddle_ptx_memory_free (). */
HeddlePtxMemory *heddle_ptx_memory_new (void);

/* Frees the memory and all its buffers; @self must not be NULL. */
void heddle_ptx_memory_free (HeddlePtxMemory *self);

/* Adds a buffer of @size bytes, all 0xff, called @name in messages; kernels may not write it where @constant is
 * TRUE. Returns its address, or 0 with HEDDLE_PTX_ERROR_LIMIT where there is no room. */
guint64 ptx_memory_place (
    HeddlePtxMemory *self, const char *name, gsize size, gboolean constant, GError **error);

/* Adds a buffer of @size bytes that kernels may read and write and that messages call @name. Its bytes are
 * 0xff, so that what nobody wrote reads as not-a-number. Returns its device address, a multiple of 256, or
 * 0 with HEDDLE_PTX_ERROR_LIMIT where there is no room. The memory owns it. */
guint64 heddle_ptx_memory_allocate (HeddlePtxMemory *self, const char *name, gsize size, GError **error);

/* Returns the host's place of @size bytes at @address, owned by the memory. Returns NULL where they do not
 * lie in one live buffer, or where @write is TRUE and it is constant; @problem is then a sentence that the
 * caller frees. */
guint8 *ptx_memory_find (HeddlePtxMemory *self, guint64 address, gsize size, gboolean write, char **problem);

/* Takes away the buffer that was placed last, which must begin at @address; its address can be given again. */
void ptx_memory_drop (HeddlePtxMemory *self, guint64 address);

/* Frees the bytes of the buffer that begins at @address. Its addresses are not used again; later accesses
 * to it are errors that name it. Returns FALSE with HEDDLE_PTX_ERROR_ACCESS where no live buffer begins
 * there. */
gboolean heddle_ptx_memory_release (HeddlePtxMemory *self, guint64 address, GError **error);

/* Copies @size bytes from @data of the host to @address. Returns FALSE with HEDDLE_PTX_ERROR_ACCESS where they
 * do not lie in one live buffer. */
gboolean heddle_ptx_memory_write (
    HeddlePtxMemory *self, guint64 address, gconstpointer data, gsize size, GError **error);

/* Copies @size bytes at @address to @data of the host. Returns FALSE with HEDDLE_PTX_ERROR_ACCESS where they do
 * not lie in one live buffer. */
gboolean heddle_ptx_memory_read (
    HeddlePtxMemory *self, guint64 address, gpointer data, gsize size, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddlePtxMemory, heddle_ptx_memory_free)
