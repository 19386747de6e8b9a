/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/editor/editor.h"
#include "diagram/graph/diagram.h"

/* HeddleAxisDrag is what is carried when an axis is dragged out of the canvas: the content type of
 * GtkDragSource and GtkDropTarget. */
typedef struct
{
  const char *axis; /* axis id, or NULL: the array as such, taken by its name */
  const char *value; /* the value whose wire was taken, or NULL: the axis as such */
} HeddleAxisDrag;

#define HEDDLE_TYPE_AXIS_DRAG (heddle_axis_drag_get_type ())
/* Returns the boxed type that a drag of an axis carries. */
GType heddle_axis_drag_get_type (void);
/* Returns a new drag, owned by the caller; the ids are interned and not copied. */
HeddleAxisDrag *heddle_axis_drag_new (const char *axis, const char *value);
/* Returns a copy, owned by the caller. */
HeddleAxisDrag *heddle_axis_drag_copy (const HeddleAxisDrag *self);
/* Frees the drag; its ids are interned and stay. */
void heddle_axis_drag_free (HeddleAxisDrag *self);
/* Returns whether the diagram shown has what is carried: it may come from another window, or an edit may
 * have removed it meanwhile. Says in a message where not. */
gboolean heddle_axis_drag_check (const HeddleAxisDrag *self, HeddleEditor *editor);
/* Returns the same for a diagram (NULL has nothing), silently. */
gboolean heddle_axis_drag_is_in (const HeddleAxisDrag *self, const HeddleDiagram *diagram);
/* Makes a chip with the axis' name follow the pointer. */
void heddle_axis_drag_set_icon (GdkDrag *drag, const char *name, gboolean dark);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleAxisDrag, heddle_axis_drag_free)
