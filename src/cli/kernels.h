/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/command.h"
#include "cli/derivation.h"
#include "cli/input.h"
#include "cli/options.h"
#include "codegen/base/codegen.h"

/* Reads --family; it is AUTO if @text is NULL. Returns %FALSE after printing the error. */
gboolean heddle_kernels_family (const HeddleOptions *options, const char *text, HeddleFamily *family);
/* Returns a plan for the kernels of a diagram: labels that are not given are suggested. Without --fuse and
 * --label it has the file's kernels, or one kernel if that is possible. Returns NULL after printing the
 * error, except that what the plan says of kernels it cannot make is left in @error. */
HeddlePlan *heddle_kernels_try_plan (const HeddleDerivationOptions *self, const HeddleOptions *options,
    HeddleInput *input, HeddleExit *status, GError **error);
/* Does the same as heddle_kernels_try_plan(), but prints every error. The caller owns the plan; NULL means
 * that @status is the exit status. */
HeddlePlan *heddle_kernels_plan (const HeddleDerivationOptions *self, const HeddleOptions *options,
    HeddleInput *input, HeddleExit *status);
