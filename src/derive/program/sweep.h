/* SPDX-License-Identifier: MIT */
#pragma once

/* This file gives the order in which the blocks of a kernel of products begin, both as kernels are emitted
 * and as the clock models them. Of the rows and columns of a product, and of heads and causal queries, blocks
 * take some tiles of the one for each tile of the other, so that those that run at a time read what the L2
 * cache holds. */

/* The number of tiles along the rows of a product that are taken at a time. */
#define HEDDLE_SWEEP_TILES 8
/* The bytes of the arrays that all queries of a head read which are taken at a time: they stay in the L2
 * cache of a GPU that has 40 MB or more, beside what else goes through it. */
#define HEDDLE_SWEEP_BYTES (16 << 20)
/* The architecture whose kernels begin their blocks so: the copy hardware brings their tiles. */
#define HEDDLE_SWEEP_ARCH "sm_90a"
