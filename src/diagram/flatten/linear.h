/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/flatten/private.h"
#include "diagram/graph/diagram.h"

/* Scans whose step is linear: each state is a factor times what it was, plus a term, and nothing else reads what
 * it was. Such a scan is not written out step by step: factors and terms are computed for all places at once,
 * and a recurrence along the axis, which is streamed, makes the states of them. */

/* Returns which operations of a definition make its outputs as linear functions of its states: operation ->
 * state (ids). Returns NULL unless all outputs are made so. */
GHashTable *heddle_linear_steps (const HeddleDiagram *callee);
/* Adds the recurrence that stands for @operation, which heddle_linear_steps () gave, of a frame whose call is
 * scanned. */
void heddle_flatten_recur (HeddleFlattener *self, HeddleExpansion *frame, const HeddleOperation *operation);
