/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns whether a terminal or a page would obey @c rather than show it: control characters, and embeddings,
 * overrides and isolates of the bidirectional algorithm (UAX #9, 2). */
gboolean heddle_is_order (gunichar c);
/* Returns @text with what a terminal or a page would obey rather than show written as \uXXXX, and with bytes
 * replaced that are no UTF-8. With @lines, ends of lines and tabs stay. Newly allocated. */
char *heddle_visible_text (const char *text, gboolean lines);
/* Does as heddle_visible_text () for text that GLib escaped for markup, where control characters are references.
 * Newly allocated. */
char *heddle_visible_markup (const char *markup);

G_END_DECLS
