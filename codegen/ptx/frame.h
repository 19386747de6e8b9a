/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/machine.h"
#include "codegen/ptx/module.h"

G_BEGIN_DECLS

PtxFrame *ptx_frame_new (PtxWarp *warp, const PtxFunction *function, PtxFrame *parent, GError **error);
void ptx_frame_free (PtxWarp *warp, PtxFrame *frame);
void ptx_frame_free_all (PtxWarp *warp);

G_END_DECLS
