/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"

/* Returns whether one axis' size is computed from the other's, directly or not. */
gboolean heddle_verify_goes_with (const HeddleDiagram *diagram, const HeddleAxis *axis, const char *base);

/* Halves sizes of @small until a check is little work; those of axes that are split come last, for two parts
 * of them must be merged. */
void heddle_verify_shrink (const HeddlePlan *plan, GHashTable *small);
