/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/term.h"

G_BEGIN_DECLS

/* Whether a kernel of this region leaves out what other kernels read outside as the language has it; %HEDDLE_DERIVE_ERROR_PROGRAM otherwise. */
gboolean heddle_outside_check (
    const HeddleDiagram *diagram, const GArray *region, const HeddleSizes *sizes, GError **error);

G_END_DECLS
