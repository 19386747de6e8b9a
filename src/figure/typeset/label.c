/* SPDX-License-Identifier: MIT */
#include "figure/scene/figure-theme.h"
#include "figure/scene/measure.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"
#include "figure/typeset/label-private.h"
#include "figure/typeset/label.h"
#include "figure/typeset/math-symbols.h"
#include "figure/typeset/typeset.h"

#include <math.h>
#include <string.h>

#define MOST_CHARACTERS 400

/* By the size of what they stand beside (TeX's own are near these for its fonts). */
#define SCRIPT_SCALE 0.63
#define SUPERSCRIPT_RISE 0.40
#define SUBSCRIPT_DROP 0.17
#define BAR_GAP 0.09
#define BAR_WIDTH 0.045
#define SPACE 0.2

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

static void
append_run (HeddleTypesetter *self, HeddleTypeLine *line, HeddleFont font, const char *text, gssize length)
{
  if (self->run->len > 0 && self->run_font != font)
    heddle_typeset_flush (self, line);
  self->run_font = font;
  g_string_append_len (self->run, text, length);
}

void
heddle_typeset_text (HeddleTypesetter *self, HeddleTypeLine *line, HeddleFont font, const char *text)
{
  append_run (self, line, font, text, -1);
}

static void
skip_spaces (HeddleTypesetter *self)
{
  while (*self->at == ' ')
    self->at++;
}

/* Everything up to the closing brace, or to the end. */
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

/* The argument of a command: a group, or the next atom. */
void
heddle_typeset_argument (HeddleTypesetter *self, HeddleTypeLine *line)
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

