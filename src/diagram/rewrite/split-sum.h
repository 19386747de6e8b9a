/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

/* Makes a contraction over an axis that an operand has in place of two, as heads and their columns that were put
 * one behind the other, a contraction over those two: the other operands are read as having them. FALSE means
 * that there is no such operand. */
gboolean heddle_rewrite_split_sum (HeddleDiagram *diagram, const char *operation_id);
