/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/onnx/model.h"

/* Reads what follows an equals sign in one of the two texts that say where external data is. */
gboolean heddle_onnx_tensor_external (
    HeddleOnnxTensor *self, const char *key, const char *value, GError **error);
/* Maps the file @location, which must be a plain one within @folder and reached by no link. Returns NULL with
 * an error. */
GMappedFile *heddle_onnx_external_open (const char *folder, const char *location, GError **error);
