/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* The axis of an operand of a CONCAT that the result has not: what is laid end to end. NULL: it has none. */
const char *heddle_concat_own_axis (const HeddleValue *result, const HeddleValue *operand);

G_END_DECLS
