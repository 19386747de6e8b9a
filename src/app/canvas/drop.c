/* SPDX-License-Identifier: MIT */

/* This file finds the place of a thing that is dropped on the canvas: an entry of the palette goes onto a wire,
 * an axis joins another wire. */

#include <glib/gi18n.h>

#include "app/canvas/drop.h"
#include "app/canvas/offer.h"
#include "app/canvas/paint.h"
#include "app/canvas/pick.h"
#include "app/canvas/private.h"
#include "app/editor/editor.h"
#include "app/editor/selection.h"
#include "app/edits/array.h"
#include "app/edits/axis-drag.h"
#include "app/edits/edits.h"
#include "app/edits/join-senses.h"
#include "app/edits/linear-senses.h"
#include "app/edits/pair.h"
#include "app/edits/palette-entry.h"
#include "app/widgets/level-drag.h"
#include "diagram/graph/diagram.h"

/* Forgets what is held over the canvas, and the marks and the reason shown for it. */
static void
clear (HeddleCanvas *self)
{
  self->drop = (HeddleHit){ 0 };
  self->drop_legal = FALSE;
  self->dropping = FALSE;
  self->drop_entry = NULL;
  g_clear_pointer (&self->drop_values, g_array_unref);
  g_clear_pointer (&self->painted, g_array_unref);
  g_clear_pointer (&self->drop_reason, g_free);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
takes_entry (HeddleCanvas *self, const HeddlePaletteEntry *entry, const HeddleValue *value)
{
  for (guint i = 0; i < MAX (value->axes->len, 1); i++)
    {
      const char *axis = value->axes->len > 0 ? heddle_ids_index (value->axes, i) : NULL;

      if (heddle_palette_entry_can_drop (entry, self->editor, value->id, &axis, NULL))
        return TRUE;
    }
  return FALSE;
}

/* Finds the wires that light up, once for each thing held. */
static void
find_targets (HeddleCanvas *self, const HeddlePaletteEntry *entry)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);

  if (self->drop_entry == entry->title && self->drop_values != NULL)
    return;
  self->drop_entry = entry->title;
  g_clear_pointer (&self->drop_values, g_array_unref);
  self->drop_values = heddle_ids_new ();
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);

      if (takes_entry (self, entry, value))
        heddle_ids_append (self->drop_values, value->id);
    }
}

static void
set_reason (HeddleCanvas *self, const char *reason)
{
  g_free (self->drop_reason);
  self->drop_reason = g_strdup (reason);
}

static void
aim_entry (HeddleCanvas *self, const HeddlePaletteEntry *entry)
{
  g_autoptr (GError) why = NULL;
  const char *axis = self->drop.axis;

  if (entry->kind == NULL) /* an array, beside all else */
    {
      set_reason (self, NULL);
      return;
    }
  find_targets (self, entry);
  if (self->drop.value == NULL)
    {
      set_reason (self, _ ("Drop it on a wire"));
      return;
    }
  self->drop_legal = heddle_palette_entry_can_drop (entry, self->editor, self->drop.value, &axis, &why);
  set_reason (self, why != NULL ? why->message : NULL);
}

/* An array goes onto one that it can be added to. */
static gboolean
fits_array (HeddleCanvas *self, const HeddleAxisDrag *drag)
{
  g_autoptr (GPtrArray) senses = heddle_senses_of_join (self->editor, self->drop.value, drag->value);

  return senses->len > 0;
}

/* The target is asked for at each motion: what was found for an array holds while the pointer stays on it. */
static void
aim_axis (HeddleCanvas *self, const HeddleAxisDrag *drag, const HeddleHit *before, gboolean was_legal)
{
  self->drop_legal = self->drop.value != NULL && drag->value != NULL && self->drop.value != drag->value
                     && heddle_axis_drag_is_in (drag, heddle_editor_get_diagram (self->editor));
  if (self->drop_legal && drag->axis == NULL)
    self->drop_legal = before->value == self->drop.value ? was_legal : fits_array (self, drag);
  set_reason (self, NULL);
}

/* The innermost axis of @value that @entry may be put on; NULL: none. */
static const char *
legal_axis (HeddleCanvas *self, const HeddlePaletteEntry *entry, const HeddleValue *value)
{
  for (guint i = value->axes->len; i-- > 0;)
    {
      const char *axis = heddle_ids_index (value->axes, i);

      if (heddle_palette_entry_can_drop (entry, self->editor, value->id, &axis, NULL))
        return heddle_ids_index (value->axes, i);
    }
  return NULL;
}

/* Returns whether an array is held by its name. */
static gboolean
holds_array (const GValue *held)
{
  return held != NULL && G_VALUE_HOLDS (held, HEDDLE_TYPE_AXIS_DRAG)
         && ((const HeddleAxisDrag *) g_value_get_boxed (held))->axis == NULL;
}

/* Returns the wire that would take what is held: the one at the pointer or, on an operation, the one that
 * comes out of it. */
