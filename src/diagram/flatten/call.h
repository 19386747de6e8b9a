/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/flatten/private.h"

/* Frees what the frame holds, but not the frame itself. */
void heddle_expansion_clear (HeddleExpansion *frame);
/* Writes out all operations of the frame's diagram, calls with what they call. FALSE means that it stopped
 * at a call or at the limits of size; the error is in @self. */
gboolean heddle_flatten_run (HeddleFlattener *self, HeddleExpansion *frame);
