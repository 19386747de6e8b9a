/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/machine/machine.h"
#include "derive/shard/shard.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Returns a new sharding as heddle_sharding_new () does, but at small sizes, for runs on arrays: as many
 * pieces of at most @piece elements each, and other axes of at most @rest. */
HeddleSharding *heddle_sharding_new_small (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleSizes *sizes, const HeddleMachine *machine, HeddleDtype dtype, gint64 piece, gint64 rest,
    GError **error);
/* Returns whether no label is refused; else sets %HEDDLE_DERIVE_ERROR_ILLEGAL with the reason and the
 * remedy. */
gboolean heddle_sharding_check (const HeddleSharding *self, GError **error);
