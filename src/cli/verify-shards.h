/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/input.h"
#include "codegen/base/codegen.h"
#include "derive/machine/machine.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Runs what several GPUs do, with what they pass to one another, on arrays, and compares the outputs with
 * those of the whole. At small sizes with as many pieces, or @as_given; @sizes: (out): those. @kernels: the
 * kernels of each GPU are interpreted, else evaluated. Of HeddleVerification. */
GPtrArray *heddle_verify_shards (const HeddleInput *input, const HeddleSchedule *schedule,
    const HeddleMachine *machine, HeddleDtype dtype, gboolean as_given, gboolean kernels, HeddleFamily family,
    guint64 seed, HeddleSizes **sizes, GError **error);
