/* SPDX-License-Identifier: MIT */
#include "figure/typeset/math-symbols.h"

#include <string.h>

/* The commands that a label may use: this list and nothing else, since a label may come with a stranger's file. Small Greek letters are
 * the slanted ones of the mathematical alphabets, which need no slanted font. */
static const HeddleMathSymbol symbols[] = {
  { "alpha", "\360\235\233\274", TRUE },
  { "beta", "\360\235\233\275", TRUE },
  { "gamma", "\360\235\233\276", TRUE },
  { "delta", "\360\235\233\277", TRUE },
  { "epsilon", "\360\235\234\226", TRUE },
  { "zeta", "\360\235\234\201", TRUE },
  { "eta", "\360\235\234\202", TRUE },
  { "theta", "\360\235\234\203", TRUE },
  { "iota", "\360\235\234\204", TRUE },
  { "kappa", "\360\235\234\205", TRUE },
  { "lambda", "\360\235\234\206", TRUE },
  { "mu", "\360\235\234\207", TRUE },
  { "nu", "\360\235\234\210", TRUE },
  { "xi", "\360\235\234\211", TRUE },
  { "omicron", "\360\235\234\212", TRUE },
  { "pi", "\360\235\234\213", TRUE },
  { "rho", "\360\235\234\214", TRUE },
  { "varsigma", "\360\235\234\215", TRUE },
  { "sigma", "\360\235\234\216", TRUE },
  { "tau", "\360\235\234\217", TRUE },
  { "upsilon", "\360\235\234\220", TRUE },
  { "phi", "\360\235\234\231", TRUE },
  { "chi", "\360\235\234\222", TRUE },
  { "psi", "\360\235\234\223", TRUE },
  { "omega", "\360\235\234\224", TRUE },
  { "varepsilon", "\360\235\234\200", TRUE },
  { "varphi", "\360\235\234\221", TRUE },
  { "vartheta", "\360\235\234\227", TRUE },
  { "Gamma", "\316\223", FALSE },
  { "Delta", "\316\224", FALSE },
  { "Theta", "\316\230", FALSE },
  { "Lambda", "\316\233", FALSE },
  { "Xi", "\316\236", FALSE },
  { "Pi", "\316\240", FALSE },
  { "Sigma", "\316\243", FALSE },
  { "Upsilon", "\316\245", FALSE },
  { "Phi", "\316\246", FALSE },
  { "Psi", "\316\250", FALSE },
  { "Omega", "\316\251", FALSE },
  { "cdot", "\302\267", FALSE },
  { "times", "\303\227", FALSE },
  { "div", "\303\267", FALSE },
  { "infty", "\342\210\236", FALSE },
  { "ell", "\342\204\223", FALSE },
  { "le", "\342\211\244", FALSE },
  { "leq", "\342\211\244", FALSE },
  { "ge", "\342\211\245", FALSE },
  { "geq", "\342\211\245", FALSE },
  { "ne", "\342\211\240", FALSE },
  { "neq", "\342\211\240", FALSE },
  { "pm", "\302\261", FALSE },
  { "to", "\342\206\222", FALSE },
  { "rightarrow", "\342\206\222", FALSE },
  { "ast", "\342\210\227", FALSE },
  { "star", "\342\230\205", FALSE },
  { "circ", "\342\210\230", FALSE },
  { "partial", "\342\210\202", FALSE },
  { "nabla", "\342\210\207", FALSE },
  { "sum", "\342\210\221", FALSE },
  { "prod", "\342\210\217", FALSE },
  { "in", "\342\210\210", FALSE },
  { "ldots", "\342\200\246", FALSE },
  { "dots", "\342\200\246", FALSE },
  { "wedge", "\342\210\247", FALSE },
  { "vee", "\342\210\250", FALSE },
  { "neg", "\302\254", FALSE },
  { "oplus", "\342\212\225", FALSE },
  { "otimes", "\342\212\227", FALSE },
  { "lfloor", "\342\214\212", FALSE },
  { "rfloor", "\342\214\213", FALSE },
  { "lceil", "\342\214\210", FALSE },
  { "rceil", "\342\214\211", FALSE },
  { "sqrt", "\342\210\232", FALSE },
  { "approx", "\342\211\210", FALSE },
  { "equiv", "\342\211\241", FALSE },
  { "forall", "\342\210\200", FALSE },
  { "exists", "\342\210\203", FALSE },
  { "langle", "\342\237\250", FALSE },
  { "rangle", "\342\237\251", FALSE },
  { "mid", "|", FALSE },
  { "cdots", "\342\213\257", FALSE },
  { "longmapsto", "\342\237\274", FALSE },
  { "mapsto", "\342\206\246", FALSE },
  { "leftarrow", "\342\206\220", FALSE },
  { "Rightarrow", "\342\207\222", FALSE },
  { "rightarrowtail", "\342\206\243", FALSE },
  { "sim", "\342\210\274", FALSE },
  { "propto", "\342\210\235", FALSE },
  { "subset", "\342\212\202", FALSE },
  { "cup", "\342\210\252", FALSE },
  { "cap", "\342\210\251", FALSE },
  { "setminus", "\342\210\226", FALSE },
  { "prime", "\342\200\262", FALSE },
  { "top", "\342\212\244", FALSE },
  { "bullet", "\342\200\242", FALSE },
  { "quad", "\342\200\203", FALSE },
  { "{", "{", FALSE },
  { "}", "}", FALSE },
  { "_", "_", FALSE },
  { "^", "^", FALSE },
  { "%", "%", FALSE },
  { "#", "#", FALSE },
  { "&", "&", FALSE },
  { "$", "$", FALSE },
  { "\\", "\\", FALSE },
  { ",", "\342\200\211", FALSE },
  { ";", "\342\200\205", FALSE },
  { " ", "\302\240", FALSE },
};

