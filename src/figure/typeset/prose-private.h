/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/paint/prose.h"

G_BEGIN_DECLS

/* What is set in one font without a place for a line to end in it. */
typedef struct
{
  char *source; /* as heddle_math_layout () takes it */
  HeddleFont font;
  char *fill; /* or NULL */
  HeddleCodeWord ink; /* of a listing */
  gboolean space; /* before it */
  gboolean breaks; /* a new line begins with it */
  double width, ascent, descent;
} HeddleProsePiece;

typedef struct
{
  GArray *pieces; /* of HeddleProsePiece */
  GString *word;
  HeddleFont font;
  char *fill;
  HeddleCodeWord ink;
  gboolean space, breaks; /* before what comes next */
} HeddleProseReader;

/* Ends the word at hand. */
void heddle_prose_flush (HeddleProseReader *self);
/* The text between braces at @at, which is left behind them; NULL: there is none. */
char *heddle_prose_read_group (const char **at);
/* prose-read.c: its pieces in order, of HeddleProsePiece, not measured yet; transfer full. */
GArray *heddle_prose_read (const HeddleProse *prose, const char *text);
/* listing.c: lines of a program */
void heddle_prose_read_listing (HeddleProseReader *self, const char *text);

G_END_DECLS
