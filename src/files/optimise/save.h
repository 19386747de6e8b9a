/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "diagram/document/document.h"
#include "files/optimise/optimise.h"

G_BEGIN_DECLS

/* The document of the result: its diagram and schedule. */
HeddleSnapshot *heddle_optimised_snapshot (const HeddleOptimised *self);
/* The module and its reports in a folder, which is made where there is none. @written (optional): receives the paths, of char *. */
gboolean heddle_optimised_save (const HeddleOptimised *self, const char *folder, GPtrArray *written,
    GCancellable *cancellable, GError **error);

G_END_DECLS
