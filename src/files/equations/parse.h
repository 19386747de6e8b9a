/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/parser.h"
#include "files/equations/private.h"

G_BEGIN_DECLS

void heddle_eq_statement_free (HeddleEqStatement *self);
HeddleEqStatement *heddle_eq_statement_new (HeddleEqLine *line);
gboolean heddle_eq_check_name (HeddleEqParser *self, const HeddleEqToken *name);
/* The brackets of a left side or a declaration, where there are any. */
gboolean heddle_eq_parse_slots (HeddleEqParser *self, HeddleEqStatement *statement);
gboolean heddle_eq_need_end (HeddleEqParser *self, const char *what);
/* @names: what may be called, and where the line stands */
HeddleEqStatement *heddle_eq_parse (
    HeddleEqArena *arena, HeddleEqLine *line, const GArray *tokens, const HeddleEqNames *names);

G_END_DECLS
