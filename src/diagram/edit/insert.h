/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

/* Adds the unnamed result of a new operation over @axes and returns its id. */
const char *heddle_edit_add_result (HeddleDiagram *diagram, const GArray *axes);
/* Returns the axes of the operands, each once, in order of appearance. */
GArray *heddle_edit_operand_axes (const HeddleDiagram *diagram, const GArray *operands);
/* Returns whether that would be allowed, and why not; used to highlight targets while dragging. */
gboolean heddle_edit_can_insert (const HeddleDiagram *diagram, const HeddleOperationKind *kind,
    const char *value_id, const char *axis_id, const char *reader_id, GError **error);
/* Inserts an operation of @kind on the wire: it reads @value_id on core axis @axis_id (NULL for maps) and
 * everything that read the value now reads its result (only @reader_id where given). A map's @body is text
 * over $0 (NULL: the identity); for a reduction all readers must do without the axis. Returns the new
 * operation's id. */
const char *heddle_edit_insert_operation (HeddleSnapshot *snapshot, HeddleDiagram *diagram,
    const HeddleOperationKind *kind, const char *value_id, const char *axis_id, const char *reader_id,
    const char *body, GError **error);
/* Adds a new operation, whose result has no name, at the end, on given values; @axes are its core axes (for
 * CONTRACT, those it is over) or, for a reindexing, the axes of its operand in their new order. Returns the
 * new operation's id; NULL with an error. */
const char *heddle_edit_add_operation (HeddleSnapshot *snapshot, HeddleDiagram *diagram,
    const HeddleOperationKind *kind, const GArray *operands, const GArray *axes, const char *body,
    GError **error);
/* Connects two wires' ends: contracts @left and @right (value ids) over @axis, a new contraction whose result
 * has the remaining axes. When the two ends are of different axes the error says so and offers to rename or
 * unify. */
const char *heddle_edit_connect (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *left_value,
    const char *left_axis, const char *right_value, const char *right_axis, GError **error);
