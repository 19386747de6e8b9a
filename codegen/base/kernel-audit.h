/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* The instructions of a compiled kernel, counted in its cubin, since no disassembler need be installed. */
typedef struct
{
  guint instructions;
  guint products; /* of the tensor core */
  guint loops; /* branches that can come again */
  guint
      loop_instructions; /* of the loop with the most products, without those in it that have none; 0: not told */
  guint loop_products;
  guint loop_spills; /* loads and stores of local memory in it */
  guint
      spills_in_loops; /* and in all loops: where nothing was spilled, those of arrays, as the sine of a large number has one */
} HeddleAudit;
