/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"
#include "files/equations/private.h"

G_BEGIN_DECLS

/* Recursive descent over the tokens of a line. Every function gives NULL or FALSE, the error reported, where it cannot read on. */
typedef struct
{
  HeddleEqArena *arena;
  HeddleEqLine *line;
  const HeddleEqToken *tokens;
  guint at;
  guint nesting;
  const HeddleEqNames *names; /* what may be called, and where this stands */
} HeddleEqParser;

/* tokens and limits */
const HeddleEqToken *heddle_eq_peek (const HeddleEqParser *self);
gboolean heddle_eq_at (const HeddleEqParser *self, const char *sign);
gboolean heddle_eq_at_word (const HeddleEqParser *self, const char *word);
gboolean heddle_eq_accept (HeddleEqParser *self, const char *sign);
gboolean heddle_eq_need (HeddleEqParser *self, const char *sign);
gpointer heddle_eq_expected (HeddleEqParser *self, const char *what); /* NULL, the error reported */
const HeddleEqToken *heddle_eq_need_name (HeddleEqParser *self, const char *what);
/* The node, unless it grew past what later stages can walk. */
HeddleEqNode *heddle_eq_parser_checked (HeddleEqParser *self, HeddleEqNode *node);
/* NULL where a child is. */
HeddleEqNode *heddle_eq_parser_apply (
    HeddleEqParser *self, HeddleExprKind kind, guint column, HeddleEqNode *const *children, guint n);
/* One level deeper. */
HeddleEqNode *heddle_eq_parse_nested (HeddleEqParser *self, HeddleEqNode *(*parse) (HeddleEqParser *) );

/* The full name of what it means as a definition, or NULL. */
const char *heddle_eq_parser_definition (const HeddleEqParser *self, const char *name);

G_END_DECLS
