/* SPDX-License-Identifier: MIT */
#include "figure/prose-private.h"

#include <string.h>

/* Prose is set word by word: what is between dollar signs as mathematics, what is in \textbf{} bold, in \emph{} slanted, in \texttt{} verbatim, in \fill{class}{} on
 * a ground of that class. Pieces without a space between them stay on one line. */

#define MOST_PIECES 4000
#define SPACE 0.28
#define FILL_PAD 3.
#define LINE_GAP 0.2 /* of a line's letters: between lines that are higher than usual */

static void
piece_clear (gpointer data)
{
  HeddleProsePiece *piece = data;

  g_free (piece->source);
  g_free (piece->fill);
}

void
heddle_prose_flush (HeddleProseReader *self)
{
  if (self->word->len == 0 || self->pieces->len >= MOST_PIECES)
    {
      g_string_truncate (self->word, 0);
      return;
    }
  const HeddleProsePiece piece = { g_strdup (self->word->str), self->font, g_strdup (self->fill), self->ink,
    self->space, self->breaks, 0., 0., 0. };
  g_array_append_val (self->pieces, piece);
  g_string_truncate (self->word, 0);
  self->space = self->breaks = FALSE;
}

/* The text between braces at @at, which is left behind them; NULL: there is none. */
char *
heddle_prose_read_group (const char **at)
{
  guint depth = 0;
  const char *start = *at;

  if (*start != '{')
    return NULL;
  for (const char *p = start; *p != '\0'; p++)
    if (*p == '{')
      depth++;
    else if (*p == '}' && --depth == 0)
      {
        *at = p + 1;
        return g_strndup (start + 1, p - start - 1);
      }
  return NULL;
}

static void read_text (HeddleProseReader *self, const char *text, guint depth);

/* Whether it is one that changes how the words in it are set. */
static gboolean
read_command (HeddleProseReader *self, const char **at, guint depth)
{
  static const struct
  {
    const char *name;
    HeddleFont font;
  } fonts[] = { { "\\textbf", HEDDLE_FONT_SANS_BOLD }, { "\\emph", HEDDLE_FONT_MATH },
    { "\\texttt", HEDDLE_FONT_MONO } };
  const HeddleFont font = self->font;
  const char *p = *at;

  for (gsize i = 0; depth < 4 && i < G_N_ELEMENTS (fonts); i++)
    {
      const char *inner = p + strlen (fonts[i].name);
      g_autofree char *text = g_str_has_prefix (p, fonts[i].name) ? heddle_prose_read_group (&inner) : NULL;
      if (text == NULL)
        continue;
      heddle_prose_flush (self);
      self->font = fonts[i].font;
      read_text (self, text, depth + 1);
      heddle_prose_flush (self);
      self->font = font;
      *at = inner;
      return TRUE;
    }
  if (depth >= 4 || !g_str_has_prefix (p, "\\fill{"))
    return FALSE;
  p += strlen ("\\fill");
  g_autofree char *fill = heddle_prose_read_group (&p),
                  *text = fill != NULL ? heddle_prose_read_group (&p) : NULL;
  if (text == NULL)
    return FALSE;
  heddle_prose_flush (self);
  char *before = self->fill;
  self->fill = fill;
  read_text (self, text, depth + 1);
  heddle_prose_flush (self);
  self->fill = before;
  *at = p;
  return TRUE;
}

static void
read_mathematics (HeddleProseReader *self, const char **at)
{
  const char *end = strchr (*at + 1, '$');
  const HeddleFont font = self->font;

  if (end == NULL) /* a dollar */
    {
      g_string_append_c (self->word, '$');
      ++*at;
      return;
    }
  heddle_prose_flush (self);
  self->font = HEDDLE_FONT_MATH;
  g_string_append_len (self->word, *at + 1, end - *at - 1);
  heddle_prose_flush (self);
  self->font = font;
  *at = end + 1;
}

static void
read_text (HeddleProseReader *self, const char *text, guint depth)
{
  guint braces = 0;

  for (const char *p = text; *p != '\0';)
    {
      if (*p == '$')
        read_mathematics (self, &p);
      else if (*p == '\\' && read_command (self, &p, depth))
        continue;
      else if ((*p == ' ' || *p == '\t') && braces == 0 && self->font != HEDDLE_FONT_MONO)
        {
          heddle_prose_flush (self);
          self->space = TRUE;
          p++;
        }
      else if (*p == '\n')
        {
          heddle_prose_flush (self);
          /* an empty line stays one */
          if (self->breaks)
            g_string_append (self->word, "\342\200\213");
          heddle_prose_flush (self);
          self->breaks = TRUE;
          self->space = FALSE;
          p++;
        }
      else
        {
          braces += *p == '{' ? 1 : *p == '}' && braces > 0 ? -1 : 0;
          const char *next = g_utf8_next_char (p);
          g_string_append_len (self->word, p, next - p);
          p = next;
        }
    }
}

