/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/dtype.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Makes a snapshot without diagrams, to be filled in. The caller owns the reference. */
HeddleSnapshot *heddle_snapshot_new (void);
HeddleSnapshot *heddle_snapshot_copy (const HeddleSnapshot *self); /* to be edited */
/* Makes all that @self, which is being edited, holds a copy of what @other holds. */
void heddle_snapshot_assign (HeddleSnapshot *self, const HeddleSnapshot *other);
/* Sets the data type of all values that declare @from to @to, in all diagrams of @self, which is being
 * edited. */
void heddle_snapshot_retype (HeddleSnapshot *self, HeddleDtype from, HeddleDtype to);
/* Adds a reference, from any thread, and returns @self. */
HeddleSnapshot *heddle_snapshot_ref (HeddleSnapshot *self);
/* Drops a reference, from any thread; the last one frees the snapshot with all it holds. */
void heddle_snapshot_unref (HeddleSnapshot *self);
/* Returns the diagram called @name, or the first one if @name is NULL; NULL if there is none of that name. */
HeddleDiagram *heddle_snapshot_get_diagram (const HeddleSnapshot *self, const char *name);
/* Returns the diagram of that interned id, owned by the snapshot, or NULL. */
HeddleDiagram *heddle_snapshot_get_diagram_by_id (const HeddleSnapshot *self, const char *id);
HeddleDiagram *heddle_snapshot_add_diagram (
    HeddleSnapshot *self, HeddleDiagram *diagram); /* takes it; gives it an id of its own */
HeddleSchedule *heddle_snapshot_find_schedule (
    const HeddleSnapshot *self, const HeddleDiagram *diagram); /* or NULL */
/* Returns the schedule that a definition has for one call, which leads to it from the diagram @root: @call and
 * @root are interned. NULL if the call has none of its own. */
HeddleSchedule *heddle_snapshot_find_call_schedule (
    const HeddleSnapshot *self, const HeddleDiagram *diagram, const char *root, const char *call);
/* Returns the schedule of @diagram with what it calls in the place of its calls, owned by the snapshot; NULL if
 * what the diagram and its definitions say holds. */
HeddleSchedule *heddle_snapshot_find_inlined_schedule (
    const HeddleSnapshot *self, const HeddleDiagram *diagram);
/* Returns all schedules of @diagram whose ids are its own, owned by the snapshot: its own and those of single
 * calls. Transfer container. */
GPtrArray *heddle_snapshot_list_schedules (const HeddleSnapshot *self, const HeddleDiagram *diagram);
/* Returns the presentation of @diagram, owned by the snapshot; NULL if it has none. */
HeddlePresentation *heddle_snapshot_find_presentation (
    const HeddleSnapshot *self, const HeddleDiagram *diagram);
/* Returns the schedule of @diagram and makes it if there is none; for a snapshot that is being edited. */
HeddleSchedule *heddle_snapshot_get_schedule (HeddleSnapshot *self, const HeddleDiagram *diagram);
/* Puts a copy of @schedule in the place of the diagram's; for a snapshot that is being edited. */
void heddle_snapshot_set_schedule (
    HeddleSnapshot *self, const HeddleDiagram *diagram, const HeddleSchedule *schedule);
/* Puts a copy of @schedule (NULL: nothing) in the place of the one that @diagram has with what it calls in the
 * place of its calls, without machine, type and wishes, which the diagram's own schedule has; for a snapshot that is being edited. */
void heddle_snapshot_set_inlined_schedule (
    HeddleSnapshot *self, const HeddleDiagram *diagram, const HeddleSchedule *schedule);
/* Returns the presentation of the diagram, owned by the snapshot, and adds an empty one if there is none:
 * for a snapshot being edited. */
HeddlePresentation *heddle_snapshot_get_presentation (HeddleSnapshot *self, const HeddleDiagram *diagram);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleSnapshot, heddle_snapshot_unref)
