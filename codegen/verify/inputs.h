/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/verify/verify.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* How many points the axes of an operation's own have: terms of its sum, steps of its scan. */
double heddle_verify_count_points (const HeddleOperation *operation, const HeddleSizes *sizes);
/* What the values of an input are scaled by: a parameter contracted over n terms by 1/sqrt(n), so that what is made of it is neither beyond its
 * type nor where a softmax or a gate no longer moves; what maps make rates of a recurrence of n steps of, likewise. 1 for others. */
double heddle_verify_scale (const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleValue *value);
/* Arrays for all inputs of the diagram, which their data types hold exactly, so that the reference gets what the kernels get. */
gboolean heddle_verify_make_inputs (HeddleVerifyRun *run, GError **error);

G_END_DECLS
