/* SPDX-License-Identifier: MIT */
#pragma once

/* Clusters of blocks that see one another's shared memory, as the sections "Cluster of Cooperative Thread Arrays", "mapa" and "barrier.cluster" of
 * the PTX ISA have them. */

#include "codegen/ptx/machine.h"
#include "codegen/ptx/module.h"

G_BEGIN_DECLS

/* An address of shared memory below this is one of the block's own; the blocks of the cluster have such windows behind it, by their ranks. */
#define PTX_BLOCK_WINDOW (G_GUINT64_CONSTANT (1) << 24)

/* The block in whose shared memory @address lies, which becomes the place in it; NULL: there is no such block. */
static inline PtxBlock *
ptx_cluster_block (const PtxWarp *warp, guint64 *address)
{
  guint64 rank = *address / PTX_BLOCK_WINDOW - 1;

  if (G_LIKELY (*address < PTX_BLOCK_WINDOW))
    return warp->block;
  *address %= PTX_BLOCK_WINDOW;
  return rank < warp->run->n_blocks ? &warp->run->blocks[rank] : NULL;
}

/* Whether any thread of the block has not ended: who reads its shared memory from another block has to make sure of that. */
gboolean ptx_cluster_block_lives (const PtxRun *run, const PtxBlock *block);
/* Lanes of a warp have ended: who waits at the cluster's barrier may go on. */
void ptx_cluster_settle (PtxRun *run);
/* What happened up to now may be passed on by arrivals that do not pass on anything themselves. */
void ptx_cluster_publish (PtxWarp *warp);

G_END_DECLS
