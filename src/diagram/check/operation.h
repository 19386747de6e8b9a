/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/check/private.h"
#include "diagram/graph/diagram.h"

/* Checks the operands, axes, body and result of an operation against the signature of its row. */
void heddle_check_operation (HeddleCheck *self, const HeddleOperation *operation);
