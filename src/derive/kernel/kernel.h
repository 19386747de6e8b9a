/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/context.h"
#include "derive/cost/cost.h"
#include "derive/cost/time.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* One kernel of a derivation: its labels are checked and completed, its loop program is built, and it is
 * priced. Derivations share kernels by reference, and nobody changes a kernel that several may have. */

/* Makes the kernel of @operations (ids) with the labels of @region, which may be NULL, and returns a new
 * reference. Refused labels are no error but go into its refusals. The evaluations of a search are added to
 * @totals. Returns NULL with an error if the operations cannot be one kernel or a label names nothing. */
HeddleKernel *heddle_kernel_new (const HeddleDeriveContext *context, const HeddleRegion *region,
    const GArray *operations, HeddleDerivation *totals, GError **error);

/* The report of a search for the best labels. It owns its sentences. */
typedef struct
{
  guint64 candidates;
  guint64 work; /* in products of sizes; before the search, that of those before it */
  gboolean exact;
  const char *unproved; /* why not, not translated; NULL: it is */
  char *binding, *runner_up; /* sentences: see HeddleKernel */
} HeddleSearchReport;
