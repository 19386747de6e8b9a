/* SPDX-License-Identifier: MIT */

/* This file finds what is where, and selects what is there. */

#include "app/canvas/pick.h"
#include "app/canvas/scene.h"
#include "app/canvas/view.h"
#include "app/editor/editor.h"
#include "app/editor/selection.h"
#include "diagram/graph/diagram.h"
#include "figure/scene/scene.h"

/* A place that is so near to a wire, in px of the screen, is on it. */
#define TOLERANCE 6.

gboolean
heddle_hit_equal (const HeddleHit *a, const HeddleHit *b)
{
  return a->kind == b->kind && a->operation == b->operation && a->axis == b->axis && a->value == b->value;
}

static HeddleHit
hit_from_item (const HeddleItem *item)
{
  HeddleHit hit = { .axis = item->axis, .value = item->value };

  switch (item->part)
    {
    case HEDDLE_PART_BOX:
    case HEDDLE_PART_GLYPH:
      hit = (HeddleHit){ .kind = HEDDLE_HIT_OPERATION, .operation = item->object };
      break;
    case HEDDLE_PART_WIRE:
      hit.kind = item->axis != NULL && item->value != NULL ? HEDDLE_HIT_WIRE : HEDDLE_HIT_NOTHING;
      break;
    case HEDDLE_PART_TAG:
    case HEDDLE_PART_AXIS_LABEL:
      hit.kind = HEDDLE_HIT_AXIS_LABEL;
      if (hit.axis == NULL)
        hit.axis = item->object;
      break;
    case HEDDLE_PART_VALUE_LABEL:
      hit.kind = HEDDLE_HIT_VALUE_LABEL;
      if (hit.value == NULL)
        hit.value = item->object;
      break;
    case HEDDLE_PART_BACKGROUND:
    case HEDDLE_PART_ANNOTATION:
      hit = (HeddleHit){ .kind = HEDDLE_HIT_NOTE, .operation = item->object };
      break;
    case HEDDLE_PART_SEPARATOR:
    case HEDDLE_PART_COLUMN:
    default:
      break;
    }
  return hit;
}

/* A scene may show what is no diagram's own (a caption): a hit names only what can be looked up. */
static gboolean
is_real (HeddleEditor *editor, const HeddleHit *hit)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);

  switch (hit->kind)
    {
    case HEDDLE_HIT_OPERATION:
      return hit->operation != NULL && heddle_diagram_get_operation (diagram, hit->operation) != NULL;
    case HEDDLE_HIT_VALUE_LABEL:
      return hit->value != NULL && heddle_diagram_get_value (diagram, hit->value) != NULL;
    case HEDDLE_HIT_WIRE:
      return heddle_diagram_get_axis (diagram, hit->axis) != NULL
             && heddle_diagram_get_value (diagram, hit->value) != NULL;
    case HEDDLE_HIT_AXIS_LABEL: /* of a wire, or by itself */
      return hit->axis != NULL && heddle_diagram_get_axis (diagram, hit->axis) != NULL
             && (hit->value == NULL || heddle_diagram_get_value (diagram, hit->value) != NULL);
    case HEDDLE_HIT_NOTE:
      return heddle_editor_find_ornament (editor, hit->operation, NULL) != NULL;
    case HEDDLE_HIT_NOTHING:
    default:
      return FALSE;
    }
}

HeddleHit
heddle_canvas_pick (HeddleCanvas *self, double widget_x, double widget_y)
{
  const HeddleItem *item = NULL;
  HeddleHit hit = { 0 };
  double x, y;

  heddle_canvas_ensure_scene (self);
  if (self->scene == NULL)
    return hit;
  heddle_canvas_to_scene (self, widget_x, widget_y, &x, &y);
  item = heddle_scene_pick (self->scene, x, y, TOLERANCE / self->zoom);
  if (item != NULL)
    hit = hit_from_item (item);
  /* The label of a bundle is no axis' own. */
  if (hit.kind == HEDDLE_HIT_AXIS_LABEL && heddle_editor_find_ornament (self->editor, hit.axis, NULL) != NULL)
    hit = (HeddleHit){ .kind = HEDDLE_HIT_NOTE, .operation = hit.axis };
  if (!is_real (self->editor, &hit))
    hit = (HeddleHit){ 0 };
  return hit;
}

