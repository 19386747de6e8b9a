/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/clock-describe.h"
#include "derive/cost/published.h"
#include "derive/machine/machine.h"

G_BEGIN_DECLS

/* Describes a matrix product with the tile that @point tells; where it tells none, with the tile that the
 * clock finds fastest on @machine. It fills @self, whose steps the caller frees with
 * heddle_clock_description_clear (). */
void heddle_clock_describe_product (
    const HeddlePublished *point, const HeddleMachine *machine, HeddleClockDescription *self);

G_END_DECLS
