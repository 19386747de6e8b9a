/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/loop-program-private.h"
#include "derive/program/loop-program.h"

G_BEGIN_DECLS

/* The innermost stream of a level down to number @depth that the statement is in; NULL: none. */
const HeddleNode *heddle_liveness_stream (const HeddleLiveness *self, guint statement, guint depth);
HeddleLiveness *heddle_liveness_new (const HeddleLoopProgram *program);
void heddle_liveness_free (HeddleLiveness *self);
gboolean heddle_liveness_is_live (const HeddleLiveness *self, guint buffer, guint statement);
/* The buffer that @buffer is made in place of; -1: none. */
int heddle_liveness_source_in_place (
    const HeddleLiveness *self, const HeddleLoopProgram *program, guint buffer);
/* Picks the buffers that are made in place of one that dies. */
void heddle_loop_program_assign_slots (HeddleLoopProgram *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleLiveness, heddle_liveness_free)

G_END_DECLS
