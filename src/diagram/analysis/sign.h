/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Whether the value is never negative, by how it is made. */
gboolean heddle_diagram_has_no_sign (const HeddleDiagram *diagram, const char *value);
/* Whether a root or a logarithm is taken of it, as of the variance that a trained normalisation is given: of random values, such as are never
 * negative then stand for it. */
gboolean heddle_diagram_needs_no_sign (const HeddleDiagram *diagram, const char *value);

G_END_DECLS
