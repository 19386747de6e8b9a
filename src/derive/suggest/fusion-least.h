/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/suggest/fusion-private.h"

G_BEGIN_DECLS

/* The least that any cut of the diagram costs: every input and output crosses once, every contraction is worked out. By time with the machine
 * busy all the while, in one kernel. */
double heddle_fusion_least (const HeddleFusionSearch *self);
/* The least that one kernel of @set costs; 0: nothing is known. */
double heddle_fusion_least_of (HeddleFusionSearch *self, guint64 set);

G_END_DECLS
