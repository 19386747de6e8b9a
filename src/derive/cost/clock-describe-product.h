/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/clock-describe.h"
#include "derive/cost/published.h"
#include "derive/machine/machine.h"

G_BEGIN_DECLS

/* A product, of the tile that is told or of the best that there is. */
void heddle_clock_describe_product (
    const HeddlePublished *point, const HeddleMachine *machine, HeddleClockDescription *self);

G_END_DECLS
