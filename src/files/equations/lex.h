/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/private.h"

/* Fills @tokens with those of a line, the last of kind END; @comment is what follows the `#`, owned by the
 * arena, or NULL. FALSE means that an error was reported. */
gboolean heddle_eq_lex (HeddleEqArena *arena, HeddleEqLine *line, GArray *tokens, const char **comment);
/* Returns whether a character of a line may be in a text: it is no control character but the tab, and none
 * that Unicode excludes from text. */
gboolean heddle_eq_may_stand_in_text (gunichar c);
/* Returns whether a name is `t` and a number, as a value without a name is called in text. */
gboolean heddle_eq_is_label (const char *name);
