/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/document.h"

/* The examples of the project, of which every one becomes kernels. */

/* Looks for examples in another folder than data/examples. */
void example_set_folder (const char *folder);
/* Names of documents and equations in the folder, in order: every n-th, from the k-th on, where @part is "k/n". */
GPtrArray *example_names (const char *part);
/* Its main diagram, calls in place, as a snapshot whose first diagram it is. */
HeddleSnapshot *example_read (const char *name);
/* Of HeddlePlan: for the kernels of a GPU, of what each of several does where the file is for several and such GPUs have links; one that has none
 * does it all alone. */
GPtrArray *example_plans (const HeddleSnapshot *snapshot, const char *gpu);
