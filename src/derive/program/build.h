/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/build-private.h"
#include "derive/program/loop-program-private.h"
#include "derive/program/loop-program.h"
#include "derive/region/region.h"
#include "derive/stream/stream.h"

G_BEGIN_DECLS

const HeddleDefinition *heddle_builder_get (const HeddleBuilder *self, guint definition);
const HeddleStreaming *heddle_builder_streaming (const HeddleBuilder *self, guint definition);
HeddleLoopProgram *heddle_loop_program_new (const HeddleRegionTerm *region, const HeddleStreamPlan *plan,
    const HeddleTiling *tiling, const char *name);

G_END_DECLS
