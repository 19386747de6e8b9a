/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

/* A skip is a wire that somebody cut by hand: the value is named where it is made and where it is read. */

/* Tells whether the wire from the value to the node @reader (-1 stands for any) is cut by hand. */
gboolean heddle_layout_skips (const HeddleLayout *self, const char *value, int reader);
/* Tells whether every copy is to be drawn as wires, however many others it crosses. */
gboolean heddle_layout_draws_copies (const HeddleLayout *self);
/* Tells whether the value, an input or an output, is loaded or saved by its name where it enters or leaves the
 * diagram. */
gboolean heddle_layout_skips_end (const HeddleLayout *self, const char *value);
