/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "files/optimise/optimise.h"

/* Makes the result's diagram, schedule and plan of the pieces, every one at its places. FALSE means that
 * @error is set. */
gboolean heddle_optimised_assemble (HeddleOptimised *self, GPtrArray *pieces,
    const HeddleOptimiseOptions *options, GCancellable *cancellable, GError **error);
