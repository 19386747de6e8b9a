/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "files/optimise/optimise.h"

G_BEGIN_DECLS

/* The result: every piece at its places. */
gboolean heddle_optimised_assemble (HeddleOptimised *self, GPtrArray *pieces,
    const HeddleOptimiseOptions *options, GCancellable *cancellable, GError **error);

G_END_DECLS
