/* SPDX-License-Identifier: MIT */
#include "figure/scene/theme.h"
#include "figure/typeset/listing.h"
#include "figure/scene/scene.h"

#include <string.h>

/* A listing has the words of a program by their kinds, well enough for Python and its likes: each line is
 * read for itself. \\fill{class}{} marks what stands in it. */

#define DEEPEST 4

static gboolean
is_keyword (const char *word, gsize length)
{
  static const char *const keywords[] = { "and", "as", "assert", "async", "await", "break", "class", "const",
    "continue", "def", "del", "elif", "else", "except", "False", "finally", "float", "for", "from", "if",
    "import", "in", "int", "is", "lambda", "None", "not", "or", "pass", "raise", "return", "static", "struct",
    "True", "try", "void", "while", "with", "yield" };

  for (gsize i = 0; i < G_N_ELEMENTS (keywords); i++)
    if (strlen (keywords[i]) == length && strncmp (keywords[i], word, length) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
is_letter (char c)
{
  return g_ascii_isalnum (c) || c == '_' || (c & 0x80) != 0;
}

/* A state goes on over marks: a string by its quote, a comment by its '#'; 0 is neither. */
typedef char State;

static gsize
read_rest (const char *text, State *state, HeddleCodeWord *kind)
{
  const char ends[] = { '\\', '\n', *state == '#' ? '\0' : *state, '\0' };
  const gsize n = strcspn (text, ends);

  *kind = *state == '#' ? HEDDLE_CODE_COMMENT : HEDDLE_CODE_STRING;
  if (n == 0 && *text == *state)
    *state = '\0';
  return MAX (n, 1);
}

/* Returns how long the word is with which @text begins, and what it is. */
static gsize
read_word (const char *text, State *state, HeddleCodeWord *kind)
{
  gsize n = 1;

  *kind = strchr ("=+-*/<>@%|&!", *text) != NULL ? HEDDLE_CODE_KEYWORD : HEDDLE_CODE_PLAIN;
  if (strchr ("#'\"", *text) != NULL)
    {
      *state = *text;
      *kind = *text == '#' ? HEDDLE_CODE_COMMENT : HEDDLE_CODE_STRING;
    }
  if (!is_letter (*text))
    return 1;
  while (is_letter (text[n]) || (g_ascii_isdigit (*text) && text[n] == '.'))
    n++;
  *kind = g_ascii_isdigit (*text) ? HEDDLE_CODE_NUMBER
          : is_keyword (text, n)  ? HEDDLE_CODE_KEYWORD
          : text[n] == '('        ? HEDDLE_CODE_FUNCTION
                                  : HEDDLE_CODE_PLAIN;
  return n;
}

static void prose_flush (HeddleProseReader *self);

static void
add_word (HeddleProseReader *self, const char *text, gsize length, HeddleCodeWord kind)
{
  if (self->word->len > 0 && self->ink != kind)
    prose_flush (self);
  self->ink = kind;
  g_string_append_len (self->word, text, length);
}

static void
end_line (HeddleProseReader *self, State *state)
{
  prose_flush (self);
  if (self->breaks) /* an empty line stays one */
    g_string_append (self->word, "\342\200\213");
  prose_flush (self);
  self->breaks = TRUE;
  *state = '\0';
}

/* Returns the text between braces at @at, newly allocated, and leaves @at behind them; NULL means that there is none. */
static char *
prose_read_group (const char **at)
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

static void read_code (HeddleProseReader *self, const char *text, State *state, guint depth);

static gboolean
read_mark (HeddleProseReader *self, const char **at, State *state, guint depth)
{
  const char *p = *at + strlen ("\\fill");
  g_autofree char *fill = depth < DEEPEST && g_str_has_prefix (*at, "\\fill{") ? prose_read_group (&p) : NULL;
  g_autofree char *text = fill != NULL ? prose_read_group (&p) : NULL;

  if (text == NULL)
    return FALSE;
  prose_flush (self);
  char *before = self->fill;
  self->fill = fill;
  read_code (self, text, state, depth + 1);
  prose_flush (self);
  self->fill = before;
  *at = p;
  return TRUE;
}

static void
read_code (HeddleProseReader *self, const char *text, State *state, guint depth)
{
  for (const char *p = text; *p != '\0';)
    {
      HeddleCodeWord kind;
      if (*p == '\n')
        {
          end_line (self, state);
          p++;
          continue;
        }
      if (*p == '\\' && read_mark (self, &p, state, depth))
        continue;
      const gsize n = *state != '\0' ? read_rest (p, state, &kind) : read_word (p, state, &kind);
      add_word (self, p, n, kind);
      p += n;
    }
}

/* Reads the lines of a program into pieces, each with the colour of its word. */
static void
prose_read_listing (HeddleProseReader *self, const char *text)
{
  State state = '\0';

  read_code (self, text, &state, 0);
}

/* Prose is set word by word: what is between dollar signs as mathematics, what is in \textbf{} bold, in \emph{} slanted, in \texttt{} verbatim, in \fill{class}{} on
 * a ground of that class. Pieces without a space between them stay on one line. */

#define MOST_PIECES 4000

static void
piece_clear (gpointer data)
{
  HeddleProsePiece *piece = data;

  g_free (piece->source);
  g_free (piece->fill);
}

/* Ends the word at hand. */
static void
prose_flush (HeddleProseReader *self)
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

static void read_text (HeddleProseReader *self, const char *text, guint depth);

/* Returns whether it is one that changes how the words in it are set. */
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
      g_autofree char *text = g_str_has_prefix (p, fonts[i].name) ? prose_read_group (&inner) : NULL;
      if (text == NULL)
        continue;
      prose_flush (self);
      self->font = fonts[i].font;
      read_text (self, text, depth + 1);
      prose_flush (self);
      self->font = font;
      *at = inner;
      return TRUE;
    }
  if (depth >= 4 || !g_str_has_prefix (p, "\\fill{"))
    return FALSE;
  p += strlen ("\\fill");
  g_autofree char *fill = prose_read_group (&p), *text = fill != NULL ? prose_read_group (&p) : NULL;
  if (text == NULL)
    return FALSE;
  prose_flush (self);
  char *before = self->fill;
  self->fill = fill;
  read_text (self, text, depth + 1);
  prose_flush (self);
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
  prose_flush (self);
  self->font = HEDDLE_FONT_MATH;
  g_string_append_len (self->word, *at + 1, end - *at - 1);
  prose_flush (self);
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
          prose_flush (self);
          self->space = TRUE;
          p++;
        }
      else if (*p == '\n')
        {
          prose_flush (self);
          /* an empty line stays one */
          if (self->breaks)
            g_string_append (self->word, "\342\200\213");
          prose_flush (self);
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

GArray *
heddle_prose_read (const HeddleProse *prose, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  HeddleProseReader reader = { .pieces = g_array_new (FALSE, FALSE, sizeof (HeddleProsePiece)),
    .word = g_string_new (NULL),
    .font = prose->listing ? HEDDLE_FONT_MONO : HEDDLE_FONT_SANS };

  g_array_set_clear_func (reader.pieces, piece_clear);
  if (prose->listing)
    prose_read_listing (&reader, valid);
  else
    read_text (&reader, valid, 0);
  prose_flush (&reader);
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
      g_autofree char *group = length > 0 ? prose_read_group (&rest) : NULL;
      g_autofree char *within = group != NULL ? heddle_prose_plain (group) : NULL;
      if (within != NULL)
        g_string_append (plain, within);
      else
        g_string_append_c (plain, *p);
      p = within != NULL ? rest : p + 1;
    }
  return g_string_free (plain, FALSE);
}
