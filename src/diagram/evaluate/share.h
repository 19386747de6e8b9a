/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/evaluate/private.h"

/* Does @n items with @share in pieces of @piece on several threads and returns when all are done. FALSE
 * means cancelled or that a piece failed; the first error is set. */
gboolean heddle_evaluation_share (
    HeddleEvaluation *self, gint64 n, gint64 piece, HeddleShare share, gpointer data, GError **error);
/* Sets how many threads one evaluation may use; 0, which is the default, means one for each processor.
 * Results are the same with any number. */
void heddle_evaluate_set_threads (guint n);
