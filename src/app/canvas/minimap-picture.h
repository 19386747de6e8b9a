/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "figure/scene/scene.h"

/* An order says what a picture of a whole diagram is made from: its size in px, on a screen of this scale
 * factor. */
typedef struct
{
  HeddleScene *scene;
  int width, height, factor;
  double x, y, scale; /* where the scene begins, and px of the picture for one of the scene */
  gboolean dark;
} HeddleMapOrder;

/* px around it */
#define HEDDLE_MAP_MARGIN 6.

/* Draws boxes and glyphs as marks over wires as lines. */
GdkTexture *heddle_map_draw (const HeddleMapOrder *order);
/* The same by a worker thread, which holds the scene. */
void heddle_map_draw_async (const HeddleMapOrder *order, gpointer source, GCancellable *cancellable,
    GAsyncReadyCallback callback, gpointer data);
/* Returns the picture, which the caller owns; NULL means that it was cancelled. */
GdkTexture *heddle_map_draw_finish (GAsyncResult *result);
