/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/derivation/kernel-job.h"

/* HeddleKernelResources shows on a card for each kernel what it takes: threads, shared memory and, once
 * compiled, registers, spills and how many warps an SM holds. */
#define HEDDLE_TYPE_KERNEL_RESOURCES (heddle_kernel_resources_get_type ())
G_DECLARE_FINAL_TYPE (HeddleKernelResources, heddle_kernel_resources, HEDDLE, KERNEL_RESOURCES, GtkBox)

/* Returns new cards (floating) that show nothing until they are given a job. */
GtkWidget *heddle_kernel_resources_new (void);
void heddle_kernel_resources_show (
    HeddleKernelResources *self, const HeddleKernelJob *job); /* NULL: nothing */
/* px that the highest card would like. */
int heddle_kernel_resources_row_height (HeddleKernelResources *self);
