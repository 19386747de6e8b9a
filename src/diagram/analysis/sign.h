/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

/* Returns whether the value is never negative, which is known from how it is made. */
gboolean heddle_diagram_has_no_sign (const HeddleDiagram *diagram, const char *value);
/* Returns whether a root or a logarithm is taken of the value, as of the variance that a trained
 * normalisation is given. Random values that stand for it must then be never negative. */
gboolean heddle_diagram_needs_no_sign (const HeddleDiagram *diagram, const char *value);
