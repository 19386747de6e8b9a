/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/onnx/model-private.h"
#include "files/onnx/model.h"
#include "files/onnx/wire.h"

G_BEGIN_DECLS

/* Frees what a model says of a value. */
void heddle_onnx_info_free (HeddleOnnxInfo *self);
/* Reads a ValueInfoProto (transfer full); NULL means that @error is set. */
HeddleOnnxInfo *heddle_onnx_info_parse (HeddleOnnxReading *self, const HeddleWire *message, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleOnnxInfo, heddle_onnx_info_free)

G_END_DECLS
