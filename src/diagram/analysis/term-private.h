/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/analysis/term.h"

G_BEGIN_DECLS

/* The same as heddle_term_new(), but with the number of points reduced left as the variable "n": the evaluator, which leaves out
 * reads outside, counts them. */
HeddleTerm *heddle_term_new_counted (const HeddleOperation *operation);

G_END_DECLS
