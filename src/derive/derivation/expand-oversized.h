/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Whether a kernel that the derivation says does not fit runs all the same: another way of making it may need less. */
typedef gboolean (*HeddleRunsFunc) (const HeddleKernel *kernel, gpointer data);

/* Writes out, in @diagram, the softmaxes and norms of those kernels of @derivation that do not fit: as maps and reductions they go through a row
 * in pieces. @derivation: of @diagram, where each statement that no region of @given has is a kernel of its own; what a region has was put
 * together by a person, and stays. @runs: (nullable). Returns the ids of the values that they make: none where some kernel cannot be made. */
GArray *heddle_derivation_write_out (const HeddleDerivation *self, HeddleDiagram *diagram,
    const HeddleSchedule *given, HeddleRunsFunc runs, gpointer data);
/* Writes out the softmaxes and norms that fit no memory of the GPU in @options, with labels suggested;
 * returns as heddle_derivation_write_out (). */
GArray *heddle_diagram_write_out (HeddleDiagram *diagram, const HeddleSchedule *given,
    const HeddleSizes *sizes, const HeddleDeriveOptions *options);
/* Returns whether every kernel fits the memory that it is labelled at. */
gboolean heddle_derivation_fits (const HeddleDerivation *self);

G_END_DECLS
