/* SPDX-License-Identifier: MIT */
#include "figure/typeset.h"
#include "figure/scene-private.h"

#include <string.h>

/* What is made of several lines of text. Each part is set where the pen is and then moved to its place. By the size of the line: */
#define AXIS 0.26 /* of fractions and delimiters, over the baseline */
#define RULE 0.048
#define PART 0.72 /* of a fraction's parts */
#define GAP 0.13
#define ROOT_WIDTH 0.52
#define LARGE 1.3 /* signs of sums */
#define DELIMITER_WIDTH 0.3
#define ROW_GAP 0.25
#define COLUMN_GAP 0.9
#define MOST_ROWS 16

typedef struct
{
  guint from, to; /* items of the scene */
  double width, ascent, descent;
} Box;

/* --- parts ------------------------------------------------------------------------------------------ */

static HeddleTypeLine
part_line (const HeddleTypeLine *line, double scale)
{
  return (HeddleTypeLine){ .x = line->x,
    .y = line->y,
    .size = MAX (line->size * scale, MIN (line->size, HEDDLE_SMALLEST_SCRIPT)),
    .font = line->font,
    .script = line->script || scale < 1. };
}

static guint
mark (const HeddleTypesetter *self)
{
  return self->scene != NULL ? heddle_scene_get_n_items (self->scene) : 0;
}

static Box
close_box (const HeddleTypesetter *self, const HeddleTypeLine *line, const HeddleTypeLine *part, guint from)
{
  return (Box){ from, mark (self), part->x - line->x, part->ascent, part->descent };
}

static Box
set_box (HeddleTypesetter *self, const HeddleTypeLine *line, double scale)
{
  HeddleTypeLine part = part_line (line, scale);
  const guint from = mark (self);

  heddle_typeset_argument (self, &part);
  heddle_typeset_flush (self, &part);
  return close_box (self, line, &part, from);
}

static void
move_box (const HeddleTypesetter *self, const Box *box, double dx, double dy)
{
  for (guint i = box->from; i < box->to; i++)
    heddle_item_move ((HeddleItem *) heddle_scene_get_item (self->scene, i), dx, dy);
}

/* A line of the pen; NULL when only measuring. */
static HeddleItem *
add_stroke (const HeddleTypesetter *self, double size, double weight)
{
  if (self->scene == NULL)
    return NULL;
  HeddleItem *item = heddle_scene_add (self->scene, HEDDLE_ITEM_PATH, self->part, self->object);
  item->stroke = TRUE;
  item->stroke_color = self->color;
  item->line_width = MAX (1., size * weight);
  return item;
}

static void
add_rule (const HeddleTypesetter *self, double size, double x1, double x2, double y)
{
  HeddleItem *item = add_stroke (self, size, RULE);

  if (item == NULL)
    return;
  heddle_item_move_to (item, x1, y);
  heddle_item_line_to (item, x2, y);
}

/* --- fractions, roots, what stands over ------------------------------------------------------------------ */

static void
set_fraction (HeddleTypesetter *self, HeddleTypeLine *line)
{
  const double size = line->size, axis = line->y - AXIS * size;
  const Box top = set_box (self, line, PART), bottom = set_box (self, line, PART);
  const double width = MAX (top.width, bottom.width) + 2. * GAP * size;
  const double up = axis - GAP * size - top.descent, down = axis + GAP * size + bottom.ascent;

  move_box (self, &top, (width - top.width) / 2., up - line->y);
  move_box (self, &bottom, (width - bottom.width) / 2., down - line->y);
  add_rule (self, size, line->x + 0.04 * size, line->x + width - 0.04 * size, axis);
  heddle_typeset_cover (line, line->y - up + top.ascent, down - line->y + bottom.descent);
  line->x += width;
}

static void
set_root (HeddleTypesetter *self, HeddleTypeLine *line)
{
  const double size = line->size, x = line->x, y = line->y, hook = ROOT_WIDTH * size;
  const Box box = set_box (self, line, 1.);
  const double top = y - MAX (box.ascent, 0.45 * size) - GAP * size, low = y + MAX (box.descent, 0.02 * size);
  HeddleItem *item = add_stroke (self, size, RULE);

  move_box (self, &box, hook, 0.);
  if (item != NULL)
    {
      heddle_item_move_to (item, x + 0.04 * size, y - 0.26 * size);
      heddle_item_line_to (item, x + 0.14 * size, y - 0.32 * size);
      heddle_item_line_to (item, x + 0.28 * size, low);
      heddle_item_line_to (item, x + 0.46 * size, top);
      heddle_item_line_to (item, x + hook + box.width + 0.06 * size, top);
    }
  heddle_typeset_cover (line, y - top + RULE * size, low - y);
  line->x += hook + box.width + 0.1 * size;
}

