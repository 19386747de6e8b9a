/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* The table of symbols that commands stand for. */

G_BEGIN_DECLS

/* What a command of the allow-list stands for. */
typedef struct
{
  const char *name; /* without the backslash */
  const char *text; /* UTF-8 */
  gboolean letter; /* slanted in mathematics, by its own shape */
} HeddleMathSymbol;

G_END_DECLS
