/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"
#include "diagram/flatten/private.h"
#include "diagram/graph/diagram.h"

/* Frees the binding with its maps; a destroy notify of the table of bindings. */
void heddle_binding_free (HeddleBinding *self);
/* Frees the claim with its expressions; a destroy notify of the list of claims. */
void heddle_claim_free (HeddleClaim *self);
/* Returns the axis that leads in what each repetition of the callee has of its own. */
const char *heddle_flatten_repeat_axis (HeddleFlattener *self, HeddleBinding *binding);
/* Returns which axes of the flat diagram the callee's axes are, and how often it is called. Returns NULL if
 * it failed. */
const HeddleBinding *heddle_flatten_bind (HeddleFlattener *self, const HeddleExpansion *caller,
    const HeddleOperation *call, const char *const *arguments);
