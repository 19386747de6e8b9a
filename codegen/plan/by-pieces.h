/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "derive/machine/derive-options.h"
#include "diagram/analysis/sizes.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Returns the kernels, labels and layouts that are suggested for a diagram of which nothing is fused or
 * labelled, as a new schedule; NULL if there are none. */
typedef HeddleSchedule *(*HeddlePlanSuggestFunc) (const HeddleDiagram *diagram, const HeddleSizes *sizes,
    const HeddleDeriveOptions *options, GCancellable *cancellable);

/* Returns what @suggest finds for each piece of the diagram by itself, the same for all layers that are alike,
 * as a new schedule; NULL if no layers are alike, or nothing is found for a piece. @are_most receives whether most
 * operations are in layers that are alike: two halves of a layer may be, too, of which the whole knows more. */
HeddleSchedule *heddle_plan_suggest_by_pieces (const HeddleDiagram *diagram, const HeddleSizes *sizes,
    const HeddleDeriveOptions *options, HeddlePlanSuggestFunc suggest, gboolean *are_most,
    GCancellable *cancellable);
