/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/graph-private.h"

/* A search for an order with fewer crossings begins with the one as written and changes it only where that saves
 * crossings, so that a small edit changes little. */

G_BEGIN_DECLS

/* Changes the order of operands and outputs where fewer wires cross then; ties stay, and a very large diagram stays
 * as written. Stages are known. */
void heddle_graph_search_order (HeddleGraphBuilder *self);

G_END_DECLS
