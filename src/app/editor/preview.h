/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/editor/editor.h"
#include "app/editor/shared-derivation.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/legality/refusal.h"
#include "derive/report/forecast.h"
#include "diagram/document/schedule.h"

/* A schedule that is only tried, and the refusal at hand: both are the editor's, and the document is
 * unchanged. */

/* Forgets the schedule being tried, its derivation and the refusal, without emitting a signal. */
void heddle_editor_drop_preview (HeddleEditor *self);
/* Tries @schedule (taken; NULL: stop trying) without touching the document: the preview derivation follows at once, of a large diagram
 * as soon as it is made. */
void heddle_editor_set_preview_schedule (HeddleEditor *self, HeddleSchedule *schedule);
/* Returns the schedule being tried, owned by the editor; NULL where none is. */
const HeddleSchedule *heddle_editor_get_preview_schedule (HeddleEditor *self);
/* Returns the derivation of the schedule being tried, owned by the editor; NULL where none is, or it is
 * still being made. */
HeddleDerivation *heddle_editor_get_preview_derivation (HeddleEditor *self);
/* Makes the schedule being tried the document's, as one undo step called @name ("Stream x at SMEM, 64"). FALSE: none is being tried. */
gboolean heddle_editor_commit_preview (HeddleEditor *self, const char *name);
/* Returns the schedule that the canvas shows: the one being tried if any, else the document's. */
const HeddleSchedule *heddle_editor_get_shown_schedule (HeddleEditor *self);
/* Returns the derivation that the canvas and the panes show, owned by the editor: of what is tried, if
 * anything is, else the document's; NULL while it is being made or cannot be. */
HeddleDerivation *heddle_editor_get_shown_derivation (HeddleEditor *self);
/* Returns what the editor's derivation, or the one being tried, is expected to take. */
HeddleForecast heddle_editor_forecast (HeddleEditor *self, const HeddleDerivation *derivation);
/* Returns a reference to heddle_editor_get_shown_derivation (), to be held longer than the editor holds it,
 * or NULL. */
HeddleSharedDerivation *heddle_editor_share_derivation (HeddleEditor *self);
/* Returns the refusal to explain on the canvas: its operation is outlined as forbidding, its
 * remedy_operations as what would be fused. */
const HeddleRefusal *heddle_editor_get_refusal (HeddleEditor *self);
void heddle_editor_set_refusal (HeddleEditor *self, HeddleRefusal *refusal); /* taken; NULL: none */
