/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/check/private.h"
#include "diagram/graph/diagram.h"

/* Checks the operands, axes and result of a CONCAT, a SCAN or a SELECT, whose operands exist. */
void heddle_check_form (
    HeddleCheck *self, const HeddleOperation *operation, const HeddleValue *result, const char *label);
