/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "files/onnx/model.h"
#include "files/onnx/wire.h"

/* Returns the data type that stands for a type of ONNX; UNSET if there is none. */
HeddleDtype heddle_onnx_dtype (int type);
/* Returns the name of a type: "float", "int8" … */
const char *heddle_onnx_type_name (int type);
/* Frees the head of an array; its numbers stay in the file. */
void heddle_onnx_tensor_free (HeddleOnnxTensor *self);
/* Returns the number of elements, G_MAXINT64 where it would be more. */
gint64 heddle_onnx_tensor_count (const HeddleOnnxTensor *self);
/* Returns a number of single precision as a person would have written it. */
double heddle_onnx_as_written (float number);
/* Reads the head of a TensorProto (transfer full); NULL means that @error is set. */
HeddleOnnxTensor *heddle_onnx_tensor_parse (const HeddleWire *message, GError **error);
/* Reads the numbers of a tensor. @folder is that of the model, for external data; NULL if there can be
 * none. */
HeddleArray *heddle_onnx_tensor_read (const HeddleOnnxTensor *self, const char *folder, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleOnnxTensor, heddle_onnx_tensor_free)
