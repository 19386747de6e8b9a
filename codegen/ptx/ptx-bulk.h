/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/ptx/ptx-mbarrier.h"

G_BEGIN_DECLS

/* FALSE: these bytes are no tensor map. */
gboolean ptx_tensor_map_decode (const guint8 *bytes, HeddlePtxTensorMap *map);

G_END_DECLS
