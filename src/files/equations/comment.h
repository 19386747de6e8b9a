/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A value's comment is kept in one string: the lines above its statement, without their `# `, a form feed, and what follows the statement. */
char *heddle_eq_comment_join (const char *above, const char *trailing);
void heddle_eq_comment_split (const char *comment, char **above, char **trailing);

G_END_DECLS