/* \overset{a}{b}: a small, over b; \underset: under it. */
static void
set_stack (HeddleTypesetter *self, HeddleTypeLine *line, gboolean over)
{
  const double size = line->size;
  const Box small = set_box (self, line, PART), base = set_box (self, line, 1.);
  const double width = MAX (small.width, base.width);
  const double shift
      = over ? -(base.ascent + GAP * size + small.descent) : base.descent + GAP * size + small.ascent;

  move_box (self, &small, (width - small.width) / 2., shift);
  move_box (self, &base, (width - base.width) / 2., 0.);
  heddle_typeset_cover (
      line, MAX (base.ascent, small.ascent - shift), MAX (base.descent, small.descent + shift));
  line->x += width;
}

typedef enum
{
  ACCENT_HAT,
  ACCENT_TILDE,
  ACCENT_VECTOR,
  ACCENT_DOT,
  ACCENT_UNDERLINE,
} Accent;

static void
draw_accent (HeddleItem *item, Accent accent, double x, double y, double s)
{
  switch (accent)
    {
    case ACCENT_HAT:
      heddle_item_move_to (item, x - 0.17 * s, y);
      heddle_item_line_to (item, x, y - 0.13 * s);
      heddle_item_line_to (item, x + 0.17 * s, y);
      return;
    case ACCENT_TILDE:
      heddle_item_move_to (item, x - 0.2 * s, y);
      heddle_item_curve_to (
          item, x - 0.1 * s, y - 0.18 * s, x + 0.1 * s, y + 0.06 * s, x + 0.2 * s, y - 0.1 * s);
      return;
    case ACCENT_VECTOR:
      heddle_item_move_to (item, x - 0.2 * s, y - 0.05 * s);
      heddle_item_line_to (item, x + 0.2 * s, y - 0.05 * s);
      heddle_item_move_to (item, x + 0.1 * s, y - 0.13 * s);
      heddle_item_line_to (item, x + 0.2 * s, y - 0.05 * s);
      heddle_item_line_to (item, x + 0.1 * s, y + 0.03 * s);
      return;
    case ACCENT_DOT:
      heddle_item_arc (item, x, y - 0.06 * s, 0.03 * s, 0, 4, FALSE);
      return;
    case ACCENT_UNDERLINE:
      return;
    }
}

static void
set_accent (HeddleTypesetter *self, HeddleTypeLine *line, Accent accent)
{
  const double size = line->size;
  const Box box = set_box (self, line, 1.);

  if (accent == ACCENT_UNDERLINE)
    add_rule (self, size, line->x, line->x + box.width, line->y + box.descent + 0.1 * size);
  else if (self->scene != NULL)
    draw_accent (add_stroke (self, size, RULE), accent, line->x + box.width / 2. + 0.04 * size,
        line->y - box.ascent - 0.06 * size, size);
  heddle_typeset_cover (line, box.ascent + (accent == ACCENT_UNDERLINE ? 0. : 0.22 * size),
      box.descent + (accent == ACCENT_UNDERLINE ? 0.14 * size : 0.));
  line->x += box.width;
}

/* --- alphabets ---------------------------------------------------------------------------------------------- */

/* Letters that stand elsewhere than in their row of the mathematical alphabets. */
static const struct
{
  char letter;
  gunichar blackboard, script;
} apart[] = { { 'B', 0, 0x212C }, { 'C', 0x2102, 0 }, { 'E', 0, 0x2130 }, { 'F', 0, 0x2131 },
  { 'H', 0x210D, 0x210B }, { 'I', 0, 0x2110 }, { 'L', 0, 0x2112 }, { 'M', 0, 0x2133 }, { 'N', 0x2115, 0 },
  { 'P', 0x2119, 0 }, { 'Q', 0x211A, 0 }, { 'R', 0x211D, 0x211B }, { 'Z', 0x2124, 0 } };

