/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "derive/region/region.h"
#include "diagram/expression/expr.h"

/* One definition of a region, and what it reads: questions that need no more than the list of definitions. The
 * region owns its definitions. */

/* Returns definition number @i, owned by @self; @i has to be in range. */
const HeddleDefinition *heddle_region_term_get (const HeddleRegionTerm *self, guint i);

/* Returns whether definition @i varies along @axis in a buffer that holds the label's part of it. */
gboolean heddle_definition_carries (const HeddleDefinition *self, const char *axis);

/* Returns whether what is held of the definition moves with @axis: with the label's part of it or with the
 * window of one. */
gboolean heddle_definition_moves (const HeddleDefinition *self, const char *axis);

/* Returns whether the definition is read at indices that definitions hold. */
gboolean heddle_definition_gathers (const HeddleDefinition *self);

/* Returns all definitions that it reads, as numbers (guint), each once. */
GArray *heddle_definition_arguments (const HeddleDefinition *self);

/* Returns the definitions that a body reads; visits each ARGUMENT leaf. */
GArray *heddle_expr_arguments (const HeddleExpr *self); /* of guint, each once, in order of appearance */

/* Returns a new definition of @value (id; NULL for a stage) over a copy of @axes, with no body yet. */
HeddleDefinition *heddle_definition_new (const char *value, const GArray *axes);

/* Frees the definition with its expressions. */
void heddle_definition_free (HeddleDefinition *self);
