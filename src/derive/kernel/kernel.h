/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/context.h"
#include "derive/cost/cost.h"
#include "derive/cost/time.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

HeddleKernel *heddle_kernel_new (const HeddleDeriveContext *context, const HeddleRegion *region,
    const GArray *operations, HeddleDerivation *totals, GError **error);
HeddleKernel *heddle_kernel_ref (HeddleKernel *self);
void heddle_kernel_unref (HeddleKernel *self);
/* Keeps labels and prices alone, of a kernel that nobody else has. */
void heddle_kernel_make_lean (HeddleKernel *self);
char *heddle_kernel_name (const HeddleDiagram *diagram, const GArray *operations);

/* Whether the operations are of one statement. */
gboolean heddle_kernel_is_statement (const HeddleDiagram *diagram, const GArray *operations);
/* Whether what the program holds fits in the level. */
gboolean heddle_kernel_fits (
    const HeddleDeriveContext *context, const HeddleCost *cost, const gint64 *tiles, gint64 chunk);

void heddle_kernel_set_time (HeddleKernel *self, const HeddleTime *time);

/* Completes @tiling (the labels given) with the best legal ones; see search.c. */
typedef struct
{
  guint64 candidates;
  gboolean exact;
  const char *unproved; /* why not, not translated; NULL: it is */
  char *binding, *runner_up; /* sentences: see HeddleKernel */
} HeddleSearchReport;

G_END_DECLS
