/* SPDX-License-Identifier: MIT */
#pragma once

/* The order in which the blocks of a kernel of products begin, as kernels are emitted and as the clock takes them: of rows and columns of a product, and of
 * heads and causal queries, blocks take some tiles of the one for each tile of the other, so that those that run at a time read what the L2 cache holds. */

/* How many tiles of the rows of a product are taken at a time. */
#define HEDDLE_SWEEP_TILES 8
/* How much of the arrays that all queries of a head read is taken at a time: that stays in the L2 cache of a GPU that has 40 MB or more, beside what else goes
 * through it. */
#define HEDDLE_SWEEP_BYTES (16 << 20)
/* Whose kernels begin their blocks so: those of which the copy hardware brings the tiles. */
#define HEDDLE_SWEEP_ARCH "sm_90a"
