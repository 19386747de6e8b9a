/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "derive/derivation/derive.h"
#include "diagram/check/check.h"
#include "diagram/document/document.h"
#include "diagram/edit/edit.h"

G_BEGIN_DECLS

/**
 * HeddleEditor:
 *
 * What the panes of one window share: the document, the diagram of it that is shown, what is selected, the target machine,
 * and what follows from them: problems, sizes, the derivation of the schedule at hand and of one that is only being tried
 * (a label held over a level). Panes change the document through heddle_editor_edit () and watch the signals:
 *
 * - "changed": the document or the diagram shown changed; diagram, problems and sizes are already the new ones.
 * - "selection-changed".
 * - "derivation-changed": the derivation of the document's schedule, the machine or the data type changed.
 * - "preview-changed": the schedule being tried, its derivation, or the refusal at hand changed.
 * - "message" (char *text): words for the person, to be shown as a toast.
 *
 * All pointers returned are transfer none and hold until the next signal, unless it says otherwise.
 */
#define HEDDLE_TYPE_EDITOR (heddle_editor_get_type ())
G_DECLARE_FINAL_TYPE (HeddleEditor, heddle_editor, HEDDLE, EDITOR, GObject)

HeddleEditor *heddle_editor_new (HeddleDocument *document, GFile *file);

/* --- document --- */
HeddleDocument *heddle_editor_get_document (HeddleEditor *self);
GFile *heddle_editor_get_file (HeddleEditor *self); /* NULL: never saved */
void heddle_editor_set_file (HeddleEditor *self, GFile *file);
/* What a document without a file is called ("attention" of an example); NULL: "Untitled". */
void heddle_editor_set_suggested_name (HeddleEditor *self, const char *name);
/* The name to show: the file's, else the one suggested. Newly allocated. */
char *heddle_editor_dup_title (HeddleEditor *self);
HeddleSnapshot *heddle_editor_get_snapshot (HeddleEditor *self);
HeddleDiagram *heddle_editor_get_diagram (
    HeddleEditor *self); /* the one shown; NULL only in a document without any */
/* Another number when the diagram shown means something else; the same when only how it looks or is derived changed. */
guint heddle_editor_get_meaning (HeddleEditor *self);
void heddle_editor_show_diagram (HeddleEditor *self, const char *name);
/* Shows a diagram of the document, and comes back to the one that was shown. */
void heddle_editor_open_diagram (HeddleEditor *self, const HeddleDiagram *diagram);
/* The same for what a call of the diagram shown calls: at the sizes of that call. */
void heddle_editor_open_call (HeddleEditor *self, const HeddleOperation *call);
gboolean heddle_editor_can_go_back (HeddleEditor *self);
void heddle_editor_go_back (HeddleEditor *self);
/* One named, revertible change: see heddle_document_edit (). A failure is also said in a "message" when @error is NULL. */
gboolean heddle_editor_edit (HeddleEditor *self, const char *name, const char *merge_key, HeddleEdit edit,
    gpointer data, GError **error);
