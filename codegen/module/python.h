/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

/* Returns a Python module in one file: an operator of PyTorch that contains the kernels of each GPU
 * (HeddleGpuKernels, compiled). */
char *heddle_codegen_python (
    const HeddleDiagram *diagram, GPtrArray *gpus, const char *equations, GError **error);
