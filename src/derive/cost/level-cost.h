/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"

/* The cost at one column of the diagram. */
typedef struct
{
  const char *operation; /* after which operation (id); NULL: the loads before the first */
  gint64 transfer_elements; /* H that happens here */
  gint64 memory_elements; /* M held here (by the chosen convention) */
  gint64 transfer_bytes, memory_bytes;
} HeddleColumnCost;

typedef struct
{
  char *level;
  gint64 transfer_elements, transfer_bytes; /* G_MAXINT64: beyond 64 bits */
  gint64 step_elements, step_bytes; /* what one group moves in one step of its stream */
  HeddleExpr *
      transfer_symbolic; /* over SIZE leaves and VARIABLEs "g_NAME", "s_NAME" (NAME: the axis' name); "share": what of a loaded stream is not
                               skipped; "chosen": how many of the matrices that rows choose a block reads on average */
  gint64 memory_elements, memory_bytes; /* the peak */
  HeddleExpr *memory_symbolic;
  gint64 capacity_bytes; /* capacity in elements for the abstract machine */
  gint64
      instances; /* of a level below the first: groups of one group of the level above, all held at the same time; else 1 */
} HeddleLevelCost;
