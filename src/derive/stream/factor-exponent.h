/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/stream/stream.h"
#include "diagram/expression/expr.h"

/* Takes exp (…) apart into a new sum of parts, as heddle_factor () does; NULL means that a reduction does
 * not come out of it. */
GPtrArray *heddle_factor_exponential (const HeddleStreamPlan *plan, HeddleExpr *body);
