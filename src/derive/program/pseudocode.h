/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/loop-program.h"
#include "diagram/graph/diagram.h"

/* Returns the listing of the program, newly allocated: one line for each statement, two spaces for each
 * loop around it. Loops end at the numbers of @sizes or, where it is NULL, at their names. @lines, which
 * may be NULL, receives a new array with the id of the operation that each line comes from, or NULL, so
 * that an editor can light lines up. */
char *heddle_loop_program_to_pseudocode (
    const HeddleLoopProgram *self, const HeddleSizes *sizes, GPtrArray **lines);
