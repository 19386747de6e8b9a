/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/kernel/derived-kernel.h"
#include "diagram/graph/diagram.h"

/* Returns the first operation of the kernel that sums over products of three arrays or more, owned by
 * @diagram; NULL if there is none. Computed at once, each term is multiplied out; the rewrite
 * split-contractions splits it into two products, which take fewer multiplications. */
const HeddleOperation *heddle_kernel_find_chain (const HeddleDiagram *diagram, const HeddleKernel *kernel);
