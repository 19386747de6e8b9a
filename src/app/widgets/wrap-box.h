/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

/* HeddleWrapBox has its children in a row, and in as many rows as a narrow window or large text need: each
 * row takes those that fit at the width they would like, and gives what is left over to those that expand.
 * Rows are centred in a box that is. */
#define HEDDLE_TYPE_WRAP_BOX (heddle_wrap_box_get_type ())
G_DECLARE_FINAL_TYPE (HeddleWrapBox, heddle_wrap_box, HEDDLE, WRAP_BOX, GtkWidget)

GtkWidget *heddle_wrap_box_new (int spacing); /* pixels, between children and between rows */
/* Puts @child behind the others; the box owns it from then on. */
void heddle_wrap_box_append (HeddleWrapBox *self, GtkWidget *child);
