/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/scene/scene.h"
#include "figure/scene/theme.h"

/* The pieces of prose and the reader that makes them. A piece owns its strings. */

/* A piece is set in one font without a place for a line to end in it. */
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
