/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "derive/cost/context.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "derive/machine/machine.h"
#include "derive/shard/shard.h"

/* The entry to this room: a diagram and a schedule give a derivation, its kernels with their loop programs,
 * labels, costs and times. A derivation owns its kernels; the diagram and the sizes have to outlive it. */

/* Sets %HEDDLE_DERIVE_ERROR_EMPTY, which says that there is nothing to compute. */
void heddle_derive_set_empty (GError **error);
/* Returns whether the diagram has an operation; else sets that error. heddle_derive () itself prices an empty
 * diagram at nothing, as an editor shows it; what needs a kernel calls this first. */
gboolean heddle_derive_check_work (const HeddleDiagram *diagram, GError **error);

#define HEDDLE_MOST_OPERATIONS 8192 /* of a diagram whose kernels are searched for or made */
#define HEDDLE_MOST_ARITHMETIC 32768 /* additions, exponentials … in their functions */

/* Returns whether the diagram is small enough to be searched and emitted in seconds, by the number of its
 * operations and the length of their functions; else sets %HEDDLE_DERIVE_ERROR_LARGE, which names the bound.
 * What is priced as it stands need not ask. */
gboolean heddle_derive_check_count (const HeddleDiagram *diagram, GError **error);
/**
 * heddle_derive:
 *
 * Covers @diagram with kernels (the schedule's regions; every other named value's statement by itself), checks the labels, builds each
 * kernel's loop program and prices it. With @options->suggest the labels are completed with the best legal ones. Fast enough to be
 * called at each frame of a drag (well under 5 ms without suggest for one region).
 * Errors: %HEDDLE_DIAGRAM_ERROR_SIZE…, %HEDDLE_DERIVE_ERROR_LABEL, _REGION, and with @options->suggest those of heddle_derive_check_count(). Refused labels are no error: see refusals.
 */
HeddleDerivation *heddle_derive (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleSizes *sizes, const HeddleDeriveOptions *options, GCancellable *cancellable, GError **error);
/**
 * heddle_derive_from:
 *
 * The same as heddle_derive(), of @earlier's diagram, sizes and options, which was derived with the schedule @then: kernels of which the two
 * schedules say the same are not made again, but those of @earlier. It takes as long as what is new, and as much memory.
 */
HeddleDerivation *heddle_derive_from (const HeddleDerivation *earlier, const HeddleSchedule *then,
    const HeddleDiagram *diagram, const HeddleSchedule *schedule, const HeddleSizes *sizes,
    const HeddleDeriveOptions *options, GCancellable *cancellable, GError **error);
/* Frees the derivation and its kernels; loop programs that others hold stay. NULL is allowed. */
void heddle_derivation_free (HeddleDerivation *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleDerivation, heddle_derivation_free)

/* Fills @self with what deriving kernels on the machine of @options needs; it owns nothing of that. Returns
 * %FALSE with %HEDDLE_DERIVE_ERROR_MACHINE if no level of the machine takes labels. */
gboolean heddle_derive_context_init (HeddleDeriveContext *self, const HeddleDiagram *diagram,
    const HeddleSchedule *schedule, const HeddleSizes *sizes, const HeddleDeriveOptions *options,
    GCancellable *cancellable, GError **error);

/* Returns the diagram that the kernels of a derivation are of: over several GPUs the one with what merges
 * their parts, where the schedule lays values otherwise in memory the one with those, owned by @self; else
 * @diagram. */
const HeddleDiagram *heddle_derivation_diagram (const HeddleDerivation *self, const HeddleDiagram *diagram);
/* Returns the sizes that the program of @kernel is of: over several GPUs those of what each does, owned by
 * @self; else @whole. */
const HeddleSizes *heddle_derivation_sizes (
    const HeddleDerivation *self, const HeddleKernel *kernel, const HeddleSizes *whole);
/* Returns whether the kernel merges parts of several GPUs, or copies an input into another order; its
 * operations are then in no document. */
gboolean heddle_derivation_is_inserted (const HeddleDerivation *self, const HeddleKernel *kernel);
/* Returns a new array of HeddleLinkTraffic, one for each link that axes are grouped at; it is empty where
 * @self is NULL. */
GArray *heddle_sharding_traffic (const HeddleSharding *self);
