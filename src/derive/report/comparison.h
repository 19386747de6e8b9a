/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/machine.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Derives with the labels that are not given; it may be heddle_derive (). */
typedef HeddleDerivation *(*HeddleDeriveFunc) (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleSizes *sizes, const HeddleDeriveOptions *options, GCancellable *cancellable, GError **error);

/* A diagram on one machine in one data type, to stand beside others. */
typedef struct
{
  HeddleMachine *machine;
  HeddleDtype dtype; /* UNSET: as the diagram declares */
  HeddleDtype declared; /* of the arrays that declare none, where @dtype is unset */
  HeddleDiagram *diagram; /* of that type */
  HeddleSchedule *schedule;
  HeddleDerivation *derivation;
  GArray *
      written_out; /* ids of values whose softmax or norm fits no memory, and became maps and reductions; or NULL */
  GArray *crossings; /* of HeddleCrossing; NULL: not asked for */
  gboolean uncrossed; /* asked for, but not searched for in so many kernels */
} HeddleComparison;

/* Drops the tiles, which are for the machine they were chosen for. Divisors and orders stay, and so does what
 * is grouped over GPUs at links that @machine has. */
void heddle_schedule_drop_tiles (HeddleSchedule *schedule, const HeddleMachine *machine);

/* The sums over the kernels of a derivation. */
typedef struct
{
  gint64 held; /* the most of any kernel, bytes (elements on the abstract machine) */
  double workers; /* the fewest of any kernel; 0: not bounded */
  double serial_s;
  gboolean fits;
} HeddleComparisonSummary;

/**
 * heddle_comparison_new:
 * @schedule: (transfer full): what is one kernel, and the labels that are kept on every machine
 * @machine: (transfer full): the machine
 * @dtype: of every array of real numbers; UNSET: as each declares
 * @declared: of the arrays that declare none
 * @suggest: derives, and finds labels that kernels are made with
 * @split: whether operations that cannot be one kernel, or fit no memory as one, become one each, and softmaxes and norms that fit none are
 *     written out
 *
 * Derives the diagram there, the labels that are not given found anew.
 *
 * Returns: (transfer full) (nullable): what was derived, its labels legal or not; %NULL with the error of heddle_derive (), or where there is nothing
 * to compute
 */
HeddleComparison *heddle_comparison_new (const HeddleDiagram *diagram, HeddleSchedule *schedule,
    const HeddleSizes *sizes, HeddleMachine *machine, HeddleDtype dtype, HeddleDtype declared,
    HeddleDeriveFunc suggest, gboolean split, GCancellable *cancellable, GError **error);
/* Finds what would move the bound of what was derived, by heddle_codesign_new (), and keeps it in @self.
 * Returns %FALSE with its error if it fails. */
gboolean heddle_comparison_find_crossings (
    HeddleComparison *self, const HeddleSizes *sizes, HeddleDtype declared, GError **error);
/* Returns sums over the kernels: the most that one holds at its first level (bytes, or elements on the
 * abstract machine), the fewest groups that an instance has room for, the time in seconds if nothing
 * overlapped, and whether all fit. */
HeddleComparisonSummary heddle_comparison_summarise (const HeddleComparison *self);
/* Returns the tiles of a kernel in words, newly allocated: "g_q=128 s_x=64". */
char *heddle_comparison_tiles (const HeddleComparison *self, const HeddleKernel *kernel);
/* Frees the comparison with its machine, diagram, schedule and derivation; NULL is allowed. */
void heddle_comparison_free (HeddleComparison *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleComparison, heddle_comparison_free)
