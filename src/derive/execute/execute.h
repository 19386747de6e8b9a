/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "derive/machine/machine.h"
#include "derive/program/loop-program.h"
#include "diagram/graph/diagram.h"

/* The executor: an interpreter that runs a loop program as it stands, buffer by buffer, and counts what
 * crosses and what is held. It is the check on the cost and on the lemmas, not a fast way to compute. */

/* The amounts that crossed and that were held while a loop program ran with each level as a real, bounded
 * memory. */
typedef struct
{
  gint64 transfer_elements;
  gint64 peak_elements; /* all */
  gint64 peak_operands_elements; /* operands convention */
} HeddleLevelCounts;

typedef struct
{
  gint64 transfer_elements, peak_elements, peak_operands_elements; /* of the first level */
  HeddleLevelCounts levels[HEDDLE_MAX_LEVELS]; /* per level of the program; held: by one group of it */
  gint64
      above_elements[HEDDLE_MAX_ABOVE]; /* over the link of each level above global memory, by its number */
} HeddleCounts;

/* Runs the program in f64, group after group, then its combine step, where it has one. @arrays (value id to
 * HeddleArray) holds the kernel's inputs, and receives its outputs; it frees values with heddle_array_unref
 * (). Every buffer is allocated at its tile's size and poisoned with NaN. Values equal the evaluator's to
 * 1e-12; @counts, of what crossed and what was held, equal the cost's exactly. Returns %FALSE with
 * %HEDDLE_DIAGRAM_ERROR_INPUT, %HEDDLE_DIAGRAM_ERROR_LIMIT, %HEDDLE_DERIVE_ERROR_CAPACITY or
 * %G_IO_ERROR_CANCELLED. */
gboolean heddle_execute (const HeddleLoopProgram *program, const HeddleSizes *sizes, GHashTable *arrays,
    HeddleCounts *counts, GCancellable *cancellable, GError **error);
