/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/document.h"

G_BEGIN_DECLS

/* Edits of a snapshot that is being changed, as the canvas, the inspector, the equation bar and the command line all use them.
 * Each either does the whole change or fails with %HEDDLE_DIAGRAM_ERROR_TYPE / _INVALID, says why in words for a person, and leaves the
 * snapshot as it was. Each keeps schedule and presentation in step: what stands on a deleted thing goes with it. */

/* Renames an axis or a value (document-wide within the diagram). Names are unique per diagram. */
gboolean heddle_edit_rename (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *id, const char *name, GError **error);
/* @size NULL: unset; text such as "4096" or "64*2^i" in terms of axis names. */
gboolean heddle_edit_set_size (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *axis_id, const char *size, GError **error);
gboolean heddle_edit_set_dtype (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *value_id,
    HeddleDtype dtype, GError **error);
/* Adds an input with the axes named (made where new); returns its value id, or NULL. */
const char *heddle_edit_add_input (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *name,
    HeddleDtype dtype, const char *const *axis_names, GError **error);
/* Inserts an operation of @kind on the wire: it reads @value_id on core axis @axis_id (NULL for maps) and everything that read the value
 * now reads its result (only @reader_id where given). A map's @body is text over $0 (NULL: the identity); for a reduction all
 * readers must do without the axis. Returns the new operation's id. */
const char *heddle_edit_insert_operation (HeddleSnapshot *snapshot, HeddleDiagram *diagram,
    const HeddleOperationKind *kind, const char *value_id, const char *axis_id, const char *reader_id,
    const char *body, GError **error);
/* A new operation at the end, on values given; for CONTRACT over @axes. Returns the new operation's id. */
const char *heddle_edit_add_operation (HeddleSnapshot *snapshot, HeddleDiagram *diagram,
    const HeddleOperationKind *kind, const GArray *operands, const GArray *axes, const char *body,
    GError **error);
/* A contraction of @value_id over @axis_id with weights of their own, at the end, into the axis given or (NULL) a new one: edit-linear.c. */
const char *heddle_edit_add_linear (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *value_id,
    const char *axis_id, const char *into_id, GError **error);
/* Whether that would be allowed, and why not: for lighting up targets while dragging. */
gboolean heddle_edit_can_insert (const HeddleDiagram *diagram, const HeddleOperationKind *kind,
    const char *value_id, const char *axis_id, const char *reader_id, GError **error);
/* Joins axis @from into @into everywhere (their sizes must agree or one be unset): "unify". */
gboolean heddle_edit_unify_axes (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *from, const char *into, GError **error);
/* Connects two wires' ends: contracts @left and @right (value ids) over @axis, a new contraction whose result has the remaining axes. When
 * the two ends are of different axes the error says so and offers to rename or unify. */
const char *heddle_edit_connect (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *left_value,
    const char *left_axis, const char *right_value, const char *right_axis, GError **error);
/* Deletes objects (operations, values, axes); heals wires where the types allow (a softmax or a same-shape map is bridged), else deletes
 * what depends on them. Returns how many objects went. */
guint heddle_edit_delete (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const GArray *ids, GError **error);
void heddle_edit_nudge (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const GArray *ids, double dx, double dy);

/* The figure: see ornament.h. Each is kept apart from the meaning. */
const char *heddle_edit_add_block (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const GArray *operations,
    const char *title, GError **error);
const char *heddle_edit_add_bundle (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const GArray *axes, const char *name, GError **error);
const char *heddle_edit_add_note (HeddleSnapshot *snapshot, HeddleDiagram *diagram, HeddleNoteKind kind,
    const char *text, double x, double y, const char *target);
gboolean heddle_edit_set_text (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *id, const char *text, GError **error);
gboolean heddle_edit_set_skip (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *value_id,
    const char *reader, gboolean skip, GError **error);
gboolean heddle_edit_set_look (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *operation_id,
    HeddleLookKind look, const char *label, GError **error);
gboolean heddle_edit_set_field (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *id,
    const char *name, const char *text, GError **error);
gboolean heddle_edit_set_fill (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *object, const char *fill, GError **error);
void heddle_edit_set_wrap (HeddleSnapshot *snapshot, HeddleDiagram *diagram, double width);
void heddle_edit_set_title (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *title);

/* Schedule. Fuse makes one region of the operations given (their regions are merged, labels kept); it must be convex in the graph. */
gboolean heddle_edit_fuse (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const GArray *operations,
    const char **region_id, GError **error);
gboolean heddle_edit_unfuse (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *region_id, GError **error);
/* Sets or (size 0) removes a label on the region. Legality is the derive room's to say. */
gboolean heddle_edit_set_label (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *region_id,
    const char *axis, const char *level, HeddleLabelKind kind, gint64 size, GError **error);
/* Puts a column of a value at a memory level, or (NULL) where nothing is said of it; and has a value worked out again where an operation
 * reads it, or not. */
gboolean heddle_edit_set_residency (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *value,
    const char *column, const char *level, GError **error);
gboolean heddle_edit_set_recomputed (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *value,
    const char *column, gboolean recomputed, GError **error);
/* What tiles are to be multiples of for the machine's sake ("mma,lines"; NULL: nothing), and how many bytes may be held (0: any number). */
gboolean heddle_edit_set_divisors (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *reasons, GError **error);
gboolean heddle_edit_set_budget (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, gint64 bytes, GError **error);
/* Puts @replacement (read from equations) in place of the diagram: objects that are still there by name keep their ids, so labels and nudges
 * stay with them; labels whose axis or operations are gone go. */
void heddle_edit_replace_diagram (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, HeddleDiagram *replacement /* taken */);
/* The same with the definitions that were read with it. */
void heddle_edit_replace_document (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const HeddleSnapshot *read);
/* extract.c: operations as a document of their own; and one put into another. */
HeddleSnapshot *heddle_snapshot_extract (
    const HeddleSnapshot *self, const HeddleDiagram *diagram, const GArray *ids);
gboolean heddle_edit_paste (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const HeddleSnapshot *clip,
    GArray *made, GError **error);
/* Makes a definition of operations, and calls it; takes one call apart. */
const char *heddle_edit_group (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const GArray *operations,
    const char *name, GError **error);
/* Another name for what a call of @diagram calls, wherever it is called. */
gboolean heddle_edit_rename_definition (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *call_id, const char *name, GError **error);
gboolean heddle_edit_ungroup (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *call_id, GError **error);
/* How often a call is repeated (NULL: once), and with which parameters. */
gboolean heddle_edit_set_repeat (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *call,
    const char *repeat, gboolean shared, GError **error);

G_END_DECLS
