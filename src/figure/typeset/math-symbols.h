/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Symbols are an allow-list: a command that is not on it is set as it stands. */

/* A symbol is what a command of the allow-list stands for. */
typedef struct
{
  const char *name; /* without the backslash */
  const char *text; /* UTF-8 */
  gboolean letter; /* slanted in mathematics, by its own shape */
} HeddleMathSymbol;

/* Returns the symbol of a command, given without its backslash and @length bytes long; the table owns it. NULL means
 * that there is none. */
const HeddleMathSymbol *heddle_math_symbol (const char *name, gsize length);
/* Tells whether a symbol is a sign between two things: the spaces that stand around it in the source are seen. */
gboolean heddle_math_symbol_is_relation (const HeddleMathSymbol *symbol);
/* Returns the symbol of a Greek letter that is spelt out, as names in a program are ("tau"); the table owns it. NULL
 * means that @word, of @length bytes, is none. */
const HeddleMathSymbol *heddle_math_greek (const char *word, gsize length);

/* Returns the letter @c, an ASCII character, of the double-struck or the calligraphic alphabet; a character that the
 * alphabet lacks is itself. */
gunichar heddle_math_alphabet_letter (char c, gboolean blackboard);
