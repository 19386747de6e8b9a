/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/region/private.h"
#include "diagram/analysis/term.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

void heddle_region_builder_add_scan (HeddleRegionBuilder *self, const HeddleOperation *operation);
void heddle_region_builder_add_select (HeddleRegionBuilder *self, const HeddleOperation *operation);
/* FALSE: it is no maximum with the first place of it. */
gboolean heddle_region_builder_try_argmax (
    HeddleRegionBuilder *self, const HeddleOperation *operation, const HeddleTerm *term);
/* The indices of a REINDEX over the definitions of its operands. */
GPtrArray *heddle_region_builder_bind_indices (HeddleRegionBuilder *self, const HeddleOperation *operation);
void heddle_region_builder_add_gather (HeddleRegionBuilder *self, const HeddleOperation *operation);

G_END_DECLS
