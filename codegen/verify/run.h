/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "codegen/verify/verify.h"
#include "derive/kernel/derived-kernel.h"

/* One verification: the kernels run in order on random inputs, and each result is compared with the reference
 * evaluator's. */

G_BEGIN_DECLS

/* Runs all kernels of @derivation on @on, and frees the arrays of @run and closes its GPU afterwards. Gives
 * HeddleVerification results, which the caller owns; returns NULL with @error where a kernel cannot be run,
 * which is not the same as a wrong result. */
GPtrArray *heddle_verify_run (
    HeddleVerifyRun *run, const HeddleDerivation *derivation, HeddleVerifyOn on, GError **error);

/* Runs every kernel of the derivation in order on random inputs and compares outputs with the reference
 * evaluator, by the norm, by row and by element. Of HeddleVerification. */
GPtrArray *heddle_verify (const HeddleDiagram *diagram, const HeddleDerivation *derivation,
    const HeddleSizes *sizes, const HeddleMachine *machine, HeddleDtype dtype, HeddleVerifyOn on,
    guint64 seed, GCancellable *cancellable, GError **error);

G_END_DECLS
