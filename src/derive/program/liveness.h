/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/loop-program-private.h"
#include "derive/program/loop-program.h"

/* This file finds when each buffer of a loop program is held: from the statement that first writes it to the
 * last that needs it. Cost, memory layout and executor agree because they all ask here. */

/* Returns the innermost stream, of a level down to number @depth, that the statement is in; NULL where it is
 * in none. */
const HeddleNode *heddle_liveness_stream (const HeddleLiveness *self, guint statement, guint depth);
/* Returns when each buffer of @program lives, newly allocated; it refers to nodes of @program, which has to
 * outlive it. */
HeddleLiveness *heddle_liveness_new (const HeddleLoopProgram *program);
/* Frees the tables; the program stays the caller's. */
void heddle_liveness_free (HeddleLiveness *self);
/* Returns whether a buffer is held while statement number @statement runs. */
gboolean heddle_liveness_is_live (const HeddleLiveness *self, guint buffer, guint statement);
/* Returns the number of the buffer that @buffer is made in place of; -1 where it is made in memory of its
 * own. */
int heddle_liveness_source_in_place (
    const HeddleLiveness *self, const HeddleLoopProgram *program, guint buffer);
/* Gives the same slot to buffers of which one is made in place of another that dies. */
void heddle_loop_program_assign_slots (HeddleLoopProgram *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleLiveness, heddle_liveness_free)
