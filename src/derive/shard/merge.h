/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/machine/machine.h"
#include "derive/shard/shard.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"

/* Puts into the diagram, and @schedule, what merges the parts of softmaxes along grouped axes, where that can
 * be done. */
void heddle_shard_merge (
    HeddleSharding *self, HeddleSchedule *schedule, const HeddleMachine *machine, HeddleDtype dtype);
