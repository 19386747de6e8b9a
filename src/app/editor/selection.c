/* SPDX-License-Identifier: MIT */

#include "app/editor/private.h"
#include "app/editor/selection.h"
#include "diagram/document/presentation.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"

static void
forget_wire (HeddleEditor *self)
{
  self->wire_value = NULL;
  self->wire_axis = NULL;
}

static void
selection_changed (HeddleEditor *self)
{
  g_signal_emit (self, heddle_editor_signals[SELECTION_CHANGED], 0);
}

static gboolean
exists (const HeddleDiagram *diagram, const char *id)
{
  return diagram != NULL
         && (heddle_diagram_get_axis (diagram, id) != NULL || heddle_diagram_get_value (diagram, id) != NULL
             || heddle_diagram_get_operation (diagram, id) != NULL);
}

static gboolean
wire_exists (HeddleEditor *self)
{
  const HeddleValue *value = NULL;

  if (self->diagram != NULL && self->wire_value != NULL)
    value = heddle_diagram_get_value (self->diagram, self->wire_value);
  return value != NULL && heddle_ids_contain (value->axes, self->wire_axis);
}

gpointer
heddle_editor_find_ornament (HeddleEditor *self, const char *id, const HeddleOrnamentKind **kind)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self);
  const HeddlePresentation *presentation = diagram != NULL && id != NULL ? heddle_snapshot_find_presentation (
                                               heddle_editor_get_snapshot (self), diagram)
                                                                         : NULL;

  return presentation != NULL ? heddle_presentation_find (presentation, id, kind) : NULL;
}

void
heddle_editor_prune_selection (HeddleEditor *self)
{
  for (guint i = self->selection->len; i-- > 0;)
    if (!exists (self->diagram, heddle_ids_index (self->selection, i))
        && heddle_editor_find_ornament (self, heddle_ids_index (self->selection, i), NULL) == NULL)
      g_array_remove_index (self->selection, i);
  if (!wire_exists (self))
    forget_wire (self);
}

GArray *
heddle_editor_get_selection (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);
  return self->selection;
}

gboolean
heddle_editor_is_selected (HeddleEditor *self, const char *id)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), FALSE);
  return heddle_ids_contain (self->selection, id);
}

const char *
heddle_editor_get_selected (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);
  return self->selection->len == 1 ? heddle_ids_index (self->selection, 0) : NULL;
}

gboolean
heddle_editor_get_wire (HeddleEditor *self, const char **value, const char **axis)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), FALSE);

  if (self->wire_value == NULL)
    return FALSE;
  if (value != NULL)
    *value = self->wire_value;
  if (axis != NULL)
    *axis = self->wire_axis;
  return TRUE;
}

void
heddle_editor_select (HeddleEditor *self, const char *id)
{
  g_return_if_fail (HEDDLE_IS_EDITOR (self));

  if (id == NULL && self->selection->len == 0)
    return;
  if (id != NULL && self->wire_value == NULL && heddle_editor_get_selected (self) == id)
    return;
  g_array_set_size (self->selection, 0);
  forget_wire (self);
  if (id != NULL)
    heddle_ids_append (self->selection, id);
  selection_changed (self);
}

void
heddle_editor_select_wire (HeddleEditor *self, const char *value, const char *axis)
{
  g_return_if_fail (HEDDLE_IS_EDITOR (self));
  g_return_if_fail (value != NULL && axis != NULL);
  g_return_if_fail (self->diagram != NULL && heddle_diagram_get_value (self->diagram, value) != NULL);

  g_array_set_size (self->selection, 0);
  heddle_ids_append (self->selection, axis);
  self->wire_value = value;
  self->wire_axis = axis;
  selection_changed (self);
}

void
heddle_editor_select_ids (HeddleEditor *self, const GArray *ids)
{
  g_return_if_fail (HEDDLE_IS_EDITOR (self));

  if (heddle_ids_equal (self->selection, ids))
    return;
  g_clear_pointer (&self->selection, g_array_unref);
  self->selection = heddle_ids_copy (ids);
  forget_wire (self);
  selection_changed (self);
}

void
heddle_editor_toggle_selected (HeddleEditor *self, const char *id)
{
  int index;

  g_return_if_fail (HEDDLE_IS_EDITOR (self));

  index = heddle_ids_find (self->selection, id);
  if (index >= 0)
    g_array_remove_index (self->selection, index);
  else
    heddle_ids_append (self->selection, id);
  forget_wire (self);
  selection_changed (self);
}
