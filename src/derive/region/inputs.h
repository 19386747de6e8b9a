/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/region/private.h"
#include "derive/region/region.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

void heddle_ids_append_once (GArray *ids, const char *id);
gboolean heddle_region_builder_is_member (const HeddleRegionBuilder *self, const HeddleOperation *operation);
/* Whether it is there only to work out again what another kernel makes. */
gboolean heddle_region_builder_is_again (const HeddleRegionBuilder *self, const HeddleOperation *operation);
gboolean heddle_region_builder_is_read_outside (const HeddleRegionBuilder *self, const char *value);
/* These return the number of the definition. */
guint heddle_region_builder_add (HeddleRegionBuilder *self, HeddleDefinition *definition);
/* Windows of @n axes of which none has any yet. */
GPtrArray *heddle_windows_new_none (guint n);
/* As of a definition: what the axes in @whole (bits) are read at; NULL: nothing of that is bounded. */
GPtrArray *heddle_windows_of_indices (const GPtrArray *indices, guint64 whole);
/* Takes @windows. */
guint heddle_region_builder_add_input (
    HeddleRegionBuilder *self, const char *value, const GArray *axes, guint64 whole, GPtrArray *windows);
const GArray *heddle_region_builder_value_axes (const HeddleRegionBuilder *self, const char *value);
guint heddle_region_builder_get_operand (HeddleRegionBuilder *self, const char *value);

G_END_DECLS
