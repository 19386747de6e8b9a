/* SPDX-License-Identifier: MIT */
#include "figure/scene/path.h"
#include "figure/scene/scene.h"
#include "figure/scene/theme.h"
#include "figure/typeset/box.h"
#include "figure/typeset/formula.h"
#include "figure/typeset/math-symbols.h"
#include "figure/typeset/signs.h"

#include <string.h>

/* The grammar of labels: atoms hold groups, groups hold atoms, and whatever is made of several lines of text holds both. That is why it is one
 * file. Proportions are by the size of the letters that a thing stands beside (TeX's own are near these for its fonts). */
#define SCRIPT_SCALE 0.63
#define SUPERSCRIPT_RISE 0.40
#define SUBSCRIPT_DROP 0.17
#define BAR_GAP 0.09
#define BAR_WIDTH 0.045
#define SPACE 0.2
#define PART 0.72 /* of a fraction's parts */
#define SMALL 0.6 /* of what stands over or under something */
#define GAP 0.13
#define ROOT_WIDTH 0.52
#define FILL_PAD 1.5 /* px */
#define LARGE 1.3 /* signs of sums */
#define ROW_GAP 0.25
#define COLUMN_GAP 0.9
#define MOST_ROWS 16

static void
skip_spaces (HeddleTypesetter *self)
{
  while (*self->at == ' ')
    self->at++;
}

/* Sets everything up to the closing brace, or to the end. */
static void
set_group (HeddleTypesetter *self, HeddleTypeLine *line)
{
  self->depth++;
  while (*self->at != '\0' && *self->at != '}')
    heddle_typeset_atom (self, line);
  heddle_typeset_flush (self, line);
  self->depth--;
  if (*self->at == '}')
    self->at++;
}

/* Sets the argument of a command: a group, or the next atom. */
static void
set_argument (HeddleTypesetter *self, HeddleTypeLine *line)
{
  skip_spaces (self);
  if (*self->at == '{')
    {
      self->at++;
      set_group (self, line);
    }
  else if (*self->at != '\0' && *self->at != '}')
    {
      self->depth++;
      heddle_typeset_atom (self, line);
      heddle_typeset_flush (self, line);
      self->depth--;
    }
}

/* Sets an argument where @line is, @scale times as large, and returns its box, which can still be moved. */
static HeddleTypeBox
set_box (HeddleTypesetter *self, const HeddleTypeLine *line, double scale)
{
  HeddleTypeLine part = heddle_typeset_part_line (line, scale);
  const guint from = heddle_typeset_mark (self);

  set_argument (self, &part);
  heddle_typeset_flush (self, &part);
  return heddle_typeset_close_box (self, line, &part, from);
}

/* --- fractions, roots, what stands over ------------------------------------------------------------------ */

