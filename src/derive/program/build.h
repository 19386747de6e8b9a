/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/build-private.h"
#include "derive/program/loop-program-private.h"
#include "derive/program/loop-program.h"
#include "derive/region/region.h"
#include "derive/stream/stream.h"

/* Building the loop program of a region from its plan of streaming and its labels. */

G_BEGIN_DECLS

/* Returns definition number @definition of the builder's plan, owned by the plan or its region. */
const HeddleDefinition *heddle_builder_get (const HeddleBuilder *self, guint definition);
/* Returns how definition number @definition streams, owned by the builder's plan. */
const HeddleStreaming *heddle_builder_streaming (const HeddleBuilder *self, guint definition);
/* Returns a new reference to the loop program called @name of @region, streamed by @plan with the labels of
 * @tiling, which have to be legal. Where the streamed axis is grouped too and states would not merge, it is
 * planned anew for groups that run apart. The diagram of @region has to outlive the program. */
HeddleLoopProgram *heddle_loop_program_new (const HeddleRegionTerm *region, const HeddleStreamPlan *plan,
    const HeddleTiling *tiling, const char *name);

G_END_DECLS
