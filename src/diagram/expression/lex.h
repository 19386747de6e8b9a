/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"
#include "diagram/expression/parse-private.h"

G_BEGIN_DECLS

/* signs, words, names and numbers */
HeddleExpr *heddle_expr_fail (HeddleExprParser *self, const char *at, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
HeddleExpr *heddle_expr_fail_expected (HeddleExprParser *self, const char *what);
void heddle_expr_skip_space (HeddleExprParser *self);
gboolean heddle_expr_accept (HeddleExprParser *self, const char *sign);
/* The end of the name that begins at @at, or @at itself where none does. A dot joins the name of a call's result and that of
 * something within what is called, with a number between where it is called several times. */
const char *heddle_expr_name_end (const char *at);
/* Whether the next token is the word @word; reads it if so. */
gboolean heddle_expr_accept_word (HeddleExprParser *self, const char *word);
gboolean heddle_expr_peek_word (HeddleExprParser *self, const char *word);
HeddleExpr *heddle_expr_parse_number (HeddleExprParser *self);
/* $0: the value of an operand. */
HeddleExpr *heddle_expr_parse_argument (HeddleExprParser *self);

G_END_DECLS
