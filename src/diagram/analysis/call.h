/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* What it calls, or NULL. */
HeddleDiagram *heddle_call_callee (const HeddleSnapshot *snapshot, const HeddleOperation *call);
/* The axes that the callee's axes do not bind: those that lead in some operand, once each. Of the diagram that calls. */
GArray *heddle_call_woven (
    const HeddleDiagram *diagram, const HeddleDiagram *callee, const HeddleOperation *call);
/* The first thing that keeps @call, of @diagram, from standing for what it calls, in words; NULL: nothing does. Sizes aside. */
char *heddle_call_problem (
    const HeddleSnapshot *snapshot, const HeddleDiagram *diagram, const HeddleOperation *call);

G_END_DECLS
