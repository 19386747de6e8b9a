/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/build-private.h"
#include "derive/program/loop-program-private.h"

G_BEGIN_DECLS

guint heddle_tiling_n_levels (const HeddleTiling *self);
/* The labels of level number @depth. */
const HeddleTiling *heddle_tiling_at (const HeddleTiling *self, guint depth);
/* Whether the axis is grouped at a level down to number @depth. */
gboolean heddle_tiling_groups (const HeddleTiling *self, const char *axis, guint depth);
gboolean heddle_tiling_streams (const HeddleTiling *self, guint depth);
/* The loops around the statements, and the levels above theirs that arrays go through. */
void heddle_builder_assemble (HeddleBuilder *self);

G_END_DECLS
