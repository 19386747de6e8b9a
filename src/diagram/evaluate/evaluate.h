/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

typedef enum
{
  HEDDLE_PRECISION_F64, /* nothing is rounded */
  HEDDLE_PRECISION_DECLARED, /* every stored value, inputs included, is rounded to its data type */
  HEDDLE_PRECISION_PERTURBED, /* computed results are off by half a unit in the last place of f32, up or down as drawn */
} HeddlePrecision;

/**
 * heddle_evaluate:
 * @diagram: a diagram without problems
 * @sizes: the size of every axis
 * @inputs: value name (char *) -> HeddleArray *, one for each input and parameter
 *
 * The reference evaluator: the meaning of the diagram in f64, one operation after the other, kept simple enough to be
 * believed; everything else is checked against it.
 *
 * Returns: (transfer full): value id (interned) -> HeddleArray *, for every value; NULL with %HEDDLE_DIAGRAM_ERROR_INPUT (missing or
 * misshapen input, with its name and both shapes), _LIMIT, or %G_IO_ERROR_CANCELLED.
 */
GHashTable *heddle_evaluate (const HeddleDiagram *diagram, const HeddleSizes *sizes, GHashTable *inputs,
    HeddlePrecision precision, GCancellable *cancellable, GError **error);

/* Evaluates only what @wanted (value ids) depends on, and frees on the way what nobody reads any more. */
GHashTable *heddle_evaluate_wanted (const HeddleDiagram *diagram, const HeddleSizes *sizes,
    GHashTable *inputs, const GArray *wanted, HeddlePrecision precision, GCancellable *cancellable,
    GError **error);

/* Adds random arrays to @inputs (by name) for every input and parameter that is not there yet; they depend on
 * @seed and the name. */
gboolean heddle_evaluate_fill_inputs (
    const HeddleDiagram *diagram, const HeddleSizes *sizes, GHashTable *inputs, guint64 seed, GError **error);

G_END_DECLS