static void
set_fraction (HeddleTypesetter *self, HeddleTypeLine *line)
{
  const double size = line->size, axis = line->y - HEDDLE_TYPE_AXIS * size;
  const HeddleTypeBox top = set_box (self, line, PART), bottom = set_box (self, line, PART);
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
  const HeddleTypeBox box = set_box (self, line, 1.);
  const double top = y - MAX (box.ascent, 0.45 * size) - GAP * size, low = y + MAX (box.descent, 0.02 * size);
  HeddleItem *item = heddle_typeset_add_stroke (self, size);

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

/* Sets \overset{a}{b}, a being small and over b, or \underset, where it is under it. */
static void
set_stack (HeddleTypesetter *self, HeddleTypeLine *line, gboolean over)
{
  const double size = line->size;
  const HeddleTypeBox small = set_box (self, line, SMALL), base = set_box (self, line, 1.);
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

/* Sets \fill{class}{a}: a on a ground of that class, which lies below all that is in it. */
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
  const HeddleTypeBox box = set_box (self, line, 1.);
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

static void
set_accent (HeddleTypesetter *self, HeddleTypeLine *line, HeddleAccent accent)
{
  const double size = line->size;
  const HeddleTypeBox box = set_box (self, line, 1.);

  if (accent == HEDDLE_ACCENT_UNDERLINE)
    heddle_typeset_add_rule (self, size, line->x, line->x + box.width, line->y + box.descent + 0.1 * size);
  else if (self->scene != NULL)
    heddle_typeset_draw_accent (heddle_typeset_add_stroke (self, size), accent,
        line->x + box.width / 2. + 0.04 * size, line->y - box.ascent - 0.06 * size, size);
  heddle_typeset_cover (line, box.ascent + (accent == HEDDLE_ACCENT_UNDERLINE ? 0. : 0.22 * size),
      box.descent + (accent == HEDDLE_ACCENT_UNDERLINE ? 0.14 * size : 0.));
  line->x += box.width;
}

/* --- alphabets ---------------------------------------------------------------------------------------------- */

/* Sets the letters of a group, or one letter. */
static void
set_alphabet (HeddleTypesetter *self, HeddleTypeLine *line, gboolean blackboard)
{
  skip_spaces (self);
  const gboolean group = *self->at == '{';
  char text[8];

  if (group)
    self->at++;
  do
    {
      const gunichar c = g_utf8_get_char (self->at);
      if (c == 0 || c == '}')
        break;
      const gunichar letter = c < 0x80 ? heddle_math_alphabet_letter (c, blackboard) : c;
      text[g_unichar_to_utf8 (g_unichar_iscntrl (letter) ? 0xFFFD : letter, text)] = '\0';
      heddle_typeset_text (self, line, HEDDLE_FONT_ROMAN, text, -1);
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
  heddle_typeset_text (self, &large, HEDDLE_FONT_ROMAN, sign, -1);
  heddle_typeset_flush (self, &large);
  heddle_typeset_cover (line, large.ascent - 0.14 * line->size, large.descent + 0.14 * line->size);
  line->x = large.x + 0.06 * line->size;
}

/* --- delimiters ---------------------------------------------------------------------------------------------- */

static char
read_delimiter (HeddleTypesetter *self)
{
  skip_spaces (self);
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

/* Sets \left( … \right): delimiters as tall as what is between them. */
static void
set_delimited (HeddleTypesetter *self, HeddleTypeLine *line)
{
  const char left = read_delimiter (self);
  const double size = line->size, w = HEDDLE_TYPE_DELIMITER_WIDTH * size;
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
  heddle_typeset_draw_delimiter (self, left, line->x, axis - half, axis + half, size, -1);
  heddle_typeset_draw_delimiter (self, right, line->x + w + box.width, axis - half, axis + half, size, 1);
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

  skip_spaces (self);
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
  const double size = line->size, w = HEDDLE_TYPE_DELIMITER_WIDTH * size;
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
  heddle_typeset_draw_delimiter (self, '{', line->x, top, top + height, size, -1);
  heddle_typeset_cover (line, line->y - top, top + height - line->y);
  line->x
      += w + 0.1 * size + cases.widths[0] + (cases.widths[1] > 0. ? COLUMN_GAP * size + cases.widths[1] : 0.);
}

/* Sets \begin{cases} … \end{cases}, whose \begin has been read; any other environment is left unread. */
static void
set_environment (HeddleTypesetter *self, HeddleTypeLine *line)
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

/* --- by name ------------------------------------------------------------------------------------------------------ */

static gboolean
is (const char *name, gsize length, const char *wanted)
{
  return strlen (wanted) == length && memcmp (name, wanted, length) == 0;
}

static gboolean
set_accent_named (HeddleTypesetter *self, HeddleTypeLine *line, const char *name, gsize length)
{
  static const char *const accents[] = { [HEDDLE_ACCENT_HAT] = "hat",
    [HEDDLE_ACCENT_TILDE] = "tilde",
    [HEDDLE_ACCENT_VECTOR] = "vec",
    [HEDDLE_ACCENT_DOT] = "dot",
    [HEDDLE_ACCENT_UNDERLINE] = "underline" };

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

/* Sets a fraction, root, accent, delimiters or cases. Returns whether the command @name, which has been read, is one
 * of them; nested too deeply, none is. */
static gboolean
set_construct (HeddleTypesetter *self, HeddleTypeLine *line, const char *name, gsize length)
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
    { "sqrt", set_root }, { "fill", set_filled }, { "left", set_delimited }, { "begin", set_environment } };
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

/* --- atoms ---------------------------------------------------------------------------------------------- */

/* Sets a script, which is a group; else letters and digits as long as there are any, as in names ("d_ff"); else one character. */
static void
set_script_text (HeddleTypesetter *self, HeddleTypeLine *line)
{
  if (!g_unichar_isalnum (g_utf8_get_char (self->at)))
    {
      set_argument (self, line);
      return;
    }
  self->depth++;
  while (g_unichar_isalnum (g_utf8_get_char (self->at)))
    heddle_typeset_atom (self, line);
  heddle_typeset_flush (self, line);
  self->depth--;
}

static double
set_script (HeddleTypesetter *self, const HeddleTypeLine *line, gboolean above, HeddleTypeLine *result)
{
  const double shift = line->size * (above ? -SUPERSCRIPT_RISE : SUBSCRIPT_DROP);
  const double gap = above && self->run_font == HEDDLE_FONT_MATH ? 0.06 * line->size : 0.03 * line->size;
  const gboolean smaller = self->depth < HEDDLE_TYPE_DEEPEST;
  HeddleTypeLine script = {
    .x = line->x + gap,
    .y = line->y + (smaller ? shift : 0.),
    .size = smaller ? MIN (line->size, MAX (line->size * SCRIPT_SCALE, HEDDLE_SMALLEST_SCRIPT)) : line->size,
    .font = line->font,
    .script = TRUE,
  };

  self->at++;
  set_script_text (self, &script);
  heddle_typeset_cover (result, script.ascent + line->y - script.y, script.descent - line->y + script.y);
  return script.x;
}

/* A subscript and a superscript of one base stand above one another. */
static void
set_scripts (HeddleTypesetter *self, HeddleTypeLine *line)
{
  double end = line->x;
  gboolean has[2] = { FALSE, FALSE };

  heddle_typeset_flush (self, line);
  end = line->x;
  while (*self->at == '_' || *self->at == '^')
    {
      const gboolean above = *self->at == '^';
      if (has[above])
        break;
      has[above] = TRUE;
      const double right = set_script (self, line, above, line);
      end = MAX (end, right);
    }
  line->x = end + 0.02 * line->size;
}

static void
set_bar (HeddleTypesetter *self, HeddleTypeLine *line)
{
  HeddleTypeLine base
      = { .x = line->x, .y = line->y, .size = line->size, .font = line->font, .script = line->script };
  const double left = line->x;

  set_argument (self, &base);
  const double y = base.y - base.ascent - line->size * (BAR_GAP + BAR_WIDTH / 2.);
  const double width = MAX (1., line->size * BAR_WIDTH);
  if (self->scene != NULL && base.x > left)
    {
      HeddleItem *rule = heddle_scene_add (self->scene, HEDDLE_ITEM_PATH, self->part, self->object);
      rule->stroke = TRUE;
      rule->stroke_color = self->color;
      rule->line_width = width;
      heddle_item_move_to (rule, left + 0.04 * line->size, y);
      heddle_item_line_to (rule, base.x + 0.02 * line->size, y);
    }
  line->x = base.x;
  heddle_typeset_cover (line, line->y - y + width / 2., base.descent);
}

typedef struct
{
  const char *name;
  HeddleFont font;
} FontCommand;

static const FontCommand font_commands[] = {
  { "mathbf", HEDDLE_FONT_BOLD },
  { "mathrm", HEDDLE_FONT_ROMAN },
  { "mathit", HEDDLE_FONT_MATH },
  { "mathsf", HEDDLE_FONT_SANS },
  { "text", HEDDLE_FONT_ROMAN },
};

static const FontCommand *
find_font_command (const char *name, gsize length)
{
  for (gsize i = 0; i < G_N_ELEMENTS (font_commands); i++)
    if (strlen (font_commands[i].name) == length && strncmp (font_commands[i].name, name, length) == 0)
      return &font_commands[i];
  return NULL;
}

static void
set_gap (HeddleTypesetter *self, HeddleTypeLine *line)
{
  heddle_typeset_flush (self, line);
  line->x += SPACE * line->size;
}

/* A command that is not on the list is set as its own name: seen, and harmless. */
static void
set_word (HeddleTypesetter *self, HeddleTypeLine *line, const char *name, gsize length)
{
  const HeddleMathSymbol *symbol = heddle_math_symbol (name, length);
  const gboolean relation = symbol != NULL && heddle_math_symbol_is_relation (symbol);

  if (relation && self->eaten)
    set_gap (self, line);
  self->eaten = FALSE;
  if (symbol == NULL && length > 0 && self->unknown == NULL)
    self->unknown = g_strndup (name, length);
  if (symbol == NULL)
    heddle_typeset_text (self, line, HEDDLE_FONT_ROMAN, name, length);
  else
    heddle_typeset_text (
        self, line, line->font == HEDDLE_FONT_MATH ? HEDDLE_FONT_ROMAN : line->font, symbol->text, -1);
  if (length == 0 || !g_ascii_isalpha (*name) || *self->at != ' ')
    return;
  skip_spaces (self);
  if (relation)
    set_gap (self, line);
  self->eaten = !relation;
}

static void
set_command (HeddleTypesetter *self, HeddleTypeLine *line)
{
  const char *name = ++self->at;

  while (g_ascii_isalpha (*self->at))
    self->at++;
  if (self->at == name && *self->at != '\0')
    self->at = g_utf8_next_char (self->at);
  const gsize length = self->at - name;
  const gboolean bar
      = (length == 3 && strncmp (name, "bar", 3) == 0) || (length == 8 && strncmp (name, "overline", 8) == 0);
  const FontCommand *command = find_font_command (name, length);
  if (set_construct (self, line, name, length))
    return;
  if (bar || command != NULL)
    heddle_typeset_flush (self, line);
  if (bar && self->depth < HEDDLE_TYPE_DEEPEST)
    set_bar (self, line);
  else if (command != NULL)
    {
      const HeddleFont font = line->font;
      line->font = command->font;
      set_argument (self, line);
      line->font = font;
    }
  else
    set_word (self, line, name, length);
}

/* A whole name that spells a Greek letter is that letter. Returns whether one begins here. */
static gboolean
set_greek (HeddleTypesetter *self, HeddleTypeLine *line)
{
  gsize length = 0;

  if (line->font != HEDDLE_FONT_MATH || (self->at > self->begin && g_ascii_isalpha (self->at[-1])))
    return FALSE;
  while (g_ascii_isalpha (self->at[length]))
    length++;
  const HeddleMathSymbol *letter = heddle_math_greek (self->at, length);
  if (letter == NULL)
    return FALSE;
  heddle_typeset_text (self, line, HEDDLE_FONT_ROMAN, letter->text, -1);
  self->at += length;
  return TRUE;
}

static void
set_character (HeddleTypesetter *self, HeddleTypeLine *line)
{
  const char *next = g_utf8_next_char (self->at);
  const gunichar c = g_utf8_get_char (self->at);
  const gboolean slanted = g_unichar_isalpha (c) && c < 0x1D400;
  HeddleFont font = line->font;

  if (font == HEDDLE_FONT_MATH && !slanted)
    font = HEDDLE_FONT_ROMAN;
  if (font != HEDDLE_FONT_SANS && font != HEDDLE_FONT_SANS_BOLD && c == '-')
    heddle_typeset_text (self, line, font, "\342\210\222", -1);
  else if (line->font == HEDDLE_FONT_MATH && c == '*')
    heddle_typeset_text (self, line, font, "\342\210\227", -1);
  else if (c == '\'')
    heddle_typeset_text (self, line, font, "\342\200\262", -1);
  else if (g_unichar_iscntrl (c))
    heddle_typeset_text (self, line, font, "\357\277\275", -1);
  else
    heddle_typeset_text (self, line, font, self->at, next - self->at);
  self->at = next;
}

/* Sets a character of a listing as it stands, with spaces that every format keeps. */
static void
set_verbatim (HeddleTypesetter *self, HeddleTypeLine *line)
{
  const char *next = g_utf8_next_char (self->at);

  if (*self->at == ' ')
    heddle_typeset_text (self, line, line->font, "\302\240", -1);
  else if (g_unichar_iscntrl (g_utf8_get_char (self->at)))
    heddle_typeset_text (self, line, line->font, "\357\277\275", -1);
  else
    heddle_typeset_text (self, line, line->font, self->at, next - self->at);
  self->at = next;
}

void
heddle_typeset_atom (HeddleTypesetter *self, HeddleTypeLine *line)
{
  if (line->font == HEDDLE_FONT_MONO)
    {
      set_verbatim (self, line);
      return;
    }
  self->eaten &= *self->at == '\\';
  switch (*self->at)
    {
    case '\\':
      set_command (self, line);
      return;
    case '_':
    case '^':
      set_scripts (self, line);
      return;
    case '{':
      self->at++;
      heddle_typeset_flush (self, line);
      set_group (self, line);
      return;
    case '}':
      self->at++;
      return;
    case ' ':
      heddle_typeset_flush (self, line);
      line->x += SPACE * line->size;
      self->at++;
      return;
    default:
      if (!set_greek (self, line))
        set_character (self, line);
      return;
    }
}
