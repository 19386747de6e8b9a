/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Texts come from files of strangers. Here is the one function for each language in which they are written,
 * after which a text is a text there and nothing else; TeX has its tables in quote-tex.c. JSON is built by
 * json-glib, a shell's words by g_shell_quote (), and markup of Pango in the window by g_markup_escape_text (). */

/* Returns whether a terminal or a page would obey @c rather than show it: control characters, and embeddings,
 * overrides and isolates of the bidirectional algorithm (UAX #9, 2). */
gboolean heddle_is_order (gunichar c);
/* Returns @text with what a terminal or a page would obey rather than show written as \uXXXX, and with bytes
 * replaced that are no UTF-8. With @lines, ends of lines and tabs stay. Newly allocated. */
char *heddle_quote_visible (const char *text, gboolean lines);
/* Returns @text as the end of a comment of C, from its // on, or of Python, from its # on: one line that is not
 * continued on the next by a backslash, with nothing that turns the direction of what follows. Newly allocated. */
char *heddle_quote_comment (const char *text);
/* Returns @text in ASCII, as comments in PTX must be: characters of listings are spelt out (<-, x_1), all
 * others become \uXXXX as in C. Newly allocated. */
char *heddle_quote_ascii (const char *text);
/* Returns @text as it stands within a string of C, on one line; bytes that are no UTF-8, what a terminal would
 * obey, and the ASCII characters of @also become octal escapes. g_strcompress () gives @text again. Newly allocated. */
char *heddle_quote_c (const char *text, const char *also);
/* Returns @text as a string of Python with its quotation marks, on one line. Newly allocated. */
char *heddle_quote_python (const char *text);
/* Returns @text as it stands in an element of XML, or with @attribute in an attribute's quotation marks, where
 * ends of lines and tabs are kept by references. What XML cannot contain becomes U+FFFD. Newly allocated. */
char *heddle_quote_xml (const char *text, gboolean attribute);
/* Returns @format, which is HTML, with its texts quoted, and with nothing in it that a page would obey rather
 * than show. Newly allocated. */
char *heddle_quote_html (const char *format, va_list arguments) G_GNUC_PRINTF (1, 0);
