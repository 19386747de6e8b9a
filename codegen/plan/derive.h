/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <gio/gio.h>

#include "codegen/base/codegen.h"
#include "codegen/plan/plan.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* This file derives a schedule for a plan, and predicts how long the resulting kernels take by the model:
 * every way of choosing kernels compares these times. */

/* Derives a schedule as it is, with tiles chosen for the tensor core; with @region (nullable) only that
 * region of it. Returns %NULL also if the result is no plan. */
HeddleDerivation *heddle_plan_derive (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleRegion *region, const HeddlePlan *plan, GCancellable *cancellable, GError **error);

/* Derives a kernel for each statement that is in no region, even if some do not fit. Returns %NULL with
 * @error if one cannot be made at all. */
HeddleDerivation *heddle_plan_derive_apart (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddlePlan *plan, GCancellable *cancellable, GError **error);

/* Says in @error why @derivation is no plan: a refused label, an operation that no kernel is made of, or a kernel
 * that does not fit. Returns FALSE then. */
gboolean heddle_plan_check_derivation (
    const HeddleDiagram *diagram, const HeddlePlan *plan, const HeddleDerivation *derivation, GError **error);

/* Returns the seconds that one kernel takes by the model. */
double heddle_plan_seconds_of (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel);

/* The ratio of times up to which kernels are equally good: the clock is no more exact than that, and a plan
 * keeps what it found before. */
#define HEDDLE_PLAN_ALIKE 1.02

/* Returns a plan without kernels that goes by @options. It owns nothing: @sizes, the machine and the search cache are the caller's. */
HeddlePlan heddle_plan_of_options (const HeddleSizes *sizes, const HeddleDeriveOptions *options);

/* Returns the seconds that the kernel takes by the clock as it would be emitted, which people are shown: its
 * `expected_s`, but more if its products are not for the tensor core; HEDDLE_PLAN_NEVER if it does not
 * fit. */
double heddle_plan_price_of (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel);

/* Returns the seconds that all kernels of @derivation take by the clock as they would be emitted, one after
 * another (heddle_plan_price_of ()); infinity where it is NULL or has a label that is refused. */
double heddle_plan_price (const HeddleDiagram *diagram, const HeddleSizes *sizes,
    const HeddleDeriveOptions *options, const HeddleDerivation *derivation);

/* Returns the seconds that all kernels of @derivation take by the model, one after another; infinity where it
 * is NULL. */
double heddle_plan_seconds (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleDerivation *derivation);

/* Returns whether every kernel of @derivation that could use the tensor core has a tile program that does. */
gboolean heddle_plan_is_bound (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleDerivation *derivation);

/* Returns whether kernels compute products again, once for each tile of axes that the products do not have:
 * kernels of their own may then be faster. */
gboolean heddle_plan_repeats_products (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleDerivation *derivation);
