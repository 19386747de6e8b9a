/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether a terminal or a page would obey @c rather than show it. */
gboolean heddle_is_order (gunichar c);
/* @text with what a terminal or a page would obey rather than show written as \uXXXX: control characters, and those that turn the direction of what
 * follows. @lines: ends of lines and tabs stay. Newly allocated. */
char *heddle_visible_text (const char *text, gboolean lines);
/* The same within text that GLib escaped for markup, where control characters are references. */
char *heddle_visible_markup (const char *markup);

G_END_DECLS
