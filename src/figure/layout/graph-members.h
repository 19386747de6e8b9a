/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/graph-private.h"

/* Members are made of the uses of values: each is a bundle of wires from one data column to another. */

/* Finds the data columns between which each use's wires run. Stages are known. */
void heddle_graph_find_columns (HeddleGraphBuilder *self);
/* Makes the layout's members from the uses, from the top. The order is known. */
void heddle_graph_add_members (HeddleGraphBuilder *self);
