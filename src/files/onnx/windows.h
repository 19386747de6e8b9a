/* SPDX-License-Identifier: MIT */
#pragma once

#define HEDDLE_MAX_SPATIAL 6

/* The way in which a window moves over the dimensions after the first two: the attributes of convolutions and
 * poolings. */
typedef struct
{
  guint n; /* dimensions */
  gint64 kernel[HEDDLE_MAX_SPATIAL], stride[HEDDLE_MAX_SPATIAL], dilation[HEDDLE_MAX_SPATIAL];
  gint64 before[HEDDLE_MAX_SPATIAL], after[HEDDLE_MAX_SPATIAL]; /* padding */
  gint64 out[HEDDLE_MAX_SPATIAL];
} HeddleOnnxWindow;
