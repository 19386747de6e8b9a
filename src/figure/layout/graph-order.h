/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/graph-private.h"

G_BEGIN_DECLS

/* graph-order.c: gives uses their keys; what hangs on nothing known yet hangs on its first use then */
void heddle_graph_number (HeddleGraphBuilder *self);

G_END_DECLS
