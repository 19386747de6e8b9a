/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "files/equations/private.h"

G_BEGIN_DECLS

GPtrArray *heddle_eq_trees_new (void);
HeddleEqTree *heddle_eq_tree_new (const HeddleOperationKind *kind);
HeddleEqTree *heddle_eq_tree_value (const HeddleValue *value);
void heddle_eq_tree_free (HeddleEqTree *self);
/* One more result, with these axes. */
void heddle_eq_tree_add_result (HeddleEqTree *self, const GArray *axes);
HeddleEqTree *heddle_eq_tree_from_diagram (
    const HeddleDiagram *diagram, const char *value_id, HeddleEqIsOwn is_own, gpointer data);
/* Adds its operations and the values they make, the last called @name. */
HeddleValue *heddle_eq_tree_emit (
    const HeddleEqTree *self, HeddleDiagram *diagram, const char *name, HeddleDtype dtype);
/* Where @other differs: the first such operation of @self, or NULL. */
const HeddleEqTree *heddle_eq_tree_difference (const HeddleEqTree *self, const HeddleEqTree *other);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleEqTree, heddle_eq_tree_free)

G_END_DECLS
