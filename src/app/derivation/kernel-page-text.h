/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/derivation/kernel-job.h"
#include "app/derivation/kernel-page.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/graph/diagram.h"

/* Shows the loop programs of all kernels of @derivation, at @sizes, with their number beside the title. */
void heddle_kernel_page_show_program (
    HeddleKernelPage *self, const HeddleDerivation *derivation, const HeddleSizes *sizes);
/* Shows the CUDA of all kernels of the job's plan, one after the other, with the first kernel's entry and
 * architecture beside the title. */
void heddle_kernel_page_show_cuda (HeddleKernelPage *self, const HeddleKernelJob *job);
/* Shows the resources of @job, or none where it is NULL; the pane is no lower than a row of them. */
void heddle_kernel_page_show_resources (HeddleKernelPage *self, const HeddleKernelJob *job);