static GArray *
read_pieces (const HeddleProse *prose, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  HeddleProseReader reader = { .pieces = g_array_new (FALSE, FALSE, sizeof (HeddleProsePiece)),
    .word = g_string_new (NULL),
    .font = prose->listing ? HEDDLE_FONT_MONO : HEDDLE_FONT_SANS };

  g_array_set_clear_func (reader.pieces, piece_clear);
  if (prose->listing)
    heddle_prose_read_listing (&reader, valid);
  else
    read_text (&reader, valid, 0);
  heddle_prose_flush (&reader);
  g_string_free (reader.word, TRUE);
  return reader.pieces;
}

static gsize
command_length (const char *text)
{
  static const char *const commands[] = { "\\textbf{", "\\emph{", "\\texttt{" };

  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    if (g_str_has_prefix (text, commands[i]))
      return strlen (commands[i]) - 1;
  if (!g_str_has_prefix (text, "\\fill{") || strchr (text, '}') == NULL)
    return 0;
  const gsize length = strchr (text, '}') + 1 - text;
  return text[length] == '{' ? length : 0;
}

char *
heddle_prose_plain (const char *text)
{
  GString *plain = g_string_new (NULL);

  for (const char *p = text; *p != '\0';)
    {
      const gsize length = command_length (p);
      const char *rest = p + length;
      g_autofree char *group = length > 0 ? heddle_prose_read_group (&rest) : NULL;
      g_autofree char *within = group != NULL ? heddle_prose_plain (group) : NULL;
      if (within != NULL)
        g_string_append (plain, within);
      else
        g_string_append_c (plain, *p);
      p = within != NULL ? rest : p + 1;
    }
  return g_string_free (plain, FALSE);
}

/* --- lines ------------------------------------------------------------------------------------------- */

/* Mathematics looks as large as prose if it is a little larger. */
static double
size_of (const HeddleProse *prose, const HeddleProsePiece *piece)
{
  return piece->font == HEDDLE_FONT_MATH ? prose->size * 1.07 : prose->size;
}

static HeddleColor
color_of (const HeddlePainter *self, const HeddleProse *prose, const HeddleProsePiece *piece)
{
  const HeddleColor plain = piece->fill != NULL    ? heddle_theme_on_fill (self->theme, piece->fill)
                            : prose->color != NULL ? *prose->color
                                                   : self->ink;

  return piece->ink != HEDDLE_CODE_PLAIN ? heddle_theme_code (self->theme, piece->ink) : plain;
}

/* Words of a listing stand where they would in a terminal. */
static double
pad_of (const HeddleProsePiece *piece)
{
  return piece->font == HEDDLE_FONT_MONO ? 0. : FILL_PAD;
}

static void
set_piece (HeddlePainter *self, const HeddleProse *prose, const HeddleProsePiece *piece, double x, double y)
{
  const HeddleColor color = color_of (self, prose, piece);

  if (piece->fill != NULL)
    {
      const HeddleColor fill = heddle_theme_fill (self->theme, piece->fill);
      const HeddleStroke outline = { .color = self->ink, .width = 0.7 * heddle_theme_outline (self->theme) };
      HeddleItem *item
          = heddle_paint_path (self, prose->part, prose->object, outline.width > 0. ? &outline : NULL, &fill);
      const double top = MAX (prose->size, piece->ascent + 2.),
                   foot = MAX ((HEDDLE_PROSE_LEADING - 1.) * prose->size, piece->descent + 2.);
      heddle_item_rectangle (
          item, x - pad_of (piece), y - top, piece->width + 2. * pad_of (piece), top + foot, 0.);
    }
  if (piece->source[strspn (piece->source, " ")]
      == '\0') /* a space of a listing: there is nothing to see of it */
    return;
  heddle_math_layout_filled (self->scene, self->theme, prose->part, prose->object, piece->source, piece->font,
      size_of (prose, piece), color, x, y, NULL, NULL);
}

