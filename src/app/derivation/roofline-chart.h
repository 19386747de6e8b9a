/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/derivation/outlook.h"
#include "app/editor/editor.h"
#include "app/editor/kernel-times.h"

/* HeddleRooflineChart shows where the schedule is below the roofs of the machine: what is at hand, what was
 * before it, what is suggested. The pointer reads values. */
#define HEDDLE_TYPE_ROOFLINE_CHART (heddle_roofline_chart_get_type ())
G_DECLARE_FINAL_TYPE (HeddleRooflineChart, heddle_roofline_chart, HEDDLE, ROOFLINE_CHART, GtkDrawingArea)

/* Returns a new chart (floating) of what @editor shows and @outlook has found, both of which it holds. */
GtkWidget *heddle_roofline_chart_new (HeddleEditor *editor, HeddleOutlook *outlook);
/* Computes roofs, points and measurements anew from the editor's machine, the derivation shown and @kernels (nullable), its times, and draws
 * them. */
void heddle_roofline_chart_update (HeddleRooflineChart *self, const HeddleKernelTimes *kernels);
