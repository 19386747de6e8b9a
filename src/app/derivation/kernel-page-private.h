/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/derivation/kernel-page.h"
#include "app/editor/editor.h"

/* The fields of a kernel page, for the files that it is made of; all objects are owned by it. */

struct _HeddleKernelPage
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  GtkWidget *program, *cuda, *resources;
  GtkWidget *scroller; /* of the resources */
  GtkWidget *actions; /* held: it is shown elsewhere */
  GtkLabel *words;
  GtkImage *image;
  GtkSpinner *spinner;
  GtkProgressBar *progress;
  GtkWidget *verify, *cancel;
  GCancellable *cancellable;
  HeddleKernelState state;
};
