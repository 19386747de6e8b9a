/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/differentiate/private.h"
#include "diagram/graph/diagram.h"

/* Contributes to each active operand of a CONCAT its own stretch of the cotangent. */
void heddle_reverse_concat_rule (
    HeddleReverse *self, const HeddleOperation *operation, const char *cotangent);
/* Contributes to the operands of a SCAN: the cotangent of the state is scanned backward, then each operand
 * is given its part of every step. It fails where an operand stands for reads outside an array. */
void heddle_reverse_scan_rule (HeddleReverse *self, const HeddleOperation *operation, const char *cotangent);
