/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/base/codegen.h"

G_BEGIN_DECLS

/* Whether the kernel has a tile program, and is then not bound to the shared memory of the general family. */
gboolean heddle_plan_has_tiles (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel);
/* Why the tensor core does not run it as it is labelled: a sentence; %NULL: it does, or the family asked for is the general one. */
char *heddle_plan_find_fault (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel);
/* plan.c: derives a schedule as it is, with tiles chosen for the tensor core; @region: only that one of it (nullable). %NULL also where
 * the result is no plan. */
HeddleDerivation *heddle_plan_derive (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleRegion *region, const HeddlePlan *plan, GCancellable *cancellable, GError **error);
/* A kernel for each statement that no region has, be it that some do not fit; %NULL with @error: one cannot be made at all. */
HeddleDerivation *heddle_plan_derive_apart (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddlePlan *plan, GCancellable *cancellable, GError **error);
/* plan-views.c: takes the operations that only say where in an input something lies out of the plan's diagram, and makes the whole one with
 * them again. */
void heddle_plan_hoist_views (HeddlePlan *plan, const HeddleSchedule *schedule);
void heddle_plan_return_views (HeddlePlan *plan);
/* plan-expand.c: makes sums over products of three arrays and more, in the plan's diagram, such of two. */
void heddle_plan_split_products (HeddlePlan *plan);
/* Writes softmaxes and norms out, in the plan's diagram, that fit no memory; %FALSE: there are none. */
gboolean heddle_plan_expand (HeddlePlan *plan, const HeddleSchedule *schedule, GCancellable *cancellable);
/* Whether a label of the person says how long the tiles of a band are. */
gboolean heddle_plan_is_given (const HeddleRegion *region, const HeddleNode *band);
/* Into how many parts an axis is split, the derivation says: it knows what merging them takes. */
gboolean heddle_plan_is_part (const HeddleLoopProgram *program, const HeddleNode *band);
/* plan-widen.c: makes the tiles of a kernel of the general family larger, in its program; %FALSE: they stay. */
gboolean heddle_plan_widen (const HeddlePlan *plan, const HeddleKernel *kernel, const HeddleRegion *region);
/* What the tile program takes by the model; 0: there is none. */
double heddle_plan_tile_seconds (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel);
/* plan-fuse.c: how long the kernels take by the model; whether all products of a derivation run on the tensor core. */
double heddle_plan_seconds_of (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel);
double heddle_plan_seconds (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleDerivation *derivation);
gboolean heddle_plan_is_bound (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleDerivation *derivation);
/* Whether kernels work products out again, once for each tile of what those do not have: kernels of their own may then be faster. */
gboolean heddle_plan_repeats_products (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleDerivation *derivation);
/* plan-heads.c: how long a region without labels takes as one kernel; labels axes of which blocks get one, where that is faster. Infinite:
 * it is no kernel. */
double heddle_plan_price_region (const HeddleDiagram *diagram, HeddleSchedule *schedule, HeddleRegion *region,
    const HeddlePlan *plan, GCancellable *cancellable);
/* plan-windows.c: labels a region without labels whose kernel is a product of windows; %FALSE: it is none for the tensor core. */
gboolean heddle_plan_label_windows (const HeddlePlan *plan, const HeddleDiagram *diagram,
    HeddleSchedule *schedule, HeddleRegion *region, const HeddleKernel *kernel, GCancellable *cancellable);
/* The axes of a product for the tensor core, by what a block has of them. */
typedef struct
{
  GArray *rows; /* a tile of each */
  const gint64 *row_sizes; /* those to try out */
  guint n_row_sizes;
  GArray *ones; /* one of each */
  const char *columns, *depth; /* a tile, and a chunk in each step; NULL: there is none */
} HeddlePlanAxes;

void heddle_plan_axes_clear (HeddlePlanAxes *self);
/* Labels such a product with the best sizes by the model; %FALSE: there are none. */
gboolean heddle_plan_label_product (const HeddlePlan *plan, const HeddleDiagram *diagram,
    HeddleSchedule *schedule, HeddleRegion *region, const HeddlePlanAxes *axes, GCancellable *cancellable);
/* plan-choice.c: labels a region without labels whose kernel is a product with matrices that rows choose; %FALSE: it is none for the tensor
 * core. */
gboolean heddle_plan_label_choices (const HeddlePlan *plan, const HeddleDiagram *diagram,
    HeddleSchedule *schedule, HeddleRegion *region, const HeddleKernel *kernel, GCancellable *cancellable);
HeddleDerivation *heddle_plan_fuse (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleSchedule *cut, const HeddlePlan *plan, GCancellable *cancellable);
HeddleSchedule *heddle_plan_choose_tiles (const HeddlePlan *plan, const HeddleDiagram *diagram,
    const HeddleSchedule *schedule, const HeddleDerivation *derivation);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddlePlanAxes, heddle_plan_axes_clear)

G_END_DECLS
