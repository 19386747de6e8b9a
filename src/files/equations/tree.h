/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "files/equations/private.h"

/* Returns an empty array that owns the trees in it. */
GPtrArray *heddle_eq_trees_new (void);
/* Returns an operation without operands yet, with the usual options of @kind; NULL stands for a value alone. The
 * caller owns it. */
HeddleEqTree *heddle_eq_tree_new (const HeddleOperationKind *kind);
/* Returns a tree that is a value of a diagram alone, which it borrows; the caller owns the tree. */
HeddleEqTree *heddle_eq_tree_value (const HeddleValue *value);
/* Frees a tree with its operands; NULL is allowed. */
void heddle_eq_tree_free (HeddleEqTree *self);
/* Adds one more result, with a copy of these axes. */
void heddle_eq_tree_add_result (HeddleEqTree *self, const GArray *axes);
/* Returns the operation that makes a value and, where @is_own denies it, those that make its operands. The caller
 * owns it; ids are borrowed from the diagram. */
HeddleEqTree *heddle_eq_tree_from_diagram (
    const HeddleDiagram *diagram, const char *value_id, HeddleEqIsOwn is_own, gpointer data);
/* Adds the tree's operations and the values that they make to @diagram, and returns the last, called @name; the
 * diagram owns it. */
HeddleValue *heddle_eq_tree_emit (
    const HeddleEqTree *self, HeddleDiagram *diagram, const char *name, HeddleDtype dtype);
/* Returns the first operation of @self in which @other differs, owned by @self; NULL means that they are
 * equal. */
const HeddleEqTree *heddle_eq_tree_difference (const HeddleEqTree *self, const HeddleEqTree *other);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleEqTree, heddle_eq_tree_free)