/* The diagram shown, in a snapshot that is being edited: for use in a HeddleEdit with the editor as (part of) its data. */
HeddleDiagram *heddle_editor_diagram_in (HeddleEditor *self, HeddleSnapshot *snapshot);
void heddle_editor_tell (HeddleEditor *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* --- selection --- */
/* The note, block or bundle of that id in the figure shown; NULL: none. */
gpointer heddle_editor_find_ornament (HeddleEditor *self, const char *id, const HeddleOrnamentKind **kind);
GArray *heddle_editor_get_selection (
    HeddleEditor *self); /* of const char *: axis, value and operation ids, in the order picked */
gboolean heddle_editor_is_selected (HeddleEditor *self, const char *id);
/* The one selected id, or NULL when nothing or several things are. */
const char *heddle_editor_get_selected (HeddleEditor *self);
/* The wire that was picked, when the selection came from one (its axis is then selected); FALSE: none. */
gboolean heddle_editor_get_wire (HeddleEditor *self, const char **value, const char **axis);
void heddle_editor_select (HeddleEditor *self, const char *id); /* NULL: nothing */
void heddle_editor_select_wire (HeddleEditor *self, const char *value, const char *axis);
void heddle_editor_select_ids (HeddleEditor *self, const GArray *ids);
void heddle_editor_toggle_selected (HeddleEditor *self, const char *id);

/* --- what follows --- */
GPtrArray *heddle_editor_get_problems (HeddleEditor *self); /* of HeddleProblem, of the diagram shown */
HeddleSizes *heddle_editor_get_sizes (
    HeddleEditor *self, const char **why); /* NULL: some size is missing; @why (optional) says which */

/* --- target --- kept in the document's schedule, so that setting them is an undo step */
GPtrArray *heddle_editor_get_machines (HeddleEditor *self); /* of HeddleMachine: all that can be chosen */
/* Their files were written since: what is derived goes by what they say now. */
void heddle_editor_reload_machines (HeddleEditor *self);
const HeddleMachine *heddle_editor_get_machine (HeddleEditor *self);
void heddle_editor_set_machine (HeddleEditor *self, const char *name);
HeddleDtype heddle_editor_get_dtype (HeddleEditor *self);
void heddle_editor_set_dtype (HeddleEditor *self, HeddleDtype dtype);

/* --- what is derived --- the diagram shown with what it calls in the place of its calls. Axes, values and operations of its own have the
 * ids they have in the diagram shown; of a diagram without calls it is the diagram itself. */
HeddleSnapshot *heddle_editor_get_flat_snapshot (HeddleEditor *self);
const HeddleDiagram *heddle_editor_get_flat_diagram (HeddleEditor *self);
HeddleSizes *heddle_editor_get_flat_sizes (HeddleEditor *self); /* NULL: some size is missing */
/* The operations of it that are selected: of a call, all it comes to. */
GArray *heddle_editor_get_flat_selection (HeddleEditor *self);
/* What stands on the canvas for an operation of it: itself, or the call; NULL: nothing. */
const char *heddle_editor_get_shown_operation (HeddleEditor *self, const char *flat);
/* Which operation of which definition one of its operations is: the same each time that it is called. FALSE: it is of no definition. */
gboolean heddle_editor_get_origin (HeddleEditor *self, const char *operation, gconstpointer origin[2]);
/* Whether a region of its schedule is none of the document's: it only reads what a call is given. */
gboolean heddle_editor_is_read (HeddleEditor *self, const HeddleRegion *region);
/* As heddle_editor_edit (), but @edit is given a snapshot of the flat diagram, of which only the schedule is taken: its kernels go to the
 * diagrams that their operations are of. */
gboolean heddle_editor_edit_schedule (HeddleEditor *self, const char *name, const char *merge_key,
    HeddleEdit edit, gpointer data, GError **error);
/* The schedule that is shown in terms of what is on the canvas. Transfer full; NULL: none. */
HeddleSchedule *heddle_editor_dup_canvas_schedule (HeddleEditor *self);

/* --- derivation --- */
/* The schedule of the flat diagram; NULL: none yet. Copy it (or heddle_schedule_new (diagram->id)) to try another. */
const HeddleSchedule *heddle_editor_get_schedule (HeddleEditor *self);
/* NULL while it cannot be derived; @why (optional) then says why not, or is NULL while it is being computed. */
HeddleDerivation *heddle_editor_get_derivation (HeddleEditor *self, const char **why);
/* Whether a derivation is being made in a worker thread; it, and a search, can be given up, and it begun again. */
gboolean heddle_editor_is_deriving (HeddleEditor *self);
void heddle_editor_cancel_deriving (HeddleEditor *self);
gboolean heddle_editor_can_derive_again (HeddleEditor *self);
void heddle_editor_derive_again (HeddleEditor *self);
void heddle_editor_get_derive_options (HeddleEditor *self,
    HeddleDeriveOptions *options); /* as the editor derives: machine, dtype, and what the schedule asks for */
/* Whether the diagram can be derived while a person waits; else a worker does it. */
gboolean heddle_editor_is_quick (HeddleEditor *self);

/* A search for labels under way, one at a time: it ends when it is given up, when its result comes, or with what it was made for. Emits
 * "derivation-changed". Transfer none. */
GCancellable *heddle_editor_begin_search (HeddleEditor *self);
void heddle_editor_end_search (HeddleEditor *self, GCancellable *search);
gboolean heddle_editor_is_searching (HeddleEditor *self);

/* Tries @schedule (taken; NULL: stop trying) without touching the document: the preview derivation follows at once, of a large diagram
 * as soon as it is made. */
void heddle_editor_set_preview_schedule (HeddleEditor *self, HeddleSchedule *schedule);
const HeddleSchedule *heddle_editor_get_preview_schedule (HeddleEditor *self);
HeddleDerivation *heddle_editor_get_preview_derivation (HeddleEditor *self);
/* Makes the schedule being tried the document's, as one undo step called @name ("Stream x at SMEM, 64"). FALSE: none is being tried. */
gboolean heddle_editor_commit_preview (HeddleEditor *self, const char *name);
/* What the canvas shows: those being tried if any, else the document's. */
const HeddleSchedule *heddle_editor_get_shown_schedule (HeddleEditor *self);
HeddleDerivation *heddle_editor_get_shown_derivation (HeddleEditor *self);

/* What was measured on a GPU, in this window or told by a file: emits "measured". @measurement: taken */
void heddle_editor_add_measurement (HeddleEditor *self, HeddleBenchResult *measurement);
/* All of them: transfer none. */
const GPtrArray *heddle_editor_peek_measurements (HeddleEditor *self);
/* Those of the machine and data type at hand, of HeddleBenchResult, the newest last: transfer container. */
GPtrArray *heddle_editor_get_measured (HeddleEditor *self);

/* The refusal to explain on the canvas: its operation is outlined as forbidding, its remedy_operations as what would be fused. */
const HeddleRefusal *heddle_editor_get_refusal (HeddleEditor *self);
void heddle_editor_set_refusal (HeddleEditor *self, HeddleRefusal *refusal); /* taken; NULL: none */

G_END_DECLS
