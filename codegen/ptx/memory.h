/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/ptx.h"

G_BEGIN_DECLS

HeddlePtxMemory *heddle_ptx_memory_new (void);
void heddle_ptx_memory_free (HeddlePtxMemory *self);
guint64 ptx_memory_place (
    HeddlePtxMemory *self, const char *name, gsize size, gboolean constant, GError **error);
guint64 heddle_ptx_memory_allocate (HeddlePtxMemory *self, const char *name, gsize size, GError **error);
guint8 *ptx_memory_find (HeddlePtxMemory *self, guint64 address, gsize size, gboolean write, char **problem);
void ptx_memory_drop (HeddlePtxMemory *self, guint64 address);
gboolean heddle_ptx_memory_release (HeddlePtxMemory *self, guint64 address, GError **error);
gboolean heddle_ptx_memory_write (
    HeddlePtxMemory *self, guint64 address, gconstpointer data, gsize size, GError **error);
gboolean heddle_ptx_memory_read (
    HeddlePtxMemory *self, guint64 address, gpointer data, gsize size, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddlePtxMemory, heddle_ptx_memory_free)

G_END_DECLS
