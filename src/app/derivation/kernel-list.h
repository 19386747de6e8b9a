/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/editor/editor.h"
#include "app/editor/kernel-times.h"

/* HeddleKernelList lists the kernels by their time, the longest first. Whoever chooses one has its
 * operations selected on the canvas, and all of them are shown there as warmth on request. */
#define HEDDLE_TYPE_KERNEL_LIST (heddle_kernel_list_get_type ())
G_DECLARE_FINAL_TYPE (HeddleKernelList, heddle_kernel_list, HEDDLE, KERNEL_LIST, GtkBox)

/* Returns a new list, floating, for @editor, which it holds. */
GtkWidget *heddle_kernel_list_new (HeddleEditor *editor);
/* Shows @times (nullable), of what the editor shows. */
void heddle_kernel_list_update (HeddleKernelList *self, const HeddleKernelTimes *times);
/* Returns whether there is more than one kernel with a time, so that the list tells something. */
gboolean heddle_kernel_list_has_many (HeddleKernelList *self);
/* Returns what is said of a kernel in words, owned by the caller: "S: 14.9 µs, 26 % of all, bound by GMEM". */
char *heddle_kernel_list_describe (const HeddleKernelTime *kernel);
