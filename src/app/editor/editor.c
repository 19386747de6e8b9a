/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/editor/derive.h"
#include "app/editor/editor.h"
#include "app/editor/flat.h"
#include "app/editor/label-trial.h"
#include "app/editor/preview.h"
#include "app/editor/private.h"
#include "app/editor/selection.h"
#include "app/editor/shared-derivation.h"
#include "app/editor/target.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "derive/report/roofline.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/error.h"
#include "diagram/check/check.h"
#include "diagram/check/snapshot.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/calls.h"

G_DEFINE_FINAL_TYPE (HeddleEditor, heddle_editor, G_TYPE_OBJECT)

guint heddle_editor_signals[HEDDLE_EDITOR_N_SIGNALS];

/* Returns FALSE if the diagram shown means what the one before meant, problems and sizes included. */
static gboolean
update_diagram (HeddleEditor *self)
{
  g_autoptr (HeddleSnapshot) before = g_steal_pointer (&self->snapshot);
  const HeddleDiagram *diagram_before = self->diagram;

  self->snapshot = heddle_snapshot_ref (heddle_document_get_snapshot (self->document));
  self->diagram = NULL;
  if (self->diagram_id != NULL)
    self->diagram = heddle_snapshot_get_diagram_by_id (self->snapshot, self->diagram_id);
  if (self->diagram == NULL)
    self->diagram = heddle_snapshot_get_diagram (self->snapshot, NULL);
  self->diagram_id = self->diagram != NULL ? self->diagram->id : NULL;
  /* What other diagrams say does not matter to one that stands by itself. */
  return before == NULL || diagram_before == NULL || self->diagram == NULL
         || diagram_before != heddle_snapshot_get_diagram (before, NULL)
         || self->diagram != heddle_snapshot_get_diagram (self->snapshot, NULL)
         || heddle_diagram_has_calls (self->diagram)
         || !heddle_diagram_is_copy (diagram_before, self->diagram);
}

/* Returns the problems of the diagram shown; of one with calls, also those that only show beside the
 * diagrams they call. A definition may leave sizes to those who call it. */
static GPtrArray *
check_shown (HeddleEditor *self)
{
  GPtrArray *problems;

  if (!heddle_diagram_has_calls (self->diagram)
      && self->diagram == heddle_snapshot_get_diagram (self->snapshot, NULL))
    return heddle_check_diagram (self->diagram);
  problems = heddle_check_snapshot (heddle_editor_get_snapshot (self));
  for (guint i = problems->len; i-- > 0;)
    if (((HeddleProblem *) g_ptr_array_index (problems, i))->diagram_id != self->diagram->id)
      g_ptr_array_remove_index (problems, i);
  return problems;
}

static void
update_checks (HeddleEditor *self)
{
  g_clear_pointer (&self->problems, g_ptr_array_unref);
  self->problems = self->diagram != NULL ? check_shown (self) : g_ptr_array_new ();
  heddle_editor_update_flat (self);
}

static void
update (HeddleEditor *self)
{
  guint n_selected = self->selection->len;

  heddle_editor_drop_preview (self);
  if (update_diagram (self))
    {
      self->meaning++;
      update_checks (self);
    }
  else
    self->flat_diagram = self->diagram;
  heddle_editor_update_target (self);
  heddle_editor_label_foreign (self);
  heddle_editor_prune_selection (self);
  /* Before anybody looks: the old derivation speaks of the old snapshot. */
  heddle_editor_rederive (self);
  g_signal_emit (self, heddle_editor_signals[CHANGED], 0);
  if (self->selection->len != n_selected)
    g_signal_emit (self, heddle_editor_signals[SELECTION_CHANGED], 0);
  g_signal_emit (self, heddle_editor_signals[DERIVATION_CHANGED], 0);
}

static void
on_document_changed (HeddleDocument *document, gpointer now, HeddleEditor *self)
{
  update (self);
}

