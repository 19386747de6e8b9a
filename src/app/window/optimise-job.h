/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/document.h"
#include "files/optimise/optimise.h"

/* Runs heddle_optimise () in a worker thread. @progress is called on the main thread, while @object lives
 * and @cancellable is not cancelled, with it as data; so is @callback. */
void heddle_optimise_async (HeddleSnapshot *snapshot, const char *diagram, HeddleOptimiseProgress progress,
    GCancellable *cancellable, GAsyncReadyCallback callback, GObject *object);
/* Returns what came of it, owned by the caller; NULL with @error where it failed or was cancelled. */
HeddleOptimised *heddle_optimise_finish (GAsyncResult *result, GError **error);
/* Runs heddle_optimised_save () likewise. @made has to live until @callback is called. */
void heddle_optimised_save_async (const HeddleOptimised *made, const char *folder, GCancellable *cancellable,
    GAsyncReadyCallback callback, GObject *object);
/* Returns TRUE where all was written; FALSE with @error where it was not. */
gboolean heddle_optimised_save_finish (GAsyncResult *result, GError **error);
