/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "derive/program/build-private.h"
#include "derive/region/region.h"
#include "derive/stream/stream.h"

/* This file holds what a builder of a loop program looks up in its plan of streaming. It calls none of the
 * steps that build. */

/* Returns definition number @definition of the builder's plan, owned by the plan or its region. */
const HeddleDefinition *heddle_builder_get (const HeddleBuilder *self, guint definition);

/* Returns how definition number @definition streams, owned by the builder's plan. */
const HeddleStreaming *heddle_builder_streaming (const HeddleBuilder *self, guint definition);
