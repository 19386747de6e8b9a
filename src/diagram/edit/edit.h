/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/base/dtype.h"
#include "diagram/document/document.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

/* Edits of a snapshot that is being changed, as the canvas, the inspector, the equation bar and the command
 * line all use them. Each either does the whole change or fails with %HEDDLE_DIAGRAM_ERROR_TYPE / _INVALID,
 * says why in words for a person, and leaves the snapshot as it was. Each keeps schedule and presentation in
 * step: what depends on a deleted thing is deleted with it. */

/* Renames an axis or a value (document-wide within the diagram). Names are unique per diagram. */
gboolean heddle_edit_rename (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *id, const char *name, GError **error);
/* Sets the size of an axis; @size is NULL (unset) or a text such as "4096" or "64*2^i" in terms of axis
 * names. */
gboolean heddle_edit_set_size (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *axis_id, const char *size, GError **error);
/* Declares the data type of a value, UNSET to infer it. FALSE with %HEDDLE_DIAGRAM_ERROR_INVALID means
 * that there is no such value. */
gboolean heddle_edit_set_dtype (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *value_id,
    HeddleDtype dtype, GError **error);
/* Adds an input with the axes named (made where new); returns its value id, or NULL. */
const char *heddle_edit_add_input (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *name,
    HeddleDtype dtype, const char *const *axis_names, GError **error);
/* Moves the things of those ids by @dx and @dy px at 100 %, in addition to earlier moves. A note moves
 * itself; other ornaments stay. */
void heddle_edit_nudge (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const GArray *ids, double dx, double dy);

/* Sets an error of this room from a formatted sentence. Always returns %FALSE, so that a caller can return
 * its result. */
gboolean heddle_edit_fail (GError **error, int code, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Parses @text with it; error: what is wrong, for a person. */
HeddleExpr *heddle_edit_parse (const HeddleDiagram *diagram, const char *text, GError **error);
/* Returns whether no axis and no array of @diagram is called @name. */
gboolean heddle_edit_is_free_name (const HeddleDiagram *diagram, const char *name);
/* Replaces @from by @into in a list of ids where it occurs. */
void heddle_edit_replace_id (GArray *ids, const char *from, const char *into);
/* Checks that @draft has no error that @diagram does not have. Fails with %HEDDLE_DIAGRAM_ERROR_TYPE. */
gboolean heddle_edit_verify (const HeddleDiagram *diagram, const HeddleDiagram *draft, GError **error);
/* Puts @draft (taken) in place of the diagram, which stays the same object; what refers to removed objects is
 * removed. */
void heddle_edit_accept (HeddleSnapshot *snapshot, HeddleDiagram *diagram, HeddleDiagram *draft);
