/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/machine/derive-options.h"
#include "derive/machine/machine.h"
#include "derive/region/region.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Everything that deriving one kernel needs. */
typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleSchedule *schedule; /* or NULL */
  const HeddleSizes *sizes;
  const HeddleDeriveOptions *options;
  HeddleDtype dtype; /* of values without their own */
  const char *level; /* the first level that takes labels */
  const char *lower[HEDDLE_MAX_LEVELS - 1]; /* those below it that do, outermost first */
  guint n_lower;
  gint64 capacity; /* of it: elements for the abstract machine, else bytes; 0: not bounded */
  gboolean abstract;
  GCancellable *cancellable;
  const HeddleStoring *storing; /* of the kernel at hand, where some work values out again; or NULL */
  HeddleRegionMemo *memo; /* of the diagram at these sizes; or NULL */
  HeddleSearchCache *search_cache; /* or NULL */
  guint64 most_work; /* of one search, in products; 0: as much as a person waits for */
  HeddleProductShares
      shares; /* of the current kernel; if all are 0, the tensor cores' whole rate, or plain arithmetic's for types that they do not have */
} HeddleDeriveContext;
