/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/layout/layout.h"

/* The builder of the graph lives while nodes get their stages and members their columns and order; nothing of it is
 * left in the layout. */

#define HEDDLE_NO_USE G_MAXUINT
#define HEDDLE_UNKNOWN_USE (G_MAXUINT - 1)

typedef struct
{
  const char *value;
  int producer; /* node, or -1 */
  GArray *uses; /* of guint: numbers of uses; at last from the top */
  guint primary; /* the use whose wires go straight on, or HEDDLE_NO_USE; the others are copied from them */
  guint n_wires;
  guint n_wired; /* uses that are not named for what they would cross */
  gboolean named; /* an input whose name is shown */
  int from, copies_from; /* data columns */
} HeddleFlow;

/* One place where a value is read. */
typedef struct
{
  HeddleFlow *flow;
  int reader; /* node, or -1: an output */
  guint slot;
  guint key; /* from the top, from 1 on */
  int to; /* data column */
  gboolean far; /* the wire is not drawn through */
  gboolean fan; /* a copy whose wires would cross more than a few others: see graph-search */
  gboolean carded; /* cut by hand or for that: its name stands on a card */
  gboolean cut; /* the value is named where it is read */
  gboolean loads, saves; /* an input or an output that is named where it enters or leaves the diagram */
} HeddleUse;

/* The order from top to bottom is that of a walk through a forest: from every output back through what it is made of. A node hangs on
 * one of the uses of what it makes. */
typedef struct
{
  HeddleLayout *layout;
  GPtrArray *flows; /* of HeddleFlow, in the order of the diagram's values */
  GHashTable *flow_of; /* value id -> HeddleFlow */
  GArray *uses; /* of HeddleUse: node by node as operands are written, then the outputs */
  guint *begin; /* node -> its first place, and one more */
  guint *places; /* numbers of uses: the operands of each node from the top */
  GArray *outputs; /* numbers of uses, from the top */
  guint *parents; /* node -> number of the use on which it hangs */
  int *lows; /* node -> the first data column of what hangs on it */
  guint key;
} HeddleGraphBuilder;

#define heddle_graph_use(self, i) (&g_array_index ((self)->uses, HeddleUse, (i)))
