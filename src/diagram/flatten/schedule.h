/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/flatten/map.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Returns the schedules of the document as one of @flat; NULL if they are empty. */
HeddleSchedule *heddle_flat_map_lift_schedule (
    const HeddleFlatMap *self, const HeddleSnapshot *snapshot, const HeddleDiagram *flat);
/* Keeps the schedule of @flat where the document keeps schedules: each kernel with the diagram whose
 * operations it fuses. */
gboolean heddle_flat_map_store_schedule (const HeddleFlatMap *self, HeddleSnapshot *snapshot,
    const HeddleSchedule *flat, guint *n_lost, GError **error);

G_END_DECLS
