/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"

/* Compiles each kernel into @cubins. */
gboolean heddle_gpu_kernels_compile (HeddleGpuKernels *self, GCancellable *cancellable, GError **error);

/* Frees @self, which must not be NULL, with the plan, texts and machine code that it owns. */
void heddle_gpu_kernels_free (HeddleGpuKernels *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleGpuKernels, heddle_gpu_kernels_free)
