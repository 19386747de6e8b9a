/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "diagram/document/document.h"
#include "files/optimise/optimise.h"

/* Returns a document of the result's diagram and schedule, both copied (transfer full). */
HeddleSnapshot *heddle_optimised_snapshot (const HeddleOptimised *self);
/* Writes the module and its reports into a folder, which is made where there is none. @written (or NULL)
 * receives the paths, of char *. FALSE means that @error is set. */
gboolean heddle_optimised_save (const HeddleOptimised *self, const char *folder, GPtrArray *written,
    GCancellable *cancellable, GError **error);
