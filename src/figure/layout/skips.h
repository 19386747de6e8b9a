/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

G_BEGIN_DECLS

/* skips.c: whether the wire from the value to a node that reads it (-1: to any) is cut by hand */
gboolean heddle_layout_skips (const HeddleLayout *self, const char *value, int reader);
/* Whether the value, an input or an output, is loaded or saved by its name where it enters or leaves the diagram. */
gboolean heddle_layout_skips_end (const HeddleLayout *self, const char *value);

G_END_DECLS
