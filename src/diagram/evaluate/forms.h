/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/evaluate/private.h"

G_BEGIN_DECLS

/* Where along the core axis operand @operand of a CONCAT begins. */
gint64 heddle_run_concat_start (const HeddleRun *self, guint operand);
/* Copies each operand to its stretch of the result of a CONCAT. FALSE means cancelled, with @error set. */
gboolean heddle_run_concat (HeddleRun *self, GError **error);
/* A mark of that operand as one of the result. */
HeddleOutside *heddle_run_concat_mark (
    HeddleRun *self, guint operand, const HeddleOutside *outside, GError **error);
/* Runs a SCAN from state 0 along its core axis and leaves out what is read outside. FALSE means cancelled,
 * with @error set. */
gboolean heddle_run_scan (HeddleRun *self, GError **error);
/* Writes the places of the largest elements in order to the result of a SELECT; -1 where there are no
 * more. FALSE means cancelled, with @error set. */
gboolean heddle_run_select (HeddleRun *self, GError **error);

G_END_DECLS
