/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

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

/* Returns a new editor, owned by the caller, that holds @document and shows its first diagram. */
HeddleEditor *heddle_editor_new (HeddleDocument *document);

/* --- document */
HeddleDocument *heddle_editor_get_document (HeddleEditor *self);
GFile *heddle_editor_get_file (HeddleEditor *self); /* NULL: never saved */
/* Says which file the document is kept in; NULL: none. The editor takes a reference, and neither reads nor writes the file. */
void heddle_editor_set_file (HeddleEditor *self, GFile *file);
/* Sets the name of a document without a file ("attention" of an example); NULL means "Untitled". */
void heddle_editor_set_suggested_name (HeddleEditor *self, const char *name);
/* Returns the name to show: the file's, else the one suggested. Newly allocated. */
char *heddle_editor_dup_title (HeddleEditor *self);
/* Returns the snapshot that diagram, problems and sizes were made from, owned by the editor. */
HeddleSnapshot *heddle_editor_get_snapshot (HeddleEditor *self);
HeddleDiagram *heddle_editor_get_diagram (
    HeddleEditor *self); /* the one shown; NULL only in a document without any */
/* Returns a number that is another one when the diagram shown means something else, and the same when only
 * how it looks or is derived changed. */
guint heddle_editor_get_meaning (HeddleEditor *self);
/* Shows the diagram called @name (NULL: the first one); nothing happens where the document has none of that
 * name. */
void heddle_editor_show_diagram (HeddleEditor *self, const char *name);
/* Shows a diagram of the document, and comes back to the one that was shown. */
void heddle_editor_open_diagram (HeddleEditor *self, const HeddleDiagram *diagram);
/* Does the same for the definition that a call of the diagram shown calls, at the sizes of that call. */
void heddle_editor_open_call (HeddleEditor *self, const HeddleOperation *call);
/* Returns whether another diagram than the document's first one is shown. */
gboolean heddle_editor_can_go_back (HeddleEditor *self);
/* Shows the diagram that the present one was opened from, or the first one where that is gone. */
void heddle_editor_go_back (HeddleEditor *self);
/* Returns the ids of the diagrams through which the one shown was opened, the first one first and the one shown last. The caller owns the
 * array. */
GArray *heddle_editor_list_path (HeddleEditor *self);
/* Goes back to one of them; nothing happens where it is none. */
void heddle_editor_go_back_to (HeddleEditor *self, const char *diagram);
/* Makes one named, revertible change: see heddle_document_edit (). A failure is also said in a "message"
 * when @error is NULL. */
gboolean heddle_editor_edit (HeddleEditor *self, const char *name, const char *merge_key, HeddleEdit edit,
    gpointer data, GError **error);
/* The diagram shown, in a snapshot that is being edited: for use in a HeddleEdit with the editor as (part of) its data. */
HeddleDiagram *heddle_editor_diagram_in (HeddleEditor *self, HeddleSnapshot *snapshot);
/* Emits "message" with the text that @format and its arguments make, as by printf (). */
void heddle_editor_report (HeddleEditor *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* --- what follows */
GPtrArray *heddle_editor_get_problems (HeddleEditor *self); /* of HeddleProblem, of the diagram shown */
/* Returns whether the problem is a mistake in the drawing: an error, but no size that is still to be given. */
gboolean heddle_editor_is_mistake (HeddleEditor *self, const HeddleProblem *problem);
/* Returns the sizes of the axes; NULL means that some size is missing. */
HeddleSizes *heddle_editor_get_sizes (HeddleEditor *self);
