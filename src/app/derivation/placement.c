/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/derivation/placement.h"
#include "app/editor/derive.h"
#include "app/editor/flat.h"
#include "app/editor/preview.h"
#include "app/editor/selection.h"
#include "app/editor/target.h"
#include "derive/derivation/check-placement.h"
#include "derive/derivation/schedule-text.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/machine.h"
#include "derive/report/step-title.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/schedule.h"
#include "diagram/graph/operation-table.h"

/* --- what there is --- */

const HeddleValue *
heddle_placement_get_selected (HeddleEditor *editor)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const char *id = heddle_editor_get_selected (editor), *value = NULL, *axis = NULL;
  const HeddleOperation *operation = NULL;

  if (diagram == NULL || id == NULL)
    return NULL;
  if (heddle_editor_get_wire (editor, &value, &axis))
    return heddle_diagram_get_value (diagram, value);
  operation = heddle_diagram_get_operation (diagram, id);
  return heddle_diagram_get_value (diagram, operation != NULL ? operation->result : id);
}

/* Returns the operations that read the value. What is called has no place in the diagram shown: its own
 * operations read there. */
GPtrArray *
heddle_placement_get_columns (HeddleEditor *editor, const char *value)
{
  GPtrArray *columns = heddle_diagram_get_readers (heddle_editor_get_diagram (editor), value);

  for (guint i = columns->len; i-- > 0;)
    if (((const HeddleOperation *) g_ptr_array_index (columns, i))->kind->form == HEDDLE_FORM_CALL)
      g_ptr_array_remove_index (columns, i);
  return columns;
}

GPtrArray *
heddle_placement_get_levels (HeddleEditor *editor)
{
  const HeddleMachine *machine = heddle_editor_get_machine (editor);
  GPtrArray *levels = g_ptr_array_new ();

  for (guint i = 0; machine != NULL && i < machine->levels->len; i++)
    {
      HeddleLevel *level = g_ptr_array_index (machine->levels, i);

      if (i == 0 || level->labels || level->cache || (level->above >= 0 && level->bandwidth > 0))
        g_ptr_array_add (levels, level);
    }
  return levels;
}

static const HeddleSchedule *
own_schedule (HeddleEditor *editor)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);

  return diagram != NULL ? heddle_snapshot_find_schedule (heddle_editor_get_snapshot (editor), diagram)
                         : NULL;
}

const char *
heddle_placement_get_level (HeddleEditor *editor, const char *value, const char *column)
{
  const HeddleSchedule *schedule = own_schedule (editor);

  for (guint i = 0; schedule != NULL && i < schedule->residency->len; i++)
    {
      const HeddleResidency *place = g_ptr_array_index (schedule->residency, i);

      if (place->value == value && place->column == column)
        return place->level;
    }
  return NULL;
}

/* --- in words --- */

char *
heddle_placement_describe_column (const HeddleDiagram *diagram, const char *column)
{
  g_autofree char *reader = column != NULL ? heddle_step_label_of_reader (diagram, column) : NULL;

  return reader != NULL ? g_strdup_printf (_ ("where %s reads it"), reader) : g_strdup (_ ("everywhere"));
}

/* --- trying --- */

/* Large diagrams are not derived while a person waits: what is wrong is said when they are. */
static gboolean
is_refused (HeddleEditor *editor, const char *value, const char *column, const char *level)
{
  HeddleSizes *sizes = heddle_editor_get_flat_sizes (editor);
  HeddleRefusal *refusal = NULL;
  HeddleDeriveOptions options;

  heddle_editor_get_derive_options (editor, &options);
  if (sizes != NULL && options.machine != NULL && heddle_editor_is_quick (editor))
    refusal = heddle_derive_check_placement (heddle_editor_get_flat_diagram (editor),
        heddle_editor_get_schedule (editor), sizes, &options, value, column, level);
  heddle_editor_set_refusal (editor, refusal);
  return refusal != NULL;
}

HeddleSchedule *
heddle_placement_try (HeddleEditor *editor, const char *value, const char *column, const char *level)
{
  const HeddleSchedule *schedule = heddle_editor_get_schedule (editor);
  HeddleSchedule *tried = NULL;

  g_return_val_if_fail (HEDDLE_IS_EDITOR (editor) && value != NULL && level != NULL, NULL);

  if (is_refused (editor, value, column, level))
    return NULL;
  tried = schedule != NULL ? heddle_schedule_copy (schedule)
                           : heddle_schedule_new (heddle_editor_get_flat_diagram (editor)->id);
  heddle_schedule_set_residency (tried, value, column, level);
  return tried;
}

