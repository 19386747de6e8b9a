/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* The prefix of sections for products of warpgroups: "product 128 f16 shared" is one of 128 columns, with its
 * left factor in shared memory. */
#define HEDDLE_PRELUDE_PRODUCT "product "

/* Returns the building blocks a kernel uses, in the order of device/prelude.cuh and device/tensor.cuh:
 * @sections is a set of their names. Newly allocated. */
char *heddle_prelude_text (GHashTable *sections);
