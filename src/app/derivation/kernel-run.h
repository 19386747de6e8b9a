/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

/* A button that tells what running and timing the kernels takes. Where a GPU is here, it offers to, and calls @run with @data as its
 * first argument; else it says what is missing, and the way there is. */
GtkWidget *heddle_kernel_run_button_new (GCallback run, gpointer data);
