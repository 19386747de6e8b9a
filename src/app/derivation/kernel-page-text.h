/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/derivation/kernel-job.h"
#include "app/derivation/kernel-page.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* kernel-page-text.c */
void heddle_kernel_page_show_program (
    HeddleKernelPage *self, const HeddleDerivation *derivation, const HeddleSizes *sizes);
void heddle_kernel_page_show_cuda (HeddleKernelPage *self, const HeddleKernelJob *job);
/* @job: NULL: none. No lower than a row of them is. */
void heddle_kernel_page_show_resources (HeddleKernelPage *self, const HeddleKernelJob *job);

G_END_DECLS
