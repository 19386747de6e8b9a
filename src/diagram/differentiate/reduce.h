/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/differentiate/private.h"
#include "diagram/graph/diagram.h"

/* Contributes to the operand of a REDUCE or NORMALISE what the derivative of its row says, see
 * HeddleOperationKind.cotangent. It fails where reads outside an array cannot be left out. */
void heddle_reverse_reduce_rule (
    HeddleReverse *self, const HeddleOperation *operation, const char *cotangent);
