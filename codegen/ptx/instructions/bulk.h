/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/box.h"
#include "codegen/ptx/machine.h"

/* Bulk copies of boxes are made by the hardware while the block goes on. The run owns those under way, in the
 * order in which they were begun. */

/* A copy under way, into shared memory. @phase: of the barrier, when it was begun. */
struct _PtxBulk
{
  PtxBox box;
  guint barrier;
  guint32 phase;
};

/* Makes the bulk copy that was begun first. There must be one under way; returns FALSE, with the error of the
 * run set, where it fails. */
gboolean ptx_bulk_complete_one (PtxRun *run);

/* Makes each copy under way with probability 1/4, the newest first, if the launch draws completion by lot.
 * Returns FALSE, with the error of the run set, if one fails. */
gboolean ptx_bulk_draw (PtxRun *run);
/* Forgets the bulk copies that are under way, for a new block. */
void ptx_bulk_reset (PtxRun *run);

/* Checks that no bulk copy is under way when a block ends. Returns FALSE, with a race reported in the run,
 * where one is. */
gboolean ptx_bulk_check_end (PtxRun *run);
