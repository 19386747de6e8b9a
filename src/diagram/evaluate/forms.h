/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/evaluate/private.h"

G_BEGIN_DECLS

/* Where along the core axis operand @operand of a CONCAT begins. */
gint64 heddle_run_concat_start (const HeddleRun *self, guint operand);
gboolean heddle_run_concat (HeddleRun *self, GError **error);
/* A mark of that operand as one of the result. */
HeddleOutside *heddle_run_concat_mark (
    HeddleRun *self, guint operand, const HeddleOutside *outside, GError **error);
gboolean heddle_run_scan (HeddleRun *self, GError **error);
gboolean heddle_run_select (HeddleRun *self, GError **error);

G_END_DECLS
