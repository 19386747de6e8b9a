/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/graph-private.h"

G_BEGIN_DECLS

/* graph-members.c: where wires begin and end; stages are known */
void heddle_graph_find_columns (HeddleGraphBuilder *self);
/* The order is known. */
void heddle_graph_add_members (HeddleGraphBuilder *self);

G_END_DECLS