/* --- changing --- */

typedef struct
{
  HeddleEditor *editor;
  const char *value, *column, *level;
  gboolean recomputed;
  const GArray *operations;
} Change;

static gboolean
set_place (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  const Change *change = data;

  return heddle_edit_set_residency (snapshot, heddle_editor_diagram_in (change->editor, snapshot),
      change->value, change->column, change->level, error);
}

static char *
dup_step_name (HeddleEditor *editor, const char *value, const char *column, const char *level)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleResidency place = { value, column, (char *) level };
  g_autofree char *label = heddle_diagram_value_label (diagram, value);

  return level != NULL ? heddle_step_title_of_place (diagram, heddle_editor_get_machine (editor), &place)
                       : g_strdup_printf (_ ("Leave %s to the Kernels"), label);
}

static gboolean
store_place (HeddleEditor *editor, const char *value, const char *column, const char *level, const char *key)
{
  Change change = { .editor = editor, .value = value, .column = column, .level = level };
  g_autofree char *title = dup_step_name (editor, value, column, level);

  return heddle_editor_edit (editor, title, key, set_place, &change, NULL);
}

gboolean
heddle_placement_set (HeddleEditor *editor, const char *value, const char *column, const char *level)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (editor) && value != NULL, FALSE);

  if (g_strcmp0 (heddle_placement_get_level (editor, value, column), level) == 0)
    return TRUE;
  if (level != NULL && is_refused (editor, value, column, level))
    return FALSE;
  return store_place (editor, value, column, level, NULL);
}

static gboolean
cut_or_fuse (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  const Change *change = data;
  HeddleDiagram *diagram = heddle_editor_diagram_in (change->editor, snapshot);

  heddle_schedule_fuse_operations (
      heddle_snapshot_get_schedule (snapshot, diagram), diagram, change->operations);
  return TRUE;
}

void
heddle_placement_apply_remedy (HeddleEditor *editor, const HeddleRefusal *refusal)
{
  static guint n_remedies;
  const char *value = refusal->value, *column = refusal->column, *level = refusal->level;
  g_autoptr (GArray) operations = heddle_ids_copy (refusal->remedy_operations);
  Change change = { .editor = editor, .operations = operations };
  /* Both changes are one undo step. */
  g_autofree char *key = g_strdup_printf ("place-remedy-%u", ++n_remedies);
  g_autofree char *title = dup_step_name (editor, value, column, level);

  heddle_editor_set_refusal (editor, NULL);
  if (heddle_editor_edit_schedule (editor, title, key, cut_or_fuse, &change, NULL))
    store_place (editor, value, column, level, key);
}

/* --- working out again --- */

gboolean
heddle_recompute_get (HeddleEditor *editor, const char *value, const char *column)
{
  const HeddleSchedule *schedule = own_schedule (editor);

  return schedule != NULL && heddle_schedule_is_recomputed (schedule, value, column);
}

static gboolean
set_recomputed (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  const Change *change = data;

  return heddle_edit_set_recomputed (snapshot, heddle_editor_diagram_in (change->editor, snapshot),
      change->value, change->column, change->recomputed, error);
}

gboolean
heddle_recompute_set (HeddleEditor *editor, const char *value, const char *column, gboolean recomputed)
{
  Change change = { .editor = editor, .value = value, .column = column, .recomputed = recomputed };
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleRecompute one = { value, column };
  g_autofree char *label = NULL, *reader = NULL, *title = NULL;

  g_return_val_if_fail (HEDDLE_IS_EDITOR (editor) && value != NULL && column != NULL, FALSE);

  if (heddle_recompute_get (editor, value, column) == recomputed)
    return TRUE;
  label = heddle_diagram_value_label (diagram, value);
  reader = heddle_step_label_of_reader (diagram, column);
  title = recomputed ? heddle_step_title_of_recompute (diagram, &one)
                     : g_strdup_printf (_ ("Store %s for %s"), label, reader);
  return heddle_editor_edit (editor, title, NULL, set_recomputed, &change, NULL);
}
