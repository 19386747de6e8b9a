/* SPDX-License-Identifier: MIT */
#include "figure/scene/theme.h"
#include "figure/typeset/listing.h"
#include "figure/typeset/prose-private.h"
#include "figure/typeset/prose-read.h"

#include <string.h>

/* The words of a program by their kinds, well enough for Python and its likes: each line is read for itself. \\fill{class}{} marks what stands in it. */

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

/* What goes on over marks: a string by its quote, a comment by its '#'; 0: neither. */
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

/* How long the word is with which @text begins, and what it is. */
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

static void
add_word (HeddleProseReader *self, const char *text, gsize length, HeddleCodeWord kind)
{
  if (self->word->len > 0 && self->ink != kind)
    heddle_prose_flush (self);
  self->ink = kind;
  g_string_append_len (self->word, text, length);
}

static void
end_line (HeddleProseReader *self, State *state)
{
  heddle_prose_flush (self);
  if (self->breaks) /* an empty line stays one */
    g_string_append (self->word, "\342\200\213");
  heddle_prose_flush (self);
  self->breaks = TRUE;
  *state = '\0';
}

static void read_code (HeddleProseReader *self, const char *text, State *state, guint depth);

static gboolean
read_mark (HeddleProseReader *self, const char **at, State *state, guint depth)
{
  const char *p = *at + strlen ("\\fill");
  g_autofree char *fill
      = depth < DEEPEST && g_str_has_prefix (*at, "\\fill{") ? heddle_prose_read_group (&p) : NULL;
  g_autofree char *text = fill != NULL ? heddle_prose_read_group (&p) : NULL;

  if (text == NULL)
    return FALSE;
  heddle_prose_flush (self);
  char *before = self->fill;
  self->fill = fill;
  read_code (self, text, state, depth + 1);
  heddle_prose_flush (self);
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

void
heddle_prose_read_listing (HeddleProseReader *self, const char *text)
{
  State state = '\0';

  read_code (self, text, &state, 0);
}
