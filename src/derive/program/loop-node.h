/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/loop-program.h"

/* Nodes of a loop program's tree. A band owns its children, and every node its expressions. */

/* Returns a new node of this kind without children, sources or expressions. Nodes without sources share one
 * empty array. */
HeddleNode *heddle_node_new (HeddleNodeKind kind);
/* Gives the node arrays of its own for sources; it has to be called before the first source is added. */
void heddle_node_own_sources (HeddleNode *self);
/* Frees the node with its children and expressions. */
void heddle_node_free (HeddleNode *self);
