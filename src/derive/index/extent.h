/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* The part of an axis that a buffer holds. */
typedef enum
{
  HEDDLE_EXTENT_FULL, /* the whole axis */
  HEDDLE_EXTENT_TILE, /* the part of the current group: g of n, of the groups of its level and those above */
  HEDDLE_EXTENT_CHUNK, /* the part of the current stream step: s of n, of its level and those above */
  HEDDLE_EXTENT_WINDOW, /* what is read of it at indices of its own, from the least to the largest: see window.h */
} HeddleExtent;
