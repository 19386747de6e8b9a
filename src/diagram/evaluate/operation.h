/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/evaluate/private.h"

/* Returns a batch of points of @axes with a cursor into each operand. */
HeddleBatch *heddle_run_batch (const HeddleRun *self, const GArray *axes);
/* Evaluates an operation of one form, as do the functions below. Returns FALSE with an error set if it cannot
 * go on. */
gboolean heddle_run_map (HeddleRun *self, GError **error);
/* Reads the operand of a REINDEX at every point of the result, shared among threads. FALSE means cancelled
 * or failed, with @error set. */
gboolean heddle_run_reindex (HeddleRun *self, GError **error);
