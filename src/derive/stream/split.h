/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/region/region.h"
#include "derive/stream/stream-kind.h"
#include "derive/stream/stream.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Split-K: a streamed axis cut into groups that run in parallel. Each group folds its part into states and writes them; a second kernel merges
 * the partial states and applies what waits for them. The merge is no lemma of its own: a partial sum was taken under a partial
 * maximum, so that it is multiplied by exp (of the whole - of the part) and summed, which is a region like any other. */
typedef struct
{
  HeddleDiagram
      *diagram; /* the region's, with an axis that numbers the groups and a value for each partial state */
  const char *parts; /* that axis; the first of every partial state */
  GArray *states; /* of guint: the definitions whose states are written */
  GArray *values; /* of const char *: the partial states, one for each */
  HeddleRegionTerm *combine; /* reads them and makes the rest */
} HeddleSplit;

HeddleStreamKind heddle_stream_plan_kind (const HeddleStreamPlan *plan);
/* Whether the states of groups can be merged. @definition: where not, one that cannot. */
gboolean heddle_split_can_merge (const HeddleStreamPlan *plan, guint *definition);
/* @needed: per definition of the plan, whether an output stands on it. */
HeddleSplit *heddle_split_new (const HeddleStreamPlan *plan, const gboolean *needed, HeddleDtype dtype);
void heddle_split_free (HeddleSplit *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleSplit, heddle_split_free)

/* Whether the definition's state is one of a sum, a product or an extremum. */
gboolean heddle_split_is_folded (const HeddleStreamPlan *plan, guint i);
const char *heddle_stream_kind_to_string (
    HeddleStreamKind kind); /* "none", "map", "monoid", "state machine" */

G_END_DECLS
