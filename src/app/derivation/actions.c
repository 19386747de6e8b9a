/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/derivation/actions.h"
#include "app/derivation/placement.h"
#include "app/derivation/proposal.h"
#include "app/editor/derive.h"
#include "app/editor/flat.h"
#include "app/editor/preview.h"
#include "app/editor/target.h"
#include "derive/derivation/schedule-text.h"
#include "derive/legality/refusal.h"
#include "derive/machine/machine.h"
#include "derive/report/step-title.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/schedule.h"
#include "diagram/graph/diagram.h"

/* An edit of the schedule, with what it needs. */
typedef struct
{
  HeddleEditor *editor;
  GArray *operations;
  const char *axis, *level;
  HeddleLabelKind kind;
  gint64 size;
} Change;

static gboolean
fuse (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  return heddle_edit_fuse (
      snapshot, heddle_editor_diagram_in (change->editor, snapshot), change->operations, NULL, error);
}

/* "Fuse Softmax and Contraction" would be long for many: the first is named. */
static char *
fuse_name (const HeddleDiagram *diagram, const GArray *operations)
{
  const HeddleOperation *first = heddle_diagram_get_operation (diagram, heddle_ids_index (operations, 0));

  if (operations->len == diagram->operations->len)
    return g_strdup (_ ("Fuse Everything"));
  return g_strdup_printf (_ ("Fuse %s and %u More"), _ (first->kind->title), operations->len - 1);
}

/* Takes the operations out of the kernels they are in, for one of their own. */
static gboolean
cut (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;
  HeddleDiagram *diagram = heddle_editor_diagram_in (change->editor, snapshot);

  heddle_schedule_fuse_operations (
      heddle_snapshot_get_schedule (snapshot, diagram), diagram, change->operations);
  return TRUE;
}

static void
fuse_operations (HeddleEditor *editor, GArray *operations)
{
  Change change = { .editor = editor, .operations = operations };
  g_autofree char *name = NULL;

  if (operations->len == 0)
    return;
  name = fuse_name (heddle_editor_get_flat_diagram (editor), operations);
  heddle_editor_edit_schedule (editor, name, NULL, fuse, &change, NULL);
}

void
heddle_derivation_fuse (HeddleEditor *editor)
{
  const HeddleDiagram *diagram = heddle_editor_get_flat_diagram (editor);
  g_autoptr (GArray) operations = heddle_editor_get_flat_selection (editor);

  if (operations->len < 2)
    {
      g_array_set_size (operations, 0);
      for (guint i = 0; i < diagram->operations->len; i++)
        heddle_ids_append (operations, ((HeddleOperation *) g_ptr_array_index (diagram->operations, i))->id);
    }
  fuse_operations (editor, operations);
}

static gboolean
unfuse (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;
  HeddleDiagram *diagram = heddle_editor_diagram_in (change->editor, snapshot);
  HeddleSchedule *schedule = heddle_snapshot_get_schedule (snapshot, diagram);

  for (guint i = schedule->regions->len; i-- > 0;)
    {
      const HeddleRegion *region = g_ptr_array_index (schedule->regions, i);
      gboolean chosen = change->operations->len == 0;

      for (guint j = 0; j < change->operations->len; j++)
        chosen |= heddle_ids_contain (region->operations, heddle_ids_index (change->operations, j));
      if (chosen && !heddle_edit_unfuse (snapshot, diagram, region->id, error))
        return FALSE;
    }
  return TRUE;
}

void
heddle_derivation_unfuse (HeddleEditor *editor)
{
  g_autoptr (GArray) operations = heddle_editor_get_flat_selection (editor);
  Change change = { .editor = editor, .operations = operations };
  const HeddleSchedule *schedule = heddle_editor_get_schedule (editor);

  if (schedule == NULL || schedule->regions->len == 0)
    heddle_editor_report (editor, _ ("Nothing is fused"));
  else
    heddle_editor_edit_schedule (editor, _ ("Unfuse"), NULL, unfuse, &change, NULL);
}

/* --- the remedy of a refusal --- */

