/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/clock-describe.h"
#include "derive/cost/published.h"
#include "derive/machine/machine.h"

G_BEGIN_DECLS

/* Rows, copies and reductions: what DRAM or L2 bounds. */
void heddle_clock_describe_memory (
    const HeddlePublished *point, const HeddleMachine *machine, HeddleClockDescription *self);

G_END_DECLS
