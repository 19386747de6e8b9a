/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/typeset/prose-private.h"
#include "figure/typeset/prose-pieces.h"

/* Listings are lines of a program, whose words are coloured by what they are. */

/* Reading of prose: words, commands and mathematics become pieces between which a line may end. No text is an error.
 */

/* Returns the pieces of @text in order, of HeddleProsePiece, not measured yet; the caller owns the array. */
GArray *heddle_prose_read (const HeddleProse *prose, const char *text);
/* Returns the words of @text without what says how they are set, and mathematics as it is spelt; newly allocated. */
char *heddle_prose_plain (const char *text);
