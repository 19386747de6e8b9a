/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/editor.h"
#include "derive/legality/refusal.h"
#include "diagram/document/schedule.h"

/* A trial is whether an axis can have a label in every kernel that it is in. The level and the size do not
 * matter to that, so that it is computed once for a derivation and not at every frame of a drag. */
typedef struct
{
  GArray *kernels; /* of guint: those of the editor's derivation that the axis is in */
  const HeddleRefusal *refusal; /* of the first of them that cannot have it; NULL: all can */
} HeddleLabelTrial;

/* Returns the trial of a label of @kind (GROUP or STREAM) on @axis (an id), which holds until the next
 * derivation; without one there are no kernels. Transfer none. */
const HeddleLabelTrial *heddle_editor_try_label (HeddleEditor *self, const char *axis, HeddleLabelKind kind);
/* Returns the refusal, which the caller owns, or NULL. */
HeddleRefusal *heddle_label_trial_dup_refusal (const HeddleLabelTrial *self);
/* The kernels that the axis is in, of guint, without asking whether they can have a label. */
const GArray *heddle_editor_find_kernels (HeddleEditor *self, const char *axis);
/* The schedule, with a region for each of those kernels (a statement that stands on its own gets one); @regions: of guint, their numbers, by
 * kernel. Transfer full, and none. */
HeddleSchedule *heddle_editor_dup_roomy_schedule (
    HeddleEditor *self, const char *axis, const GArray **regions);

/* Forgets the trials of labels, when there is another derivation. */
void heddle_editor_forget_trials (HeddleEditor *self);
