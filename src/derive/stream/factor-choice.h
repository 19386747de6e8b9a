/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/stream/stream.h"
#include "diagram/expression/expr.h"

G_BEGIN_DECLS

/* Of where (…); NULL likewise. */
GPtrArray *heddle_factor_choice (HeddleStreamPlan *plan, HeddleExpr *body);

G_END_DECLS
