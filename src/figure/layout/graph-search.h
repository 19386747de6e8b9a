/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/graph-private.h"

/* A search for an order with fewer crossings begins with the one as written and changes it only where that saves
 * crossings, so that a small edit changes little. */

/* Changes the order of operands and outputs where fewer wires cross then; ties stay, and a very large diagram stays
 * as written. Stages are known. @work bounds the search, in wires that are looked at. */
void heddle_graph_search_order (HeddleGraphBuilder *self, gsize work);
/* Marks the copies whose wires would cross more than a few others in the order that was found: the value is to be
 * named where they are read. Returns whether there is one that was not marked yet. */
gboolean heddle_graph_cut_fans (HeddleGraphBuilder *self);
