/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* How many of its operand's first axes an operation reads at one place, a number each, where it reads all of the others in their order: what it
 * reads lies in one piece. 0: it is no such. */
guint heddle_view_places (const HeddleDiagram *diagram, const HeddleOperation *operation);

G_END_DECLS
