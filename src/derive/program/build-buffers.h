/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/build-private.h"
#include "derive/program/loop-program.h"

G_BEGIN_DECLS

/* A buffer of the level with number @depth that @lower, of one further down, is filled from or written to. */
guint heddle_builder_add_upper_buffer (HeddleBuilder *self, guint lower, guint depth, HeddleBufferRole role);
guint heddle_builder_add_buffer (
    HeddleBuilder *self, guint definition, const char *name, HeddleBufferRole role);
void heddle_builder_add_own_buffer (HeddleBuilder *self, guint definition);
/* The state that a scan carries through the loop: as its values, without the axis. */
guint heddle_builder_add_carried (HeddleBuilder *self, guint definition);

G_END_DECLS
