/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/shared-derivation.h"
#include "derive/legality/refusal.h"
#include "derive/machine/machine.h"
#include "diagram/base/dtype.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/flatten/map.h"
#include "diagram/graph/diagram.h"

enum
{
  CHANGED,
  SELECTION_CHANGED,
  DERIVATION_CHANGED,
  PREVIEW_CHANGED,
  MEASURED,
  WARMTH_CHANGED,
  MESSAGE,
  HEDDLE_EDITOR_N_SIGNALS
};

/* How large a diagram is taken to be quick before one of it was derived. */
#define HEDDLE_QUICK_OPERATIONS 64

extern guint heddle_editor_signals[HEDDLE_EDITOR_N_SIGNALS];

struct _HeddleEditor
{
  GObject parent_instance;

  HeddleDocument *document;
  GFile *file;
  char *suggested_name;
  HeddleSnapshot *snapshot; /* the one that all below was made from */
  const char *diagram_id;
  HeddleDiagram *diagram;
  guint meaning;
  GArray *opened_from; /* of const char *: ids of the diagrams to come back to */
  const char *opened_by; /* the call that the definition shown was opened by; NULL: none */

  GArray *selection;
  const char *wire_value, *wire_axis;

  GPtrArray *problems;
  HeddleSizes *sizes;
  char *sizes_error;

  /* What is derived: without calls. */
  HeddleSnapshot *flat; /* NULL: the diagram shown has no calls, or something is wrong with it */
  HeddleFlatMap *flat_map; /* with it */
  const HeddleDiagram *flat_diagram; /* in @flat, else the diagram shown */
  HeddleSizes *flat_sizes;
  guint n_foreign; /* labels of its schedule that no diagram has */
  gboolean labels_apart; /* a person wants labels to hold for one call of a definition from now on */

  GPtrArray *machines;
  /* What the settings said when the editor was made: undo must not come back to a default that has changed since. */
  char *default_gpu;
  HeddleDtype default_dtype;
  HeddleMachine *machine;
  HeddleDtype dtype;

  HeddleSharedDerivation *derivation;
  char *derivation_error;
  char *formulas; /* in place of prices, where sizes are missing; or NULL */
  GHashTable *trials; /* what was asked of labels since, by axis; see label-trial.h */
  GCancellable *deriving;
  GCancellable *searching;
  gboolean gave_up; /* the person did, on the derivation at hand */
  double derive_milliseconds; /* what the last derivation took */

  HeddleSchedule *preview_schedule;
  HeddleSharedDerivation *preview;
  GCancellable *previewing;
  HeddleRefusal *refusal;

  GPtrArray *measured; /* of HeddleBenchResult */

  GHashTable *warmth; /* of double: the seconds of what is on the canvas, by id; NULL: they are not shown */
  double most_warmth; /* of them */
};
