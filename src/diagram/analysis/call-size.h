/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

/* Returns what the callee says of the size of axis @position of result @result of a call, in terms of the
 * caller's axes; NULL if there is nothing. Transfer full. */
HeddleExpr *heddle_call_result_size (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram,
    const HeddleOperation *call, guint result, guint position);
