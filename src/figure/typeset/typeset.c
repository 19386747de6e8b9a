/* SPDX-License-Identifier: MIT */
#include "figure/scene/path.h"
#include "figure/scene/scene.h"
#include "figure/scene/theme.h"
#include "figure/typeset/box.h"
#include "figure/typeset/delimiters.h"
#include "figure/typeset/label.h"
#include "figure/typeset/private.h"
#include "figure/typeset/typeset.h"

#include <string.h>

/* What is made of several lines of text. By the size of the line: */
#define PART 0.72 /* of a fraction's parts */
#define SMALL 0.6 /* of what stands over or under something */
#define GAP 0.13
#define ROOT_WIDTH 0.52
#define FILL_PAD 1.5 /* px */
#define LARGE 1.3 /* signs of sums */

/* --- fractions, roots, what stands over ------------------------------------------------------------------ */

static void
set_fraction (HeddleTypesetter *self, HeddleTypeLine *line)
{
  const double size = line->size, axis = line->y - HEDDLE_TYPE_AXIS * size;
  const HeddleTypeBox top = heddle_typeset_box (self, line, PART),
                      bottom = heddle_typeset_box (self, line, PART);
  const double width = MAX (top.width, bottom.width) + 2. * GAP * size;
  const double up = axis - GAP * size - top.descent, down = axis + GAP * size + bottom.ascent;

  heddle_typeset_move_box (self, &top, (width - top.width) / 2., up - line->y);
  heddle_typeset_move_box (self, &bottom, (width - bottom.width) / 2., down - line->y);
  heddle_typeset_add_rule (self, size, line->x + 0.04 * size, line->x + width - 0.04 * size, axis);
  heddle_typeset_cover (line, line->y - up + top.ascent, down - line->y + bottom.descent);
  line->x += width;
}

static void
set_root (HeddleTypesetter *self, HeddleTypeLine *line)
{
  const double size = line->size, x = line->x, y = line->y, hook = ROOT_WIDTH * size;
  const HeddleTypeBox box = heddle_typeset_box (self, line, 1.);
  const double top = y - MAX (box.ascent, 0.45 * size) - GAP * size, low = y + MAX (box.descent, 0.02 * size);
  HeddleItem *item = heddle_typeset_add_stroke (self, size, HEDDLE_TYPE_RULE);

  heddle_typeset_move_box (self, &box, hook, 0.);
  if (item != NULL)
    {
      heddle_item_move_to (item, x + 0.04 * size, y - 0.26 * size);
      heddle_item_line_to (item, x + 0.14 * size, y - 0.32 * size);
      heddle_item_line_to (item, x + 0.28 * size, low);
      heddle_item_line_to (item, x + 0.46 * size, top);
      heddle_item_line_to (item, x + hook + box.width + 0.06 * size, top);
    }
  heddle_typeset_cover (line, y - top + HEDDLE_TYPE_RULE * size, low - y);
  line->x += hook + box.width + 0.1 * size;
}

/* \overset{a}{b}: a small, over b; \underset: under it. */
static void
set_stack (HeddleTypesetter *self, HeddleTypeLine *line, gboolean over)
{
  const double size = line->size;
  const HeddleTypeBox small = heddle_typeset_box (self, line, SMALL),
                      base = heddle_typeset_box (self, line, 1.);
  const double width = MAX (small.width, base.width);
  const double shift
      = over ? -(base.ascent + GAP * size + small.descent) : base.descent + GAP * size + small.ascent;

  heddle_typeset_move_box (self, &small, (width - small.width) / 2., shift);
  heddle_typeset_move_box (self, &base, (width - base.width) / 2., 0.);
  heddle_typeset_cover (
      line, MAX (base.ascent, small.ascent - shift), MAX (base.descent, small.descent + shift));
  line->x += width;
}

/* A ground lies between what is set before and after: these are not one text. */
static void
begin_label (HeddleTypesetter *self)
{
  if (self->theme != NULL && self->scene != NULL)
    self->label = heddle_scene_get_n_items (self->scene) + 1;
}

/* \fill{class}{a}: a on a ground of that class, which lies below all that is in it. */
static void
set_filled (HeddleTypesetter *self, HeddleTypeLine *line)
{
  const char *begin = *self->at == '{' ? self->at + 1 : self->at, *end = strchr (begin, '}');
  g_autofree char *class = *self->at == '{' && end != NULL ? g_strndup (begin, end - begin) : NULL;
  const HeddleColor ink = self->color;

  if (class == NULL)
    return;
  self->at = end + 1;
  begin_label (self);
  if (self->theme != NULL)
    self->color = heddle_theme_on_fill (*self->theme, class);
  const HeddleTypeBox box = heddle_typeset_box (self, line, 1.);
  self->color = ink;
  if (self->theme != NULL && self->scene != NULL)
    {
      HeddleItem *item = heddle_scene_add (self->scene, HEDDLE_ITEM_PATH, self->part, self->object);
      item->fill = TRUE;
      item->fill_color = heddle_theme_fill (*self->theme, class);
      item->line_width = 0.7 * heddle_theme_outline (*self->theme);
      item->stroke = item->line_width > 0.;
      item->stroke_color = ink;
      heddle_item_rectangle (item, line->x - FILL_PAD, line->y - box.ascent - FILL_PAD,
          box.width + 2. * FILL_PAD, box.ascent + box.descent + 2. * FILL_PAD, 0.);
      heddle_scene_lower (self->scene, heddle_scene_get_n_items (self->scene) - 1, box.from);
      begin_label (self);
    }
  heddle_typeset_cover (line, box.ascent, box.descent);
  line->x += box.width;
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
  const HeddleTypeBox box = heddle_typeset_box (self, line, 1.);

  if (accent == ACCENT_UNDERLINE)
    heddle_typeset_add_rule (self, size, line->x, line->x + box.width, line->y + box.descent + 0.1 * size);
  else if (self->scene != NULL)
    draw_accent (heddle_typeset_add_stroke (self, size, HEDDLE_TYPE_RULE), accent,
        line->x + box.width / 2. + 0.04 * size, line->y - box.ascent - 0.06 * size, size);
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
  HeddleTypeLine large = heddle_typeset_part_line (line, LARGE);

  large.y += 0.14 * line->size;
  heddle_typeset_text (self, &large, HEDDLE_FONT_ROMAN, sign);
  heddle_typeset_flush (self, &large);
  heddle_typeset_cover (line, large.ascent - 0.14 * line->size, large.descent + 0.14 * line->size);
  line->x = large.x + 0.06 * line->size;
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
    { "sqrt", set_root }, { "fill", set_filled }, { "left", heddle_typeset_delimited },
    { "begin", heddle_typeset_environment } };
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
