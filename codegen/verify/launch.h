/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "codegen/ptx/ptx.h"
#include "codegen/verify/verify.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* What the copy hardware is to know of an array that lies at @address; %FALSE: rows are not aligned, and kernels do without. */
gboolean heddle_kernel_map_describe (
    const HeddleKernelMap *self, const HeddleSizes *sizes, guint64 address, HeddlePtxTensorMap *map);
/* Room for the tensor maps of so many launches of a kernel, as the driver wants them aligned: freed by g_aligned_free (). */
guint8 *heddle_kernel_maps_new (const HeddleKernelText *text, guint launches);
/* Room for each array, with what an input holds. */
gboolean heddle_verify_place_arguments (HeddleVerifyLaunch *self, GError **error);
/* How many blocks the kernel takes at the sizes of its own axes. */
guint heddle_kernel_text_blocks (const HeddleKernelText *text, const HeddleSizes *sizes);
/* Keeps the outputs of the first launch; every other has to give the same ones to the last bit. */
gboolean heddle_verify_take_outputs (HeddleVerifyLaunch *self, gboolean first, GError **error);

G_END_DECLS
