/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

/* Returns the diagram that @call calls, or NULL. */
HeddleDiagram *heddle_call_callee (const HeddleSnapshot *snapshot, const HeddleOperation *call);
/* Returns, in words, the first thing that keeps @call, of @diagram, from standing for what it calls, sizes
 * aside; NULL if nothing does. */
char *heddle_call_problem (
    const HeddleSnapshot *snapshot, const HeddleDiagram *diagram, const HeddleOperation *call);
