/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/build-private.h"
#include "derive/program/loop-program-private.h"

/* The tree of loops around the statements of a program being built, and questions about the labels it is
 * built from. */

G_BEGIN_DECLS

/* Returns at how many levels axes are labelled, this one included; at least 1. */
guint heddle_tiling_n_levels (const HeddleTiling *self);
/* Returns the labels of level number @depth, owned by @self; 0 is @self. */
const HeddleTiling *heddle_tiling_at (const HeddleTiling *self, guint depth);
/* Returns whether the axis is grouped at a level down to number @depth. */
gboolean heddle_tiling_groups (const HeddleTiling *self, const char *axis, guint depth);
/* Returns whether an axis streams at a level down to number @depth. */
gboolean heddle_tiling_streams (const HeddleTiling *self, guint depth);
/* Puts the loops around the statements, and adds the levels above theirs that arrays go through. */
void heddle_builder_assemble (HeddleBuilder *self);

G_END_DECLS
