/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "codegen/ptx/ptx.h"
#include "codegen/verify/verify.h"
#include "diagram/graph/diagram.h"

/* Describes an array at @address to the copy hardware. Returns %FALSE if rows are not aligned, and kernels do
 * without. */
gboolean heddle_kernel_map_describe (
    const HeddleKernelMap *self, const HeddleSizes *sizes, guint64 address, HeddlePtxTensorMap *map);
/* Allocates the tensor maps of so many launches of a kernel, aligned as the driver wants them; to be freed by
 * g_aligned_free (). */
guint8 *heddle_kernel_maps_new (const HeddleKernelText *text, guint launches);
/* Allocates memory for each array, and copies the inputs there. */
gboolean heddle_verify_place_arguments (HeddleVerifyLaunch *self, GError **error);
/* Returns how many blocks the kernel takes at the sizes of its own axes. */
guint heddle_kernel_text_blocks (const HeddleKernelText *text, const HeddleSizes *sizes);
/* Keeps the outputs of the first launch; every other has to give the same ones to the last bit. */
gboolean heddle_verify_take_outputs (HeddleVerifyLaunch *self, gboolean first, GError **error);
