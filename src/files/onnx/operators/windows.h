/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/onnx/flow.h"
#include "files/onnx/importer.h"

/* Splits dimension @dim into @groups and the rest. */
void heddle_window_split_groups (
    HeddleImport *self, const HeddleFlow *flow, guint dim, gint64 groups, HeddleFlow *split);
/* Adds a @bias along dimension 1 of @flow. FALSE means that it was refused. */
gboolean heddle_window_add_bias (HeddleImport *self, const HeddleFlow *bias, int type, HeddleFlow *flow);
/* Contracts [n, (g c), place …, within …] with [(g o), c, within …]. */
gboolean heddle_window_contract (HeddleImport *self, const HeddleFlow *slid, const HeddleFlow *kernel,
    guint spatial, gint64 groups, int type, HeddleFlow *result);
/* Makes @result the convolution of @input by the node's attributes; @bias may be NULL. FALSE means that it was
 * refused. */
gboolean heddle_import_conv (HeddleImport *self, const HeddleFlow *input, const HeddleFlow *kernel,
    const HeddleFlow *bias, int type, HeddleFlow *result);
