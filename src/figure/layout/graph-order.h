/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/graph-private.h"

/* The order of all uses from the top follows a walk through a forest, which gives each use its key. */

/* Gives uses their keys, from the top; what hangs on nothing known yet hangs on its first use then. */
void heddle_graph_number (HeddleGraphBuilder *self);
