/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/cost.h"

G_BEGIN_DECLS

/* What all of @terms (of HeddleTerms) hold together at most. */
gint64 heddle_windows_peak (
    const HeddleCost *cost, const GArray *terms, const gint64 *tiles, gint64 chunk, gboolean bytes);
gint64 heddle_windows_laid_out (
    const HeddleCost *cost, const HeddleWindows *self, const gint64 *tiles, gint64 chunk);

G_END_DECLS
