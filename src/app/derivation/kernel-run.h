/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A button that tells what running and timing the kernels takes, what of it is missing here, and the way there is. */
GtkWidget *heddle_kernel_run_button_new (void);

G_END_DECLS
