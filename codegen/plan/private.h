/* SPDX-License-Identifier: MIT */
#pragma once

/* The axes of a product for the tensor core, by what a block has of them. */
typedef struct
{
  GArray *rows; /* a tile of each */
  const gint64 *row_sizes; /* those to try out */
  guint n_row_sizes;
  GArray *ones; /* one of each */
  const char *columns, *depth; /* a tile, and a chunk in each step; NULL: there is none */
} HeddlePlanAxes;
