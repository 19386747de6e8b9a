/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/stream/stream.h"
#include "diagram/expression/expr.h"

G_BEGIN_DECLS

/* Takes where (…) apart into a new sum of parts, as heddle_factor () does; NULL means that a reduction does
 * not come out of it. */
GPtrArray *heddle_factor_choice (HeddleStreamPlan *plan, HeddleExpr *body);

G_END_DECLS
