/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/region/memo.h"
#include "diagram/graph/diagram.h"

/* Returns whether a kernel of this region leaves out what other kernels read outside, as the language
 * demands; else sets %HEDDLE_DERIVE_ERROR_PROGRAM. @memo: of this diagram at these sizes. */
gboolean heddle_outside_check (const HeddleDiagram *diagram, const GArray *region, const HeddleSizes *sizes,
    HeddleRegionMemo *memo, GError **error);
/* Adds the reads, with what stands between, whose terms outside @operations leave out: a kernel can do that
 * only if it reads them itself. @sizes and @memo are those of the diagram. */
void heddle_outside_complete (
    const HeddleDiagram *diagram, const HeddleSizes *sizes, GArray *operations, HeddleRegionMemo *memo);
