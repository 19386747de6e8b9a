/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

/* Returns the backward diagram, in reverse mode, of a diagram without problems and without calls. @wrt
 * holds names (char *) of inputs and parameters, at least one, each once. The result has the inputs and
 * parameters of @diagram; for each output O an input "dO", its cotangent; those operations of @diagram that
 * the way back reads (the tape); and as its outputs, in the order asked for, for each name X of @wrt a
 * value "dX": the sum over all outputs of the cotangent times the derivative. heddle_cotangent_name () says
 * what names that cannot follow a "d" get; where a name is taken, it gets a prime. Fan-out goes back as a
 * sum, what no output depends on is 0, a map goes back by its body's derivative (what it broadcast is
 * summed), a contraction as contractions with the other factors, reductions and norms as their row of the
 * operation table says, a reindexing as its transpose; the numbers of a gather have no cotangent, and are
 * taken to be inside the array. Where max or min is reached several times, all share the cotangent. A
 * choice of a map goes where it went forwards. Returns NULL with %HEDDLE_DIAGRAM_ERROR_INVALID where what
 * is asked makes no sense, or with %HEDDLE_DIAGRAM_ERROR_UNSUPPORTED where a derivative would depend on
 * which reads are outside an array in a way that cannot be said. */
HeddleDiagram *heddle_diagram_differentiate (const HeddleDiagram *diagram, GPtrArray *wrt, GError **error);
