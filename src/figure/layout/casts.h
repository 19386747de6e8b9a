/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/base/dtype.h"
#include "figure/layout/layout.h"

/* Returns the type to which the values of a member are cast where they are made: a declared type that differs from
 * that of what they are made of. HEDDLE_DTYPE_UNSET means that nothing is cast. */
HeddleDtype heddle_layout_cast (const HeddleLayout *self, const HeddleMember *member);
/* Tells whether something of the member's type is written under its lowest wire: a type to which it is cast, or the
 * letter of one that is not real. */
gboolean heddle_layout_has_type (const HeddleLayout *self, const HeddleMember *member);
