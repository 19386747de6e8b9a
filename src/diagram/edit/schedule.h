/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Returns an operation that is not @chosen (ids) and lies between those that are, or NULL. */
const HeddleOperation *heddle_edit_find_hole (const HeddleDiagram *diagram, GHashTable *chosen);
/* Makes one region of the operations given: their regions are merged, and labels are kept. It must be convex
 * in the graph. */
gboolean heddle_edit_fuse (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const GArray *operations,
    const char **region_id, GError **error);
/* Removes a region with its labels. FALSE with %HEDDLE_DIAGRAM_ERROR_INVALID means that there is none of
 * that id. */
gboolean heddle_edit_unfuse (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *region_id, GError **error);
/* Sets or (size 0) removes a label on the region. Legality is the derive room's to say. */
gboolean heddle_edit_set_label (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *region_id,
    const char *axis, const char *level, HeddleLabelKind kind, gint64 size, GError **error);
/* Puts a column of a value at a memory level, or (NULL) where nothing is said of it; and sets whether a value
 * is computed again where an operation reads it. */
gboolean heddle_edit_set_residency (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *value,
    const char *column, const char *level, GError **error);
/* Sets whether the operation @column computes @value again (@recomputed) or reads it. Fails with
 * %HEDDLE_DIAGRAM_ERROR_INVALID if @column does not read it, or if it is an input. */
gboolean heddle_edit_set_recomputed (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *value,
    const char *column, gboolean recomputed, GError **error);
/* Sets what tiles must be multiples of on this machine ("mma,lines"; NULL: nothing) and how many bytes may be
 * held (0: any number). */
gboolean heddle_edit_set_divisors (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *reasons, GError **error);
/* Sets how many bytes of the outermost memory may be held at a time; 0 sets no bound. FALSE with
 * %HEDDLE_DIAGRAM_ERROR_INVALID means that @bytes is negative. */
gboolean heddle_edit_set_budget (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, gint64 bytes, GError **error);
