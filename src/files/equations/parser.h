/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"
#include "files/equations/private.h"

/* A recursive-descent parser over the tokens of a line. Every function returns NULL or FALSE, after reporting
 * the error, if it cannot read on. */
typedef struct
{
  HeddleEqArena *arena;
  HeddleEqLine *line;
  const HeddleEqToken *tokens;
  guint at;
  guint nesting;
  const HeddleEqNames *names; /* what may be called, and where this stands */
} HeddleEqParser;

/* Returns the token that comes next; the line's tokens own it. */
const HeddleEqToken *heddle_eq_peek (const HeddleEqParser *self);
/* Returns whether the sign @sign comes next. */
gboolean heddle_eq_at (const HeddleEqParser *self, const char *sign);
/* Returns whether the name @word comes next. */
gboolean heddle_eq_at_word (const HeddleEqParser *self, const char *word);
/* Passes over the sign @sign where it comes next, and returns whether it did. */
gboolean heddle_eq_accept (HeddleEqParser *self, const char *sign);
/* Passes over the sign @sign; FALSE means that it does not come next, which was reported. */
gboolean heddle_eq_need (HeddleEqParser *self, const char *sign);
/* Reports that @what was expected where the next token is, and returns NULL. */
gpointer heddle_eq_expected (HeddleEqParser *self, const char *what);
/* Passes over a name and returns its token; NULL means that @what was expected, which was reported. */
const HeddleEqToken *heddle_eq_need_name (HeddleEqParser *self, const char *what);
/* Returns the node, unless it grew past what later stages can walk: NULL then, with an error reported. */
HeddleEqNode *heddle_eq_parser_checked (HeddleEqParser *self, HeddleEqNode *node);
/* Returns a scalar function of those children. NULL means that a child is NULL or an error was reported. */
HeddleEqNode *heddle_eq_parser_apply (
    HeddleEqParser *self, HeddleExprKind kind, guint column, HeddleEqNode *const *children, guint n);
/* Calls @parse one level deeper. NULL means that an error was reported, perhaps that the nesting is too
 * deep. */
HeddleEqNode *heddle_eq_parse_nested (HeddleEqParser *self, HeddleEqNode *(*parse) (HeddleEqParser *) );

/* Returns the full name of the definition that @name means here, or NULL. */
const char *heddle_eq_parser_definition (const HeddleEqParser *self, const char *name);
