/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

/* HeddleLevelDrag is a memory level that is carried out of the level strip, to be drawn over what is to be
 * done on it: the content type of GtkDragSource and GtkDropTarget. */
typedef struct
{
  const char *level; /* interned name: "smem" */
  const char *title; /* interned: "SMEM" */
} HeddleLevelDrag;

#define HEDDLE_TYPE_LEVEL_DRAG (heddle_level_drag_get_type ())
/* Returns the boxed type that a drag of a memory level carries. */
GType heddle_level_drag_get_type (void);
/* Lets @widget be dragged as a level. */
void heddle_level_drag_offer (GtkWidget *widget, const char *level, const char *title);
