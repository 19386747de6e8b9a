/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/differentiate/private.h"
#include "diagram/graph/diagram.h"

/* Contributes to the first operand of a REINDEX the transpose of the read; the whole numbers of a gather
 * have no cotangent. It remembers an error where the indices cannot be solved. */
void heddle_reverse_reindex_rule (
    HeddleReverse *self, const HeddleOperation *operation, const char *cotangent);
