/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/private.h"

G_BEGIN_DECLS

/* The tokens of a line, the last of kind END; @comment: what follows the `#`, of the arena, or NULL. %FALSE: an error was reported. */
gboolean heddle_eq_lex (HeddleEqArena *arena, HeddleEqLine *line, GArray *tokens, const char **comment);
/* `t` and digits: what a value without a name is called in text. */
gboolean heddle_eq_is_label (const char *name);

G_END_DECLS
