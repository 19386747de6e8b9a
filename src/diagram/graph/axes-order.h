/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

/* Other orders of the axes of a value. Arrays are row-major: the order of a value's axes is how it lies in
 * memory, for kernels, launchers, tensor maps and the evaluator alike. */

/* Returns whether an operation of the diagram makes the value and nobody outside sees it: its axes may have
 * any order. */
gboolean heddle_diagram_is_internal (const HeddleDiagram *diagram, const char *value);

/* Returns whether the operation is a REINDEX of the value, whose indices go by the position of that one's
 * axes. */
gboolean heddle_operation_reads_at_indices (const HeddleOperation *operation, const char *value);

/* Gives a REINDEX, which reads an operand with the axes @from (ids, in order), the indices in the order of
 * @to, which has the same axes. */
void heddle_operation_reorder_indices (HeddleOperation *operation, const GArray *from, const GArray *to);

/* Gives the axes of a value the order of @axes, which has them all: it means the same but has another layout.
 * Indices of operations that read it at indices follow the new order. */
void heddle_diagram_reorder_axes (HeddleDiagram *diagram, const char *value, const GArray *axes);
