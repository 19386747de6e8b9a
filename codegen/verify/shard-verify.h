/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"
#include "derive/machine/machine.h"
#include "derive/shard/shard.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* --- Interprets the kernels of every GPU's program, at the sharding's sizes, each on the pieces that its GPU
 * has then, passes arrays between them as collectives do, rounded as they are stored, and compares each
 * kernel with its reference, and the outputs with those of @diagram, which is the whole. Of
 * HeddleVerification: the worst of each kernel over GPUs, and then the outputs, if no kernel was wrong. */
GPtrArray *heddle_sharding_verify (const HeddleDiagram *diagram, const HeddleSharding *sharding,
    const HeddleMachine *machine, HeddleDtype dtype, HeddleFamily family, guint64 seed, GError **error);
