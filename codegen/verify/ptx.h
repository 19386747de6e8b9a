/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "codegen/verify/verify.h"

/* Compiles the kernel and interprets its PTX, warps in order and in drawn orders, shared memory watched for
 * races. A fault of the kernel goes into @result->detail, else what was done into @summary; %FALSE where it
 * could not be run. */
gboolean heddle_verify_interpret (HeddleVerifyRun *run, const HeddleKernelText *text,
    HeddleVerification *result, char **summary, GError **error);
