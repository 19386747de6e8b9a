/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/machine.h"

G_BEGIN_DECLS

gboolean ptx_bulk_complete_one (PtxRun *run);
gboolean ptx_bulk_draw (PtxRun *run);
/* Copies of boxes: makes the one that was begun first; makes some by lot; whether none is left of a phase, or of a block. */
void ptx_bulk_reset (PtxRun *run);
gboolean ptx_bulk_check (PtxRun *run, guint barrier);
gboolean ptx_bulk_check_end (PtxRun *run);

G_END_DECLS
