/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"

G_BEGIN_DECLS

/* Halves sizes of @small until a check is little work, those of axes that are split last: two parts of them are to be merged. */
void heddle_verify_shrink (const HeddlePlan *plan, GHashTable *small);

G_END_DECLS
