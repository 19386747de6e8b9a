/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/typeset/prose-private.h"
#include "figure/typeset/prose-pieces.h"

/* Listings are lines of a program, whose words are coloured by what they are. */

G_BEGIN_DECLS

/* Reads the lines of a program into pieces, each with the colour of its word. */
void heddle_prose_read_listing (HeddleProseReader *self, const char *text);

/* Reading of prose: words, commands and mathematics become pieces between which a line may end. No text is an error.
 */

/* Ends the word at hand. */
void heddle_prose_flush (HeddleProseReader *self);
/* Returns the text between braces at @at, newly allocated, and leaves @at behind them; NULL means that there is none. */
char *heddle_prose_read_group (const char **at);
/* Returns the pieces of @text in order, of HeddleProsePiece, not measured yet; the caller owns the array. */
GArray *heddle_prose_read (const HeddleProse *prose, const char *text);
/* Returns the words of @text without what says how they are set, and mathematics as it is spelt; newly allocated. */
char *heddle_prose_plain (const char *text);

G_END_DECLS
