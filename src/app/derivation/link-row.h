/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/editor/editor.h"

/* HeddleLinkRow is one of the machine's levels above global memory: what joins GPUs, the labels there, and
 * what the GPUs pass to one another over it. An axis that is dropped on it is grouped there, a piece for
 * each GPU. */
#define HEDDLE_TYPE_LINK_ROW (heddle_link_row_get_type ())
G_DECLARE_FINAL_TYPE (HeddleLinkRow, heddle_link_row, HEDDLE, LINK_ROW, GtkBox)

/* Returns a new row; @index is that of the link in the editor's machine. */
GtkWidget *heddle_link_row_new (HeddleEditor *editor, guint index);
/* Shows the labels at the link, and what GPUs pass over it; nothing happens where the machine no longer has
 * the link. */
void heddle_link_row_update (HeddleLinkRow *self);
/* An axis is being carried (NULL: no longer): whether it may be dropped here shows. */
void heddle_link_row_set_carried (HeddleLinkRow *self, const char *axis);
/* Returns the button on which an axis is dropped, owned by the row. */
GtkWidget *heddle_link_row_get_half (HeddleLinkRow *self);
