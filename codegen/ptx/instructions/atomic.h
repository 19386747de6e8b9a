/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/module.h"

/* Returns the result of an atomic operation on the value @old with @value, both of type @type. Real numbers
 * can only be summed; of f16x2 and bf16x2 each half is summed by itself. */
guint64 ptx_atomic_apply (PtxType type, PtxAtomic operation, guint64 old, guint64 value);

/* Returns which operation an instruction names, atomic or of a reduction. */
PtxAtomic ptx_atomic_operation (const PtxInstruction *in);
