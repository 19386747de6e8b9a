/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/scene/figure-theme.h"
#include "figure/scene/scene.h"

/* The state of typesetting: what is still to be read and where it goes. The typesetter borrows its source and its
 * scene. */

/* Braces and scripts below this depth are set on the line they are in. */
#define HEDDLE_TYPE_DEEPEST 6
#define HEDDLE_SMALLEST_SCRIPT 10. /* px: 5 pt in print */

typedef struct
{
  const char *at; /* what is still to be read */
  const char *begin; /* of it all */
  guint depth;
  HeddleScene *scene; /* NULL: only measures */
  HeddlePart part;
  const char *object;
  HeddleColor color;
  const HeddleTheme *theme; /* of fills; NULL: they are left out */
  GString *run; /* characters of one font not yet set */
  HeddleFont run_font;
  guint label; /* of the items */
  char *unknown; /* the first command that is not known, without its backslash; or NULL */
  gboolean eaten; /* spaces after the command before: they end its name */
} HeddleTypesetter;

/* A line says where on the page, how large, and in which font. MATH sets letters slanted, digits and signs
 * upright. */
typedef struct
{
  double x, y, size;
  HeddleFont font;
  gboolean script;
  double ascent, descent; /* of the ink so far, from the first baseline */
} HeddleTypeLine;
