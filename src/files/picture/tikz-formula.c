/* SPDX-License-Identifier: MIT */

/* This file writes a label as TeX sets it: one formula, whose parts TeX places by the metrics of the paper's
 * own font. It is read as heddle_math_layout () reads it. Labels come with a stranger's file: what is written
 * is made of fixed lists, and braces always match. */

#include "diagram/base/quote-tex.h"
#include "figure/typeset/math-symbols.h"
#include "figure/typeset/typeset.h"
#include "files/picture/tikz-formula.h"

#include <string.h>

#define MOST_ROWS 16
#define GAP "\\:"

typedef struct
{
  const char *at; /* what is still to be read */
  GString *tex;
  guint depth;
  gboolean script; /* signs have no space around them there */
  gboolean base; /* there is something that a script can stand at */
  gboolean failed;
} Reader;

static void read_atom (Reader *self, HeddleFont font);

static gboolean
comes (const Reader *self, const char *text)
{
  return g_str_has_prefix (self->at, text);
}

static void
skip_spaces (Reader *self)
{
  while (*self->at == ' ')
    self->at++;
}

/* --- characters ------------------------------------------------------------------------------------ */

/* Returns the alphabet for letters and digits of a font. One slanted letter is a variable, and several are a
 * name, spaced as a word; digits are upright in mathematics anyhow. */
static const char *
alphabet_of (HeddleFont font, const char *word, gsize n)
{
  static const char *const alphabets[] = { [HEDDLE_FONT_MATH] = "\\mathit",
    [HEDDLE_FONT_ROMAN] = "\\mathrm",
    [HEDDLE_FONT_BOLD] = "\\mathbf",
    [HEDDLE_FONT_SANS] = "\\mathsf",
    [HEDDLE_FONT_SANS_BOLD] = "\\heddlesansbold",
    [HEDDLE_FONT_MONO] = "\\mathtt" };

  if (font == HEDDLE_FONT_MATH && (n == 1 || g_ascii_isdigit (*word)))
    return NULL;
  if (font == HEDDLE_FONT_ROMAN && g_ascii_isdigit (*word))
    return NULL;
  return alphabets[font];
}

/* Reads a word: letters together, or digits together. */
static void
read_word (Reader *self, HeddleFont font)
{
  const char *word = self->at;
  const gboolean digits = g_ascii_isdigit (*word);

  while (digits ? g_ascii_isdigit (*self->at) : g_ascii_isalpha (*self->at))
    self->at++;
  const gsize n = (gsize) (self->at - word);
  const char *alphabet = alphabet_of (font, word, n);
  const HeddleMathSymbol *greek = font == HEDDLE_FONT_MATH ? heddle_math_greek (word, n) : NULL;
  if (greek != NULL)
    self->failed |= !heddle_quote_tex_sign (self->tex, greek->text);
  else if (alphabet != NULL)
    g_string_append_printf (self->tex, "%s{%.*s}", alphabet, (int) n, word);
  else
    g_string_append_len (self->tex, word, (gssize) n);
  self->base = TRUE;
}

/* Appends a sign around which TeX puts space; if the source has none, TeX is to have none. */
static void
append_sign (Reader *self, const char *sign, const char *after, gboolean spaced)
{
  const gsize n = self->tex->len;
  const gboolean first = n == 0 || strchr ("{($[,", self->tex->str[n - 1]) != NULL;

  if (self->script || spaced || first || *after == ' ')
    g_string_append (self->tex, sign);
  else
    g_string_append_printf (self->tex, "{%s}", sign);
  self->base = TRUE;
}

static gboolean
is_sign (const char *at)
{
  return *at != '\0' && strchr ("+-=<>:*", *at) != NULL;
}

static void
read_sign (Reader *self, gboolean spaced)
{
  static const struct
  {
    char c;
    const char *tex;
  } others[] = { { '*', "\\ast " } };
  const char text[] = { *self->at, '\0' }, *sign = text;

  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    if (others[i].c == *self->at)
      sign = others[i].tex;
  self->at++;
  append_sign (self, sign, self->at, spaced);
  skip_spaces (self);
}

/* Reads a space that is not one of those that TeX puts around a sign by itself. */
static void
read_space (Reader *self)
{
  skip_spaces (self);
  if (is_sign (self->at))
    {
      read_sign (self, TRUE);
      return;
    }
  if (*self->at != '\0' && *self->at != '}')
    g_string_append (self->tex, GAP);
  self->base = FALSE;
}

