/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"
#include "diagram/expression/parse-private.h"

/* Sets a syntax error whose message begins with the column of @at, from 1. Always returns NULL. */
HeddleExpr *heddle_expr_fail (HeddleExprParser *self, const char *at, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/* Sets a syntax error at the present place: @what was expected, and what was found. Always returns NULL. */
HeddleExpr *heddle_expr_fail_expected (HeddleExprParser *self, const char *what);
/* Moves past ASCII white space. */
void heddle_expr_skip_space (HeddleExprParser *self);
/* Skips white space and reads @sign; returns FALSE, with only the space skipped, if something else is
 * there. */
gboolean heddle_expr_accept (HeddleExprParser *self, const char *sign);
/* Returns the end of the name that begins at @at, or @at itself if none does. A dot joins the name of a
 * call's result and that of something within what is called, with a number between where it is called several
 * times. */
const char *heddle_expr_name_end (const char *at);
/* Returns whether the next token is the word @word, and reads it if so. */
gboolean heddle_expr_accept_word (HeddleExprParser *self, const char *word);
/* Returns whether the next token is the word @word, without reading it. */
gboolean heddle_expr_peek_word (HeddleExprParser *self, const char *word);
/* Reads a decimal number with optional fraction and exponent. NULL with a syntax error means that it is
 * beyond double. */
HeddleExpr *heddle_expr_parse_number (HeddleExprParser *self);
/* Parses $0, the value of an operand. Returns NULL with an error set if no number follows. */
HeddleExpr *heddle_expr_parse_argument (HeddleExprParser *self);
