/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/kernel/derived-kernel.h"
#include "figure/scene/scene.h"
#include "files/picture/private.h"

G_BEGIN_DECLS

/* export-steps.c: the steps from one equation at a time to @shown, which the file's labels are or lead to. */
HeddleScene *heddle_export_steps (
    const HeddleChartJob *job, const HeddleDerivation *shown, const HeddleDerivation *apart, GError **error);
/* Where each of them is on the roofline, of HeddleRooflinePoint. */
GArray *heddle_export_steps_way (
    const HeddleChartJob *job, const HeddleDerivation *shown, const HeddleDerivation *apart, GError **error);

G_END_DECLS
