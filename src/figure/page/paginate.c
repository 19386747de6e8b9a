/* SPDX-License-Identifier: MIT */

/* Where a figure that is higher than a page is cut. */

#include "figure/page/paginate.h"

/* Places that are looked at in the lower half of a page, and how much worse it is to cut through a text than through a line. */
#define PLACES 96
#define TEXT_WEIGHT 16
#define CLEAR 4 /* px from a cut to what is not cut through: lines of a title are nearer to each other */

/* Returns how bad a cut at @y is through a scene from @left to @right. */
static guint
cut_weight (const HeddleScene *scene, double left, double right, double y)
{
  g_autoptr (GArray) near = heddle_scene_find_in (scene, left, y - CLEAR, right, y + CLEAR);
  guint weight = 0;

  for (guint i = 0; i < near->len; i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, g_array_index (near, guint, i));
      double x, top, width, height;

      heddle_item_get_bounds (item, &x, &top, &width, &height);
      if (top - CLEAR < y && y < top + height + CLEAR)
        weight += item->kind == HEDDLE_ITEM_TEXT ? TEXT_WEIGHT : 1;
    }
  return weight;
}

/* Returns the lowest of the best places for a page that starts at @top. */
static double
find_cut (const HeddleScene *scene, double top, double most)
{
  double best = top + most, left, upper, width, height;

  heddle_scene_get_bounds (scene, &left, &upper, &width, &height);
  guint least = cut_weight (scene, left, left + width, best);

  for (guint i = 1; i < PLACES && least > 0; i++)
    {
      const double y = top + most * (1 - .5 * i / PLACES);
      const guint weight = cut_weight (scene, left, left + width, y);

      if (weight < least)
        {
          least = weight;
          best = y;
        }
    }
  return best;
}

GArray *
heddle_scene_paginate (const HeddleScene *scene, double y, double height, double most)
{
  GArray *cuts = g_array_new (FALSE, FALSE, sizeof (double));
  const double end = y + height;

  g_return_val_if_fail (scene != NULL && most > 0, cuts);

  g_array_append_val (cuts, y);
  while (end - y > most)
    {
      y = find_cut (scene, y, most);
      g_array_append_val (cuts, y);
    }
  g_array_append_val (cuts, end);
  return cuts;
}
