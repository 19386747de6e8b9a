/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/input.h"

G_BEGIN_DECLS

/* Runs what several GPUs do, with what they pass to one another, on arrays, and compares the outputs with those of the whole. At small sizes with as many
 * pieces, or @as_given; @sizes: (out): those. Of HeddleVerification. */
GPtrArray *heddle_verify_shards (const HeddleInput *input, const HeddleSchedule *schedule,
    const HeddleMachine *machine, HeddleDtype dtype, gboolean as_given, guint64 seed, HeddleSizes **sizes,
    GError **error);

G_END_DECLS
