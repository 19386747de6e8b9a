/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"

/* A recursive-descent parser over UTF-8 text. Every function skips the white space before what it reads, and
 * returns NULL with the error set if it cannot read it. */
typedef struct
{
  const char *text;
  const char *at;
  HeddleExprSymbol symbol;
  gpointer data;
  guint nesting;
  GError **error;
} HeddleExprParser;
