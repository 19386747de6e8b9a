/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/build-private.h"
#include "derive/program/loop-program.h"

/* The buffers of a loop program being built, which owns them. Functions return a buffer's number in the
 * program. */

/* Returns a buffer of the level with number @depth that @lower, of one further down, is filled from or
 * written to. */
guint heddle_builder_add_upper_buffer (HeddleBuilder *self, guint lower, guint depth, HeddleBufferRole role);
/* Adds a buffer for definition number @definition at the innermost level and returns its number. @name is
 * made unique in the program. */
guint heddle_builder_add_buffer (
    HeddleBuilder *self, guint definition, const char *name, HeddleBufferRole role);
/* Adds the buffer that definition number @definition is computed or loaded into, with a name, a role and a
 * title that follow from the plan, and notes its number in the builder. */
void heddle_builder_add_own_buffer (HeddleBuilder *self, guint definition);
/* Adds the buffer for the state that a scan carries through the loop, with the axes of its values but the
 * scanned one, and returns its number. */
guint heddle_builder_add_carried (HeddleBuilder *self, guint definition);
