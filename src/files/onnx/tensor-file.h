/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/array.h"

G_BEGIN_DECLS

/* One TensorProto of a file `.pb`. */
HeddleArray *heddle_onnx_tensor_load (const char *path, GError **error);
/* An array of a file: `.pb`, or as NumPy writes it. */
HeddleArray *heddle_array_load (const char *path, GError **error);

G_END_DECLS
