/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/document.h"
#include "files/base/files.h"

/* Exports @snapshot to @path, the format by its suffix, in a worker thread. @options are copied, without sizes. */
void heddle_export_async (HeddleSnapshot *snapshot, const char *path, const HeddleExportOptions *options,
    GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);
/* Returns TRUE where the file was written; FALSE with @error where it was not, or the export was cancelled. */
gboolean heddle_export_finish (GAsyncResult *result, GError **error);

/* The figure of @snapshot, and what stands against printing it: see heddle_export_proof (). */
void heddle_proof_async (HeddleSnapshot *snapshot, const HeddleExportOptions *options,
    GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);
/* Returns the proof, owned by the caller; NULL with @error where the figure cannot be drawn or it was
 * cancelled. */
HeddleProof *heddle_proof_finish (GAsyncResult *result, GError **error);
