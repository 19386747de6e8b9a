/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/scene/scene.h"

typedef struct
{
  double x, y, width, height;
} Box;

typedef struct
{
  double x, y;
} Place;

Box figure_check_box (const HeddleItem *item);
void figure_check_ends (const HeddleItem *item, Place ends[2]);

/* Each aborts the test, saying what of the drawing called @name is wrong and where. */
void figure_check_labels_apart (const char *name, const HeddleScene *scene);
void figure_check_labels_off_boxes (const char *name, const HeddleScene *scene);
void figure_check_labels_off_wires (const char *name, const HeddleScene *scene);
void figure_check_print (const char *name, const HeddleScene *scene);
guint figure_count_crossings (const HeddleScene *scene);
void figure_check_wires_meet (const char *name, const HeddleScene *scene);
