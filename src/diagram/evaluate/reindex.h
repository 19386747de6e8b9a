/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/evaluate/private.h"

/* Makes a reader of operand 0. @batch comes from heddle_run_batch(); @strides says how far apart neighbours
 * along the operand's axes are in the array that is read. */
HeddleReader *heddle_reader_new (
    HeddleRun *run, const HeddleBatch *batch, const gint64 *strides, GError **error);
/* Frees the reader with its compiled indices. */
void heddle_reader_free (HeddleReader *self);
/* Returns the strides along the operand's axes of an array with @axes. */
gint64 *heddle_run_operand_strides (const HeddleRun *self, const GArray *axes);
/* Computes the offset of the cell read at each point of the batch; it is -1 where the read is outside. */
const gint64 *heddle_reader_locate (HeddleReader *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleReader, heddle_reader_free)
