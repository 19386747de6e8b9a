/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Whether the size of an axis is given, so that others may be inferred from it. */
typedef gboolean (*HeddleSizesKnown) (const HeddleAxis *axis, gpointer data);
/* Called for each size that follows from how an operation reads; takes @size. */
typedef void (*HeddleSizesInferred) (const char *axis_id, HeddleExpr *size, gpointer data);

/* What follows for the axes of which @known denies that their size is given; see sizes-infer.c. */
void heddle_sizes_infer (
    const HeddleDiagram *diagram, HeddleSizesKnown known, HeddleSizesInferred inferred, gpointer data);
/* The size that @merged must have, where the REINDEX makes it of several axes; NULL: it does not. */
HeddleExpr *heddle_sizes_of_merge (
    const HeddleValue *operand, const HeddleOperation *operation, const char *merged);

/* How long the axis is that a CONCAT joins arrays along; NULL: it is not whole. */
HeddleExpr *heddle_sizes_of_concat (const HeddleDiagram *diagram, const HeddleOperation *operation);

G_END_DECLS
