/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/flatten/map.h"
#include "diagram/graph/diagram.h"

/* Returns the schedules of the document as one of @flat; NULL if they are empty. */
HeddleSchedule *heddle_flat_map_lift_schedule (
    const HeddleFlatMap *self, const HeddleSnapshot *snapshot, const HeddleDiagram *flat);
/* The choice of whose labels a call of a definition has that is called more than once. */
typedef enum
{
  HEDDLE_FLAT_CALLS_TOGETHER, /* the definition's, but where a call has a schedule of its own already */
  HEDDLE_FLAT_CALLS_APART, /* its own, where it differs from most */
  HEDDLE_FLAT_CALLS_INLINED, /* kernels know no calls: they may cross borders of definitions, and have labels of any axis */
} HeddleFlatCalls;

/* Keeps @flat, a schedule of the flat diagram @diagram, where the document keeps schedules: each kernel with the
 * diagram whose operations it fuses and each memory layout with the diagram whose value it is, as
 * heddle_snapshot_flatten () would read it. @n_lost, which is optional, receives how many labels and layouts
 * could not be kept: they are of axes that only the caller has, or another time of the same definition is fused
 * or laid out another way. FALSE comes with %HEDDLE_DIAGRAM_ERROR_INVALID, where a kernel fuses a
 * part of a call with something else; @snapshot may then be half changed. */
gboolean heddle_flat_map_store_schedule (const HeddleFlatMap *self, HeddleSnapshot *snapshot,
    const HeddleDiagram *diagram, const HeddleSchedule *flat, HeddleFlatCalls calls, guint *n_lost,
    GError **error);
