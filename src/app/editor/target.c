/* SPDX-License-Identifier: MIT */

/* The target is a machine and a data type, as the schedule, else the settings, have them. */

#include <glib/gi18n.h>

#include "app/editor/derive.h"
#include "app/editor/preview.h"
#include "app/editor/target.h"
#include "app/widgets/settings.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "app/editor/private.h"
#include "derive/machine/find.h"

static const HeddleMachine *
find_machine (HeddleEditor *self, const char *name)
{
  for (guint i = 0; i < self->machines->len; i++)
    {
      const HeddleMachine *machine = g_ptr_array_index (self->machines, i);

      if (g_strcmp0 (machine->name, name) == 0)
        return machine;
    }
  return NULL;
}

void
heddle_editor_read_defaults (HeddleEditor *self)
{
  g_autofree char *dtype = heddle_settings_dup_string ("dtype", "f16");

  self->default_gpu = heddle_settings_dup_string ("gpu", "h100-sxm");
  if (!heddle_dtype_from_string (dtype, &self->default_dtype))
    self->default_dtype = HEDDLE_DTYPE_F16;
}

static HeddleMachine *
machine_or_default (HeddleEditor *self, const char *name)
{
  const HeddleMachine *machine = find_machine (self, name != NULL ? name : self->default_gpu);

  if (machine == NULL && name != NULL)
    {
      HeddleMachine *other = heddle_machine_find (name, 0, NULL);

      if (other != NULL)
        return other;
    }
  if (machine == NULL && self->machines->len > 0)
    machine = g_ptr_array_index (self->machines, 0);
  return machine != NULL ? heddle_machine_copy (machine) : NULL;
}

/* Whose target holds: a definition is for what the document's first diagram is for, unless it says more. */
static const HeddleSchedule *
target_schedule (HeddleEditor *self)
{
  const HeddleDiagram *top = heddle_snapshot_get_diagram (self->snapshot, NULL);
  const HeddleSchedule *own
      = self->diagram != NULL ? heddle_snapshot_find_schedule (self->snapshot, self->diagram) : NULL;

  if (own != NULL && (own->gpu != NULL || own->dtype != HEDDLE_DTYPE_UNSET))
    return own;
  return top != NULL ? heddle_snapshot_find_schedule (self->snapshot, top) : NULL;
}

void
heddle_editor_update_target (HeddleEditor *self)
{
  const HeddleSchedule *schedule = target_schedule (self);
  const char *name = schedule != NULL ? schedule->gpu : NULL;

  if (self->machine == NULL || name == NULL || g_strcmp0 (self->machine->name, name) != 0)
    {
      g_clear_pointer (&self->machine, heddle_machine_free);
      self->machine = machine_or_default (self, name);
    }
  self->dtype = schedule != NULL ? schedule->dtype : HEDDLE_DTYPE_UNSET;
  if (self->dtype == HEDDLE_DTYPE_UNSET)
    self->dtype = self->default_dtype;
}

GPtrArray *
heddle_editor_get_machines (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);
  return self->machines;
}

void
heddle_editor_reload_machines (HeddleEditor *self)
{
  g_return_if_fail (HEDDLE_IS_EDITOR (self));

  heddle_editor_drop_preview (self);
  g_ptr_array_unref (self->machines);
  self->machines = heddle_machines_load (NULL);
  g_clear_pointer (&self->machine, heddle_machine_free);
  heddle_editor_update_target (self);
  heddle_editor_derive_again (self);
}

const HeddleMachine *
heddle_editor_get_machine (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);
  return self->machine;
}

typedef struct
{
  HeddleEditor *editor;
  const char *gpu;
  HeddleDtype dtype;
} TargetEdit;

static gboolean
edit_target (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  const TargetEdit *edit = data;
  HeddleSchedule *schedule
      = heddle_snapshot_get_schedule (snapshot, heddle_editor_diagram_in (edit->editor, snapshot));

  if (edit->gpu != NULL)
    {
      g_free (schedule->gpu);
      schedule->gpu = g_strdup (edit->gpu);
    }
  if (edit->dtype != HEDDLE_DTYPE_UNSET)
    schedule->dtype = edit->dtype;
  return TRUE;
}

void
heddle_editor_set_machine (HeddleEditor *self, const char *name)
{
  TargetEdit edit = { self, name, HEDDLE_DTYPE_UNSET };
  g_autofree char *title = NULL;
  const HeddleMachine *machine = NULL;

  g_return_if_fail (HEDDLE_IS_EDITOR (self));
  g_return_if_fail (name != NULL);

  machine = find_machine (self, name);
  if (machine == NULL || self->diagram == NULL || g_strcmp0 (self->machine->name, name) == 0)
    return;
  title = g_strdup_printf (_ ("Target %s"), machine->title);
  if (heddle_editor_edit (self, title, NULL, edit_target, &edit, NULL))
    heddle_settings_set_string ("gpu", name);
}

HeddleDtype
heddle_editor_get_dtype (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), HEDDLE_DTYPE_UNSET);
  return self->dtype;
}

void
heddle_editor_set_dtype (HeddleEditor *self, HeddleDtype dtype)
{
  TargetEdit edit = { self, NULL, dtype };
  g_autofree char *title = NULL;

  g_return_if_fail (HEDDLE_IS_EDITOR (self));
  g_return_if_fail (dtype != HEDDLE_DTYPE_UNSET);

  if (self->diagram == NULL || self->dtype == dtype)
    return;
  title = g_strdup_printf (_ ("Data type %s"), heddle_dtype_to_string (dtype));
  if (heddle_editor_edit (self, title, NULL, edit_target, &edit, NULL))
    heddle_settings_set_string ("dtype", heddle_dtype_to_string (dtype));
}
