/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/base/codegen.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/graph/diagram.h"

/* An array that a kernel would read or write by vectors, had it its axes in another order. */
typedef struct
{
  const char *value; /* id */
  GArray *axes; /* of const char *: its own, in the order that is wanted */
  gboolean made; /* the kernel writes it, and does not read it */
} HeddlePlanWant;

/* Returns what @kernel wants of the arrays that it reads and writes, of HeddlePlanWant; the caller owns it.
 * It is empty where each of them is read and written by vectors as it lies. */
GPtrArray *heddle_plan_find_wants (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel);

/* Returns the seconds for what a kernel without tensor cores moves beside what it wants: of each sector of 32
 * bytes it may read a few elements only, as an array's axes lie. Returns 0 for a kernel without a product, or
 * with a tile program, whose price includes that. */
double heddle_plan_sector_seconds (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel);
