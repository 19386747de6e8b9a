/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"

G_BEGIN_DECLS

/* Whether one axis' size is worked out from the other's, directly or not. */
gboolean heddle_verify_goes_with (const HeddleDiagram *diagram, const HeddleAxis *axis, const char *base);

/* Halves sizes of @small until a check is little work, those of axes that are split last: two parts of them are to be merged. */
void heddle_verify_shrink (const HeddlePlan *plan, GHashTable *small);

G_END_DECLS