static void
read_other (Reader *self)
{
  static const char plain[] = "!()/;?@[]|.";
  const char *next = g_utf8_next_char (self->at);
  g_autofree char *text = g_strndup (self->at, (gsize) (next - self->at));

  if (*self->at == '\'')
    g_string_append (self->tex, "{}^{\\prime}");
  else if (*self->at == ',')
    g_string_append (self->tex, g_ascii_isdigit (*next) ? "{,}" : ",");
  else if (strchr (plain, *self->at) != NULL)
    g_string_append_c (self->tex, *self->at);
  else if (!heddle_quote_tex_sign (self->tex, text))
    {
      g_string_append (self->tex, "\\text{");
      self->failed |= !heddle_quote_tex (self->tex, text, FALSE);
      g_string_append_c (self->tex, '}');
    }
  self->base = *self->at != '\'';
  self->at = next;
}

/* --- groups and scripts ------------------------------------------------------------------------------ */

/* Reads a group: what is in braces, up to the closing one or the end; writes it in braces. */
static void
read_group (Reader *self, HeddleFont font)
{
  g_string_append_c (self->tex, '{');
  self->base = FALSE;
  while (*self->at != '\0' && *self->at != '}' && !self->failed)
    read_atom (self, font);
  if (*self->at == '}')
    self->at++;
  g_string_append_c (self->tex, '}');
  self->base = TRUE;
}

static void
deepen (Reader *self)
{
  self->depth++;
  self->failed |= self->depth > HEDDLE_TYPE_DEEPEST;
}

/* Reads the argument of a command, a group or the next atom; writes it in braces. */
static void
read_argument (Reader *self, HeddleFont font)
{
  skip_spaces (self);
  deepen (self);
  if (*self->at == '{' && !self->failed)
    {
      self->at++;
      read_group (self, font);
    }
  else
    {
      g_string_append_c (self->tex, '{');
      self->base = FALSE;
      if (*self->at != '\0' && *self->at != '}' && !self->failed)
        read_atom (self, font);
      g_string_append_c (self->tex, '}');
    }
  self->depth--;
  self->base = TRUE;
}

/* Reads a script: letters and digits as long as there are any, as in names ("d_ff"); else an argument. */
static void
read_script (Reader *self, HeddleFont font)
{
  const gboolean script = self->script;

  self->script = TRUE;
  if (g_ascii_isalnum (*self->at))
    {
      g_string_append_c (self->tex, '{');
      while (g_ascii_isalnum (*self->at))
        read_word (self, font);
      g_string_append_c (self->tex, '}');
    }
  else
    read_argument (self, font);
  self->script = script;
}

static void
read_scripts (Reader *self, HeddleFont font)
{
  gboolean has[2] = { FALSE, FALSE };

  g_string_append (self->tex, self->base ? "" : "{}");
  while (*self->at == '_' || *self->at == '^')
    {
      const gboolean above = *self->at == '^';
      if (has[above])
        break;
      has[above] = TRUE;
      g_string_append_c (self->tex, *self->at++);
      read_script (self, font);
    }
  self->base = FALSE;
}

/* --- commands ---------------------------------------------------------------------------------------- */

static gboolean
is (const char *name, gsize length, const char *wanted)
{
  return strlen (wanted) == length && memcmp (name, wanted, length) == 0;
}

/* Reads an accent. One letter gets an accent of its own width, several get a wide one. */
static gboolean
read_accent (Reader *self, HeddleFont font, const char *name, gsize length)
{
  static const struct
  {
    const char *name, *one, *many;
  } rows[] = { { "bar", "\\bar", "\\overline" }, { "overline", "\\overline", "\\overline" },
    { "hat", "\\hat", "\\widehat" }, { "tilde", "\\tilde", "\\widetilde" }, { "vec", "\\vec", "\\vec" },
    { "dot", "\\dot", "\\dot" }, { "underline", "\\underline", "\\underline" } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      if (!is (name, length, rows[i].name))
        continue;
      g_autoptr (GString) argument = g_string_new (NULL);
      GString *tex = self->tex;
      self->tex = argument;
      read_argument (self, font);
      self->tex = tex;
      g_string_append (tex, argument->len <= 3 || argument->str[1] == '\\' ? rows[i].one : rows[i].many);
      g_string_append (tex, argument->str);
      return TRUE;
    }
  return FALSE;
}

static void
read_delimiter (Reader *self, const char *command)
{
  const gboolean escaped = self->at[0] == '\\' && (self->at[1] == '{' || self->at[1] == '}');
  const char c = self->at[escaped ? 1 : 0];
  const gboolean brace = c == '{' || c == '}', known = c != '\0' && strchr ("()[]|{}", c) != NULL;

  g_string_append_printf (self->tex, "%s%s%c", command, known && brace ? "\\" : "", known ? c : '.');
  if (escaped)
    self->at++;
  if (c != '\0' && (guchar) c < 0x80)
    self->at++;
}

