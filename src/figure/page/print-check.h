/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/scene/scene.h"

/* The check of a figure before it is printed finds what readers could not read at its size. */

/* How high a page of a venue is, pt: their text is 8.875 in (CVPR) to 9.25 in (AAAI) high. */
#define HEDDLE_PAGE_PT (9 * 72.)
/* Two lengths are taken as equal if they differ by no more than this, in pt. */
#define HEDDLE_PRINT_SLACK 0.005

/* A print says how a scene is printed. */
typedef struct
{
  double width_pt, height_pt; /* of the whole picture */
  double scale; /* pt in a px of the scene */
  double most_pt; /* the width there is on a venue's page, which is not higher than others; 0: any */
  HeddleColor paper;
} HeddlePrint;

/* Returns what stands against printing a figure so, as warnings of HeddleProblem, of each sort the worst
 * with what would mend it: too wide or too high, text below 6 pt, scripts below 5 pt, lines below 0.5 pt,
 * text whose luminance is too near to its ground's, texts below or over something else (see overprint.h), labels with unknown
 * commands, colours that grey or colour blindness makes alike. The caller owns the array. */
GPtrArray *heddle_scene_check_print (const HeddleScene *scene, const HeddlePrint *print);
