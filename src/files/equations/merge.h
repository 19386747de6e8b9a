/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"
#include "files/equations/parser.h"
#include "files/equations/private.h"

/* Reads axes merged on the left, `(h u)`, into @slot. FALSE means that an error was reported. */
gboolean heddle_eq_parse_merged_slot (HeddleEqParser *self, HeddleEqSlot *slot);
/* Reads an index that merges axes, `(h u)`, as the sum of products that it means. NULL means that an error was
 * reported. */
HeddleEqNode *heddle_eq_parse_merged_index (HeddleEqParser *self);
/* Returns the indices on the left of a statement as bits of @scope, those that are merged one by one. */
guint64 heddle_eq_left_bits (HeddleEqScope *scope, const HeddleEqStatement *statement);
/* Returns the operations of a statement as heddle_eq_elaborate () does, with @axes on its left, merged where
 * it says so. */
HeddleEqTree *heddle_eq_elaborate_left (
    HeddleEqScope *scope, const HeddleEqStatement *statement, const GArray *axes);
/* Returns whether a read merges axes and does nothing else, each merged axis having the name that reading
 * gives it. */
gboolean heddle_eq_is_merge (
    const HeddleDiagram *diagram, const GArray *axes, const GArray *operand_axes, const GPtrArray *indices);
/* Appends what stands for @axis on the left of the statement of @tree: `(h u)` where it merges, else the
 * axis' name. */
void heddle_eq_append_left (
    GString *text, const HeddleDiagram *diagram, const HeddleEqTree *tree, const char *axis);
/* Returns whether a tree is a reindexing of one array that merges axes and does nothing else. */
gboolean heddle_eq_tree_is_merge (const HeddleDiagram *diagram, const HeddleEqTree *tree);
/* Appends an index that merges, as `(h u)`. FALSE means that it does not, and nothing was appended. */
gboolean heddle_eq_append_merge (GString *text, const HeddleEqNode *node);
