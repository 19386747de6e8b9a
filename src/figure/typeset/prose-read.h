/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/typeset/prose-pieces.h"
#include "figure/typeset/prose-private.h"

G_BEGIN_DECLS

/* Ends the word at hand. */
void heddle_prose_flush (HeddleProseReader *self);
/* The text between braces at @at, which is left behind them; NULL: there is none. */
char *heddle_prose_read_group (const char **at);
/* prose-read.c: its pieces in order, of HeddleProsePiece, not measured yet; transfer full. */
GArray *heddle_prose_read (const HeddleProse *prose, const char *text);
/* The words of @text without what says how they are set; mathematics as it is spelt. Newly allocated. */
char *heddle_prose_plain (const char *text);

G_END_DECLS
