/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/machine.h"
#include "codegen/ptx/ptx.h"

/* The number of bytes of global memory that are moved at once. */
#define PTX_SECTOR 32

/* Adds the counts of @more to those of @self: what two launches did together. */
void heddle_ptx_stats_add (HeddlePtxStats *self, const HeddlePtxStats *more);

/* Adds one access of a warp to @stats: the sectors of 32 bytes that it moves in global memory and the least
 * that could do, and the conflicts of banks in shared memory. */
void ptx_traffic_count (const PtxTraffic *traffic, HeddlePtxStats *stats);
