/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

/* Returns the canonical text of a diagram without errors, without the definitions that it calls: inputs and
 * parameters, axes with a size that no input gives, then a statement for each named value, and for each
 * unnamed one that cannot stand within the statement that reads it; sums are left out where reading puts
 * them back. Newly allocated, each line ended by a newline. Reading it gives an isomorphic diagram, and
 * writing that one gives this text. */
char *heddle_equations_write (const HeddleDiagram *diagram);
/* Returns the canonical text of @diagram after the definitions: for the first diagram of @snapshot all
 * others, for another those that it calls. A definition that stands for itself may have an output without a
 * name, which no first line can say; it gets one. Newly allocated, each line ended by a newline. */
char *heddle_equations_write_snapshot (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram);
