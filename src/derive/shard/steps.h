/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/machine/machine.h"
#include "derive/shard/shard.h"
#include "diagram/base/dtype.h"

/* Adds to @made the steps of the segments, which are taken out of @segments, with the collectives between
 * them. */
void heddle_shard_make_steps (
    HeddleSharding *made, GPtrArray *segments, const HeddleMachine *machine, HeddleDtype dtype);
