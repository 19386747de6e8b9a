/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

/* --- looking */
/* Returns whether the value can go once nobody reads it: it has no name and is no output. */
gboolean heddle_rewrite_is_passing (const HeddleDiagram *diagram, const char *value_id);
/* Returns the operation that makes a value which one operand slot alone reads and which is stored nowhere by
 * itself, if it is of that form; or NULL. */
const HeddleOperation *heddle_rewrite_inner (
    const HeddleDiagram *diagram, const char *value_id, HeddleOperationForm form);
/* Returns whether the value may depend on reads outside an array, which are left out of a reduction but not
 * of a map. */
gboolean heddle_rewrite_may_read_outside (const HeddleDiagram *diagram, const char *value_id);
/* Returns whether the operation is a map of its one operand, unchanged. */
gboolean heddle_rewrite_is_view (const HeddleOperation *operation);
/* Returns the axes (ids) of a value that the diagram has; they are owned by it. */
const GArray *heddle_rewrite_axes_of (const HeddleDiagram *diagram, const char *value_id);
/* Returns whether all ids of @others are among @ids. */
gboolean heddle_rewrite_contain_all (const GArray *ids, const GArray *others);
/* Adds those of @more that are not there. */
void heddle_rewrite_unite (GArray *ids, const GArray *more);
/* --- changing */
/* Removes the operation that makes a value, and the value. */
void heddle_rewrite_remove (HeddleDiagram *diagram, const char *value_id);
/* Does so if nobody reads the value any more, and nobody knows it. */
void heddle_rewrite_drop (HeddleDiagram *diagram, const char *value_id);
/* Adds an operation before another one, with an unnamed result of its own, and returns it to be filled in. */
HeddleOperation *heddle_rewrite_add (HeddleDiagram *diagram, const char *before, const char *kind,
    const GArray *operands, const GArray *axes, const GArray *core);
/* Makes an operation another one with the same result. @body and @indices (stolen) may be NULL. */
void heddle_rewrite_become (HeddleDiagram *diagram, const char *operation_id, const char *kind,
    const GArray *operands, const GArray *core, HeddleExpr *body, GPtrArray *indices);
/* Returns the argument that stands for @value_id, which is added to @operands if it is not there. */
HeddleExpr *heddle_rewrite_argument (GArray *operands, const char *value_id);