static void
read_delimited (Reader *self, HeddleFont font)
{
  deepen (self);
  skip_spaces (self);
  read_delimiter (self, "\\left");
  self->base = FALSE;
  while (*self->at != '\0' && *self->at != '}' && !comes (self, "\\right") && !self->failed)
    read_atom (self, font);
  if (comes (self, "\\right"))
    {
      self->at += strlen ("\\right");
      skip_spaces (self);
      read_delimiter (self, "\\right");
    }
  else
    g_string_append (self->tex, "\\right.");
  self->depth--;
  self->base = TRUE;
}

static void
read_cell (Reader *self, HeddleFont font)
{
  skip_spaces (self);
  self->base = FALSE;
  while (*self->at != '\0' && *self->at != '&' && *self->at != '}' && !comes (self, "\\\\")
         && !comes (self, "\\end") && !self->failed)
    read_atom (self, font);
}

static void
read_cases (Reader *self, HeddleFont font)
{
  guint rows = 0;

  self->at += strlen ("{cases}");
  deepen (self);
  g_string_append (self->tex, "\\begin{cases}");
  while (*self->at != '\0' && !comes (self, "\\end") && rows++ < MOST_ROWS && !self->failed)
    {
      read_cell (self, font);
      if (*self->at == '&')
        {
          self->at++;
          g_string_append (self->tex, "&");
          read_cell (self, font);
        }
      if (!comes (self, "\\\\"))
        break;
      self->at += 2;
      g_string_append (self->tex, "\\\\ ");
    }
  self->failed |= !comes (self, "\\end{cases}");
  self->at += self->failed ? 0 : strlen ("\\end{cases}");
  g_string_append (self->tex, "\\end{cases}");
  self->depth--;
  self->base = TRUE;
}

/* Reads an argument in an alphabet. Letters that the paper's alphabets lack stay as they are. */
static void
read_alphabet (Reader *self, const char *command)
{
  skip_spaces (self);
  const gboolean group = *self->at == '{';
  self->at += group ? 1 : 0;
  do
    {
      if (*self->at == '\0' || *self->at == '}')
        break;
      if (g_ascii_isupper (*self->at))
        g_string_append_printf (self->tex, "%s{%c}", command, *self->at);
      else if (g_ascii_isalnum (*self->at))
        g_string_append_printf (self->tex, "\\mathbf{%c}", *self->at);
      else
        self->failed = TRUE;
      self->at = g_utf8_next_char (self->at);
    }
  while (group && !self->failed);
  if (group && *self->at == '}')
    self->at++;
  self->base = TRUE;
}

static void
read_two (Reader *self, HeddleFont font, const char *command)
{
  g_string_append (self->tex, command);
  read_argument (self, font);
  read_argument (self, font);
}

/* Reads a filled box: the text between the next braces is left out, and what is between those after them is
 * written without a ground. */
static void
read_filled (Reader *self, HeddleFont font)
{
  const char *end = *self->at == '{' ? strchr (self->at, '}') : NULL;

  if (end == NULL)
    return;
  self->at = end + 1;
  read_argument (self, font);
}

/* Appends an argument. One that is a single word has the braces of its alphabet and needs no more. */
static void
append_argument (Reader *self, HeddleFont font)
{
  g_autoptr (GString) argument = g_string_new (NULL);
  GString *tex = self->tex;

  self->tex = argument;
  read_argument (self, font);
  self->tex = tex;
  const char *close = strchr (argument->str, '}');
  const gboolean word
      = g_str_has_prefix (argument->str, "{\\math") && close == argument->str + argument->len - 2;
  g_string_append_len (tex, argument->str + (word ? 1 : 0), (gssize) argument->len - (word ? 2 : 0));
}

