/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Appends @text as TeX that prints it, and can do nothing else: every character is on a list, and what it
 * becomes is fixed. With @mathematics a word is a variable. FALSE means that a character is not on the list;
 * nothing is appended then. */
gboolean heddle_quote_tex (GString *tex, const char *text, gboolean mathematics);
/* Appends one character of mathematics as TeX's command for it, which ends where it ends. FALSE means that it
 * is not on the list of those; nothing is appended then. */
gboolean heddle_quote_tex_sign (GString *tex, const char *text);
