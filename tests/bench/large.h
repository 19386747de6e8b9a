/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

/* Large diagrams to measure with; the same for the same number of operations. Transfer full. */

/* A residual network: norm, product with an array, maximum, and the sum with what came in; four operations a block. */
HeddleDiagram *large_network (guint n_operations);
/* Operations that read what was made lately, now and then anything: many wires side by side, long ones and short ones. */
HeddleDiagram *large_random (guint n_operations);