/* Before piece @i of its line. What is on one ground has none of the ground's edges within. */
static double
gap_before (const GArray *pieces, guint i, const HeddleProse *prose)
{
  const HeddleProsePiece *piece = &g_array_index (pieces, HeddleProsePiece, i), *before = piece - 1;
  const gboolean same = g_strcmp0 (piece->fill, before->fill) == 0;

  const double edges
      = same ? 0.
             : (piece->fill != NULL ? pad_of (piece) : 0.) + (before->fill != NULL ? pad_of (before) : 0.);

  return (piece->space ? SPACE * prose->size : 0.) + edges;
}

/* Where the line that begins with piece @from ends, and how wide it is. A word goes to the next line with all that hangs on it. */
static guint
find_line (const GArray *pieces, guint from, const HeddleProse *prose, double *width)
{
  double x = 0., at_break = 0.;
  guint last_break = from;

  for (guint i = from; i < pieces->len; i++)
    {
      const HeddleProsePiece *piece = &g_array_index (pieces, HeddleProsePiece, i);
      if (i > from && piece->breaks)
        {
          *width = x;
          return i;
        }
      if (i > from && piece->space)
        {
          last_break = i;
          at_break = x;
        }
      x += (i > from ? gap_before (pieces, i, prose) : 0.) + piece->width;
      if (prose->width > 0. && x > prose->width && last_break > from)
        {
          *width = at_break;
          return last_break;
        }
    }
  *width = x;
  return pieces->len;
}

/* Widths, and how far each reaches up and down. */
static void
measure_pieces (const HeddlePainter *self, const HeddleProse *prose, GArray *pieces)
{
  for (guint i = 0; i < pieces->len; i++)
    {
      HeddleProsePiece *piece = &g_array_index (pieces, HeddleProsePiece, i);
      piece->width = heddle_math_layout (NULL, prose->part, prose->object, piece->source, piece->font,
          size_of (prose, piece), self->ink, 0., 0., &piece->ascent, &piece->descent);
    }
}

/* From the baseline before (or the top of all) to that of a line: more than usual where fractions and the like are in the way. */
static double
find_step (const GArray *pieces, const HeddleProse *prose, guint before, guint from, guint end)
{
  const double usual = from > 0 ? prose->size * HEDDLE_PROSE_LEADING : prose->size;
  double ascent = 0., descent = 0.;

  for (guint i = before; i < end; i++)
    {
      const HeddleProsePiece *piece = &g_array_index (pieces, HeddleProsePiece, i);
      if (i < from)
        descent = MAX (descent, piece->descent);
      else
        ascent = MAX (ascent, piece->ascent);
    }
  return MAX (usual, ascent + descent + (from > 0 ? LINE_GAP * prose->size : 0.));
}

static double
deepest (const GArray *pieces, guint from)
{
  double descent = 0.;

  for (guint i = from; i < pieces->len; i++)
    descent = MAX (descent, g_array_index (pieces, HeddleProsePiece, i).descent);
  return descent;
}

static void
set_line (HeddlePainter *self, const HeddleProse *prose, const GArray *pieces, guint from, guint end,
    double x, double y)
{
  for (guint i = from; i < end; i++)
    {
      const HeddleProsePiece *piece = &g_array_index (pieces, HeddleProsePiece, i);
      x += i > from ? gap_before (pieces, i, prose) : 0.;
      set_piece (self, prose, piece, x, y);
      x += piece->width;
    }
}

void
heddle_prose_set (HeddlePainter *self, const HeddleProse *prose, const char *text, double x, double y,
    double *width, double *height)
{
  g_autoptr (GArray) pieces = read_pieces (prose, text);
  double widest = prose->align > 0. ? prose->width : 0., line_width, baseline = y;
  guint before = 0;

  measure_pieces (self, prose, pieces);
  for (guint from = 0, end; from < pieces->len; before = from, from = end)
    {
      end = find_line (pieces, from, prose, &line_width);
      baseline += find_step (pieces, prose, before, from, end);
      if (self->scene != NULL)
        set_line (self, prose, pieces, from, end, x + prose->align * (prose->width - line_width), baseline);
      widest = MAX (widest, line_width);
    }
  if (width != NULL)
    *width = widest;
  if (height != NULL)
    *height
        = pieces->len == 0
              ? prose->size * HEDDLE_PROSE_LEADING
              : baseline - y + MAX ((HEDDLE_PROSE_LEADING - 1.) * prose->size, deepest (pieces, before) + 2.);
}
