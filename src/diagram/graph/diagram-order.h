/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

/* This file orders operations and values independently of the drawing. */

/* Puts operations and values into an order that depends on names, operands and outputs alone, so that
 * diagrams drawn in different orders, with different ids, become the same. Outputs without an order go by
 * name. */
void heddle_diagram_put_in_order (HeddleDiagram *self);

/* Puts operations into dependency order, keeping the present order where it can. Returns %FALSE if there is a
 * cycle. */
gboolean heddle_diagram_sort (HeddleDiagram *self);
