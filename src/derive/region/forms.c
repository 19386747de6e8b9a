/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/region/definition.h"
#include "derive/region/forms.h"
#include "derive/region/inputs.h"
#include "derive/region/marks.h"
#include "derive/region/region.h"
#include "diagram/analysis/merge.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/parse.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* This file handles operations that are neither pointwise nor a reduction by a monoid: states that move along
 * an axis, the largest elements in order with their places, and reads at indices that are known only when the
 * kernel runs. */

typedef struct
{
  HeddleRegionBuilder *builder;
  const HeddleOperation *operation;
} Binding;

static HeddleExpr *
bind_leaf (const HeddleExpr *leaf, gpointer data)
{
  const Binding *self = data;
  guint operand;

  if (heddle_expr_of_value (leaf) != NULL)
    return heddle_expr_argument (
        heddle_region_builder_get_operand (self->builder, heddle_expr_of_value (leaf)));
  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_ARGUMENT)
    return NULL;
  operand = heddle_expr_get_operand (leaf);
  return heddle_expr_argument (heddle_region_builder_get_operand (
      self->builder, heddle_ids_index (self->operation->operands, operand)));
}

static HeddleDefinition *
definition_new (const Binding *self, const char *value, const GArray *axes)
{
  HeddleDefinition *definition = heddle_definition_new (value, axes);

  definition->operation = self->operation->id;
  definition->column = self->builder->column;
  return definition;
}

/* Adds the definition that stands for @value from here on. */
static void
add_value (const Binding *self, HeddleDefinition *definition, const char *value)
{
  guint number = heddle_region_builder_add (self->builder, definition);

  definition->output = heddle_region_builder_is_read_outside (self->builder, value);
  g_hash_table_insert (self->builder->definitions, (gpointer) value, GUINT_TO_POINTER (number + 1));
}

/* Returns @value over definitions, or @other where the point is left out. */
static HeddleExpr *
bind_inside (Binding *self, HeddleExpr *value, double other)
{
  HeddleExpr *inside = self->builder->inside;
  g_autoptr (HeddleExpr) masked = inside != NULL ? heddle_expr_where (heddle_expr_ref (inside),
                                      heddle_expr_ref (value), heddle_expr_number (other))
                                                 : heddle_expr_ref (value);

  return heddle_expr_substitute (masked, bind_leaf, self);
}

/* --- state machines ---------------------------------------------------------------------------- */

void
heddle_region_builder_add_scan (HeddleRegionBuilder *builder, const HeddleOperation *operation)
{
  Binding self = { builder, operation };
  g_autoptr (HeddleExpr) factor = heddle_expr_literal (operation->kind->scan.factor);
  g_autoptr (HeddleExpr) term = heddle_expr_literal (operation->kind->scan.term);
  HeddleDefinition *definition;
  HeddleExpr *body = bind_inside (&self, term, 0.);

  definition = definition_new (
      &self, operation->result, heddle_region_builder_value_axes (builder, operation->result));
  definition->form = HEDDLE_COMPUTE_SCAN;
  definition->along = heddle_ids_index (operation->axes, 0);
  definition->body = body;
  if (heddle_expr_get_kind (factor) != HEDDLE_EXPR_NUMBER || heddle_expr_get_number (factor) != 1.)
    definition->extra = bind_inside (&self, factor, 1.);
  definition->name = "h";
  definition->title = N_ ("state of the scan");
  add_value (&self, definition, operation->result);
}

/* --- the largest and their places ---------------------------------------------------------------- */

