/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/build-private.h"
#include "derive/program/loop-program.h"
#include "diagram/expression/expr.h"

G_BEGIN_DECLS

void heddle_builder_collect_factors (HeddleBuilder *self);
/* Before a state moves: keeps what its factors are made of. After it has: works them out. */
void heddle_builder_keep_factors (HeddleBuilder *self, guint state);
void heddle_builder_work_out_factors (HeddleBuilder *self, guint state);
/* The product of the factors a state is rescaled by; NULL: 1. */
HeddleExpr *heddle_builder_rescaling (const HeddleBuilder *self, HeddleNode *node, const GArray *running);

G_END_DECLS
