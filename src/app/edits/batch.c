/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/editor/target.h"
#include "app/edits/batch.h"
#include "derive/machine/machine.h"
#include "diagram/analysis/sizes.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/batch.h"
#include "diagram/edit/delete.h"
#include "diagram/edit/edit.h"

static const char *const names[HEDDLE_N_BATCHES] = { "h", "b" };

/* Returns the axis of heads that weights know of as well; the height of an image is called h, too. NULL: there is none. */
static const HeddleAxis *
find_heads (const HeddleDiagram *diagram)
{
  const HeddleAxis *axis = heddle_diagram_find_axis (diagram, names[HEDDLE_BATCH_HEADS]);

  return axis != NULL && !heddle_edit_sizes_others (diagram, axis->id) ? axis : NULL;
}

const HeddleAxis *
heddle_edits_find_batch (HeddleEditor *editor, HeddleBatch batch)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);

  for (guint i = 0; diagram != NULL && i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);

      if (axis->name[0] == names[batch][0] && heddle_edit_is_batch (diagram, axis->id))
        return axis;
    }
  return diagram != NULL && batch == HEDDLE_BATCH_HEADS ? find_heads (diagram) : NULL;
}

gint64
heddle_edits_get_batch (HeddleEditor *editor, HeddleBatch batch)
{
  const HeddleAxis *axis = heddle_edits_find_batch (editor, batch);
  HeddleSizes *sizes = heddle_editor_get_sizes (editor);

  if (axis == NULL)
    return 1;
  return sizes != NULL ? heddle_sizes_get (sizes, axis->id) : 0;
}

typedef struct
{
  HeddleEditor *editor;
  HeddleBatch batch;
  gint64 size;
} Change;

/* Returns the first of "h", "h_2", "h_3" … that is free. */
static char *
free_name (const HeddleDiagram *diagram, const char *name)
{
  char *free = g_strdup (name);

  for (guint i = 2; !heddle_edit_is_free_name (diagram, free); i++)
    {
      g_free (free);
      free = g_strdup_printf ("%s_%u", name, i);
    }
  return free;
}

/* The level nearest to the outermost memory that a kernel has labels at; NULL: it has none. */
static const char *
outer_level (HeddleEditor *editor, const HeddleRegion *region)
{
  const HeddleMachine *machine = heddle_editor_get_machine (editor);
  const char *level = NULL;
  int outermost = G_MAXINT;

  for (guint i = 0; machine != NULL && i < region->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (region->labels, i);
      const int at = heddle_machine_find_level (machine, label->level);

      if (at >= 0 && at < outermost)
        {
          outermost = at;
          level = label->level;
        }
    }
  return level;
}

static gboolean
add (const Change *self, HeddleSnapshot *snapshot, HeddleDiagram *diagram, GError **error)
{
  g_autofree char *name = free_name (diagram, names[self->batch]);
  const char *axis = heddle_edit_add_batch (snapshot, diagram, name, self->size, error);
  HeddleSchedule *schedule = heddle_snapshot_find_schedule (snapshot, diagram);

  for (guint i = 0; axis != NULL && schedule != NULL && i < schedule->regions->len; i++)
    {
      HeddleRegion *region = g_ptr_array_index (schedule->regions, i);
      const char *level = outer_level (self->editor, region);

      if (level != NULL)
        g_ptr_array_add (region->labels, heddle_label_new (axis, level, HEDDLE_LABEL_GROUP, 1));
    }
  return axis != NULL;
}

static gboolean
do_change (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  const Change *self = data;
  HeddleDiagram *diagram = heddle_editor_diagram_in (self->editor, snapshot);
  const HeddleAxis *axis = heddle_edits_find_batch (self->editor, self->batch);
  g_autoptr (GArray) gone = heddle_ids_new ();
  g_autofree char *size = g_strdup_printf ("%" G_GINT64_FORMAT, self->size);

  if (axis == NULL)
    return add (self, snapshot, diagram, error);
  if (self->size > 1 || !heddle_edit_is_batch (diagram, axis->id))
    return heddle_edit_set_size (snapshot, diagram, axis->id, size, error);
  heddle_ids_append (gone, axis->id);
  return heddle_edit_delete (snapshot, diagram, gone, error) > 0;
}

gboolean
heddle_edits_set_batch (HeddleEditor *editor, HeddleBatch batch, gint64 size)
{
  Change change = { editor, batch, size };
  g_autofree char *number = g_strdup_printf ("%" G_GINT64_FORMAT, size), *title = NULL;

  g_return_val_if_fail (HEDDLE_IS_EDITOR (editor), FALSE);

  if (heddle_editor_get_diagram (editor) == NULL || heddle_edits_get_batch (editor, batch) == size)
    return FALSE;
  title = g_strdup_printf (batch == HEDDLE_BATCH_HEADS ? _ ("Heads: %s") : _ ("Batch: %s"), number);
  return heddle_editor_edit (editor, title, NULL, do_change, &change, NULL);
}