static void
heddle_editor_finalize (GObject *object)
{
  HeddleEditor *self = HEDDLE_EDITOR (object);

  heddle_editor_drop_preview (self);
  heddle_editor_forget_trials (self);
  heddle_editor_abandon_deriving (self);
  g_signal_handlers_disconnect_by_data (self->document, self);
  g_clear_object (&self->document);
  g_clear_object (&self->file);
  g_clear_pointer (&self->suggested_name, g_free);
  g_clear_pointer (&self->derivation, heddle_shared_derivation_unref);
  g_clear_pointer (&self->derivation_error, g_free);
  g_clear_pointer (&self->formulas, g_free);
  g_clear_pointer (&self->sizes, heddle_sizes_unref);
  heddle_editor_clear_flat (self);
  g_clear_pointer (&self->problems, g_ptr_array_unref);
  g_clear_pointer (&self->selection, g_array_unref);
  g_clear_pointer (&self->opened_from, g_array_unref);
  g_clear_pointer (&self->machine, heddle_machine_free);
  g_clear_pointer (&self->default_gpu, g_free);
  g_clear_pointer (&self->machines, g_ptr_array_unref);
  g_clear_pointer (&self->measured, g_ptr_array_unref);
  g_clear_pointer (&self->warmth, g_hash_table_unref);
  g_clear_pointer (&self->snapshot, heddle_snapshot_unref);
  G_OBJECT_CLASS (heddle_editor_parent_class)->finalize (object);
}

static void
heddle_editor_class_init (HeddleEditorClass *class)
{
  static const char *const names[] = { "changed", "selection-changed", "derivation-changed",
    "preview-changed", "measured", "warmth-changed" };

  G_OBJECT_CLASS (class)->finalize = heddle_editor_finalize;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    heddle_editor_signals[i]
        = g_signal_new (names[i], HEDDLE_TYPE_EDITOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  heddle_editor_signals[MESSAGE] = g_signal_new (
      "message", HEDDLE_TYPE_EDITOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
heddle_editor_init (HeddleEditor *self)
{
  self->selection = heddle_ids_new ();
  self->opened_from = heddle_ids_new ();
  self->measured = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_bench_result_free);
  self->machines = heddle_machines_load (NULL);
  heddle_editor_read_defaults (self);
}

HeddleEditor *
heddle_editor_new (HeddleDocument *document)
{
  HeddleEditor *self = NULL;

  g_return_val_if_fail (HEDDLE_IS_DOCUMENT (document), NULL);

  self = g_object_new (HEDDLE_TYPE_EDITOR, NULL);
  self->document = g_object_ref (document);
  g_signal_connect (document, "changed", G_CALLBACK (on_document_changed), self);
  update (self);
  return self;
}

HeddleDocument *
heddle_editor_get_document (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);
  return self->document;
}

GFile *
heddle_editor_get_file (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);
  return self->file;
}

void
heddle_editor_set_file (HeddleEditor *self, GFile *file)
{
  g_return_if_fail (HEDDLE_IS_EDITOR (self));
  g_set_object (&self->file, file);
}

char *
heddle_editor_dup_title (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);

  if (self->file != NULL)
    return g_file_get_basename (self->file);
  return g_strdup (self->suggested_name != NULL ? self->suggested_name : _ ("Untitled"));
}

void
heddle_editor_set_suggested_name (HeddleEditor *self, const char *name)
{
  g_return_if_fail (HEDDLE_IS_EDITOR (self));

  g_free (self->suggested_name);
  self->suggested_name = g_strdup (name);
}

HeddleSnapshot *
heddle_editor_get_snapshot (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);
  return self->snapshot;
}

HeddleDiagram *
heddle_editor_get_diagram (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);
  return self->diagram;
}

void
heddle_editor_show_diagram (HeddleEditor *self, const char *name)
{
  HeddleDiagram *diagram = NULL;

  g_return_if_fail (HEDDLE_IS_EDITOR (self));

  diagram = heddle_snapshot_get_diagram (self->snapshot, name);
  if (diagram == NULL || diagram == self->diagram)
    return;
  self->diagram_id = diagram->id;
  update (self);
}

static void
open_diagram (HeddleEditor *self, const HeddleDiagram *diagram, const char *call)
{
  if (self->diagram_id == diagram->id)
    return;
  self->opened_by = call;
  if (!heddle_editor_can_go_back (self))
    g_array_set_size (self->opened_from, 0);
  heddle_ids_append (self->opened_from, self->diagram_id);
  self->diagram_id = diagram->id;
  update (self);
}

