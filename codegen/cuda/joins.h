/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/cuda/kernel.h"
#include "diagram/graph/operation-table.h"

/* How device functions that join threads are told what to join by. */

G_BEGIN_DECLS

/* The type in the prelude that joins two floats by @monoid: "Sum". */
const char *heddle_cuda_join_name (HeddleMonoid monoid);
/* Notes the sections of the prelude that this type needs. */
void heddle_cuda_join_use (HeddleCudaKernel *self, HeddleMonoid monoid);

G_END_DECLS
