/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "files/optimise/optimise.h"

/* Evaluates the original and the result in f64 on the same random inputs and sets `difference`. FALSE means
 * that they differ or cannot be evaluated, with @error set. */
gboolean heddle_optimised_compare (
    HeddleOptimised *self, guint64 seed, GCancellable *cancellable, GError **error);
