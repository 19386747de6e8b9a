/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/legality/refusal.h"
#include "derive/machine/derive-options.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

HeddleRefusal *heddle_derive_try_place (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleSizes *sizes, const HeddleDeriveOptions *options, const char *value, const char *column,
    const char *level);
void heddle_derive_find_cut (
    const HeddleDiagram *diagram, const HeddleSchedule *schedule, HeddleRefusal *refusal);

G_END_DECLS
