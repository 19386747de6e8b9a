/* SPDX-License-Identifier: MIT */
#include "figure/scene/measure.h"
#include "figure/scene/path.h"
#include "figure/typeset/box.h"

/* --- runs ---------------------------------------------------------------------------------------------- */

void
heddle_typeset_cover (HeddleTypeLine *line, double ascent, double descent)
{
  line->ascent = MAX (line->ascent, ascent);
  line->descent = MAX (line->descent, descent);
}

void
heddle_typeset_flush (HeddleTypesetter *self, HeddleTypeLine *line)
{
  if (self->run->len == 0)
    return;
  const HeddleRunMeasure measure = heddle_measure_run (self->run_font, line->size, self->run->str);
  if (self->scene != NULL)
    {
      HeddleItem *item = heddle_scene_add (self->scene, HEDDLE_ITEM_TEXT, self->part, self->object);
      item->text = g_strdup (self->run->str);
      item->font = self->run_font;
      item->size = line->size;
      item->script = line->script;
      item->label = self->label;
      item->x = line->x;
      item->y = line->y;
      item->width = measure.width;
      item->height = line->size * 1.2;
      item->fill = TRUE;
      item->fill_color = self->color;
    }
  heddle_typeset_cover (line, measure.ascent, measure.descent);
  line->x += measure.width;
  g_string_truncate (self->run, 0);
}

void
heddle_typeset_text (
    HeddleTypesetter *self, HeddleTypeLine *line, HeddleFont font, const char *text, gssize length)
{
  if (self->run->len > 0 && self->run_font != font)
    heddle_typeset_flush (self, line);
  self->run_font = font;
  g_string_append_len (self->run, text, length);
}

/* --- boxes ---------------------------------------------------------------------------------------------- */

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

void
heddle_typeset_move_box (const HeddleTypesetter *self, const HeddleTypeBox *box, double dx, double dy)
{
  for (guint i = box->from; i < box->to; i++)
    heddle_item_move ((HeddleItem *) heddle_scene_get_item (self->scene, i), dx, dy);
}

HeddleItem *
heddle_typeset_add_stroke (const HeddleTypesetter *self, double size)
{
  if (self->scene == NULL)
    return NULL;
  HeddleItem *item = heddle_scene_add (self->scene, HEDDLE_ITEM_PATH, self->part, self->object);
  item->stroke = TRUE;
  item->stroke_color = self->color;
  item->line_width = MAX (1., size * HEDDLE_TYPE_RULE);
  return item;
}

void
heddle_typeset_add_rule (const HeddleTypesetter *self, double size, double x1, double x2, double y)
{
  HeddleItem *item = heddle_typeset_add_stroke (self, size);

  if (item == NULL)
    return;
  heddle_item_move_to (item, x1, y);
  heddle_item_line_to (item, x2, y);
}
