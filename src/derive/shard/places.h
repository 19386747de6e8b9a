/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/machine/machine.h"
#include "derive/shard/shard.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"

/* Makes maps that count along axes grouped over GPUs read the numbers of the places. */
void heddle_shard_count_places (
    HeddleSharding *self, const HeddleSchedule *schedule, const HeddleMachine *machine, HeddleDtype dtype);
/* Returns whether the value holds the numbers of an axis' places, which only GPUs are given. */
gboolean heddle_sharding_is_places (const HeddleSharding *self, const char *value);
