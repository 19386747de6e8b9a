/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "figure/scene/figure-theme.h"
#include "figure/scene/scene.h"

/* What one step of a derivation changes: a kernel that is new, with all in it, or labels of one. In a figure of several
 * steps the rest is drawn weaker. */

/* Ids of what is drawn strong. */
typedef struct
{
  GHashTable *objects; /* kernels, and operations of new ones */
  GHashTable *axes; /* of new labels */
  GHashTable *labelled; /* values in the kernels with new labels: on these the axes are strong */
  GHashTable *values; /* of new kernels: strong with all their axes */
} HeddleStepChange;

/* Returns what @after has that @before has not; NULL: nothing that is drawn, or all. The caller owns it. */
HeddleStepChange *heddle_step_change_new (
    const HeddleDiagram *diagram, const HeddleSchedule *before, const HeddleSchedule *after);
/* Frees the change; NULL is allowed. */
void heddle_step_change_free (HeddleStepChange *self);
/* Draws all items of @scene weaker that the change has nothing to do with, and the outlines of new labels heavier. With high
 * contrast nothing is weaker. The scene must have no other readers. */
void heddle_step_change_show (const HeddleStepChange *self, HeddleScene *scene, HeddleTheme theme);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleStepChange, heddle_step_change_free)
