/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/editor.h"
#include "derive/legality/refusal.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Where arrays are kept, and which are worked out again where they are read: each change one undo step, refused with its reason where it cannot
 * be. A column is an operation that reads the array; NULL: where it is made, and wherever nothing is said of it. */

/* The array that is selected: itself, the one of the wire, or what the operation makes; NULL: none. */
const HeddleValue *heddle_placement_get_selected (HeddleEditor *editor);
/* The operations that read it and of which something can be said, of const HeddleOperation. */
GPtrArray *heddle_placement_get_columns (HeddleEditor *editor, const char *value);
/* The levels that it may be tried at, of const HeddleLevel. */
GPtrArray *heddle_placement_get_levels (HeddleEditor *editor);
/* Returns the level's name; NULL means that nothing is said. */
const char *heddle_placement_get_level (HeddleEditor *editor, const char *value, const char *column);
/* "where S reads it"; newly allocated. */
char *heddle_placement_describe_column (const HeddleDiagram *diagram, const char *column);

/* Returns a schedule with the array there, to be tried, transfer full; NULL means that it is refused, and
 * the editor has the refusal. */
HeddleSchedule *heddle_placement_try (
    HeddleEditor *editor, const char *value, const char *column, const char *level);
/* Keeps the array at @level; with NULL nothing is said of it any more. FALSE means that it is refused, and
 * the editor has the refusal. */
gboolean heddle_placement_set (
    HeddleEditor *editor, const char *value, const char *column, const char *level);
/* Does what the refusal of a place asks for, and then places the array. */
void heddle_placement_apply_remedy (HeddleEditor *editor, const HeddleRefusal *refusal);

/* Returns whether the document's schedule has @value worked out again where @column, an operation (id),
 * reads it. */
gboolean heddle_recompute_get (HeddleEditor *editor, const char *value, const char *column);
/* Has @value worked out again where @column reads it, or stored for it, as one undo step. Returns FALSE
 * where that cannot be; the editor then says why in a message. */
gboolean heddle_recompute_set (
    HeddleEditor *editor, const char *value, const char *column, gboolean recomputed);
