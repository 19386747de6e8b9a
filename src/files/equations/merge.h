/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"
#include "files/equations/parser.h"
#include "files/equations/private.h"

G_BEGIN_DECLS

gboolean heddle_eq_parse_merged_slot (HeddleEqParser *self, HeddleEqSlot *slot);
HeddleEqNode *heddle_eq_parse_merged_index (HeddleEqParser *self);
/* The indices on the left, merged ones apart. */
guint64 heddle_eq_left_bits (HeddleEqScope *scope, const HeddleEqStatement *statement);
/* As heddle_eq_elaborate(), of a statement with @axes, merged where it says so. */
HeddleEqTree *heddle_eq_elaborate_left (
    HeddleEqScope *scope, const HeddleEqStatement *statement, const GArray *axes);
/* Whether a read merges axes and does nothing else, each merged one having the name that reading gives it. */
gboolean heddle_eq_is_merge (
    const HeddleDiagram *diagram, const GArray *axes, const GArray *operand_axes, const GPtrArray *indices);
void heddle_eq_append_left (
    GString *text, const HeddleDiagram *diagram, const HeddleEqTree *tree, const char *axis);
gboolean heddle_eq_tree_is_merge (const HeddleDiagram *diagram, const HeddleEqTree *tree);
/* Appends an index that merges; %FALSE: it does not. */
gboolean heddle_eq_append_merge (GString *text, const HeddleEqNode *node);

G_END_DECLS