static gboolean
read_font (Reader *self, const char *name, gsize length)
{
  static const struct
  {
    const char *name;
    HeddleFont font;
  } rows[] = { { "mathbf", HEDDLE_FONT_BOLD }, { "mathrm", HEDDLE_FONT_ROMAN },
    { "mathit", HEDDLE_FONT_MATH }, { "mathsf", HEDDLE_FONT_SANS }, { "text", HEDDLE_FONT_ROMAN } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (is (name, length, rows[i].name))
      {
        append_argument (self, rows[i].font);
        return TRUE;
      }
  return FALSE;
}

static gboolean
read_construct (Reader *self, HeddleFont font, const char *name, gsize length)
{
  static const struct
  {
    const char *name, *tex;
  } twos[] = { { "frac", "\\frac" }, { "tfrac", "\\frac" }, { "dfrac", "\\frac" }, { "overset", "\\overset" },
    { "stackrel", "\\overset" }, { "underset", "\\underset" } };

  for (gsize i = 0; i < G_N_ELEMENTS (twos); i++)
    if (is (name, length, twos[i].name))
      {
        read_two (self, font, twos[i].tex);
        return TRUE;
      }
  if (is (name, length, "sqrt"))
    {
      g_string_append (self->tex, "\\sqrt");
      read_argument (self, font);
    }
  else if (is (name, length, "mathbb"))
    read_alphabet (self, "\\mathbb");
  else if (is (name, length, "mathcal"))
    read_alphabet (self, "\\mathcal");
  else if (is (name, length, "left"))
    read_delimited (self, font);
  else if (is (name, length, "begin") && comes (self, "{cases}"))
    read_cases (self, font);
  else if (is (name, length, "fill"))
    read_filled (self, font);
  else
    return read_accent (self, font, name, length) || read_font (self, name, length);
  return TRUE;
}

/* Appends a symbol of the labels' own list by its name in TeX. */
static void
append_symbol (Reader *self, const HeddleMathSymbol *symbol, gboolean spaced)
{
  g_autoptr (GString) tex = g_string_new (NULL);

  if (g_ascii_isalpha (*symbol->name) && heddle_quote_tex_sign (tex, symbol->text))
    {
      if (heddle_math_symbol_is_relation (symbol))
        {
          g_string_truncate (self->tex, self->tex->len - (spaced ? strlen (GAP) : 0));
          append_sign (self, tex->str, self->at, spaced);
          return;
        }
    }
  else if (is (symbol->name, strlen (symbol->name), "omicron"))
    g_string_append_c (tex, 'o');
  else if (is (symbol->name, strlen (symbol->name), ","))
    g_string_append (tex, "\\,");
  else if (is (symbol->name, strlen (symbol->name), ";"))
    g_string_append (tex, "\\;");
  else
    {
      g_string_append (tex, "\\text{");
      self->failed |= !heddle_quote_tex (tex, symbol->text, FALSE);
      g_string_append_c (tex, '}');
    }
  g_string_append (self->tex, tex->str);
  self->base = TRUE;
}

static void
read_command (Reader *self, HeddleFont font)
{
  const gboolean spaced = self->tex->len > 1 && g_str_has_suffix (self->tex->str, GAP);
  const char *name = ++self->at;

  while (g_ascii_isalpha (*self->at))
    self->at++;
  if (self->at == name && *self->at != '\0')
    self->at = g_utf8_next_char (self->at);
  const gsize length = (gsize) (self->at - name);
  if (length == 0 || read_construct (self, font, name, length))
    return;
  const HeddleMathSymbol *symbol = heddle_math_symbol (name, length);
  if (symbol != NULL)
    append_symbol (self, symbol, spaced);
  else if (g_ascii_isalpha (*name))
    g_string_append_printf (self->tex, "\\mathrm{%.*s}", (int) length, name); /* its own name */
  else
    self->failed = TRUE;
  self->base = TRUE;
  if (g_ascii_isalpha (*name))
    skip_spaces (self);
}

static void
read_atom (Reader *self, HeddleFont font)
{
  if (*self->at == '\\')
    read_command (self, font);
  else if (*self->at == '_' || *self->at == '^')
    read_scripts (self, font);
  else if (*self->at == '{')
    {
      self->at++;
      deepen (self);
      if (!self->failed)
        read_group (self, font);
      self->depth--;
    }
  else if (*self->at == '}')
    self->at++;
  else if (*self->at == ' ')
    read_space (self);
  else if (g_ascii_isalnum (*self->at))
    read_word (self, font);
  else if (is_sign (self->at))
    read_sign (self, FALSE);
  else
    read_other (self);
}

/* Returns whether the source is plain text and has nothing of a formula. */
static gboolean
is_text (const char *source, HeddleFont font)
{
  return font == HEDDLE_FONT_MONO || (font != HEDDLE_FONT_MATH && strpbrk (source, "\\_^{}'*") == NULL);
}

gboolean
heddle_tikz_append_formula (GString *tex, const char *source, HeddleFont font)
{
  g_autoptr (GString) formula = g_string_new (NULL);
  Reader self = { .at = source, .tex = formula };

  if (!g_utf8_validate (source, -1, NULL))
    return FALSE;
  if (is_text (source, font))
    return heddle_quote_tex (tex, source, font == HEDDLE_FONT_MATH);
  while (*self.at != '\0' && !self.failed)
    read_atom (&self, font);
  if (self.failed)
    return FALSE;
  g_string_append_printf (tex, "$%s$", formula->str);
  return TRUE;
}