/* The last operation of the remedy that is not of the refused statement: what it would be fused with. */
static const HeddleOperation *
fusion_partner (const HeddleDiagram *diagram, const HeddleRefusal *refusal)
{
  const char *statement
      = refusal->operation ? heddle_diagram_statement_of (diagram, refusal->operation) : NULL;

  for (guint i = refusal->remedy_operations->len; i-- > 0;)
    {
      const char *id = heddle_ids_index (refusal->remedy_operations, i);

      if (heddle_diagram_statement_of (diagram, id) != statement)
        return heddle_diagram_get_operation (diagram, id);
    }
  return NULL;
}

static const char *
label_level (HeddleEditor *editor)
{
  const HeddleMachine *machine = heddle_editor_get_machine (editor);

  for (guint i = 0; machine != NULL && i < machine->levels->len; i++)
    {
      const HeddleLevel *level = g_ptr_array_index (machine->levels, i);

      if (level->labels)
        return level->name;
    }
  return NULL;
}

/* The label that would be legal: a stream where a group was refused, or one of the axis by which a halo goes; NULL: none. */
static HeddleProposal *
label_instead (HeddleEditor *editor, const HeddleRefusal *refusal)
{
  const char *level = label_level (editor), *axis = refusal->axis;
  HeddleLabelKind kind = HEDDLE_LABEL_STREAM;
  g_autoptr (HeddleProposal) proposal = NULL;

  if (level == NULL
      || (refusal->remedy_kind != HEDDLE_REMEDY_STREAM && refusal->remedy_kind != HEDDLE_REMEDY_AXIS))
    return NULL;
  if (refusal->remedy_kind == HEDDLE_REMEDY_AXIS)
    {
      axis = refusal->remedy_axis;
      kind = refusal->kind;
    }
  proposal = heddle_proposal_new (
      editor, axis, level, kind, heddle_proposal_start_size (editor, axis, level, kind));
  return proposal->refusal == NULL ? g_steal_pointer (&proposal) : NULL;
}

static char *
remedy_of_place (const HeddleDiagram *diagram, const HeddleRefusal *refusal)
{
  g_autofree char *label = heddle_diagram_value_label (diagram, refusal->value);

  if (refusal->remedy_kind == HEDDLE_REMEDY_FUSE)
    return g_strdup_printf (_ ("_Fuse What Reads %s and Keep It There"), label);
  if (refusal->remedy_kind == HEDDLE_REMEDY_CUT)
    return g_strdup_printf (_ ("_Cut the Kernel after %s and Keep It There"), label);
  return NULL;
}

static char *
name_fusion (const HeddleDiagram *diagram, const HeddleRefusal *refusal)
{
  const HeddleOperation *partner = fusion_partner (diagram, refusal);
  g_autofree char *label = partner != NULL ? heddle_diagram_value_label (diagram, partner->result) : NULL;

  return label != NULL ? g_strdup_printf (_ ("_Fuse with %s %s"), _ (partner->kind->title), label)
                       : g_strdup (_ ("_Fuse Them"));
}

/* "Fuse with Contraction O and Stream x": what was asked for is done too where it can be. */
static char *
remedy_of_fusion (HeddleEditor *editor, const HeddleDiagram *diagram, const HeddleRefusal *refusal)
{
  g_autoptr (HeddleProposal) finished = heddle_proposal_new_remedied (editor);
  g_autofree char *fusion = name_fusion (diagram, refusal);

  if (finished == NULL)
    return g_steal_pointer (&fusion);
  return g_strdup_printf (
      refusal->kind == HEDDLE_LABEL_GROUP ? _ ("%s and Group %s") : _ ("%s and Stream %s"), fusion,
      heddle_diagram_get_axis (diagram, refusal->axis)->name);
}

char *
heddle_derivation_remedy_label (HeddleEditor *editor)
{
  const HeddleRefusal *refusal = heddle_editor_get_refusal (editor);
  const HeddleDiagram *diagram = heddle_editor_get_flat_diagram (editor);
  g_autoptr (HeddleProposal) instead = NULL;

  if (refusal == NULL)
    return NULL;
  if (refusal->value != NULL)
    return remedy_of_place (diagram, refusal);
  if (refusal->remedy_kind == HEDDLE_REMEDY_FUSE)
    return remedy_of_fusion (editor, diagram, refusal);
  if (refusal->remedy_kind == HEDDLE_REMEDY_CUT)
    return g_strdup (_ ("_Unfuse the Rest"));
  instead = label_instead (editor, refusal);
  if (instead == NULL)
    return NULL;
  if (refusal->remedy_kind == HEDDLE_REMEDY_AXIS && refusal->kind == HEDDLE_LABEL_GROUP)
    return g_strdup_printf (
        _ ("_Group %s Instead"), heddle_diagram_get_axis (diagram, refusal->remedy_axis)->name);
  return g_strdup_printf (_ ("_Stream %s Instead"),
      heddle_diagram_get_axis (
          diagram, refusal->remedy_kind == HEDDLE_REMEDY_AXIS ? refusal->remedy_axis : refusal->axis)
          ->name);
}

