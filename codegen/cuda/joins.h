/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/cuda/kernel.h"
#include "diagram/graph/operation-table.h"

/* This file finds the type of the prelude that device functions which join threads take the operation
 * from. */

/* Returns the name of the prelude's type that joins two floats by @monoid: "Sum". */
const char *heddle_cuda_join_name (HeddleMonoid monoid);
/* Notes the sections of the prelude that this type needs. */
void heddle_cuda_join_use (HeddleCudaKernel *self, HeddleMonoid monoid);
