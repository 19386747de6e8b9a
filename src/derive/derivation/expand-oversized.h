/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Softmaxes and norms that fit no memory are expanded to maps and reductions, which go through a row in
 * pieces. */

/* Returns whether a kernel that does not fit by the derivation can run all the same, because another form of
 * it needs less. */
typedef gboolean (*HeddleKernelRunsFunc) (const HeddleKernel *kernel, gpointer data);

/* Expands, in @diagram, the softmaxes and norms of those kernels of @self that do not fit. @self is derived
 * from @diagram with a kernel for each statement outside the regions of @given; regions stay as the person
 * put them together. @runs may be NULL. Returns the ids of the expanded values, newly allocated: none where
 * some kernel cannot be made. */
GArray *heddle_derivation_expand_oversized (const HeddleDerivation *self, HeddleDiagram *diagram,
    const HeddleSchedule *given, HeddleKernelRunsFunc runs, gpointer data);
/* Expands the softmaxes and norms that fit no memory of the GPU in @options with the labels that the search
 * suggests. Returns what heddle_derivation_expand_oversized () does. */
GArray *heddle_diagram_expand_oversized (HeddleDiagram *diagram, const HeddleSchedule *given,
    const HeddleSizes *sizes, const HeddleDeriveOptions *options);
/* Returns whether every kernel fits the memory that it is labelled at. */
gboolean heddle_derivation_fits (const HeddleDerivation *self);
