/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Returns one string of the lines @above a statement, without their `# `, a form feed, and what follows the
 * statement; each may be NULL, and so is the result of two. Newly allocated. */
char *heddle_eq_comment_join (const char *above, const char *trailing);
/* Takes a value's comment apart again into what stands @above its statement and what is @trailing; both are newly
 * allocated, or NULL where there is none. */
void heddle_eq_comment_split (const char *comment, char **above, char **trailing);
