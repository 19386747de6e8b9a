/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/editor.h"

G_BEGIN_DECLS

/**
 * HeddleRooflineChart: attainable FLOP/s against FLOP per byte moved, both logarithmic: a slope per memory level in its own style, a
 * ceiling per compute unit, the derivation at hand as a point, and the one before as a dashed ring.
 */
#define HEDDLE_TYPE_ROOFLINE_CHART (heddle_roofline_chart_get_type ())
G_DECLARE_FINAL_TYPE (HeddleRooflineChart, heddle_roofline_chart, HEDDLE, ROOFLINE_CHART, GtkDrawingArea)

GtkWidget *heddle_roofline_chart_new (HeddleEditor *editor);
void heddle_roofline_chart_update (HeddleRooflineChart *self);

G_END_DECLS
