/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/build-private.h"
#include "derive/program/loop-program.h"
#include "diagram/expression/expr.h"

/* Returns the number of the source of @node that is @buffer read at @indices (NULL: at the point). */
guint heddle_node_add_source (HeddleNode *node, guint buffer, GPtrArray *indices);
/* Adds the statement buffer = body, where body is over definitions. */
HeddleNode *heddle_builder_add_compute (
    const HeddleBuilder *self, GPtrArray *list, guint definition, guint buffer, HeddleExpr *body);
/* Sets what a SCAN and a SELECT have besides a body. */
void heddle_builder_set_extra (const HeddleBuilder *self, HeddleNode *node, guint definition);
/* Reads an input at indices of its own. */
void heddle_builder_add_gather (const HeddleBuilder *self, GPtrArray *list, guint definition);
/* Reads the inputs: a chunk at the beginning of its step, what is held through the loop just before it, all
 * else when it is first read. */
void heddle_builder_add_loads (HeddleBuilder *self);
