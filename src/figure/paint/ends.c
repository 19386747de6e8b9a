/* SPDX-License-Identifier: MIT */
#include "figure/paint/ends.h"
#include "figure/scene/path.h"

#include <math.h>

/* Where a wire goes on elsewhere it turns down into an arrow; there it comes in again from above. */

#define TURN 26. /* px before its end a wire leaves its height … */
#define DROP 9. /* … to so far below it */
#define RESUME 30. /* after its beginning it is at its height */
#define HEAD_LENGTH 10.
#define HEAD_HALF 4.2
#define DIAGONAL 0.9 /* the direction of an arrow that goes down: its cosine; its sine is 0.436 */

/* Its tip at (@x, @y), in the colour of @wire. */
static HeddleItem *
arrow_head (const HeddleItem *wire, double x, double y, double cosine, double sine)
{
  HeddleItem *head = heddle_item_copy_style (wire);
  const double back_x = x - HEAD_LENGTH * cosine, back_y = y - HEAD_LENGTH * sine;

  head->stroke = FALSE;
  heddle_item_set_dash (head, NULL, 0);
  head->fill = TRUE;
  head->fill_color = wire->stroke_color;
  heddle_item_move_to (head, x, y);
  heddle_item_line_to (head, back_x + HEAD_HALF * sine, back_y - HEAD_HALF * cosine);
  heddle_item_line_to (head, back_x - HEAD_HALF * sine, back_y + HEAD_HALF * cosine);
  heddle_item_close (head);
  return head;
}

HeddleItem *
heddle_item_turn_down (HeddleItem *wire, double end, double y)
{
  const double sine = sqrt (1. - DIAGONAL * DIAGONAL);
  const double x = end - 2. - 0.8 * HEAD_LENGTH * DIAGONAL, low = y + DROP - 0.8 * HEAD_LENGTH * sine;

  heddle_item_line_to (wire, end - TURN, y);
  heddle_item_curve_to (wire, end - TURN + 10., y, x - 6. * DIAGONAL, low - 6. * sine, x, low);
  return arrow_head (wire, end - 2., y + DROP, DIAGONAL, sine);
}

HeddleItem *
heddle_item_come_in (HeddleItem *wire, double begin, double y)
{
  const double at = begin + RESUME;

  heddle_item_move_to (wire, begin, y - DROP - 1.);
  heddle_item_curve_to (wire, begin + 6., y - 4., begin + 12., y, at - HEAD_LENGTH, y);
  return arrow_head (wire, at, y, 1., 0.);
}

/* The lines of a bundle end in one head. */
void
heddle_paint_going_on (
    HeddlePainter *self, const char *value, const char *axis, const HeddleStroke *stroke, double x, double y)
{
  const double spread = heddle_paint_spread (self, axis);
  HeddleItem *head = NULL;

  for (int side = spread > 0. ? -1 : 0; side <= (spread > 0. ? 1 : 0); side += 2)
    {
      HeddleItem *wire = heddle_paint_path (self, HEDDLE_PART_WIRE, value, stroke, NULL);
      heddle_item_move_to (wire, x, y + side * spread);
      g_clear_pointer (&head, heddle_item_free);
      head = heddle_item_turn_down (wire, x + TURN, y + side * spread);
    }
  heddle_item_move (head, 0., -spread);
  g_ptr_array_add (self->scene->items, head);
}

void
heddle_paint_coming_in (
    HeddlePainter *self, const char *value, const char *axis, const HeddleStroke *stroke, double x, double y)
{
  const double spread = heddle_paint_spread (self, axis);
  HeddleItem *head = NULL;

  for (int side = spread > 0. ? -1 : 0; side <= (spread > 0. ? 1 : 0); side += 2)
    {
      HeddleItem *wire = heddle_paint_path (self, HEDDLE_PART_WIRE, value, stroke, NULL);
      g_clear_pointer (&head, heddle_item_free);
      head = heddle_item_come_in (wire, x - RESUME, y + side * spread);
      heddle_item_line_to (wire, x, y + side * spread);
    }
  heddle_item_move (head, 0., -spread);
  g_ptr_array_add (self->scene->items, head);
}
