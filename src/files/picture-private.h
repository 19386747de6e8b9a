/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/files.h"

G_BEGIN_DECLS

#define HEDDLE_POINTS_PER_PX 0.5

/* A scene on a page: what of it is shown, px, and how large, pt. */
typedef struct
{
  double x, y, width, height;
  double width_pt, height_pt;
} HeddlePage;

HeddlePage heddle_page_for (const HeddleScene *scene, const HeddlePictureOptions *options);
void heddle_picture_append_number (GString *text, double value);

G_END_DECLS
