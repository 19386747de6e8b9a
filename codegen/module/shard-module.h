/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/machine/machine.h"
#include "derive/shard/shard.h"
#include "diagram/base/dtype.h"

/* Returns the .cu of what one of several GPUs does: the kernels and launcher of each segment, and one
 * function that calls them in order with NCCL's collectives between them. @segments holds HeddleGpuKernels,
 * one for each segment, in order; @header (out) (optional) receives the header that belongs to it. Fails with
 * %HEDDLE_CODEGEN_ERROR_UNSUPPORTED if NCCL has no such data type. */
char *heddle_codegen_sharded (const HeddleSharding *sharding, const HeddleMachine *machine,
    GPtrArray *segments, HeddleDtype dtype, const char *equations, char **header, GError **error);
