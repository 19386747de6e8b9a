/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/window/window.h"
#include "files/measure/measure.h"

/* HeddleMeasureWindow measures the GPU of this machine while it is open: it shows how far that is, and then
 * the rates, kept as a machine of the user's own. */
#define HEDDLE_TYPE_MEASURE_WINDOW (heddle_measure_window_get_type ())
G_DECLARE_FINAL_TYPE (HeddleMeasureWindow, heddle_measure_window, HEDDLE, MEASURE_WINDOW, AdwWindow)

/* Begins at once. */
GtkWidget *heddle_measure_window_new (HeddleWindow *parent);
/* Returns what was measured; NULL means that it is not done, was stopped or failed. */
const HeddleMeasured *heddle_measure_window_get_result (HeddleMeasureWindow *self);
/* Returns why it failed; NULL means that it did not. */
const char *heddle_measure_window_get_failure (HeddleMeasureWindow *self);
