/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/level-totals.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/report/forecast.h"
#include "diagram/graph/diagram.h"

/* A shared derivation is held by several, in any thread: nobody changes it. What lets go of a large one
 * last does not wait until it is freed. The totals of its thousand kernels are added up once, by the thread
 * that made it. */
typedef struct
{
  gatomicrefcount holders;
  HeddleDerivation *derivation; /* not NULL */
  HeddleLevelTotals *totals;
  HeddleForecast forecast;
  GHashTable *kernels; /* by axis: see kernel-axes.h; NULL: it only tries something */
} HeddleSharedDerivation;

/* Returns a new one; @derivation (transfer full) is that of @diagram with @sizes and @options. */
HeddleSharedDerivation *heddle_shared_derivation_new (HeddleDerivation *derivation,
    const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleDeriveOptions *options);
/* Takes another reference, in any thread, and returns @self. */
HeddleSharedDerivation *heddle_shared_derivation_ref (HeddleSharedDerivation *self);
/* Lets go of a reference, in any thread. The last one frees the derivation, a large one in a thread of its
 * own. */
void heddle_shared_derivation_unref (HeddleSharedDerivation *self);
/* Returns the derivation; NULL for NULL. */
HeddleDerivation *heddle_shared_derivation_get (const HeddleSharedDerivation *self);
