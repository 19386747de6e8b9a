/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/term.h"

G_BEGIN_DECLS

/* Whether kernels of this region leave out what is read outside as the language has it; %HEDDLE_DERIVE_ERROR_REGION otherwise. */
gboolean heddle_outside_check (
    const HeddleDiagram *diagram, const GArray *region, const HeddleSizes *sizes, GError **error);

G_END_DECLS
