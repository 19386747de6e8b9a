/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/snapshot.h"

/* Returns whether equations can define something called @name; a document may call a diagram anything. */
gboolean heddle_eq_can_be_defined (const char *name);
/* Returns @snapshot itself (a reference) if equations can name all diagrams of the set @called; otherwise a
 * copy in which those that cannot be named have names made of their letters and digits, unlike all others. */
HeddleSnapshot *heddle_eq_make_definable (const HeddleSnapshot *snapshot, GHashTable *called);
