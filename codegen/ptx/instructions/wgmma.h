/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/machine.h"
#include "codegen/ptx/module.h"

G_BEGIN_DECLS

void ptx_products_reset (PtxWarp *warp);
gboolean ptx_products_check (PtxRun *run);

G_END_DECLS