static void
apply (HeddleEditor *editor, HeddleProposal *proposal, const char *name)
{
  heddle_editor_set_refusal (editor, NULL);
  heddle_editor_set_preview_schedule (editor, g_steal_pointer (&proposal->schedule));
  heddle_editor_commit_preview (editor, name);
}

/* Fuses, and does what was refused: one step. */
static void
finish_gesture (HeddleEditor *editor, HeddleProposal *finished)
{
  const GArray *operations = heddle_editor_get_refusal (editor)->remedy_operations;
  g_autofree char *fusion = fuse_name (heddle_editor_get_flat_diagram (editor), operations);
  g_autofree char *name = g_strdup_printf ("%s; %s", fusion, finished->name);

  apply (editor, finished, name);
}

void
heddle_derivation_apply_remedy (HeddleEditor *editor)
{
  const HeddleRefusal *refusal = heddle_editor_get_refusal (editor);
  g_autoptr (HeddleProposal) finished = heddle_proposal_new_remedied (editor), instead = NULL;
  g_autoptr (GArray) operations = NULL;

  if (refusal == NULL)
    return;
  if (refusal->value != NULL)
    {
      heddle_placement_apply_remedy (editor, refusal);
      return;
    }
  if (finished != NULL)
    {
      finish_gesture (editor, finished);
      return;
    }
  if (refusal->remedy_kind == HEDDLE_REMEDY_FUSE || refusal->remedy_kind == HEDDLE_REMEDY_CUT)
    {
      const gboolean cuts = refusal->remedy_kind == HEDDLE_REMEDY_CUT;
      Change change = { .editor = editor };

      change.operations = operations = heddle_ids_copy (refusal->remedy_operations);
      heddle_editor_set_refusal (editor, NULL);
      if (cuts)
        heddle_editor_edit_schedule (editor, _ ("Unfuse the Rest"), NULL, cut, &change, NULL);
      else
        fuse_operations (editor, operations);
      return;
    }
  instead = label_instead (editor, refusal);
  if (instead != NULL)
    apply (editor, instead, instead->name);
}

/* --- sizes of labels --- */

static gboolean
set_label_size (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;
  HeddleDiagram *diagram = heddle_editor_diagram_in (change->editor, snapshot);
  HeddleSchedule *schedule = heddle_snapshot_get_schedule (snapshot, diagram);

  for (guint i = 0; i < schedule->regions->len; i++)
    {
      const HeddleRegion *region = g_ptr_array_index (schedule->regions, i);

      if (heddle_region_get_label (region, change->axis, change->level, change->kind) != NULL
          && !heddle_edit_set_label (
              snapshot, diagram, region->id, change->axis, change->level, change->kind, change->size, error))
        return FALSE;
    }
  return TRUE;
}

void
heddle_derivation_set_label_size (HeddleEditor *editor, const char *axis, const char *level,
    HeddleLabelKind kind, gint64 size, const char *merge_key)
{
  const HeddleDiagram *diagram = heddle_editor_get_flat_diagram (editor);
  const HeddleAxis *a = heddle_diagram_get_axis (diagram, axis);
  Change change = { .editor = editor, .axis = axis, .level = level, .kind = kind, .size = size };
  g_autofree char *title = g_ascii_strup (level, -1);
  g_autofree char *name = size == 0 ? heddle_step_title_of_label (diagram, axis, level, kind, 0)
                          : kind == HEDDLE_LABEL_GROUP
                              ? g_strdup_printf (_ ("Size of the Groups of %s at %s"), a->name, title)
                              : g_strdup_printf (_ ("Size of the Steps of %s at %s"), a->name, title);

  heddle_editor_edit_schedule (editor, name, merge_key, set_label_size, &change, NULL);
}
