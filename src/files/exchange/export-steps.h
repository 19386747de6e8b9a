/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/kernel/derived-kernel.h"
#include "figure/scene/scene.h"
#include "files/picture/private.h"

G_BEGIN_DECLS

/* Returns the figure of the steps from one equation at a time to @shown, which the file's labels are or lead to; the
 * caller owns the scene. NULL means that @error is set. */
HeddleScene *heddle_export_steps (
    const HeddleChartJob *job, const HeddleDerivation *shown, const HeddleDerivation *apart, GError **error);
/* Returns where each of the steps to @shown is on the roofline, of HeddleRooflinePoint; the caller owns the array.
 * NULL means that @error is set. */
GArray *heddle_export_steps_way (
    const HeddleChartJob *job, const HeddleDerivation *shown, const HeddleDerivation *apart, GError **error);

G_END_DECLS
