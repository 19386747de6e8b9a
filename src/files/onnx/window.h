/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/onnx/flow.h"
#include "files/onnx/importer.h"
#include "files/onnx/windows.h"

/* Reads the windows of @input, which have the size of @kernel's last dimensions or, if it is NULL, of the
 * attribute. */
gboolean heddle_window_read (
    HeddleImport *self, const HeddleFlow *input, const HeddleFlow *kernel, HeddleOnnxWindow *window);
/* Returns how many windows there are along dimension @i of an array of `out` places. */
gint64 heddle_window_count (const HeddleOnnxWindow *self, guint i);
/* Gives an axis to dimensions of size 1 that windows exceed: what is outside is left out by its index. */
void heddle_window_need_axes (HeddleImport *self, HeddleFlow *flow, guint first, guint n);
/* Makes [n, c, out …, kernel …], which holds the contents of each window, of [n, c, in …]. */
void heddle_window_slide (HeddleImport *self, const HeddleFlow *input, const HeddleOnnxWindow *window,
    const HeddleFlow *kernel, HeddleFlow *slid);
