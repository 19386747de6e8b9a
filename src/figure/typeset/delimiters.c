/* SPDX-License-Identifier: MIT */
#include "figure/scene/path.h"
#include "figure/scene/scene.h"
#include "figure/typeset/box.h"
#include "figure/typeset/delimiters.h"
#include "figure/typeset/label.h"
#include "figure/typeset/private.h"
#include "figure/typeset/typeset.h"

#include <string.h>

#define DELIMITER_WIDTH 0.3
#define ROW_GAP 0.25
#define COLUMN_GAP 0.9
#define MOST_ROWS 16

/* --- delimiters ---------------------------------------------------------------------------------------------- */

/* @side: -1 on the left, 1 on the right. Unknown ones are not drawn. */
static void
draw_delimiter (const HeddleTypesetter *self, char c, double x, double y1, double y2, double size, int side)
{
  const double w = DELIMITER_WIDTH * size, edge = side < 0 ? x + 0.8 * w : x + 0.2 * w,
               back = side < 0 ? x + 0.25 * w : x + 0.75 * w, middle = (y1 + y2) / 2.;
  HeddleItem *item = strchr ("()[]{}|", c) != NULL && c != '\0'
                         ? heddle_typeset_add_stroke (self, size, HEDDLE_TYPE_RULE)
                         : NULL;

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

static char
read_delimiter (HeddleTypesetter *self)
{
  while (*self->at == ' ')
    self->at++;
  if (*self->at == '\\' && (self->at[1] == '{' || self->at[1] == '}'))
    self->at++;
  const char c = *self->at;
  if (c != '\0' && (guchar) c < 0x80)
    self->at++;
  return c;
}

static gboolean
comes (const HeddleTypesetter *self, const char *text)
{
  return g_str_has_prefix (self->at, text);
}

/* \left( … \right): as tall as what is between. */
void
heddle_typeset_delimited (HeddleTypesetter *self, HeddleTypeLine *line)
{
  const char left = read_delimiter (self);
  const double size = line->size, w = DELIMITER_WIDTH * size;
  HeddleTypeLine part = heddle_typeset_part_line (line, 1.);
  const guint from = heddle_typeset_mark (self);

  self->depth++;
  while (*self->at != '\0' && *self->at != '}' && !comes (self, "\\right"))
    heddle_typeset_atom (self, &part);
  heddle_typeset_flush (self, &part);
  self->depth--;
  const HeddleTypeBox box = heddle_typeset_close_box (self, line, &part, from);
  char right = '.';
  if (comes (self, "\\right"))
    {
      self->at += strlen ("\\right");
      right = read_delimiter (self);
    }
  const double axis = line->y - HEDDLE_TYPE_AXIS * size;
  const double half
      = MAX (MAX (axis - (line->y - box.ascent), line->y + box.descent - axis), 0.4 * size) + 0.08 * size;
  heddle_typeset_move_box (self, &box, w, 0.);
  draw_delimiter (self, left, line->x, axis - half, axis + half, size, -1);
  draw_delimiter (self, right, line->x + w + box.width, axis - half, axis + half, size, 1);
  heddle_typeset_cover (line, line->y - axis + half, axis + half - line->y);
  line->x += 2. * w + box.width;
}

/* --- cases ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  HeddleTypeBox cells[MOST_ROWS][2];
  guint n;
  double widths[2];
} Cases;

static HeddleTypeBox
set_cell (HeddleTypesetter *self, const HeddleTypeLine *line)
{
  HeddleTypeLine part = heddle_typeset_part_line (line, 1.);
  const guint from = heddle_typeset_mark (self);

  while (*self->at == ' ')
    self->at++;
  while (*self->at != '\0' && *self->at != '&' && !comes (self, "\\\\") && !comes (self, "\\end"))
    heddle_typeset_atom (self, &part);
  heddle_typeset_flush (self, &part);
  return heddle_typeset_close_box (self, line, &part, from);
}

static void
read_cases (HeddleTypesetter *self, const HeddleTypeLine *line, Cases *cases)
{
  while (*self->at != '\0' && !comes (self, "\\end") && cases->n < MOST_ROWS)
    {
      const guint row = cases->n++;
      for (guint i = 0; i < 2; i++)
        {
          cases->cells[row][i] = set_cell (self, line);
          cases->widths[i] = MAX (cases->widths[i], cases->cells[row][i].width);
          if (*self->at == '&')
            self->at++;
        }
      if (comes (self, "\\\\"))
        self->at += 2;
      else
        break;
    }
  while (*self->at != '\0' && !comes (self, "\\end"))
    self->at = g_utf8_next_char (self->at);
}

static void
set_cases (HeddleTypesetter *self, HeddleTypeLine *line)
{
  const double size = line->size, w = DELIMITER_WIDTH * size;
  Cases cases = { .n = 0 };
  double height = 0.;

  read_cases (self, line, &cases);
  for (guint i = 0; i < cases.n; i++)
    for (guint j = 0; j < 2; j++)
      {
        HeddleTypeBox *box = &cases.cells[i][j];
        box->ascent = MAX (MAX (cases.cells[i][0].ascent, cases.cells[i][1].ascent), 0.7 * size);
        box->descent = MAX (MAX (cases.cells[i][0].descent, cases.cells[i][1].descent), 0.2 * size);
        height += j == 0 ? box->ascent + box->descent + (i > 0 ? ROW_GAP * size : 0.) : 0.;
      }
  const double axis = line->y - HEDDLE_TYPE_AXIS * size, top = axis - height / 2.;
  double y = top;
  for (guint i = 0; i < cases.n; i++)
    {
      y += cases.cells[i][0].ascent;
      heddle_typeset_move_box (self, &cases.cells[i][0], w + 0.1 * size, y - line->y);
      heddle_typeset_move_box (
          self, &cases.cells[i][1], w + 0.1 * size + cases.widths[0] + COLUMN_GAP * size, y - line->y);
      y += cases.cells[i][0].descent + ROW_GAP * size;
    }
  draw_delimiter (self, '{', line->x, top, top + height, size, -1);
  heddle_typeset_cover (line, line->y - top, top + height - line->y);
  line->x
      += w + 0.1 * size + cases.widths[0] + (cases.widths[1] > 0. ? COLUMN_GAP * size + cases.widths[1] : 0.);
}

void
heddle_typeset_environment (HeddleTypesetter *self, HeddleTypeLine *line)
{
  static const char name[] = "{cases}";

  if (!comes (self, name))
    {
      const char *end = *self->at == '{' ? strchr (self->at, '}') : NULL;

      if (self->unknown == NULL)
        self->unknown = g_strdup_printf ("begin%.*s", end != NULL ? (int) (end + 1 - self->at) : 0, self->at);
      return;
    }
  self->at += strlen (name);
  self->depth++;
  set_cases (self, line);
  self->depth--;
  if (comes (self, "\\end{cases}"))
    self->at += strlen ("\\end{cases}");
}
