/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/onnx/import.h"

G_BEGIN_DECLS

#define HEDDLE_MAX_SPATIAL 6

/* How a window goes over the dimensions after the first two: the attributes of convolutions and poolings. */
typedef struct
{
  guint n; /* dimensions */
  gint64 kernel[HEDDLE_MAX_SPATIAL], stride[HEDDLE_MAX_SPATIAL], dilation[HEDDLE_MAX_SPATIAL];
  gint64 before[HEDDLE_MAX_SPATIAL], after[HEDDLE_MAX_SPATIAL]; /* padding */
  gint64 out[HEDDLE_MAX_SPATIAL];
} HeddleWindow;

/* Of @input, with windows of the size of @kernel's last dimensions, or of the attribute (NULL). */
gboolean heddle_window_read (
    HeddleImport *self, const HeddleFlow *input, const HeddleFlow *kernel, HeddleWindow *window);
/* What stands in each window: [n, c, out …, kernel …] of [n, c, in …]. */
void heddle_window_slide (HeddleImport *self, const HeddleFlow *input, const HeddleWindow *window,
    const HeddleFlow *kernel, HeddleFlow *slid);

/* Dimensions of size 1 that windows reach beyond get an axis: what is outside is left out by its index. */
void heddle_window_need_axes (HeddleImport *self, HeddleFlow *flow, guint first, guint n);
/* How many windows there are along dimension @i of an array of `out` places. */
gint64 heddle_window_count (const HeddleWindow *self, guint i);
/* Splits dimension @dim into @groups and the rest. */
void heddle_window_split_groups (
    HeddleImport *self, const HeddleFlow *flow, guint dim, gint64 groups, HeddleFlow *split);
/* [n, (g c), place …, within …] with [(g o), c, within …]. */
gboolean heddle_window_contract (HeddleImport *self, const HeddleFlow *slid, const HeddleFlow *kernel,
    guint spatial, gint64 groups, int type, HeddleFlow *result);
gboolean heddle_window_add_bias (HeddleImport *self, const HeddleFlow *bias, int type, HeddleFlow *flow);

gboolean heddle_import_conv (HeddleImport *self, const HeddleFlow *input, const HeddleFlow *kernel,
    const HeddleFlow *bias, int type, HeddleFlow *result);
gboolean heddle_import_matmul (
    HeddleImport *self, const HeddleFlow *a, const HeddleFlow *b, int type, HeddleFlow *result);

G_END_DECLS
