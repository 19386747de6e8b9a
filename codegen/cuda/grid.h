/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"

/* This file chooses the order in which the blocks of a kernel of products begin, so that those that run at a
 * time read what the L2 cache holds. Kernels whose tiles the copy hardware brings use it, for they were
 * measured; others would have to find registers for it (multi-head-latent-attention by warps then spills). */

/* A sweep over two axes of the grid: blocks take @count tiles of one for each tile of the other, and then the
 * next @count. */
typedef struct
{
  const HeddleNode *side; /* the axis whose tiles are taken @count at a time */
  const HeddleNode *along; /* the other; NULL: blocks go through the axes one after the other */
  gint64 count;
  gboolean backwards; /* along the other axis blocks get longer: the longest are first */
} HeddleCudaSweep;

/* Returns the two axes that blocks of @program go through in sweeps, rows and columns of a product or heads
 * and causal queries; of none, one after the other, where sweeps save nothing. */
HeddleCudaSweep heddle_cuda_find_sweep (const HeddleLoopProgram *program, const HeddleSizes *sizes);
