/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/verify/verify.h"
#include "diagram/graph/diagram.h"

/* Returns how many points an operation's own axes have: the terms of its sum, or the steps of its scan. */
double heddle_verify_count_points (const HeddleOperation *operation, const HeddleSizes *sizes);
/* Returns the scale of an input's values: for a parameter contracted over n terms it is 1/sqrt(n), so that
 * what is made of it is neither beyond its type nor where a softmax or a gate no longer moves; likewise for
 * values that maps turn into the rates of a recurrence of n steps. It is 1 for others. */
double heddle_verify_scale (const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleValue *value);
/* Makes arrays for all inputs of the diagram, which their data types hold exactly, so that the reference gets
 * what the kernels get. */
gboolean heddle_verify_make_inputs (HeddleVerifyRun *run, GError **error);
