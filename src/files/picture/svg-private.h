/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/scene/scene.h"
#include "files/base/files.h"

typedef struct
{
  GString *text;
  const HeddlePictureOptions *options;
  const HeddleScene *scene;
  cairo_t *outliner; /* gives the paths of glyphs */
  GHashTable *seen; /* objects that have an id and a title already */
  char *group; /* the attributes of the group that is open, or NULL */
} HeddleSvgWriter;