static gunichar
alphabet_letter (char c, gboolean blackboard)
{
  for (gsize i = 0; i < G_N_ELEMENTS (apart); i++)
    {
      const gunichar found = blackboard ? apart[i].blackboard : apart[i].script;
      if (apart[i].letter == c && found != 0)
        return found;
    }
  if (g_ascii_isupper (c))
    return (blackboard ? 0x1D538 : 0x1D49C) + (c - 'A');
  if (c == '1' && blackboard)
    return 0x1D7D9;
  return (guchar) c;
}

/* The letters of a group, or one. */
static void
set_alphabet (HeddleTypesetter *self, HeddleTypeLine *line, gboolean blackboard)
{
  while (*self->at == ' ')
    self->at++;
  const gboolean group = *self->at == '{';
  char text[8];

  if (group)
    self->at++;
  do
    {
      const gunichar c = g_utf8_get_char (self->at);
      if (c == 0 || c == '}')
        break;
      const gunichar letter = c < 0x80 ? alphabet_letter (c, blackboard) : c;
      text[g_unichar_to_utf8 (g_unichar_iscntrl (letter) ? 0xFFFD : letter, text)] = '\0';
      heddle_typeset_text (self, line, HEDDLE_FONT_ROMAN, text);
      self->at = g_utf8_next_char (self->at);
    }
  while (group);
  if (group && *self->at == '}')
    self->at++;
}

static void
set_large (HeddleTypesetter *self, HeddleTypeLine *line, const char *sign)
{
  HeddleTypeLine large = part_line (line, LARGE);

  large.y += 0.14 * line->size;
  heddle_typeset_text (self, &large, HEDDLE_FONT_ROMAN, sign);
  heddle_typeset_flush (self, &large);
  heddle_typeset_cover (line, large.ascent - 0.14 * line->size, large.descent + 0.14 * line->size);
  line->x = large.x + 0.06 * line->size;
}

/* --- delimiters ---------------------------------------------------------------------------------------------- */

