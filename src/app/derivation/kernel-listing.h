/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/editor/editor.h"

/* HeddleKernelListing is a text of the kernel page whose lines each belong to an operation: those of the
 * selected operations are lit. */
#define HEDDLE_TYPE_KERNEL_LISTING (heddle_kernel_listing_get_type ())
G_DECLARE_FINAL_TYPE (HeddleKernelListing, heddle_kernel_listing, HEDDLE, KERNEL_LISTING, GtkBox)

/* Returns a new listing; @language is one of GtkSourceView, or NULL. */
GtkWidget *heddle_kernel_listing_new (HeddleEditor *editor, const char *title, const char *language);
/* Shows a text. @lines, which is taken, has the operation (id) of each line or NULL; @subtitle stands
 * beside the title. */
void heddle_kernel_listing_set_text (
    HeddleKernelListing *self, const char *text, GPtrArray *lines, const char *subtitle);
/* Returns the whole text shown, newly allocated. */
char *heddle_kernel_listing_dup_text (HeddleKernelListing *self);
/* Returns how many lines are lit. */
guint heddle_kernel_listing_get_n_lit (HeddleKernelListing *self);
