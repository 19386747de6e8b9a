/* SPDX-License-Identifier: MIT */
#pragma once

/* Clusters of blocks that see one another's shared memory, as the sections "Cluster of Cooperative Thread
 * Arrays", "mapa" and "barrier.cluster" of the PTX ISA have them. */

#include "codegen/ptx/machine.h"
#include "codegen/ptx/module.h"

/* The window that contains the shared memory of a block, and where the windows of the blocks of a cluster
 * begin, one after another by their ranks: far from where a wrong address of the block's own may fall. */
#define PTX_BLOCK_WINDOW (G_GUINT64_CONSTANT (1) << 24)
#define PTX_CLUSTER_WINDOW G_GUINT64_CONSTANT (0xa0000000)

/* Returns the address, as any block of the cluster has it, that corresponds in block @rank to @address. */
static inline guint64
ptx_cluster_address (guint64 rank, guint64 address)
{
  return PTX_CLUSTER_WINDOW + rank * PTX_BLOCK_WINDOW + address % PTX_BLOCK_WINDOW;
}

/* Returns the block in whose shared memory @address lies, and changes @address to the place in it; NULL if
 * there is no such block. */
static inline PtxBlock *
ptx_cluster_block (const PtxWarp *warp, guint64 *address)
{
  const guint64 rank = (*address - PTX_CLUSTER_WINDOW) / PTX_BLOCK_WINDOW;

  if (G_LIKELY (*address < PTX_CLUSTER_WINDOW || rank >= PTX_MOST_BLOCKS))
    return warp->block;
  *address %= PTX_BLOCK_WINDOW;
  return rank < warp->run->n_blocks ? &warp->run->blocks[rank] : NULL;
}

/* Returns whether any thread of the block has not ended: whoever reads its shared memory from another block
 * must make sure of that. */
gboolean ptx_cluster_block_lives (const PtxRun *run, const PtxBlock *block);
/* Lets those who wait at the cluster's barrier go on, after lanes of a warp have ended. */
void ptx_cluster_settle (PtxRun *run);
/* Lets arrivals that pass nothing on themselves pass on what happened up to now. */
void ptx_cluster_publish (PtxWarp *warp);
