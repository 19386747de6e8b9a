/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "derive/region/region.h"
#include "derive/stream/factor-private.h"
#include "derive/stream/stream.h"
#include "diagram/expression/expr.h"

/* This file answers questions about a plan of streaming: its definitions, how each streams, and what an
 * expression reads with respect to the streamed axis. */

/* Returns definition number @definition, owned by the plan or its region; the number has to be in range. */
const HeddleDefinition *heddle_stream_plan_definition (const HeddleStreamPlan *self, guint definition);

/* Returns how definition number @definition streams, owned by the plan. */
const HeddleStreaming *heddle_stream_plan_get (const HeddleStreamPlan *self, guint definition);

/* Returns what @body reads with respect to the plan's streamed axis, as flags of HeddleReads. */
HeddleReads heddle_stream_plan_reads (const HeddleStreamPlan *plan, const HeddleExpr *body);
