/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/suggest/fusion.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* This file makes suggestions for a diagram, whoever asks for them: which operations to fuse if nobody said
 * it, what to compute again, and the best labels. */

/* The freedom of the search. */
typedef enum
{
  HEDDLE_PLAN_LABELS, /* the kernels are given */
  HEDDLE_PLAN_KERNELS, /* those too, but labels or what is computed again are given */
  HEDDLE_PLAN_ALL, /* all of it */
} HeddlePlanFreedom;

typedef struct
{
  HeddleSchedule *schedule; /* what is fused, kept and computed again */
  HeddleDerivation *derivation; /* of it, with the labels that are suggested */
  HeddleFusion fusion; /* all 0 where the kernels were given */
  char *recomputing; /* what is computed again and why; or NULL */
} HeddlePlanSuggestion;

/* Returns whether the kernels of @own (nullable) are left to the search: nothing is fused or labelled in it,
 * and nothing that the diagram makes is placed or computed again. */
gboolean heddle_plan_is_free (const HeddleDiagram *diagram, const HeddleSchedule *own);
/* Returns a new schedule with each statement as a kernel and the labels above global memory that there are in
 * @own (nullable). */
HeddleSchedule *heddle_plan_statements (
    const HeddleDiagram *diagram, const HeddleSchedule *own, const HeddleMachine *machine);
/* Returns a new schedule with the places of inputs in @own (nullable), which do not depend on what is fused. */
HeddleSchedule *heddle_plan_input_places (const HeddleDiagram *diagram, const HeddleSchedule *own);
/* Returns a new schedule with the best cut into kernels, with the places of @given; where @statements are
 * sharded, of what each GPU does. @fusion is that of heddle_schedule_suggest(), as are errors. */
HeddleSchedule *heddle_plan_suggest_kernels (const HeddleDiagram *diagram, const HeddleSchedule *given,
    const HeddleSchedule *statements, const HeddleSizes *sizes, const HeddleDeriveOptions *options,
    GCancellable *cancellable, HeddleFusion *fusion, GError **error);
/* Finds what @freedom leaves open of `schedule`, which the caller has set, and sets the others. Returns FALSE
 * if @error is set; what is there must still be cleared. */
gboolean heddle_plan_suggestion_complete (HeddlePlanSuggestion *self, HeddlePlanFreedom freedom,
    const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleDeriveOptions *options,
    GCancellable *cancellable, GError **error);
/* Sets @self to what is suggested if a document says no more than @own (nullable): everything, or the labels
 * of its kernels. Returns FALSE if @error is set, and @self is empty. */
gboolean heddle_plan_suggestion_init (HeddlePlanSuggestion *self, const HeddleDiagram *diagram,
    const HeddleSchedule *own, const HeddleSizes *sizes, const HeddleDeriveOptions *options,
    GCancellable *cancellable, GError **error);
/* Returns @schedule as what @derivation made of it and of @diagram, for that machine and type: a new schedule
 * with a region for each kernel, all labels and layouts. */
HeddleSchedule *heddle_plan_applied (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleDerivation *derivation, const HeddleMachine *machine, HeddleDtype dtype);
/* Frees what @self holds; @self itself is the caller's. */
void heddle_plan_suggestion_clear (HeddlePlanSuggestion *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddlePlanSuggestion, heddle_plan_suggestion_clear)
