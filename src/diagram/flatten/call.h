/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/flatten/private.h"

G_BEGIN_DECLS

/* the operations of a diagram, calls written out */
void heddle_expansion_clear (HeddleExpansion *frame);
gboolean heddle_flatten_run (HeddleFlattener *self, HeddleExpansion *frame);

G_END_DECLS
