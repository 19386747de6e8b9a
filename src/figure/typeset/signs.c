/* SPDX-License-Identifier: MIT */
#include "figure/scene/path.h"
#include "figure/typeset/box.h"
#include "figure/typeset/signs.h"

#include <string.h>

void
heddle_typeset_draw_delimiter (
    const HeddleTypesetter *self, char c, double x, double y1, double y2, double size, int side)
{
  const double w = HEDDLE_TYPE_DELIMITER_WIDTH * size, edge = side < 0 ? x + 0.8 * w : x + 0.2 * w,
               back = side < 0 ? x + 0.25 * w : x + 0.75 * w, middle = (y1 + y2) / 2.;
  HeddleItem *item
      = strchr ("()[]{}|", c) != NULL && c != '\0' ? heddle_typeset_add_stroke (self, size) : NULL;

  if (item == NULL)
    return;
  if (c == '|')
    {
      heddle_item_move_to (item, x + w / 2., y1);
      heddle_item_line_to (item, x + w / 2., y2);
      return;
    }
  heddle_item_move_to (item, edge, y1);
  if (c == '[' || c == ']')
    {
      heddle_item_line_to (item, back, y1);
      heddle_item_line_to (item, back, y2);
      heddle_item_line_to (item, edge, y2);
    }
  else if (c == '(' || c == ')')
    {
      const double out = side < 0 ? x - 0.1 * w : x + 1.1 * w;
      heddle_item_curve_to (item, out, y1 + 0.3 * (y2 - y1), out, y2 - 0.3 * (y2 - y1), edge, y2);
    }
  else
    {
      const double tip = side < 0 ? x : x + w, stem = x + w / 2., r = 0.25 * w;
      heddle_item_curve_to (item, stem, y1, stem, y1 + r, stem, y1 + 2. * r);
      heddle_item_line_to (item, stem, middle - 2. * r);
      heddle_item_curve_to (item, stem, middle - r, stem, middle, tip, middle);
      heddle_item_curve_to (item, stem, middle, stem, middle + r, stem, middle + 2. * r);
      heddle_item_line_to (item, stem, y2 - 2. * r);
      heddle_item_curve_to (item, stem, y2 - r, stem, y2, edge, y2);
    }
}

void
heddle_typeset_draw_accent (HeddleItem *item, HeddleAccent accent, double x, double y, double s)
{
  switch (accent)
    {
    case HEDDLE_ACCENT_HAT:
      heddle_item_move_to (item, x - 0.17 * s, y);
      heddle_item_line_to (item, x, y - 0.13 * s);
      heddle_item_line_to (item, x + 0.17 * s, y);
      return;
    case HEDDLE_ACCENT_TILDE:
      heddle_item_move_to (item, x - 0.2 * s, y);
      heddle_item_curve_to (
          item, x - 0.1 * s, y - 0.18 * s, x + 0.1 * s, y + 0.06 * s, x + 0.2 * s, y - 0.1 * s);
      return;
    case HEDDLE_ACCENT_VECTOR:
      heddle_item_move_to (item, x - 0.2 * s, y - 0.05 * s);
      heddle_item_line_to (item, x + 0.2 * s, y - 0.05 * s);
      heddle_item_move_to (item, x + 0.1 * s, y - 0.13 * s);
      heddle_item_line_to (item, x + 0.2 * s, y - 0.05 * s);
      heddle_item_line_to (item, x + 0.1 * s, y + 0.03 * s);
      return;
    case HEDDLE_ACCENT_DOT:
      heddle_item_arc (item, x, y - 0.06 * s, 0.03 * s, 0, 4, FALSE);
      return;
    case HEDDLE_ACCENT_UNDERLINE:
      return;
    }
}
