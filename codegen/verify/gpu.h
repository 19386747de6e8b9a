/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "codegen/verify/verify.h"

/* Compiles the kernel and runs it on the GPU, several times. */
gboolean heddle_verify_on_gpu (HeddleVerifyRun *run, const HeddleKernelText *text, HeddleVerification *result,
    char **summary, GError **error);