static HeddleHit
target_at (HeddleCanvas *self, double x, double y, const GValue *held)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);
  HeddleHit hit = heddle_canvas_pick (self, x, y);

  if (hit.kind == HEDDLE_HIT_OPERATION && held != NULL && G_VALUE_HOLDS (held, HEDDLE_TYPE_PALETTE_ENTRY))
    {
      const HeddlePaletteEntry *entry = g_value_get_boxed (held);

      if (entry->kind == NULL)
        return (HeddleHit){ 0 };
      const HeddleOperation *operation = heddle_diagram_get_operation (diagram, hit.operation);
      const HeddleValue *value = heddle_diagram_get_value (diagram, operation->result);

      hit = (HeddleHit){ HEDDLE_HIT_WIRE, NULL, legal_axis (self, entry, value), value->id };
      if (hit.axis == NULL && value->axes->len > 0)
        hit.axis = heddle_ids_index (value->axes, value->axes->len - 1);
    }
  if (holds_array (held) && hit.kind == HEDDLE_HIT_OPERATION)
    return (HeddleHit){ HEDDLE_HIT_WIRE, NULL, NULL,
      heddle_diagram_get_operation (diagram, hit.operation)->result };
  if (hit.kind != HEDDLE_HIT_WIRE && hit.kind != HEDDLE_HIT_AXIS_LABEL
      && !(holds_array (held) && hit.kind == HEDDLE_HIT_VALUE_LABEL))
    hit = (HeddleHit){ 0 };
  return hit;
}

static GdkDragAction
aim (GtkDropTarget *target, double x, double y, HeddleCanvas *self)
{
  const GValue *value = gtk_drop_target_get_value (target);
  HeddleHit before = { 0 };
  gboolean was_legal = FALSE;

  if (self->editor == NULL || heddle_editor_get_diagram (self->editor) == NULL)
    return 0;
  if (!self->dropping)
    {
      self->paint_x = x;
      self->paint_y = y;
    }
  self->dropping = TRUE;
  self->pointer_x = x;
  self->pointer_y = y;
  was_legal = self->drop_legal;
  before = self->drop;
  self->drop = target_at (self, x, y, value);
  self->drop_legal = FALSE;
  if (value != NULL && G_VALUE_HOLDS (value, HEDDLE_TYPE_PALETTE_ENTRY))
    aim_entry (self, g_value_get_boxed (value));
  else if (value != NULL && G_VALUE_HOLDS (value, HEDDLE_TYPE_AXIS_DRAG))
    aim_axis (self, g_value_get_boxed (value), &before, was_legal);
  else if (value != NULL && G_VALUE_HOLDS (value, HEDDLE_TYPE_LEVEL_DRAG))
    heddle_canvas_paint_over (self, x, y);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return GDK_ACTION_COPY;
}

static void
on_leave (GtkDropTarget *target, HeddleCanvas *self)
{
  clear (self);
}

/* Opens the quick insert after the drop: a popover that comes within it would lose the pointer to it. */
static gboolean
request_insert (gpointer data)
{
  if (gtk_widget_get_mapped (data))
    g_signal_emit_by_name (data, "insert-requested");
  return G_SOURCE_REMOVE;
}

/* A wire that is dropped on nothing asks what it should go into. */
static void
drop_on_nothing (HeddleCanvas *self, const HeddleAxisDrag *drag, double x, double y)
{
  heddle_editor_select_wire (self->editor, drag->value, drag->axis);
  self->insert_place = (GdkRectangle){ (int) x, (int) y, 1, 1 };
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, request_insert, g_object_ref (self), g_object_unref);
}

void
heddle_canvas_take_insert_place (HeddleCanvas *self, GdkRectangle *place)
{
  const int width = gtk_widget_get_width (GTK_WIDGET (self)),
            height = gtk_widget_get_height (GTK_WIDGET (self));

  g_return_if_fail (HEDDLE_IS_CANVAS (self));

  if (self->insert_place.width > 0)
    *place = self->insert_place;
  else if (!heddle_canvas_get_selection_rectangle (self, place))
    *place = (GdkRectangle){ width / 2, height / 2, 1, 1 };
  self->insert_place.width = 0;
}

/* An array that is dropped on another is added to it. */
static gboolean
drop_array (HeddleCanvas *self, const HeddleAxisDrag *drag, const HeddleHit *hit)
{
  g_autoptr (GPtrArray) senses = heddle_senses_of_join (self->editor, hit->value, drag->value);

  if (hit->value == drag->value)
    return FALSE;
  if (senses->len > 0)
    return heddle_canvas_take_first (self, senses);
  heddle_editor_report (
      self->editor, _ ("They cannot be added: the number or the sizes of their axes differ"));
  return FALSE;
}