/* A script: a group; else letters and digits as long as there are any, as in names ("d_ff"); else one character. */
static void
set_script_text (HeddleTypesetter *self, HeddleTypeLine *line)
{
  if (!g_unichar_isalnum (g_utf8_get_char (self->at)))
    {
      heddle_typeset_argument (self, line);
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

  heddle_typeset_argument (self, &base);
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
    append_run (self, line, HEDDLE_FONT_ROMAN, name, length);
  else
    append_run (
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
  if (heddle_typeset_construct (self, line, name, length))
    return;
  if (bar || command != NULL)
    heddle_typeset_flush (self, line);
  if (bar && self->depth < HEDDLE_TYPE_DEEPEST)
    set_bar (self, line);
  else if (command != NULL)
    {
      const HeddleFont font = line->font;
      line->font = command->font;
      heddle_typeset_argument (self, line);
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
  append_run (self, line, HEDDLE_FONT_ROMAN, letter->text, -1);
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
    append_run (self, line, font, "\342\210\222", -1);
  else if (line->font == HEDDLE_FONT_MATH && c == '*')
    append_run (self, line, font, "\342\210\227", -1);
  else if (c == '\'')
    append_run (self, line, font, "\342\200\262", -1);
  else if (g_unichar_iscntrl (c))
    append_run (self, line, font, "\357\277\275", -1);
  else
    append_run (self, line, font, self->at, next - self->at);
  self->at = next;
}

/* Of a listing: as it stands, with spaces that every format keeps. */
static void
set_verbatim (HeddleTypesetter *self, HeddleTypeLine *line)
{
  const char *next = g_utf8_next_char (self->at);

  if (*self->at == ' ')
    append_run (self, line, line->font, "\302\240", -1);
  else if (g_unichar_iscntrl (g_utf8_get_char (self->at)))
    append_run (self, line, line->font, "\357\277\275", -1);
  else
    append_run (self, line, line->font, self->at, next - self->at);
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

/* A label of reasonable length in valid UTF-8. */
static char *
bounded_source (const char *source)
{
  g_autofree char *valid = g_utf8_make_valid (source, strnlen (source, MOST_CHARACTERS * 4));

  if (g_utf8_strlen (valid, -1) <= MOST_CHARACTERS)
    return g_steal_pointer (&valid);
  *g_utf8_offset_to_pointer (valid, MOST_CHARACTERS) = '\0';
  return g_strconcat (valid, "\342\200\246", NULL);
}

static HeddleTypesetter
typesetter_for (HeddleScene *scene, HeddlePart part, const char *object, HeddleColor color)
{
  return (HeddleTypesetter){ .scene = scene,
    .part = part,
    .object = object,
    .color = color,
    .label = scene != NULL ? heddle_scene_get_n_items (scene) + 1 : 0 };
}

/* Returns the width. */
static double
set_source (HeddleTypesetter *self, const char *source, HeddleTypeLine *line, double *ascent, double *descent)
{
  g_autofree char *bounded = bounded_source (source);
  const double x = line->x, y = line->y, size = line->size;
  const HeddleFont font = line->font;
  const guint from = self->scene != NULL ? heddle_scene_get_n_items (self->scene) : 0, label = self->label;

  self->at = self->begin = bounded;
  self->run = g_string_new (NULL);
  self->run_font = line->font;
  while (*self->at != '\0')
    heddle_typeset_atom (self, line);
  heddle_typeset_flush (self, line);
  g_string_free (self->run, TRUE);
  if (self->scene != NULL && self->label == label) /* a ground cuts a label in pieces */
    heddle_scene_set_formula (self->scene, from,
        &(HeddleFormula){ .source = bounded, .font = font, .size = size, .width = line->x - x }, x, y);
  if (ascent != NULL)
    *ascent = line->ascent;
  if (descent != NULL)
    *descent = line->descent;
  return line->x - x;
}

/**
 * heddle_math_layout:
 * @scene: (nullable): gets the items; %NULL: only measures
 * @part: what the items belong to
 * @object: (nullable): the id of what they stand for
 * @source: a name or a formula as spelt in the source: sub- and superscripts, bars and accents, fractions, roots, delimiters, cases,
 *   alphabets, Greek letters and the signs of a fixed list; braces nest to a fixed depth; anything else is set as it stands
 * @font: %HEDDLE_FONT_MATH sets letters slanted, digits and signs upright; other fonts all alike
 * @size: px
 * @color: of text and rules
 * @x: px, start of the baseline
 * @y: px
 * @ascent: (out) (optional): how far the ink reaches above the baseline, px
 * @descent: (out) (optional): and below
 *
 * Returns: the width in px
 */
double
heddle_math_layout (HeddleScene *scene, HeddlePart part, const char *object, const char *source,
    HeddleFont font, double size, HeddleColor color, double x, double y, double *ascent, double *descent)
{
  g_return_val_if_fail (source != NULL && size > 0., 0.);

  HeddleTypesetter self = typesetter_for (scene, part, object, color);
  const double width = set_source (
      &self, source, &(HeddleTypeLine){ .x = x, .y = y, .size = size, .font = font }, ascent, descent);
  g_free (self.unknown);
  return width;
}

double
heddle_math_layout_filled (HeddleScene *scene, HeddleTheme theme, HeddlePart part, const char *object,
    const char *source, HeddleFont font, double size, HeddleColor color, double x, double y, double *ascent,
    double *descent)
{
  g_return_val_if_fail (source != NULL && size > 0., 0.);

  HeddleTypesetter self = typesetter_for (scene, part, object, color);
  self.theme = &theme;
  const double width = set_source (
      &self, source, &(HeddleTypeLine){ .x = x, .y = y, .size = size, .font = font }, ascent, descent);
  g_free (self.unknown);
  return width;
}

char *
heddle_math_find_unknown (const char *source, HeddleFont font)
{
  g_return_val_if_fail (source != NULL, NULL);

  HeddleTypesetter self = typesetter_for (NULL, HEDDLE_PART_ANNOTATION, NULL, (HeddleColor){ 0 });
  set_source (&self, source, &(HeddleTypeLine){ .size = 1., .font = font }, NULL, NULL);
  return self.unknown;
}
