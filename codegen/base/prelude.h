/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sections for products of warpgroups begin so: "product 128 f16 shared" is one of 128 columns, its left factor in shared memory. */
#define HEDDLE_PRELUDE_PRODUCT "product "

/* The building blocks a kernel uses, in the order of device/prelude.cuh and device/tensor.cuh: @sections is a set of their names. Newly allocated. */
char *heddle_prelude_text (GHashTable *sections);

G_END_DECLS
