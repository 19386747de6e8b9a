/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * HeddleAxisDrag: what is carried when an axis is dragged out of the canvas, the inspector or the level strip:
 * the content type of GtkDragSource and GtkDropTarget.
 */
typedef struct
{
  const char *axis; /* axis id, or NULL: the array as such, taken by its name */
  const char *value; /* the value whose wire was taken, or NULL: the axis as such */
} HeddleAxisDrag;

#define HEDDLE_TYPE_AXIS_DRAG (heddle_axis_drag_get_type ())
GType heddle_axis_drag_get_type (void);
HeddleAxisDrag *heddle_axis_drag_new (const char *axis, const char *value);
HeddleAxisDrag *heddle_axis_drag_copy (const HeddleAxisDrag *self);
void heddle_axis_drag_free (HeddleAxisDrag *self);
/* The chip with the axis' name that follows the pointer. */
void heddle_axis_drag_set_icon (GdkDrag *drag, const char *name, gboolean dark);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleAxisDrag, heddle_axis_drag_free)

G_END_DECLS
