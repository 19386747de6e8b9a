/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/scene/scene.h"

G_BEGIN_DECLS

/* How a scene is printed. */
typedef struct
{
  double width_pt, height_pt; /* of the whole picture */
  double scale; /* pt in a px of the scene */
  double most_pt; /* the width there is on a venue's page, which is not higher than others; 0: any */
  HeddleColor paper;
} HeddlePrint;

GPtrArray *heddle_scene_check_print (const HeddleScene *scene, const HeddlePrint *print);

G_END_DECLS
