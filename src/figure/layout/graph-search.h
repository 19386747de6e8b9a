/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/graph-private.h"

G_BEGIN_DECLS

/* graph-search.c: another order in which fewer wires cross; stages are known */
void heddle_graph_search_order (HeddleGraphBuilder *self);

G_END_DECLS
