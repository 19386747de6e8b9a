/* SPDX-License-Identifier: MIT */
#include "figure/scene/path.h"
#include "figure/scene/scene.h"
#include "figure/typeset/box.h"
#include "figure/typeset/label.h"
#include "figure/typeset/private.h"
#include "figure/typeset/typeset.h"

/* Parts that are set where the pen is and then moved to their places. */

HeddleTypeLine
heddle_typeset_part_line (const HeddleTypeLine *line, double scale)
{
  return (HeddleTypeLine){ .x = line->x,
    .y = line->y,
    .size = MAX (line->size * scale, MIN (line->size, HEDDLE_SMALLEST_SCRIPT)),
    .font = line->font,
    .script = line->script || scale < 1. };
}

guint
heddle_typeset_mark (const HeddleTypesetter *self)
{
  return self->scene != NULL ? heddle_scene_get_n_items (self->scene) : 0;
}

HeddleTypeBox
heddle_typeset_close_box (
    const HeddleTypesetter *self, const HeddleTypeLine *line, const HeddleTypeLine *part, guint from)
{
  return (HeddleTypeBox){ from, heddle_typeset_mark (self), part->x - line->x, part->ascent, part->descent };
}

HeddleTypeBox
heddle_typeset_box (HeddleTypesetter *self, const HeddleTypeLine *line, double scale)
{
  HeddleTypeLine part = heddle_typeset_part_line (line, scale);
  const guint from = heddle_typeset_mark (self);

  heddle_typeset_argument (self, &part);
  heddle_typeset_flush (self, &part);
  return heddle_typeset_close_box (self, line, &part, from);
}

void
heddle_typeset_move_box (const HeddleTypesetter *self, const HeddleTypeBox *box, double dx, double dy)
{
  for (guint i = box->from; i < box->to; i++)
    heddle_item_move ((HeddleItem *) heddle_scene_get_item (self->scene, i), dx, dy);
}

HeddleItem *
heddle_typeset_add_stroke (const HeddleTypesetter *self, double size, double weight)
{
  if (self->scene == NULL)
    return NULL;
  HeddleItem *item = heddle_scene_add (self->scene, HEDDLE_ITEM_PATH, self->part, self->object);
  item->stroke = TRUE;
  item->stroke_color = self->color;
  item->line_width = MAX (1., size * weight);
  return item;
}

void
heddle_typeset_add_rule (const HeddleTypesetter *self, double size, double x1, double x2, double y)
{
  HeddleItem *item = heddle_typeset_add_stroke (self, size, HEDDLE_TYPE_RULE);

  if (item == NULL)
    return;
  heddle_item_move_to (item, x1, y);
  heddle_item_line_to (item, x2, y);
}