gboolean
heddle_canvas_get_object_rectangle (HeddleCanvas *self, const GArray *ids, GdkRectangle *rectangle)
{
  const GdkRectangle seen
      = { 0, 0, gtk_widget_get_width (GTK_WIDGET (self)), gtk_widget_get_height (GTK_WIDGET (self)) };
  GdkRectangle place;
  graphene_rect_t all, one;
  gboolean found = FALSE;
  double x, y;

  g_return_val_if_fail (HEDDLE_IS_CANVAS (self), FALSE);

  for (guint i = 0; i < ids->len; i++)
    {
      if (!heddle_canvas_object_bounds (self, heddle_ids_index (ids, i), &one))
        continue;
      if (found)
        graphene_rect_union (&all, &one, &all);
      else
        all = one;
      found = TRUE;
    }
  if (!found)
    return FALSE;
  heddle_canvas_to_widget (self, all.origin.x, all.origin.y, &x, &y);
  place = (GdkRectangle){ floor (x), floor (y), MAX (ceil (all.size.width * self->zoom), 1),
    MAX (ceil (all.size.height * self->zoom), 1) };
  if (!gdk_rectangle_intersect (&place, &seen, &place))
    return FALSE;
  *rectangle = place;
  return TRUE;
}

gboolean
heddle_canvas_get_selection_rectangle (HeddleCanvas *self, GdkRectangle *rectangle)
{
  g_return_val_if_fail (HEDDLE_IS_CANVAS (self), FALSE);
  return self->editor != NULL
         && heddle_canvas_get_object_rectangle (self, heddle_editor_get_selection (self->editor), rectangle);
}

void
heddle_canvas_pick_rectangle (HeddleCanvas *self, const graphene_rect_t *rectangle, GArray *ids)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);
  graphene_rect_t area;
  double x, y;

  heddle_canvas_to_scene (self, rectangle->origin.x, rectangle->origin.y, &x, &y);
  graphene_rect_init (&area, x, y, rectangle->size.width / self->zoom, rectangle->size.height / self->zoom);
  for (guint i = 0; diagram != NULL && i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      graphene_rect_t bounds;

      if (!heddle_ids_contain (ids, operation->id)
          && heddle_canvas_object_bounds (self, operation->id, &bounds)
          && graphene_rect_intersection (&area, &bounds, NULL))
        heddle_ids_append (ids, operation->id);
    }
}

void
heddle_canvas_select_hit (HeddleCanvas *self, const HeddleHit *hit, gboolean extend)
{
  const char *id = hit->operation != NULL ? hit->operation : hit->axis != NULL ? hit->axis : hit->value;

  if (hit->kind == HEDDLE_HIT_NOTHING)
    {
      if (!extend)
        heddle_editor_select (self->editor, NULL);
    }
  else if (extend)
    heddle_editor_toggle_selected (self->editor, id);
  else if ((hit->kind == HEDDLE_HIT_OPERATION || hit->kind == HEDDLE_HIT_NOTE)
           && heddle_editor_is_selected (self->editor, id))
    return; /* several may be about to be moved */
  else if (hit->axis != NULL && hit->value != NULL && hit->kind != HEDDLE_HIT_VALUE_LABEL)
    heddle_editor_select_wire (self->editor, hit->value, hit->axis);
  else
    heddle_editor_select (self->editor, hit->kind == HEDDLE_HIT_VALUE_LABEL ? hit->value : id);
}

void
heddle_canvas_select_at (HeddleCanvas *self, double widget_x, double widget_y)
{
  const HeddleHit hit = heddle_canvas_pick (self, widget_x, widget_y);
  const char *id = hit.operation != NULL ? hit.operation : hit.axis != NULL ? hit.axis : hit.value;

  if (hit.kind != HEDDLE_HIT_NOTHING && !heddle_editor_is_selected (self->editor, id))
    heddle_canvas_select_hit (self, &hit, FALSE);
}
