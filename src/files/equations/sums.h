/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/private.h"

/* Writes out the sum over an index that is free and not on the left, from the top down. FALSE means that
 * there is no place for it, which was reported. */
gboolean heddle_eq_bind_index (HeddleEqScope *self, HeddleEqNode **slot, guint64 bit);
/* Warns of a left index that two factors inside a norm share and that occurs again outside it: channel-wise
 * attention, mostly meant to be attention. */
void heddle_eq_find_slips (HeddleEqScope *self, const HeddleEqNode *node, guint64 left, guint64 outside);
