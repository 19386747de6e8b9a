/* SPDX-License-Identifier: MIT */
#include "figure/layout/casts.h"
#include "figure/paint/casts.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"

/* Values become of another type here. */

#define CAST_BEFORE 16. /* px: the tick, before the middle of the labels */
#define CAST_TICK 4.
#define CAST_BELOW 12. /* px from the wire to the type's baseline */
#define CAST_SIZE 12.

/* Paints a tick on each wire, and the type below the lowest. */
static void
paint_cast (HeddlePainter *self, const HeddleMember *member, HeddleDtype dtype)
{
  const double x = heddle_layout_column (self->layout, member->from)->labels;
  const HeddleStrand *lowest = heddle_strand (member->strands, member->strands->len - 1);
  const HeddleStroke bold = { .color = self->ink, .width = 2. };
  const guint from = heddle_scene_get_n_items (self->scene);

  for (guint i = 0; i < member->strands->len; i++)
    {
      const double y = heddle_layout_line_y (self->layout, heddle_strand (member->strands, i)->line);
      HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, member->value, &bold, NULL);
      heddle_item_move_to (item, x - CAST_BEFORE, y - CAST_TICK);
      heddle_item_line_to (item, x - CAST_BEFORE, y + CAST_TICK);
    }
  heddle_paint_label (self, HEDDLE_PART_GLYPH, member->value, heddle_dtype_to_string (dtype),
      HEDDLE_FONT_SANS, CAST_SIZE, NULL, x, heddle_layout_line_y (self->layout, lowest->line) + CAST_BELOW,
      0.5);
  heddle_paint_mean (self, from, HEDDLE_MEANING_CAST);
}

void
heddle_paint_casts (HeddlePainter *self)
{
  for (guint i = 0; i < self->layout->members->len; i++)
    {
      const HeddleMember *member = heddle_layout_member (self->layout, i);
      const HeddleDtype dtype = heddle_layout_cast (self->layout, member);
      if (dtype != HEDDLE_DTYPE_UNSET)
        paint_cast (self, member, dtype);
    }
}
