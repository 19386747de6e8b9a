/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/blocks.h"

G_BEGIN_DECLS

/* One place where a value is read. */
typedef struct
{
  int reader; /* node, or -1: an output */
  guint slot;
  guint key;
} HeddleUse;

typedef struct
{
  const char *value;
  int producer; /* node, or -1 */
  GArray *uses; /* of HeddleUse: readers by node and slot, then outputs; at last by key */
  guint n_reads; /* how many of them are readers */
} HeddleFlow;

typedef struct
{
  HeddleLayout *layout;
  GPtrArray *flows; /* of HeddleFlow, in the order of the diagram's values */
  GHashTable *flow_of; /* value id -> HeddleFlow */
  guint key;
  gboolean *visited; /* nodes */
} HeddleGraphBuilder;

/* graph.c */
HeddleFlow *heddle_graph_flow (const HeddleGraphBuilder *self, const char *value); /* or NULL */
/* graph-order.c: uses have their keys */
void heddle_graph_number_uses (HeddleGraphBuilder *self);
/* graph-members.c: flows have been numbered, nodes have their stages */
void heddle_graph_add_members (HeddleGraphBuilder *self);

G_END_DECLS
