/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "diagram/graph/diagram.h"

typedef enum
{
  HEDDLE_PRECISION_F64, /* nothing is rounded */
  HEDDLE_PRECISION_DECLARED, /* every stored value, inputs included, is rounded to its data type */
  HEDDLE_PRECISION_PERTURBED, /* computed results are off as f32 arithmetic may be, up or down as drawn */
} HeddlePrecision;

/* Is the reference evaluator: it gives the meaning, in f64, of a diagram without problems and without
 * calls. @sizes are the sizes of every axis; @inputs maps the name of each input and parameter (char *) to
 * its HeddleArray. One operation runs after the other, each by several threads; every element is summed by
 * one of them, in the order of the axes, so that results do not depend on their number. A product of three
 * arrays or more is summed two at a time, the cheapest pair first. Reads outside an array are left out of
 * the innermost reduction over an axis of the read, and are 0 where there is none. Any number of
 * evaluations may run at once. With %HEDDLE_PRECISION_F64 inputs are shared with the result, not copied;
 * otherwise stored values are rounded. Returns a new table of value id (interned) to HeddleArray * for
 * every value; NULL with %HEDDLE_DIAGRAM_ERROR_INPUT (an input is missing or misshapen; its name and both
 * shapes), _LIMIT, or %G_IO_ERROR_CANCELLED. */
GHashTable *heddle_evaluate (const HeddleDiagram *diagram, const HeddleSizes *sizes, GHashTable *inputs,
    HeddlePrecision precision, GCancellable *cancellable, GError **error);

/* Evaluates as heddle_evaluate () does, but only what @wanted (value ids) depends on, and frees on the way
 * what nobody reads any more. The table has those wanted and perhaps others. */
GHashTable *heddle_evaluate_wanted (const HeddleDiagram *diagram, const HeddleSizes *sizes,
    GHashTable *inputs, const GArray *wanted, HeddlePrecision precision, GCancellable *cancellable,
    GError **error);

/* Adds standard normal arrays to @inputs (name to HeddleArray; the table frees both) for every input and
 * parameter that is not there yet, rounded to the data type where one is declared; they depend on @seed and
 * the name. One that holds indices into other arrays gets whole numbers that are inside them, and one of
 * which a root or a logarithm is taken gets absolute values. FALSE comes with %HEDDLE_DIAGRAM_ERROR_LIMIT.
 * */
gboolean heddle_evaluate_fill_inputs (
    const HeddleDiagram *diagram, const HeddleSizes *sizes, GHashTable *inputs, guint64 seed, GError **error);
