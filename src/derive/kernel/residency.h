/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/context.h"
#include "derive/cost/residency-price.h"
#include "derive/kernel/private.h"
#include "derive/machine/machine.h"
#include "derive/program/loop-program.h"

/* This file says where values are: a path of levels, one for each column. A residency gives the level of one
 * column of a value, the operation that reads it there, or of the place where it is made, which holds for all
 * columns that have none of their own. */

/* Returns whether values can be placed where the schedule says. Fails with %HEDDLE_DERIVE_ERROR_LABEL if
 * there is no such level or column, or if what is kept there does not fit. */
gboolean heddle_residency_check (const HeddleDeriveContext *self, GError **error);
/* Returns how many bytes of what the program reads and writes are kept in a cache. */
gint64 heddle_residency_bytes (const HeddleDeriveContext *self, const HeddleLoopProgram *program);
/* Returns whether values are placed where the region can put them: inside at its level, at its ends in global
 * memory. Notes what is to be read again in between. */
gboolean heddle_labelling_check_residency (HeddleLabelling *self, GError **error);
/* Returns whether @program reads everything again that is to be read again. */
gboolean heddle_labelling_check_rereads (
    const HeddleLabelling *self, const HeddleLoopProgram *program, GError **error);
