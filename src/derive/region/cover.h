/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Returns the parts (HeddlePart) in the order of their first operations. @by_operation receives the part of
 * each operation id. */
GPtrArray *heddle_parts_cover (
    const HeddleDiagram *diagram, const HeddleSchedule *schedule, GHashTable *by_operation);
/* Returns the part of one region (id) alone, as heddle_parts_cover () would have it; the array is empty if there is no such region. */
GPtrArray *heddle_parts_of_region (
    const HeddleDiagram *diagram, const HeddleSchedule *schedule, const char *region);
/* Returns the parts in an order in which each comes after those it reads from, keeping the present order
 * where it can. Returns %NULL with %HEDDLE_DERIVE_ERROR_REGION if they wait for one another. */
GPtrArray *heddle_parts_sort (
    const HeddleDiagram *diagram, GPtrArray *parts, GHashTable *by_operation, GError **error);
