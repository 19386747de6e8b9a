/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/build-private.h"
#include "derive/program/loop-program.h"
#include "diagram/expression/expr.h"

/* The factors exp (exponent now - exponent before) by which a step rescales states, when the state that they
 * are about moves. */

/* Lists in the builder the running factors of all states that are needed, those with an equal exponent once. */
void heddle_builder_collect_factors (HeddleBuilder *self);
/* Adds the statements that keep what the factors of @state are made of; they stand before the state moves. */
void heddle_builder_keep_factors (HeddleBuilder *self, guint state);
/* Adds the statements that compute the factors of @state; they stand after it has moved, and say by how
 * much. */
void heddle_builder_work_out_factors (HeddleBuilder *self, guint state);
/* Returns a new expression over sources of @node, the product of the factors in @running that a state is
 * rescaled by; NULL stands for 1. */
HeddleExpr *heddle_builder_rescaling (const HeddleBuilder *self, HeddleNode *node, const GArray *running);
