/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/window/window.h"

G_BEGIN_DECLS

/* Reads the ONNX model at @path in a worker thread and opens it as a document that was never saved; what of
 * it is not understood is told. */
void heddle_window_open_model (HeddleWindow *self, const char *path);
/* Lets files be dropped on the window, which opens them, and refuses drops of anything else. */
void heddle_window_take_files (HeddleWindow *self);

G_END_DECLS
