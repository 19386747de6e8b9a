/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "diagram/document/document.h"
#include "files/optimise/optimise.h"

/* This file optimises a diagram with boxes, of which nobody knows what they do. What stands between them is
 * optimised stage by stage, and whoever runs the result runs the boxes between the stages. */

/* A box, which runs after a stage and before the next. */
typedef struct
{
  char *name; /* of what is called */
  char **reads, **makes; /* values by their names in the stages */
  guint stage; /* from 1; 0: it runs before all */
  char *reason; /* why no kernel is made of it; translated */
} HeddleOptimiseBox;

typedef struct
{
  HeddleDiagram *diagram;
  char *folder; /* "stage-1"; NULL: it is the only one, and has no folder of its own */
  HeddleOptimised *made; /* NULL: nothing could be made of it */
  char *why; /* why not, or NULL */
} HeddleOptimiseStage;

typedef struct
{
  char *name; /* of the diagram */
  GPtrArray *stages; /* of HeddleOptimiseStage, in the order in which they run */
  GPtrArray *boxes; /* of HeddleOptimiseBox, likewise; none: there is one stage */
} HeddleOptimisedStages;

/* Optimises as heddle_optimise () does, which does not know boxes. A failure in a diagram with boxes is
 * reported in its stage; %NULL with the error of the first is returned only if all fail. The caller owns the
 * result. */
HeddleOptimisedStages *heddle_optimise_stages (HeddleSnapshot *snapshot, const HeddleOptimiseOptions *options,
    HeddleOptimiseProgress progress, gpointer data, GCancellable *cancellable, GError **error);
/* Frees the stages with their results and boxes; NULL is allowed. */
void heddle_optimised_stages_free (HeddleOptimisedStages *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleOptimisedStages, heddle_optimised_stages_free)
