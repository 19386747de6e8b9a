/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/region/private.h"
#include "derive/region/region.h"
#include "diagram/graph/diagram.h"

/* The parts of the builder of a region's definitions that know what is inside the region, what is read from
 * outside and what is read outside. */

/* Appends an interned id to @ids unless it is there. */
void heddle_ids_append_once (GArray *ids, const char *id);
/* Returns whether the operation is in the region; FALSE where @operation is NULL. */
gboolean heddle_region_builder_is_member (const HeddleRegionBuilder *self, const HeddleOperation *operation);
/* Returns whether the operation is there only to compute again what another kernel makes. */
gboolean heddle_region_builder_is_again (const HeddleRegionBuilder *self, const HeddleOperation *operation);
/* Returns whether a value (id) has to be stored: an operation outside the region reads it, or it is an
 * output of the diagram; where kernels work values out again, whether this kernel is the one that stores it. */
gboolean heddle_region_builder_is_read_outside (const HeddleRegionBuilder *self, const char *value);
/* Takes @definition, adds it and returns its number. */
guint heddle_region_builder_add (HeddleRegionBuilder *self, HeddleDefinition *definition);
/* Returns the windows of @n axes, newly allocated, of which none has any yet. */
GPtrArray *heddle_windows_new_none (guint n);
/* Returns, as a definition has them, the indices at which the axes in @whole (bits) are read; NULL if none is
 * bounded. */
GPtrArray *heddle_windows_of_indices (const GPtrArray *indices, guint64 whole);
/* Adds the input @value (id) under @axes and returns the number of its definition. Takes @windows, which may
 * be NULL. */
guint heddle_region_builder_add_input (
    HeddleRegionBuilder *self, const char *value, const GArray *axes, guint64 whole, GPtrArray *windows);
/* Returns the axes (ids) of a value, owned by the diagram. */
const GArray *heddle_region_builder_value_axes (const HeddleRegionBuilder *self, const char *value);
/* Returns the number of the definition that is @value (id); where none is yet, the value is added as an
 * input. */
guint heddle_region_builder_get_operand (HeddleRegionBuilder *self, const char *value);
/* Returns @indices, which are in the order of the value's axes, in the order of the axes of definition @source, which is
 * held for it, newly allocated: it differs for an input that was transposed, and has none for axes along which the
 * value only repeats. One that has another name for an axis is in order. */
GPtrArray *heddle_region_builder_order_indices (
    const HeddleRegionBuilder *builder, const char *value, guint source, const GPtrArray *indices);
