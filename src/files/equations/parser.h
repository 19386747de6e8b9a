/* SPDX-License-Identifier: MIT */
#pragma once

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

/* --- equations-parser.c: tokens and limits --- */
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

/* --- equations-parse.c --- */
HeddleEqStatement *heddle_eq_statement_new (HeddleEqLine *line);
/* The brackets of a left side or a declaration, where there are any. */
gboolean heddle_eq_parse_slots (HeddleEqParser *self, HeddleEqStatement *statement);
gboolean heddle_eq_check_name (HeddleEqParser *self, const HeddleEqToken *name);
gboolean heddle_eq_need_end (HeddleEqParser *self, const char *what);

/* The full name of what it means as a definition, or NULL. */
const char *heddle_eq_parser_definition (const HeddleEqParser *self, const char *name);

/* --- equations-invoke.c --- */
/* A definition's name was read; what follows it is a call. */
HeddleEqNode *heddle_eq_parse_invocation (HeddleEqParser *self, const HeddleEqToken *token);

/* --- equations-call.c: names, reads, calls, parentheses --- */
HeddleEqNode *heddle_eq_parse_primary (HeddleEqParser *self);
/* Comma-separated expressions up to the closing sign. */
gboolean heddle_eq_parse_list (HeddleEqParser *self, GPtrArray *list, const char *closing);

/* --- equations-expression.c: operators --- */
HeddleEqNode *heddle_eq_parse_expression (HeddleEqParser *self);
/* Where the grammar wants a predicate, and in parentheses. */
HeddleEqNode *heddle_eq_parse_predicate (HeddleEqParser *self);

/* --- equations-topk.c --- */
/* topk[…](…) after two arrays on the left */
gboolean heddle_eq_parse_topk (HeddleEqParser *parser, HeddleEqStatement *self);
/* --- equations-call.c --- */
/* topk[e, k=s](…), as the places alone. */
HeddleEqNode *heddle_eq_parse_choice (HeddleEqParser *self);

/* --- equations-merge.c --- */
gboolean heddle_eq_parse_merged_slot (HeddleEqParser *self, HeddleEqSlot *slot);
HeddleEqNode *heddle_eq_parse_merged_index (HeddleEqParser *self);

G_END_DECLS
