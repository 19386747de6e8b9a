/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/onnx/flow.h"
#include "files/onnx/sketch.h"

G_BEGIN_DECLS

/* The same numbers under other dimensions. */
void heddle_flow_reshape (
    HeddleSketch *sketch, const HeddleFlow *flow, const gint64 *shape, guint rank, HeddleFlow *result);

G_END_DECLS
