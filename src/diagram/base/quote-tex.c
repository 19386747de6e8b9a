/* SPDX-License-Identifier: MIT */

/* Labels come with a stranger's file, and TeX is a programming language that can read and write files:
 * nothing of a label reaches TeX except through the lists below. */

#include <string.h>

#include "diagram/base/quote-tex.h"

typedef struct
{
  gunichar c;
  const char *tex;
} Sign;

/* The ASCII characters that TeX reads as themselves in text, in every font encoding. A hyphen is kept from
 * becoming a dash. */
static const char plain_signs[] = "!()*+,./:;=?@[]";

/* The signs that are set in text. */
static const Sign text_signs[] = {
  { ' ', "\\ " },
  { '"', "''" },
  { '#', "\\#" },
  { '$', "\\$" },
  { '%', "\\%" },
  { '&', "\\&" },
  { '\'', "'{}" },
  { '-', "-{}" },
  { '\\', "\\textbackslash{}" },
  { '^', "\\textasciicircum{}" },
  { '_', "\\_" },
  { '`', "\\`{}" },
  { '{', "\\{" },
  { '}', "\\}" },
  { '~', "\\textasciitilde{}" },
  { 0x00A0, "~" },
  { 0x00DF, "\\ss{}" },
  { 0x00E6, "\\ae{}" },
  { 0x00F8, "\\o{}" },
  { 0x2003, "\\quad{}" },
  { 0x2005, "\\ " },
  { 0x2009, "\\," },
  { 0x2013, "--" },
  { 0x2014, "---" },
  { 0x2018, "`{}" },
  { 0x2019, "'{}" },
  { 0x201C, "``" },
  { 0x201D, "''" },
  { 0x2026, "\\ldots{}" },
};

/* The signs that are set in mathematics, with no packages. */
static const Sign math_signs[] = {
  { '<', "<" },
  { '>', ">" },
  { '|', "|" },
  { 0x00AC, "\\neg" },
  { 0x00B0, "{}^{\\circ}" },
  { 0x00B1, "\\pm" },
  { 0x00B2, "{}^{2}" },
  { 0x00B3, "{}^{3}" },
  { 0x00B5, "\\mu" },
  { 0x00B7, "\\cdot" },
  { 0x00D7, "\\times" },
  { 0x00F7, "\\div" },
  { 0x0393, "\\Gamma" },
  { 0x0394, "\\Delta" },
  { 0x0398, "\\Theta" },
  { 0x039B, "\\Lambda" },
  { 0x039E, "\\Xi" },
  { 0x03A0, "\\Pi" },
  { 0x03A3, "\\Sigma" },
  { 0x03A5, "\\Upsilon" },
  { 0x03A6, "\\Phi" },
  { 0x03A8, "\\Psi" },
  { 0x03A9, "\\Omega" },
  { 0x2032, "{}^{\\prime}" },
  { 0x2113, "\\ell" },
  { 0x2022, "\\bullet" },
  { 0x2190, "\\leftarrow" },
  { 0x2192, "\\rightarrow" },
  { 0x2194, "\\leftrightarrow" },
  { 0x21A6, "\\mapsto" },
  { 0x21D2, "\\Rightarrow" },
  { 0x2200, "\\forall" },
  { 0x2202, "\\partial" },
  { 0x2203, "\\exists" },
  { 0x2207, "\\nabla" },
  { 0x2208, "\\in" },
  { 0x220F, "\\prod" },
  { 0x2211, "\\sum" },
  { 0x2212, "-" },
  { 0x2217, "\\ast" },
  { 0x2218, "\\circ" },
  { 0x2216, "\\setminus" },
  { 0x221A, "\\surd" },
  { 0x221D, "\\propto" },
  { 0x221E, "\\infty" },
  { 0x2227, "\\wedge" },
  { 0x2228, "\\vee" },
  { 0x2229, "\\cap" },
  { 0x222A, "\\cup" },
  { 0x223C, "\\sim" },
  { 0x2248, "\\approx" },
  { 0x2260, "\\neq" },
  { 0x2261, "\\equiv" },
  { 0x2264, "\\leq" },
  { 0x2265, "\\geq" },
  { 0x2282, "\\subset" },
  { 0x2295, "\\oplus" },
  { 0x2297, "\\otimes" },
  { 0x22A4, "\\top" },
  { 0x22C5, "\\cdot" },
  { 0x22C6, "\\star" },
  { 0x22EF, "\\cdots" },
  { 0x2308, "\\lceil" },
  { 0x2309, "\\rceil" },
  { 0x230A, "\\lfloor" },
  { 0x230B, "\\rfloor" },
  { 0x2605, "\\star" },
  { 0x27E8, "\\langle" },
  { 0x27E9, "\\rangle" },
  { 0x27FC, "\\longmapsto" },
};

