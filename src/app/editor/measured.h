/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/editor/editor.h"
#include "derive/report/roofline.h"

/* Adds what was measured on a GPU, in this window or read from a file, and emits "measured"; @measurement
 * is taken. */
void heddle_editor_add_measurement (HeddleEditor *self, HeddleBenchResult *measurement);
/* Returns the measurements (HeddleBenchResult) of the machine and data type at hand, the newest last;
 * transfer container. */
GPtrArray *heddle_editor_get_measured (HeddleEditor *self);
/* Returns all of them; transfer none. */
const GPtrArray *heddle_editor_peek_measurements (HeddleEditor *self);
