/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/flatten/private.h"
#include "diagram/graph/diagram.h"

/* The two ends of a step of a scan: what it reads at its place along the axis, and what becomes of the states
 * after all steps. */

/* Replaces those of @arguments (flat values, as many as formals) that are along @axis, an axis of the flat
 * diagram, by reads at @place along it. An argument that goes into the callee along the axis stays whole. */
void heddle_flatten_take_place (HeddleFlattener *self, const HeddleExpansion *frame, const char **arguments,
    const char *axis, guint place);
/* Makes @target, a value of the flat diagram along @axis, of the states (flat values, one for each place in
 * order) that are its parts. @own is how many axes of theirs are the callee's. The operations count with
 * @frame. */
void heddle_flatten_stack (HeddleFlattener *self, const HeddleExpansion *frame, const GArray *states,
    guint own, const char *target, const char *axis);
