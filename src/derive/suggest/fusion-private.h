/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/suggest/fusion.h"

G_BEGIN_DECLS

typedef struct
{
  HeddleDeriveContext context;
  HeddleDeriveOptions options;
  HeddleDownsets *downsets;
  GHashTable *prices; /* set -> double */
  HeddleDerivation totals; /* of the searches */
  double *best; /* per downset: the least cost of all in it */
  guint *from; /* per downset: the one before */
  guint64 forbidden; /* a kernel that is not to be; 0: none */
  GHashTable *leasts; /* set -> double: no kernel of it costs less */
  gboolean cut_short;
} HeddleFusionSearch;

gboolean heddle_fusion_is_by_time (const HeddleFusionSearch *self);

/* --- fusion-least.c --- */

/* The least that any cut of the diagram costs: every input and output crosses once, every contraction is worked out. By time with the machine
 * busy all the while, in one kernel. */
double heddle_fusion_least (const HeddleFusionSearch *self);
/* The least that one kernel of @set costs; 0: nothing is known. */
double heddle_fusion_least_of (HeddleFusionSearch *self, guint64 set);

G_END_DECLS
