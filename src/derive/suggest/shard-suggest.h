/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "derive/machine/derive-options.h"
#include "derive/machine/machine.h"
#include "derive/suggest/fusion.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Takes over into @self the labels above global memory that operations have in @from. */
void heddle_schedule_take_links (
    HeddleSchedule *self, const HeddleSchedule *from, const HeddleMachine *machine);
/* Returns a new schedule with the best cut into kernels of what each GPU does between collectives, with the
 * labels above global memory of @schedule, which has the finest cut. @report and errors are as of
 * heddle_schedule_suggest (); a label that is refused is an error too. */
HeddleSchedule *heddle_sharding_suggest (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleSizes *sizes, const HeddleDeriveOptions *options, GCancellable *cancellable,
    HeddleFusion *report, GError **error);
