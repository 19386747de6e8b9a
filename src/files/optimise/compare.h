/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "files/optimise/optimise.h"

G_BEGIN_DECLS

/* Evaluates the original and the result on the same random inputs. %FALSE: they differ, or cannot be evaluated. */
gboolean heddle_optimised_compare (
    HeddleOptimised *self, guint64 seed, GCancellable *cancellable, GError **error);

G_END_DECLS
