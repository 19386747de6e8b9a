/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "derive/program/loop-program-private.h"

/* This file answers questions about the labels of a region, level by level. A tiling holds the labels of one
 * level, and the tiling of the level below it. */

/* Returns at how many levels axes are labelled, this one included; at least 1. */
guint heddle_tiling_n_levels (const HeddleTiling *self);

/* Returns the labels of level number @depth, owned by @self; 0 is @self. */
const HeddleTiling *heddle_tiling_at (const HeddleTiling *self, guint depth);

/* Returns whether the axis is grouped at a level down to number @depth. */
gboolean heddle_tiling_groups (const HeddleTiling *self, const char *axis, guint depth);

/* Returns whether an axis streams at a level down to number @depth. */
gboolean heddle_tiling_streams (const HeddleTiling *self, guint depth);
