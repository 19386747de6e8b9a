/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/onnx/model-private.h"
#include "files/onnx/model.h"
#include "files/onnx/wire.h"

G_BEGIN_DECLS

void heddle_onnx_info_free (HeddleOnnxInfo *self);
HeddleOnnxInfo *heddle_onnx_info_parse (HeddleOnnxReading *self, const HeddleWire *message, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleOnnxInfo, heddle_onnx_info_free)

G_END_DECLS
