/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/context.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/suggest/order-ideals.h"

/* The state of a search for the best cut, which the files on fusion share; it owns its tables. */

typedef struct
{
  HeddleDeriveContext context;
  HeddleDeriveOptions options;
  HeddleOrderIdeals *order_ideals;
  GHashTable *prices; /* set -> double */
  HeddleDerivation totals; /* of the searches */
  double *best; /* per order ideal: the least cost of all in it */
  guint *from; /* per order ideal: the one before */
  guint64 forbidden; /* a kernel that is not to be; 0: none */
  GHashTable *leasts; /* set -> double: no kernel of it costs less */
  gboolean cut_short;
  guint priced; /* kernels, in the windows that are done */
  guint most_priced; /* in all windows */
} HeddleFusionSearch;
