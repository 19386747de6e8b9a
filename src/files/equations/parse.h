/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/parser.h"
#include "files/equations/private.h"

/* Frees a statement and the others on its left side; its nodes belong to the arena. */
void heddle_eq_statement_free (HeddleEqStatement *self);
/* Returns an empty statement of that line, which it copies; the caller owns it. */
HeddleEqStatement *heddle_eq_statement_new (HeddleEqLine *line);
/* Returns whether a name may be given to an array or axis. FALSE means that it is a definition or a word of
 * the language, which was reported. */
gboolean heddle_eq_check_name (HeddleEqParser *self, const HeddleEqToken *name);
/* Reads the brackets of a left side or a declaration, where there are any. FALSE means that an error was
 * reported. */
gboolean heddle_eq_parse_slots (HeddleEqParser *self, HeddleEqStatement *statement);
/* Returns whether the line ends here; else it reports that @what was expected. */
gboolean heddle_eq_need_end (HeddleEqParser *self, const char *what);
/* Returns the statement of a line (transfer full); @names are what may be called and where the line stands.
 * What is known of one that cannot be read on stays, marked broken; NULL means that nothing is known. */
HeddleEqStatement *heddle_eq_parse (
    HeddleEqArena *arena, HeddleEqLine *line, const GArray *tokens, const HeddleEqNames *names);
