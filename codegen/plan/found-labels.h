/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"
#include "derive/machine/derive-options.h"
#include "derive/region/region.h"
#include "diagram/graph/diagram.h"

/* Labels that were found for one kernel, by the numbers of its axes. Layers of a network have the same
 * kernels but for names, so they hold for the others. */

/* The level that a plan labels: a block's memory. */
#define HEDDLE_PLAN_LEVEL "smem"

/* Returns a key that kernels of @term (nullable) share which differ by names alone, for plans that find the same
 * labels for them; NULL if there is none. The caller owns it. */
GBytes *heddle_found_labels_key (const HeddleDiagram *diagram, const HeddleRegionTerm *term,
    const HeddlePlan *plan, const HeddleDeriveOptions *options, GCancellable *cancellable);
/* Returns labels, of HeddleLabel, by the numbers of their axes; NULL if some are of one more level, or of
 * axes that the kernel does not have. The caller owns it. */
GArray *heddle_found_labels_new (const HeddleRegionTerm *term, const GPtrArray *labels);
/* Returns them as labels of the axes of @term, of HeddleLabel, which the caller owns. */
GPtrArray *heddle_found_labels_name (const GArray *self, const HeddleRegionTerm *term);
