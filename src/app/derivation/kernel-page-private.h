/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/derivation/kernel-job.h"
#include "app/derivation/kernel-page.h"

G_BEGIN_DECLS

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

/* kernel-page-text.c */
void heddle_kernel_page_show_program (
    HeddleKernelPage *self, const HeddleDerivation *derivation, const HeddleSizes *sizes);
void heddle_kernel_page_show_cuda (HeddleKernelPage *self, const HeddleKernelJob *job);
/* @job: NULL: none. No lower than a row of them is. */
void heddle_kernel_page_show_resources (HeddleKernelPage *self, const HeddleKernelJob *job);

G_END_DECLS
