/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

/* Returns whether the size of an axis is given, so that others may be inferred from it. */
typedef gboolean (*HeddleSizesKnown) (const HeddleAxis *axis, gpointer data);
/* Receives each size that follows from how an operation reads; takes @size. */
typedef void (*HeddleSizesInferred) (const char *axis_id, HeddleExpr *size, gpointer data);

/* Calls @inferred for each size that follows for an axis of which @known says that its size is not given; see
 * sizes-infer.c. */
void heddle_sizes_infer (
    const HeddleDiagram *diagram, HeddleSizesKnown known, HeddleSizesInferred inferred, gpointer data);
/* Returns the size that @merged must have, where the REINDEX makes it of several axes; NULL if it does
 * not. */
HeddleExpr *heddle_sizes_of_merge (
    const HeddleValue *operand, const HeddleOperation *operation, const char *merged);

/* Returns how long the axis is that a CONCAT joins arrays along; NULL if it is not whole. */
HeddleExpr *heddle_sizes_of_concat (const HeddleDiagram *diagram, const HeddleOperation *operation);
