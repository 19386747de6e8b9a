/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/onnx/flow.h"
#include "files/onnx/importer.h"
#include "files/onnx/windows.h"

G_BEGIN_DECLS

/* Of @input, with windows of the size of @kernel's last dimensions, or of the attribute (NULL). */
gboolean heddle_window_read (
    HeddleImport *self, const HeddleFlow *input, const HeddleFlow *kernel, HeddleOnnxWindow *window);
/* How many windows there are along dimension @i of an array of `out` places. */
gint64 heddle_window_count (const HeddleOnnxWindow *self, guint i);
/* Dimensions of size 1 that windows reach beyond get an axis: what is outside is left out by its index. */
void heddle_window_need_axes (HeddleImport *self, HeddleFlow *flow, guint first, guint n);
/* What stands in each window: [n, c, out …, kernel …] of [n, c, in …]. */
void heddle_window_slide (HeddleImport *self, const HeddleFlow *input, const HeddleOnnxWindow *window,
    const HeddleFlow *kernel, HeddleFlow *slid);

G_END_DECLS
