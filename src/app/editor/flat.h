/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/editor/editor.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/flatten/schedule.h"
#include "diagram/graph/diagram.h"

/* Updates the sizes, and the diagram without calls. */
void heddle_editor_update_flat (HeddleEditor *self);
/* Labels, in a labelled schedule, axes that a definition is mapped over, and what only reads a call's
 * arguments: they cannot be labelled in any diagram, and get small tiles. */
void heddle_editor_label_foreign (HeddleEditor *self);
/* Returns whether a region of its schedule is none of the document's: it only reads a call's arguments. */
gboolean heddle_editor_is_read (HeddleEditor *self, const HeddleRegion *region);
/* Lets go of the flat diagram and its sizes. */
void heddle_editor_clear_flat (HeddleEditor *self);
/* --- what is derived --- the diagram shown with what it calls in the place of its calls. Axes, values and operations of its own have the
 * ids they have in the diagram shown; of a diagram without calls it is the diagram itself. */
HeddleSnapshot *heddle_editor_get_flat_snapshot (HeddleEditor *self);
/* Returns the diagram without calls, owned by the editor; it is the diagram shown where that has no calls or
 * cannot be flattened. */
const HeddleDiagram *heddle_editor_get_flat_diagram (HeddleEditor *self);
HeddleSizes *heddle_editor_get_flat_sizes (HeddleEditor *self); /* NULL: some size is missing */
/* The operations of it that are selected: of a call, all it comes to. */
GArray *heddle_editor_get_flat_selection (HeddleEditor *self);
/* Returns what stands on the canvas for an operation of it: itself, or the call; NULL means nothing. */
const char *heddle_editor_get_shown_operation (HeddleEditor *self, const char *flat);
/* Which operation of which definition one of its operations is: the same each time that it is called. FALSE: it is of no definition. */
gboolean heddle_editor_get_origin (HeddleEditor *self, const char *operation, gconstpointer origin[2]);
/* As heddle_editor_edit (), but @edit is given a snapshot of the flat diagram, of which only the schedule is taken: its kernels go to the
 * diagrams that their operations are of. */
gboolean heddle_editor_edit_schedule (HeddleEditor *self, const char *name, const char *merge_key,
    HeddleEdit edit, gpointer data, GError **error);
/* Puts a copy of @schedule, which is one of the flat diagram, in the place of the document's, as one undo step called
 * @name; kernels of definitions have labels for @calls. */
gboolean heddle_editor_replace_schedule (
    HeddleEditor *self, const char *name, const HeddleSchedule *schedule, HeddleFlatCalls calls);
/* Returns what becomes of a schedule of the flat diagram once the document holds it, where the kernels of a definition
 * have labels for @calls. The caller owns it; NULL: it cannot be held. */
HeddleSchedule *heddle_editor_dup_stored_schedule (
    HeddleEditor *self, const HeddleSchedule *schedule, HeddleFlatCalls calls);
/* Returns what labels that are given now hold for: where the kernels know no calls, for those; else for each call of a
 * definition that is called more than once where one has labels of its own already, or a person wants it. */
HeddleFlatCalls heddle_editor_get_label_calls (HeddleEditor *self);
/* Sets whether labels that are given from now on hold for one call or for all; those of single calls are dropped in
 * the latter case, as one undo step. */
void heddle_editor_set_label_calls (HeddleEditor *self, HeddleFlatCalls calls);
/* Returns whether the diagram shown calls a definition more than once. */
gboolean heddle_editor_has_repeated_calls (HeddleEditor *self);
/* The schedule that is shown in terms of what is on the canvas. Transfer full; NULL: none. */
HeddleSchedule *heddle_editor_dup_canvas_schedule (HeddleEditor *self);
