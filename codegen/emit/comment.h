/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/machine.h"
#include "diagram/graph/diagram.h"

/* Returns the derivation of a kernel, as the comment above it. */
char *heddle_cuda_derivation (const HeddleDiagram *diagram, const HeddleKernel *kernel,
    const HeddleSizes *sizes, const HeddleMachine *machine, const HeddleKernelText *text,
    const char *verification);
