/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/module.h"

G_BEGIN_DECLS

void ptx_copies_reset (PtxWarp *warp);

G_END_DECLS
