/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/snapshot.h"
#include "diagram/flatten/map.h"

/* The schedules of single calls: a definition that is called more than once has kernels and labels that hold for
 * all its calls, and a call may have others. Such a schedule is kept with the definition's in the document, with the
 * diagram from which the call is reached and the way to it (HeddleSchedule.root and .call). */

/* Returns the schedules that hold for the frames, without those that have none: frame -> HeddleSchedule, owned
 * by the snapshot. */
GHashTable *heddle_flat_map_list_schedules (const HeddleFlatMap *self, const HeddleSnapshot *snapshot);
/* Returns whether a call in the flat diagram has a schedule of its own. */
gboolean heddle_flat_map_has_call_schedules (const HeddleFlatMap *self, const HeddleSnapshot *snapshot);
/* Drops the schedules of single calls: all calls have the labels of their definitions. */
void heddle_flat_map_drop_call_schedules (const HeddleFlatMap *self, HeddleSnapshot *snapshot);
/* Drops the schedules of calls that are no longer there. */
void heddle_flat_map_drop_idle_schedules (const HeddleFlatMap *self, HeddleSnapshot *snapshot);
/* Gives each call of a definition that is called more than once a schedule of its own, as the definition's is. */
void heddle_flat_map_part_schedules (const HeddleFlatMap *self, HeddleSnapshot *snapshot);
/* Gives each such definition the schedule that most of its calls have; those keep none of their own. */
void heddle_flat_map_unite_schedules (const HeddleFlatMap *self, HeddleSnapshot *snapshot);
