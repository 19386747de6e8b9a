/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/files.h"

G_BEGIN_DECLS

/* Exports @snapshot to @path, the format by its suffix, in a worker thread. @gpu and @dtype: the editor's target. */
void heddle_export_async (HeddleSnapshot *snapshot, const char *path, const char *diagram, const char *gpu,
    HeddleDtype dtype, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);
gboolean heddle_export_finish (GAsyncResult *result, GError **error);

G_END_DECLS
