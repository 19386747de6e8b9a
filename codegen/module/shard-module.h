/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/base/codegen.h"
#include "derive/shard/shard.h"

G_BEGIN_DECLS

/* The .cu of what one of several GPUs does: the kernels and launcher of each segment, and one function that calls them in order with NCCL's collectives
 * around. @segments: of HeddleGpuKernels, one for each segment, in order. @header: (out) (optional): the header that goes with it.
 * %HEDDLE_CODEGEN_ERROR_UNSUPPORTED: NCCL has no such data type. */
char *heddle_codegen_sharded (const HeddleSharding *sharding, const HeddleMachine *machine,
    GPtrArray *segments, HeddleDtype dtype, const char *equations, char **header, GError **error);

/* --- shard-verify.c --- Interprets the kernels of every GPU's program, at the sharding's sizes, each on the pieces that its GPU has then, passes arrays
 * between them as collectives do, rounded as they are stored, and compares each kernel with its reference, and the outputs with those of @diagram, which is
 * the whole. Of HeddleVerification: the worst of each kernel over GPUs, and then the outputs, if no kernel was wrong. */
GPtrArray *heddle_sharding_verify (const HeddleDiagram *diagram, const HeddleSharding *sharding,
    const HeddleMachine *machine, HeddleDtype dtype, HeddleFamily family, guint64 seed,
    GCancellable *cancellable, GError **error);

G_END_DECLS
