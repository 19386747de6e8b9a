/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "codegen/verify/verify.h"
#include "derive/kernel/derived-kernel.h"

/* One verification: the kernels run in order on random inputs, and each result is compared with the reference
 * evaluator's. */

/* Runs all kernels of @derivation on @on, and frees the arrays of @run and closes its GPU afterwards. Gives
 * HeddleVerification results, which the caller owns; returns NULL with @error where a kernel cannot be run,
 * which is not the same as a wrong result. */
GPtrArray *heddle_verify_run (
    HeddleVerifyRun *run, const HeddleDerivation *derivation, HeddleVerifyOn on, GError **error);

/* Runs every kernel of the derivation, made for @sizes, on fresh random inputs, each on what those before
 * it should have made, and compares its outputs with the reference evaluator in f64: by the norm of the
 * whole, by row and by element. @on says whether the loop program is executed, the kernel's PTX
 * interpreted, or the kernel run by a GPU. An output in f32 may be farther off by 8 times what half a unit
 * of f32's last place in each value on the way does to it (sines of angles of thousands have 4 digits).
 * Unwritten outputs are NaN and fail. Returns a new array of HeddleVerification, one for each kernel run,
 * the last one failed where one did; NULL with HEDDLE_CODEGEN_ERROR_MISSING without a compiler or a GPU, or
 * with the error that stopped it. */
GPtrArray *heddle_verify (const HeddleDiagram *diagram, const HeddleDerivation *derivation,
    const HeddleSizes *sizes, const HeddleMachine *machine, HeddleDtype dtype, HeddleVerifyOn on,
    guint64 seed, GError **error);
