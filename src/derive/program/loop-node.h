/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/loop-program.h"

G_BEGIN_DECLS

HeddleNode *heddle_node_new (HeddleNodeKind kind);
/* Before the first source is added: a new node has the array that all nodes without sources have. */
void heddle_node_own_sources (HeddleNode *self);
void heddle_node_free (HeddleNode *self);

G_END_DECLS
