/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/region/private.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Adds to @marks, an array of HeddleMark, what a REINDEX reads outside its operand. */
void heddle_region_builder_mark_reindex (
    HeddleRegionBuilder *self, const HeddleOperation *operation, GPtrArray *marks);

G_END_DECLS