/* @side: -1 on the left, 1 on the right. Unknown ones are not drawn. */
static void
draw_delimiter (const HeddleTypesetter *self, char c, double x, double y1, double y2, double size, int side)
{
  const double w = DELIMITER_WIDTH * size, edge = side < 0 ? x + 0.8 * w : x + 0.2 * w,
               back = side < 0 ? x + 0.25 * w : x + 0.75 * w, middle = (y1 + y2) / 2.;
  HeddleItem *item = strchr ("()[]{}|", c) != NULL && c != '\0' ? add_stroke (self, size, RULE) : NULL;

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
static void
set_delimited (HeddleTypesetter *self, HeddleTypeLine *line)
{
  const char left = read_delimiter (self);
  const double size = line->size, w = DELIMITER_WIDTH * size;
  HeddleTypeLine part = part_line (line, 1.);
  const guint from = mark (self);

  self->depth++;
  while (*self->at != '\0' && *self->at != '}' && !comes (self, "\\right"))
    heddle_typeset_atom (self, &part);
  heddle_typeset_flush (self, &part);
  self->depth--;
  const Box box = close_box (self, line, &part, from);
  char right = '.';
  if (comes (self, "\\right"))
    {
      self->at += strlen ("\\right");
      right = read_delimiter (self);
    }
  const double axis = line->y - AXIS * size;
  const double half
      = MAX (MAX (axis - (line->y - box.ascent), line->y + box.descent - axis), 0.4 * size) + 0.08 * size;
  move_box (self, &box, w, 0.);
  draw_delimiter (self, left, line->x, axis - half, axis + half, size, -1);
  draw_delimiter (self, right, line->x + w + box.width, axis - half, axis + half, size, 1);
  heddle_typeset_cover (line, line->y - axis + half, axis + half - line->y);
  line->x += 2. * w + box.width;
}

/* --- cases ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  Box cells[MOST_ROWS][2];
  guint n;
  double widths[2];
} Cases;

static Box
set_cell (HeddleTypesetter *self, const HeddleTypeLine *line)
{
  HeddleTypeLine part = part_line (line, 1.);
  const guint from = mark (self);

  while (*self->at == ' ')
    self->at++;
  while (*self->at != '\0' && *self->at != '&' && !comes (self, "\\\\") && !comes (self, "\\end"))
    heddle_typeset_atom (self, &part);
  heddle_typeset_flush (self, &part);
  return close_box (self, line, &part, from);
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
        Box *box = &cases.cells[i][j];
        box->ascent = MAX (MAX (cases.cells[i][0].ascent, cases.cells[i][1].ascent), 0.7 * size);
        box->descent = MAX (MAX (cases.cells[i][0].descent, cases.cells[i][1].descent), 0.2 * size);
        height += j == 0 ? box->ascent + box->descent + (i > 0 ? ROW_GAP * size : 0.) : 0.;
      }
  const double axis = line->y - AXIS * size, top = axis - height / 2.;
  double y = top;
  for (guint i = 0; i < cases.n; i++)
    {
      y += cases.cells[i][0].ascent;
      move_box (self, &cases.cells[i][0], w + 0.1 * size, y - line->y);
      move_box (self, &cases.cells[i][1], w + 0.1 * size + cases.widths[0] + COLUMN_GAP * size, y - line->y);
      y += cases.cells[i][0].descent + ROW_GAP * size;
    }
  draw_delimiter (self, '{', line->x, top, top + height, size, -1);
  heddle_typeset_cover (line, line->y - top, top + height - line->y);
  line->x
      += w + 0.1 * size + cases.widths[0] + (cases.widths[1] > 0. ? COLUMN_GAP * size + cases.widths[1] : 0.);
}

static void
set_environment (HeddleTypesetter *self, HeddleTypeLine *line)
{
  static const char name[] = "{cases}";

  if (!comes (self, name))
    return;
  self->at += strlen (name);
  self->depth++;
  set_cases (self, line);
  self->depth--;
  if (comes (self, "\\end{cases}"))
    self->at += strlen ("\\end{cases}");
}

/* --- by name ------------------------------------------------------------------------------------------------------ */

static gboolean
is (const char *name, gsize length, const char *wanted)
{
  return strlen (wanted) == length && memcmp (name, wanted, length) == 0;
}

static gboolean
set_accent_named (HeddleTypesetter *self, HeddleTypeLine *line, const char *name, gsize length)
{
  static const char *const accents[] = { [ACCENT_HAT] = "hat",
    [ACCENT_TILDE] = "tilde",
    [ACCENT_VECTOR] = "vec",
    [ACCENT_DOT] = "dot",
    [ACCENT_UNDERLINE] = "underline" };

  for (gsize i = 0; i < G_N_ELEMENTS (accents); i++)
    if (is (name, length, accents[i]))
      {
        heddle_typeset_flush (self, line);
        set_accent (self, line, i);
        return TRUE;
      }
  return FALSE;
}

static gboolean
set_large_named (HeddleTypesetter *self, HeddleTypeLine *line, const char *name, gsize length)
{
  static const struct
  {
    const char *name, *sign;
  } signs[] = { { "sum", "\342\210\221" }, { "prod", "\342\210\217" }, { "int", "\342\210\253" } };

  for (gsize i = 0; i < G_N_ELEMENTS (signs); i++)
    if (is (name, length, signs[i].name))
      {
        heddle_typeset_flush (self, line);
        set_large (self, line, signs[i].sign);
        return TRUE;
      }
  return FALSE;
}

gboolean
heddle_typeset_construct (HeddleTypesetter *self, HeddleTypeLine *line, const char *name, gsize length)
{
  if (self->depth >= HEDDLE_TYPE_DEEPEST)
    return FALSE;
  if (set_accent_named (self, line, name, length) || set_large_named (self, line, name, length))
    return TRUE;
  const gboolean blackboard = is (name, length, "mathbb"), calligraphic = is (name, length, "mathcal");
  if (blackboard || calligraphic)
    {
      set_alphabet (self, line, blackboard);
      return TRUE;
    }
  static const struct
  {
    const char *name;
    void (*set) (HeddleTypesetter *self, HeddleTypeLine *line);
  } constructs[] = { { "frac", set_fraction }, { "tfrac", set_fraction }, { "dfrac", set_fraction },
    { "sqrt", set_root }, { "left", set_delimited }, { "begin", set_environment } };
  for (gsize i = 0; i < G_N_ELEMENTS (constructs); i++)
    if (is (name, length, constructs[i].name))
      {
        heddle_typeset_flush (self, line);
        constructs[i].set (self, line);
        return TRUE;
      }
  const gboolean over = is (name, length, "overset") || is (name, length, "stackrel"),
                 under = is (name, length, "underset");
  if (over || under)
    {
      heddle_typeset_flush (self, line);
      set_stack (self, line, over);
    }
  return over || under;
}
