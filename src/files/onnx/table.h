/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/onnx/import.h"

G_BEGIN_DECLS

/* Returns the row of an operator in that version of the operator set, static; NULL means that it is not understood. */
const HeddleOnnxOperator *heddle_onnx_operator_find (const char *op, gint64 opset);
/* The types of operators that are understood, sorted. Transfer container, of const char *. */
GPtrArray *heddle_onnx_list_operators (void);

G_END_DECLS