const HeddleMathSymbol *
heddle_math_symbol (const char *name, gsize length)
{
  for (gsize i = 0; i < G_N_ELEMENTS (symbols); i++)
    if (strlen (symbols[i].name) == length && memcmp (symbols[i].name, name, length) == 0)
      return &symbols[i];
  return NULL;
}

gboolean
heddle_math_symbol_is_relation (const HeddleMathSymbol *symbol)
{
  static const char *const names[] = { "cdot", "times", "div", "le", "leq", "ge", "geq", "ne", "neq", "pm",
    "to", "rightarrow", "leftarrow", "Rightarrow", "mapsto", "rightarrowtail", "in", "wedge", "vee", "oplus",
    "otimes", "approx", "equiv", "sim", "propto", "subset", "cup", "cap", "setminus" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (names[i], symbol->name))
      return TRUE;
  return FALSE;
}

const HeddleMathSymbol *
heddle_math_greek (const char *word, gsize length)
{
  const HeddleMathSymbol *symbol = heddle_math_symbol (word, length);
  const gunichar c = symbol != NULL ? g_utf8_get_char (symbol->text) : 0;

  return c >= 0x0391 && c <= 0x03A9 ? symbol : symbol != NULL && symbol->letter ? symbol : NULL;
}

/* Letters that stand elsewhere than in their row of the mathematical alphabets. */
static const struct
{
  char letter;
  gunichar blackboard, script;
} apart[] = { { 'B', 0, 0x212C }, { 'C', 0x2102, 0 }, { 'E', 0, 0x2130 }, { 'F', 0, 0x2131 },
  { 'H', 0x210D, 0x210B }, { 'I', 0, 0x2110 }, { 'L', 0, 0x2112 }, { 'M', 0, 0x2133 }, { 'N', 0x2115, 0 },
  { 'P', 0x2119, 0 }, { 'Q', 0x211A, 0 }, { 'R', 0x211D, 0x211B }, { 'Z', 0x2124, 0 } };

gunichar
heddle_math_alphabet_letter (char c, gboolean blackboard)
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