/* The slanted small letters of Unicode's mathematical alphabet, in its order from U+1D6FC, and from U+03B1
 * upright ones. */
static const char *const greek[] = { "\\alpha", "\\beta", "\\gamma", "\\delta", "\\varepsilon", "\\zeta",
  "\\eta", "\\theta", "\\iota", "\\kappa", "\\lambda", "\\mu", "\\nu", "\\xi", "o", "\\pi", "\\rho",
  "\\varsigma", "\\sigma", "\\tau", "\\upsilon", "\\varphi", "\\chi", "\\psi", "\\omega", "\\partial",
  "\\epsilon", "\\vartheta", "\\kappa", "\\phi", "\\varrho", "\\varpi" };

#define SLANTED_ALPHA 0x1D6FC
#define UPRIGHT_ALPHA 0x03B1
#define UPRIGHT_OMEGA 0x03C9

/* The marks that Unicode puts after a letter and TeX before. */
static const Sign accents[] = {
  { 0x0300, "\\`" },
  { 0x0301, "\\'" },
  { 0x0302, "\\^" },
  { 0x0303, "\\~" },
  { 0x0304, "\\=" },
  { 0x0306, "\\u" },
  { 0x0307, "\\." },
  { 0x0308, "\\\"" },
  { 0x030A, "\\r" },
  { 0x030C, "\\v" },
  { 0x0327, "\\c" },
};

static const char *
find_sign (const Sign *signs, gsize n, gunichar c)
{
  for (gsize i = 0; i < n; i++)
    if (signs[i].c == c)
      return signs[i].tex;
  return NULL;
}

static const char *
find_math (gunichar c)
{
  if (c >= SLANTED_ALPHA && c - SLANTED_ALPHA < G_N_ELEMENTS (greek))
    return greek[c - SLANTED_ALPHA];
  if (c >= UPRIGHT_ALPHA && c <= UPRIGHT_OMEGA)
    return greek[c - UPRIGHT_ALPHA];
  return find_sign (math_signs, G_N_ELEMENTS (math_signs), c);
}

static gboolean
is_plain (gunichar c)
{
  return c > 0 && c < 0x80 && (g_ascii_isalnum ((char) c) || strchr (plain_signs, (int) c) != NULL);
}

/* Appends a letter of the alphabet with one mark. Returns FALSE if it is none. */
static gboolean
append_accented (GString *tex, gunichar c)
{
  gunichar base, mark;
  const char *accent;

  if (!g_unichar_decompose (c, &base, &mark) || base >= 0x80 || !g_ascii_isalpha ((char) base))
    return FALSE;
  accent = find_sign (accents, G_N_ELEMENTS (accents), mark);
  if (accent == NULL)
    return FALSE;
  g_string_append_printf (tex, "%s{%c}", accent, (char) base);
  return TRUE;
}

static gboolean
append_character (GString *tex, gunichar c)
{
  const char *text = find_sign (text_signs, G_N_ELEMENTS (text_signs), c), *math;

  if (is_plain (c))
    g_string_append_c (tex, (char) c);
  else if (text != NULL)
    g_string_append (tex, text);
  else if ((math = find_math (c)) != NULL)
    g_string_append_printf (tex, "$%s$", math);
  else
    return append_accented (tex, c);
  return TRUE;
}

static gboolean
is_word (const char *text)
{
  for (const char *at = text; *at != '\0'; at++)
    if (!g_ascii_isalpha (*at))
      return FALSE;
  return *text != '\0';
}

/* Appends a word. One letter is a variable; several are a name, spaced as a word. */
static void
append_variable (GString *tex, const char *word)
{
  if (word[1] == '\0')
    g_string_append_printf (tex, "$%s$", word);
  else
    g_string_append_printf (tex, "$\\mathit{%s}$", word);
}

gboolean
heddle_quote_tex (GString *tex, const char *text, gboolean mathematics)
{
  const gsize length = tex->len;

  if (mathematics && is_word (text))
    {
      append_variable (tex, text);
      return TRUE;
    }
  if (!g_utf8_validate (text, -1, NULL))
    return FALSE;
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    if (!append_character (tex, g_utf8_get_char (at)))
      {
        g_string_truncate (tex, length);
        return FALSE;
      }
  return TRUE;
}

gboolean
heddle_quote_tex_sign (GString *tex, const char *text)
{
  if (!g_utf8_validate (text, -1, NULL) || *text == '\0' || *g_utf8_next_char (text) != '\0')
    return FALSE;
  const char *math = find_math (g_utf8_get_char (text));
  if (math == NULL)
    return FALSE;
  g_string_append (tex, math);
  if (g_ascii_isalpha (math[strlen (math) - 1])) /* what follows is no part of its name */
    g_string_append_c (tex, ' ');
  return TRUE;
}
