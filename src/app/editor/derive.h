/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "app/editor/derive-job.h"
#include "app/editor/editor.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "diagram/document/schedule.h"

/* Returns a job for what the editor shows with another schedule, sharing kernels with its own derivation;
 * NULL means that it cannot be derived. */
HeddleDeriveJob *heddle_editor_new_derive_job (HeddleEditor *editor, const HeddleSchedule *schedule);
/* Returns whether the diagram can be derived while a person waits; else a worker does it. */
gboolean heddle_editor_is_quick (HeddleEditor *self);
/* Emits nothing, but when a worker thread is done. */
void heddle_editor_rederive (HeddleEditor *self);
/* Returns whether a derivation is being made in a worker thread; it, and a search, can be given up, and
 * begun again. */
gboolean heddle_editor_is_deriving (HeddleEditor *self);
/* Begins a search for labels, of which there is one at a time: it ends when it is given up, when its result
 * comes, or with what it was made for. Emits "derivation-changed". Transfer none. */
GCancellable *heddle_editor_begin_search (HeddleEditor *self);
/* Ends the search that @search belongs to and emits "derivation-changed"; nothing happens where another one
 * began meanwhile. */
void heddle_editor_end_search (HeddleEditor *self, GCancellable *search);
/* Returns whether a search for labels is under way. */
gboolean heddle_editor_is_searching (HeddleEditor *self);
/* Gives up the search and the derivation under way, and emits "derivation-changed"; nothing is derived then
 * until the document changes or it is asked for again. */
void heddle_editor_cancel_deriving (HeddleEditor *self);
/* Gives up what is being computed, as nobody will see it any more; nothing is told of that. A worker would hold the editor,
 * and its document, until it is done. */
void heddle_editor_abandon_deriving (HeddleEditor *self);
/* Returns whether the derivation at hand was given up. */
gboolean heddle_editor_can_derive_again (HeddleEditor *self);
/* Begins the derivation again that was given up, and emits "derivation-changed". */
void heddle_editor_derive_again (HeddleEditor *self);
/* --- derivation */
/* Returns the schedule of the flat diagram; NULL means that there is none yet. Copy it (or
 * heddle_schedule_new (diagram->id)) to try another. */
const HeddleSchedule *heddle_editor_get_schedule (HeddleEditor *self);
/* Returns the derivation, or NULL while it cannot be made; @why (optional) then says why not, or is NULL
 * while it is being computed. */
HeddleDerivation *heddle_editor_get_derivation (HeddleEditor *self, const char **why);
/* Returns what kernels move and hold as formulas, where sizes are missing; NULL elsewhere. */
const char *heddle_editor_get_formulas (HeddleEditor *self);
void heddle_editor_get_derive_options (HeddleEditor *self,
    HeddleDeriveOptions *options); /* as the editor derives: machine, dtype, and what the schedule asks for */