static gboolean
drop_axis (HeddleCanvas *self, const HeddleAxisDrag *drag, const HeddleHit *hit)
{
  g_autoptr (GPtrArray) senses = NULL;

  if (hit->value == NULL || drag->value == NULL)
    return FALSE;
  if (drag->axis == NULL)
    return drop_array (self, drag, hit);
  if (hit->value == drag->value) /* nothing to sum over with itself */
    return hit->axis != drag->axis && heddle_edits_unify (self->editor, drag->axis, hit->axis, NULL);
  senses = heddle_senses_of_contraction (self->editor, drag->value, drag->axis, hit->value, hit->axis);
  return heddle_canvas_take_first (self, senses);
}

static gboolean
drop_layer (HeddleCanvas *self, const HeddleHit *hit)
{
  g_autoptr (GPtrArray) senses = heddle_senses_of_linear (self->editor, hit->value, hit->axis);

  return heddle_canvas_take_first (self, senses);
}

typedef struct
{
  HeddleCanvas *canvas; /* owned */
  char *text;
} Request;

static void
free_request (gpointer data)
{
  Request *self = data;

  g_object_unref (self->canvas);
  g_free (self->text);
  g_free (self);
}

static gboolean
request_partner (gpointer data)
{
  const Request *self = data;

  if (gtk_widget_get_mapped (GTK_WIDGET (self->canvas)))
    gtk_widget_activate_action (GTK_WIDGET (self->canvas), "win.insert-like", "s", self->text);
  return G_SOURCE_REMOVE;
}

/* Asks for the other array where what joins two arrays was dropped on one of them. */
static gboolean
ask_for_partner (HeddleCanvas *self, const HeddlePaletteEntry *entry, const HeddleHit *hit)
{
  Request *request = g_new0 (Request, 1);

  heddle_editor_select_wire (self->editor, hit->value, hit->axis);
  *request = (Request){ g_object_ref (self), g_strdup (entry->title) };
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, request_partner, request, free_request);
  return TRUE;
}

static gboolean
drop_entry (HeddleCanvas *self, const HeddlePaletteEntry *entry, const HeddleHit *hit)
{
  g_autoptr (GError) error = NULL;

  if (entry->kind == NULL)
    return heddle_edits_add_new_array (self->editor, NULL);
  if (hit->value == NULL)
    {
      heddle_editor_report (self->editor, _ ("Drop it on a wire: %s is applied to an array"), entry->title);
      return FALSE;
    }
  if (entry->linear && hit->axis != NULL)
    return drop_layer (self, hit);
  if (heddle_edits_joins_two (entry->kind, entry->body))
    return ask_for_partner (self, entry, hit);
  if (heddle_palette_entry_drop (entry, self->editor, hit->value, hit->axis, &error))
    return TRUE;
  heddle_editor_report (self->editor, "%s", error->message);
  return FALSE;
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, HeddleCanvas *self)
{
  HeddleHit hit = target_at (self, x, y, value);
  g_autoptr (GArray) painted = NULL;
  gboolean done = FALSE;

  if (G_VALUE_HOLDS (value, HEDDLE_TYPE_LEVEL_DRAG))
    heddle_canvas_paint_over (self, x, y);
  painted = g_steal_pointer (&self->painted);
  clear (self);
  if (G_VALUE_HOLDS (value, HEDDLE_TYPE_PALETTE_ENTRY))
    done = drop_entry (self, g_value_get_boxed (value), &hit);
  else if (G_VALUE_HOLDS (value, HEDDLE_TYPE_AXIS_DRAG))
    {
      const HeddleAxisDrag *drag = g_value_get_boxed (value);

      if (!heddle_axis_drag_check (drag, self->editor))
        done = FALSE;
      else if (drag->value != NULL && drag->axis != NULL
               && heddle_canvas_pick (self, x, y).kind == HEDDLE_HIT_NOTHING)
        drop_on_nothing (self, drag, x, y);
      else
        done = drop_axis (self, drag, &hit);
    }
  else if (G_VALUE_HOLDS (value, HEDDLE_TYPE_LEVEL_DRAG))
    done = heddle_canvas_paint (self, painted, ((const HeddleLevelDrag *) g_value_get_boxed (value))->level);
  gtk_widget_grab_focus (GTK_WIDGET (self));
  return done;
}

void
heddle_canvas_drop_init (HeddleCanvas *self)
{
  GType types[] = { HEDDLE_TYPE_PALETTE_ENTRY, HEDDLE_TYPE_AXIS_DRAG, HEDDLE_TYPE_LEVEL_DRAG };
  GtkDropTarget *target = gtk_drop_target_new (G_TYPE_INVALID, GDK_ACTION_COPY);

  gtk_drop_target_set_gtypes (target, types, G_N_ELEMENTS (types));
  gtk_drop_target_set_preload (target, TRUE);
  g_signal_connect (target, "enter", G_CALLBACK (aim), self);
  g_signal_connect (target, "motion", G_CALLBACK (aim), self);
  g_signal_connect (target, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect (target, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
  g_signal_connect (self, "let-go", G_CALLBACK (clear), NULL);
}