void
heddle_editor_open_diagram (HeddleEditor *self, const HeddleDiagram *diagram)
{
  g_return_if_fail (HEDDLE_IS_EDITOR (self));
  g_return_if_fail (diagram != NULL);

  open_diagram (self, diagram, NULL);
}

void
heddle_editor_open_call (HeddleEditor *self, const HeddleOperation *call)
{
  const HeddleDiagram *callee = NULL;

  g_return_if_fail (HEDDLE_IS_EDITOR (self));
  g_return_if_fail (call != NULL);

  callee = call->callee != NULL ? heddle_snapshot_get_diagram_by_id (self->snapshot, call->callee) : NULL;
  if (callee != NULL)
    open_diagram (self, callee, call->id);
}

/* Only from the first diagram there is no way back: undo may have left a diagram that was opened. */
gboolean
heddle_editor_can_go_back (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), FALSE);
  return self->diagram != heddle_snapshot_get_diagram (self->snapshot, NULL);
}

void
heddle_editor_go_back (HeddleEditor *self)
{
  const HeddleDiagram *before = NULL;

  g_return_if_fail (HEDDLE_IS_EDITOR (self));

  if (!heddle_editor_can_go_back (self))
    return;
  while (before == NULL && self->opened_from->len > 0)
    {
      const guint last = self->opened_from->len - 1;

      before = heddle_snapshot_get_diagram_by_id (self->snapshot, heddle_ids_index (self->opened_from, last));
      g_array_set_size (self->opened_from, last);
    }
  if (before == NULL || before == self->diagram)
    before = heddle_snapshot_get_diagram (self->snapshot, NULL);
  self->diagram_id = before->id;
  self->opened_by = NULL;
  update (self);
}

GArray *
heddle_editor_list_path (HeddleEditor *self)
{
  const HeddleDiagram *first = NULL;
  GArray *path = heddle_ids_new ();

  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), path);

  first = heddle_snapshot_get_diagram (self->snapshot, NULL);
  if (first != NULL)
    heddle_ids_append (path, first->id);
  for (guint i = 0; i <= self->opened_from->len; i++)
    {
      const char *id
          = i < self->opened_from->len ? heddle_ids_index (self->opened_from, i) : self->diagram_id;

      if (!heddle_ids_contain (path, id) && heddle_snapshot_get_diagram_by_id (self->snapshot, id) != NULL)
        heddle_ids_append (path, id);
    }
  return path;
}

void
heddle_editor_go_back_to (HeddleEditor *self, const char *diagram)
{
  g_autoptr (GArray) path = NULL;

  g_return_if_fail (HEDDLE_IS_EDITOR (self));

  path = heddle_editor_list_path (self);
  while (
      heddle_ids_contain (path, diagram) && self->diagram_id != diagram && heddle_editor_can_go_back (self))
    heddle_editor_go_back (self);
}

guint
heddle_editor_get_meaning (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), 0);
  return self->meaning;
}

gboolean
heddle_editor_edit (HeddleEditor *self, const char *name, const char *merge_key, HeddleEdit edit,
    gpointer data, GError **error)
{
  g_autoptr (GError) local_error = NULL;

  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), FALSE);

  if (self->snapshot->read_only)
    g_set_error_literal (&local_error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID,
        _ ("This document was written by a newer version and can only be read"));
  else if (heddle_document_edit (self->document, name, merge_key, edit, data, &local_error))
    return TRUE;

  if (error == NULL)
    heddle_editor_report (self, "%s", local_error->message);
  else
    g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

HeddleDiagram *
heddle_editor_diagram_in (HeddleEditor *self, HeddleSnapshot *snapshot)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);
  return heddle_snapshot_get_diagram_by_id (snapshot, self->diagram_id);
}

void
heddle_editor_report (HeddleEditor *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  g_return_if_fail (HEDDLE_IS_EDITOR (self));

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_signal_emit (self, heddle_editor_signals[MESSAGE], 0, text);
}

GPtrArray *
heddle_editor_get_problems (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);
  return self->problems;
}

gboolean
heddle_editor_is_mistake (HeddleEditor *self, const HeddleProblem *problem)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self) && problem != NULL, FALSE);
  return problem->severity == HEDDLE_SEVERITY_ERROR && !heddle_check_is_open_size (self->diagram, problem);
}

HeddleSizes *
heddle_editor_get_sizes (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);

  return self->sizes;
}
