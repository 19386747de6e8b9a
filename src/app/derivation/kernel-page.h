/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/derivation/kernel-listing.h"
#include "app/editor/editor.h"

/* HeddleKernelPage shows the kernels of the document's schedule: the loop program beside the CUDA it
 * becomes, the lines of the selected operation lit in both; they are compiled and verified on demand in a
 * worker thread. */
#define HEDDLE_TYPE_KERNEL_PAGE (heddle_kernel_page_get_type ())
G_DECLARE_FINAL_TYPE (HeddleKernelPage, heddle_kernel_page, HEDDLE, KERNEL_PAGE, GtkBox)

typedef enum
{
  HEDDLE_KERNEL_BUSY,
  HEDDLE_KERNEL_PLANNED, /* there are texts */
  HEDDLE_KERNEL_VERIFIED,
  HEDDLE_KERNEL_FAILED,
} HeddleKernelState;

/* Returns a new page (floating) that holds @editor; it plans nothing before its first update. */
GtkWidget *heddle_kernel_page_new (HeddleEditor *editor);
/* Its buttons, for the head of the pane. */
GtkWidget *heddle_kernel_page_get_actions (HeddleKernelPage *self);
/* Plans the kernels anew; called when the page is shown and when the derivation changes while it is. */
void heddle_kernel_page_update (HeddleKernelPage *self);
/* Returns the state of the page; @words (optional) receives what the page says of it. */
HeddleKernelState heddle_kernel_page_get_state (HeddleKernelPage *self, const char **words);
/* Returns the listing of the loop program, owned by the page. */
HeddleKernelListing *heddle_kernel_page_get_program (HeddleKernelPage *self);
/* Returns the listing of the CUDA, owned by the page. */
HeddleKernelListing *heddle_kernel_page_get_cuda (HeddleKernelPage *self);
