/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n.h>

#include "app/derivation/derivation-actions.h"
#include "app/derivation/format.h"

/* An edit of the schedule, with what it needs. */
typedef struct
{
  HeddleEditor *editor;
  GArray *operations;
  const HeddleDerivation *derivation;
} Change;

static gboolean
fuse (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  return heddle_edit_fuse (
      snapshot, heddle_editor_diagram_in (change->editor, snapshot), change->operations, NULL, error);
}

static GArray *
selected_operations (HeddleEditor *editor)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  GArray *selection = heddle_editor_get_selection (editor), *operations = heddle_ids_new ();

  for (guint i = 0; i < selection->len; i++)
    if (heddle_diagram_get_operation (diagram, heddle_ids_index (selection, i)) != NULL)
      heddle_ids_append (operations, heddle_ids_index (selection, i));
  return operations;
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

static void
fuse_operations (HeddleEditor *editor, GArray *operations)
{
  Change change = { .editor = editor, .operations = operations };
  g_autofree char *name = NULL;

  if (operations->len == 0)
    return;
  name = fuse_name (heddle_editor_get_diagram (editor), operations);
  heddle_editor_edit (editor, name, NULL, fuse, &change, NULL);
}

void
heddle_derivation_fuse (HeddleEditor *editor)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  g_autoptr (GArray) operations = selected_operations (editor);

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
  g_autoptr (GArray) operations = selected_operations (editor);
  Change change = { .editor = editor, .operations = operations };
  const HeddleSchedule *schedule = heddle_editor_get_schedule (editor);

  if (schedule == NULL || schedule->regions->len == 0)
    heddle_editor_tell (editor, _ ("Nothing is fused"));
  else
    heddle_editor_edit (editor, _ ("Unfuse"), NULL, unfuse, &change, NULL);
}

void
heddle_derivation_apply_remedy (HeddleEditor *editor)
{
  const HeddleRefusal *refusal = heddle_editor_get_refusal (editor);
  g_autoptr (GArray) operations = NULL;

  if (refusal == NULL || refusal->remedy_kind != HEDDLE_REMEDY_FUSE || refusal->remedy_operations == NULL)
    return;
  operations = heddle_ids_copy (refusal->remedy_operations);
  heddle_editor_set_refusal (editor, NULL);
  fuse_operations (editor, operations);
}

/* Puts the labels a derivation used into the schedule: statements on their own become regions. */
static gboolean
apply_labels (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;
  HeddleDiagram *diagram = heddle_editor_diagram_in (change->editor, snapshot);

  for (guint i = 0; i < change->derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (change->derivation->kernels, i);
      const char *region = kernel->region_id;

      if (kernel->labels->len == 0)
        continue;
      if (region == NULL && !heddle_edit_fuse (snapshot, diagram, kernel->operations, &region, error))
        return FALSE;
      for (guint j = 0; j < kernel->labels->len; j++)
        {
          const HeddleLabel *label = g_ptr_array_index (kernel->labels, j);

          if (!heddle_edit_set_label (
                  snapshot, diagram, region, label->axis, label->level, label->kind, label->size, error))
            return FALSE;
        }
    }
  return TRUE;
}

void
heddle_derivation_suggest (HeddleEditor *editor)
{
  HeddleSizes *sizes = heddle_editor_get_sizes (editor, NULL);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleSchedule *schedule = heddle_editor_get_schedule (editor);
  g_autoptr (HeddleDerivation) derivation = NULL;
  g_autoptr (GError) error = NULL;
  HeddleDeriveOptions options;
  Change change = { .editor = editor };

  if (sizes == NULL || diagram == NULL)
    {
      heddle_editor_tell (editor, _ ("Give every axis a size first"));
      return;
    }
  heddle_editor_get_derive_options (editor, &options);
  options.suggest = TRUE;
  derivation = heddle_derive (diagram, schedule, sizes, &options, NULL, &error);
  if (derivation == NULL)
    {
      heddle_editor_tell (editor, "%s", error->message);
      return;
    }
  change.derivation = derivation;
  if (heddle_editor_edit (editor, _ ("Suggested Labels"), NULL, apply_labels, &change, NULL))
    heddle_editor_tell (editor, _ ("The best of %" G_GUINT64_FORMAT " candidates, found in %.0f ms"),
        derivation->candidates, derivation->milliseconds);
}

char *
heddle_derivation_explain (HeddleEditor *editor)
{
  HeddleDerivation *derivation = heddle_editor_get_shown_derivation (editor);
  g_autoptr (GString) text = g_string_new (NULL);
  const char *why = NULL;

  if (derivation == NULL)
    {
      heddle_editor_get_derivation (editor, &why);
      return g_strdup (why ? why : _ ("There is nothing to derive yet."));
    }
  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);
      g_autofree char *time = heddle_format_seconds (kernel->expected_s);

      g_string_append_printf (text, "%s%s: ", i ? "\n" : "", kernel->program ? kernel->program->name : "–");
      if (!kernel->fits)
        g_string_append (text,
            _ ("does not fit: one tile needs more than the level holds. Group or stream one more axis."));
      else
        g_string_append_printf (text, _ ("%s; %s takes longest. %.0f FLOP per byte moved"), time,
            heddle_format_unit (kernel->bound), kernel->intensity);
      if (kernel->fits && kernel->ridge_tile > 0)
        g_string_append_printf (text,
            _ ("; without reuse in L2, tiles of %" G_GINT64_FORMAT
               " would make transfers and tensor cores equal"),
            kernel->ridge_tile);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