static void
add_selection (Binding *self, HeddleExpr *key, HeddleExpr *place, const GArray *over, const char *rank)
{
  const GArray *axes = heddle_region_builder_value_axes (self->builder, self->operation->result);
  HeddleDefinition *best = definition_new (self, NULL, axes), *places;

  best->form = HEDDLE_COMPUTE_SELECT;
  best->reduces = TRUE;
  best->monoid = HEDDLE_MONOID_MAX;
  best->along = rank;
  best->body = key;
  best->extra = bind_inside (self, place, -1.);
  g_array_append_vals (best->over, over->data, over->len);
  best->name = rank != NULL ? "best" : "m";
  best->title = rank != NULL ? N_ ("largest so far") : N_ ("maximum");
  places = definition_new (self, self->operation->result, axes);
  places->form = HEDDLE_COMPUTE_SELECT;
  places->places = TRUE;
  places->reduces = TRUE;
  places->monoid = HEDDLE_MONOID_MAX;
  places->along = rank;
  places->body = heddle_expr_argument (heddle_region_builder_add (self->builder, best));
  g_array_append_vals (places->over, over->data, over->len);
  places->name = "place";
  places->title = N_ ("places of the largest");
  add_value (self, places, self->operation->result);
}

void
heddle_region_builder_add_select (HeddleRegionBuilder *builder, const HeddleOperation *operation)
{
  Binding self = { builder, operation };
  g_autoptr (GArray) over = heddle_ids_new ();
  guint key = heddle_region_builder_get_operand (builder, heddle_ids_index (operation->operands, 0));
  g_autoptr (HeddleExpr) place = NULL;

  heddle_ids_append (over, heddle_ids_index (operation->axes, 0));
  place = heddle_expr_index (heddle_ids_index (over, 0));
  add_selection (&self, heddle_expr_argument (key), place, over, heddle_ids_index (operation->axes, 1));
}

/* Adds a maximum and the least of the places where it is, if the operation is such a search: one pass finds
 * both. */
gboolean
heddle_region_builder_try_argmax (
    HeddleRegionBuilder *builder, const HeddleOperation *operation, const HeddleTerm *term)
{
  Binding self = { builder, operation };
  const HeddleExpr *choice = term->n_stages == 2 ? term->stages[1].body : NULL;
  g_autoptr (HeddleExpr) place = NULL, same = NULL, expected = NULL;
  HeddleExpr *key;

  if (choice == NULL || heddle_expr_get_kind (choice) != HEDDLE_EXPR_WHERE
      || term->stages[0].monoid != HEDDLE_MONOID_MAX || term->stages[1].monoid != HEDDLE_MONOID_MIN)
    return FALSE;
  place = heddle_merge_index (operation->axes);
  expected = heddle_expr_where (heddle_expr_binary (HEDDLE_EXPR_EQ, heddle_expr_ref (term->stages[0].body),
                                    heddle_expr_variable (term->stages[0].name)),
      heddle_expr_ref (place), heddle_expr_number (INFINITY));
  same = heddle_expr_variable (term->stages[1].name);
  if (!heddle_expr_equal (choice, expected) || !heddle_expr_equal (term->result, same))
    return FALSE;
  key = heddle_expr_substitute (term->stages[0].body, bind_leaf, &self);
  add_selection (&self, key, place, operation->axes, NULL);
  return TRUE;
}

/* --- reads at indices ------------------------------------------------------------------------------ */

GPtrArray *
heddle_region_builder_bind_indices (HeddleRegionBuilder *builder, const HeddleOperation *operation)
{
  Binding self = { builder, operation };
  GPtrArray *indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);

  for (guint i = 0; i < operation->indices->len; i++)
    g_ptr_array_add (
        indices, heddle_expr_substitute (g_ptr_array_index (operation->indices, i), bind_leaf, &self));
  return indices;
}

/* Adds what is read of a value in global memory element by element: only what is read crosses, however large
 * the value is. */
void
heddle_region_builder_add_gather (HeddleRegionBuilder *builder, const HeddleOperation *operation)
{
  Binding self = { builder, operation };
  const char *source = heddle_ids_index (operation->operands, 0);
  const GArray *axes = heddle_region_builder_value_axes (builder, operation->result);
  HeddleDefinition *input = heddle_definition_new (source, axes), *value;

  input->at = heddle_region_builder_bind_indices (builder, operation);
  input->input = TRUE;
  heddle_ids_append_once (builder->region->inputs, source);
  value = definition_new (&self, operation->result, axes);
  value->body = heddle_expr_argument (heddle_region_builder_add (builder, input));
  add_value (&self, value, operation->result);
}
