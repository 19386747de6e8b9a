/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/editor/editor.h"

G_BEGIN_DECLS

/* A text of the kernel page whose lines each belong to an operation: those of the selected operations are lit. */
#define HEDDLE_TYPE_KERNEL_LISTING (heddle_kernel_listing_get_type ())
G_DECLARE_FINAL_TYPE (HeddleKernelListing, heddle_kernel_listing, HEDDLE, KERNEL_LISTING, GtkBox)

/* @language: of GtkSourceView, or NULL. */
GtkWidget *heddle_kernel_listing_new (HeddleEditor *editor, const char *title, const char *language);
/* @lines: per line the operation (id) or NULL; taken. @subtitle: beside the title. */
void heddle_kernel_listing_set_text (
    HeddleKernelListing *self, const char *text, GPtrArray *lines, const char *subtitle);
/* Returns the whole text shown, newly allocated. */
char *heddle_kernel_listing_dup_text (HeddleKernelListing *self);
/* How many lines are lit. */
guint heddle_kernel_listing_get_n_lit (HeddleKernelListing *self);

G_END_DECLS
