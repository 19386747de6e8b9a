/* SPDX-License-Identifier: MIT */
#pragma once

/* A product of sums has as many parts as there are products of their parts. */
#define HEDDLE_MAX_PARTS 16

/* The things that an expression reads, with respect to the streamed axis. */
typedef enum
{
  HEDDLE_READS_CHUNKS = 1 << 0, /* values that vary along the streamed axis */
  HEDDLE_READS_REDUCED = 1 << 1, /* reductions over it, or what follows from them */
  HEDDLE_READS_TAINTED = 1 << 2, /* chunks that themselves stand for more than is kept */
} HeddleReads;
