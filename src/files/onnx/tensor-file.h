/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/array.h"

/* Reads one TensorProto from a file `.pb`. */
HeddleArray *heddle_onnx_tensor_load (const char *path, GError **error);
/* Reads an array from a file, which is `.pb` or as NumPy writes it. */
HeddleArray *heddle_array_load (const char *path, GError **error);
