/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/region/concat.h"
#include "derive/region/definition.h"
#include "derive/region/forms.h"
#include "derive/region/inputs.h"
#include "derive/region/marks.h"
#include "derive/region/operations.h"
#include "derive/region/region.h"
#include "diagram/analysis/sizes.h"
#include "diagram/analysis/term.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"

#include <glib/gi18n-lib.h>

/* This file splits operations into their reductions and their pointwise rest. */

/* The number that stands in a result for the part of it that is computed once. */
#define SHARED G_MAXUINT

typedef struct
{
  HeddleRegionBuilder *builder;
  const HeddleOperation *operation;
  const HeddleTerm *term;
  GArray *operands; /* of guint: definitions */
  guint stages[HEDDLE_MAX_STAGES]; /* definitions of the stages so far */
  guint shared; /* the definition SHARED stands for */
  guint count; /* the definition of how many terms there are + 1; 0: all */
} Binding;

static HeddleExpr *
bind_leaf (const HeddleExpr *leaf, gpointer data)
{
  const Binding *binding = data;

  if (heddle_expr_get_kind (leaf) == HEDDLE_EXPR_ARGUMENT)
    {
      guint operand = heddle_expr_get_operand (leaf);

      return heddle_expr_argument (
          operand == SHARED ? binding->shared : g_array_index (binding->operands, guint, operand));
    }
  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_VARIABLE)
    return NULL;
  if (heddle_expr_of_value (leaf) != NULL)
    return heddle_expr_argument (
        heddle_region_builder_get_operand (binding->builder, heddle_expr_of_value (leaf)));
  if (binding->count > 0 && g_str_equal (heddle_expr_get_symbol (leaf), "n"))
    return heddle_expr_argument (binding->count - 1);
  for (guint i = 0; i < binding->term->n_stages; i++)
    if (binding->term->stages[i].name == heddle_expr_get_symbol (leaf))
      return heddle_expr_argument (binding->stages[i]);
  return NULL;
}

/* Returns @body with every occurrence of @part replaced by SHARED. */
static HeddleExpr *
mark_part (HeddleExpr *body, const HeddleExpr *part)
{
  guint n = heddle_expr_get_n_children (body);
  g_autofree HeddleExpr **children = g_new (HeddleExpr *, MAX (n, 1));

  if (heddle_expr_equal (body, part))
    return heddle_expr_argument (SHARED);
  if (n == 0)
    return heddle_expr_ref (body);
  for (guint i = 0; i < n; i++)
    children[i] = mark_part (heddle_expr_get_child (body, i), part);
  return heddle_expr_node (heddle_expr_get_kind (body), children, n);
}

static HeddleDefinition *
add_compute (Binding *binding, const char *value, const GArray *axes, HeddleExpr *body)
{
  HeddleRegionBuilder *builder = binding->builder;
  HeddleDefinition *definition = heddle_definition_new (value, axes);

  definition->operation = binding->operation->id;
  definition->column = builder->column;
  definition->body = heddle_expr_substitute (body, bind_leaf, binding);
  heddle_region_builder_add (builder, definition);
  if (value != NULL)
    {
      definition->output = heddle_region_builder_is_read_outside (builder, value);
      g_hash_table_insert (
          builder->definitions, (gpointer) value, GUINT_TO_POINTER (builder->region->definitions->len));
    }
  return definition;
}

/* Returns the axes of the points for which a reduction has a result: the result's axes, or those of them that
 * are not reduced. */
static GArray *
stage_axes (const HeddleRegionBuilder *builder, const HeddleOperation *operation)
{
  const GArray *axes = heddle_region_builder_value_axes (builder, operation->result);
  GArray *rest = heddle_ids_new ();

  for (guint i = 0; i < axes->len; i++)
    if (!heddle_ids_contain (operation->axes, heddle_ids_index (axes, i)))
      heddle_ids_append (rest, heddle_ids_index (axes, i));
  return rest;
}

/* Returns @value, or @other where the reduction leaves the point out. Takes @value. */
static HeddleExpr *
where_inside (const Binding *binding, HeddleExpr *value, double other)
{
  HeddleExpr *inside = binding->builder->inside;

  return inside != NULL ? heddle_expr_where (heddle_expr_ref (inside), value, heddle_expr_number (other))
                        : value;
}

static HeddleDefinition *
add_reduced (Binding *binding, const char *value, HeddleMonoid monoid, HeddleExpr *body)
{
  g_autoptr (GArray) axes = stage_axes (binding->builder, binding->operation);
  g_autoptr (HeddleExpr) masked = where_inside (binding, heddle_expr_ref (body), heddle_monoid_unit (monoid));
  HeddleDefinition *definition = add_compute (binding, value, axes, masked);

  definition->reduces = TRUE;
  definition->monoid = monoid;
  g_array_unref (definition->over);
  definition->over = heddle_ids_copy (binding->operation->axes);
  return definition;
}

/* Adds the number of terms, where that is not the product of their axes' sizes. */
static void
add_count (Binding *binding)
{
  g_autoptr (HeddleExpr) one = heddle_expr_number (1.);
  HeddleDefinition *count = add_reduced (binding, NULL, HEDDLE_MONOID_SUM, one);

  count->name = "n";
  count->title = N_ ("number of terms");
  binding->count = binding->builder->region->definitions->len;
}

static void
add_stage (Binding *binding, guint i, const char *value, HeddleExpr *body)
{
  const HeddleStage *stage = &binding->term->stages[i];
  HeddleDefinition *definition = add_reduced (binding, value, stage->monoid, body);

  binding->stages[i] = binding->builder->region->definitions->len - 1;
  definition->name = stage->name;
  definition->title = stage->title;
}

/* Returns whether a reduction's result is its one stage and nothing more. */
static gboolean
is_plain (const HeddleTerm *term)
{
  return term->n_stages == 1 && heddle_expr_get_kind (term->result) == HEDDLE_EXPR_VARIABLE;
}

/* Adds the stages, then the result. If the result of a normalisation contains the last stage's body (softmax:
 * the exponentials), that is computed once, as a definition of its own. */
static void
add_term (Binding *binding)
{
  const HeddleTerm *term = binding->term;
  const GArray *axes = heddle_region_builder_value_axes (binding->builder, binding->operation->result);
  g_autoptr (HeddleExpr) result = heddle_expr_ref (term->result);

  if (binding->builder->inside != NULL && binding->operation->kind->form != HEDDLE_FORM_CONTRACT)
    add_count (binding);
  for (guint i = 0; i < term->n_stages; i++)
    {
      g_autoptr (HeddleExpr) body = heddle_expr_ref (term->stages[i].body);
      gboolean may_share = i + 1 == term->n_stages && heddle_expr_get_n_children (body) > 0
                           && binding->operation->kind->form == HEDDLE_FORM_NORMALISE;
      g_autoptr (HeddleExpr) marked = may_share ? mark_part (result, body) : heddle_expr_ref (result);

      if (!heddle_expr_equal (marked, result))
        {
          add_compute (binding, NULL, axes, body)->name = "e";
          binding->shared = binding->builder->region->definitions->len - 1;
          heddle_expr_unref (result);
          result = g_steal_pointer (&marked);
          heddle_expr_unref (body);
          body = heddle_expr_argument (SHARED);
        }
      add_stage (binding, i, is_plain (term) ? binding->operation->result : NULL, body);
    }
  if (!is_plain (term))
    {
      gboolean stays = binding->operation->kind->form == HEDDLE_FORM_NORMALISE;
      g_autoptr (HeddleExpr) kept
          = stays ? where_inside (binding, heddle_expr_ref (result), 0.) : heddle_expr_ref (result);

      add_compute (binding, binding->operation->result, axes, kept);
    }
}

/* --- reindexing ------------------------------------------------------------------------ */

/* Returns the axes of an operand that is only read under other names; NULL if it is read otherwise. */
static GArray *
get_renaming (const HeddleRegionBuilder *builder, const HeddleOperation *operation)
{
  const GArray *axes = heddle_region_builder_value_axes (builder, heddle_ids_index (operation->operands, 0));
  g_autoptr (GArray) names = heddle_ids_new ();

  for (guint i = 0; i < axes->len; i++)
    {
      const HeddleExpr *index = g_ptr_array_index (operation->indices, i);
      const char *from = heddle_ids_index (axes, i), *to;

      if (heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX)
        return NULL;
      to = heddle_expr_get_symbol (index);
      if (heddle_ids_contain (names, to)
          || (builder->sizes != NULL
              && heddle_sizes_get (builder->sizes, from) != heddle_sizes_get (builder->sizes, to)))
        return NULL;
      heddle_ids_append (names, to);
    }
  return g_steal_pointer (&names);
}

/* Returns whether the value is read in the kernel at an index of its own along an axis that @held has not: it
 * is repeated there, and only the value itself says where that ends. */
static gboolean
is_read_beyond (const HeddleRegionBuilder *builder, const char *value, const GArray *held)
{
  const GArray *axes = heddle_region_builder_value_axes (builder, value);
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (builder->region->diagram, value);

  for (guint i = 0; i < readers->len; i++)
    {
      const HeddleOperation *reader = g_ptr_array_index (readers, i);

      if (reader->kind->form != HEDDLE_FORM_REINDEX || heddle_ids_index (reader->operands, 0) != value)
        continue;
      for (guint k = 0; k < axes->len; k++)
        if (!heddle_ids_contain (held, heddle_ids_index (axes, k))
            && heddle_expr_get_kind (g_ptr_array_index (reader->indices, k)) != HEDDLE_EXPR_INDEX)
          return TRUE;
    }
  return FALSE;
}

/* Returns whether the axis that is read at index @i stands in another index, too. */
static gboolean
is_read_twice (const HeddleOperation *operation, guint i)
{
  const char *axis = heddle_expr_get_symbol (g_ptr_array_index (operation->indices, i));

  for (guint k = 0; k < operation->indices->len; k++)
    if (k != i && heddle_expr_uses (g_ptr_array_index (operation->indices, k), HEDDLE_EXPR_INDEX, axis))
      return TRUE;
  return FALSE;
}

/* Returns the axes that what is held of the operand has: its own, or, where an axis is read at the index of one
 * that is as long, that one, as if the operand had it. */
static GArray *
get_held_axes (const HeddleRegionBuilder *builder, const HeddleOperation *operation)
{
  const GArray *axes = heddle_region_builder_value_axes (builder, heddle_ids_index (operation->operands, 0));
  GArray *held = heddle_ids_copy (axes);

  for (guint i = 0; builder->sizes != NULL && i < axes->len; i++)
    {
      const HeddleExpr *index = g_ptr_array_index (operation->indices, i);
      const char *name
          = heddle_expr_get_kind (index) == HEDDLE_EXPR_INDEX ? heddle_expr_get_symbol (index) : NULL;

      if (name != NULL && !heddle_ids_contain (axes, name) && !is_read_twice (operation, i)
          && heddle_sizes_get (builder->sizes, name)
                 == heddle_sizes_get (builder->sizes, heddle_ids_index (axes, i)))
        heddle_ids_index (held, i) = name;
    }
  return held;
}

/* Returns a bit for each axis of the operand, which is set if that is read at an index of its own. */
static guint64
get_whole (const HeddleOperation *operation, const GArray *held)
{
  guint64 whole = 0;

  for (guint i = 0; i < held->len; i++)
    {
      const HeddleExpr *index = g_ptr_array_index (operation->indices, i);

      if (heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX
          || heddle_expr_get_symbol (index) != heddle_ids_index (held, i))
        whole |= i < 64 ? G_GUINT64_CONSTANT (1) << i : 0;
    }
  return whole;
}

/* Returns an input that is read at indices of its own; it is held to the windows of those. */
static guint
add_windowed (HeddleRegionBuilder *builder, const HeddleOperation *operation, const char *operand)
{
  g_autoptr (GArray) held = get_held_axes (builder, operation);
  guint64 whole = get_whole (operation, held);

  return heddle_region_builder_add_input (
      builder, operand, held, whole, heddle_windows_of_indices (operation->indices, whole));
}

/* Adds a reindexing. A kernel loads an input that is only renamed under its new names; everything else is
 * read at indices from what is held for it. */
static void
add_reindex (Binding *binding)
{
  HeddleRegionBuilder *builder = binding->builder;
  const HeddleOperation *operation = binding->operation;
  const char *operand = heddle_ids_index (operation->operands, 0);
  gboolean outer = !g_hash_table_contains (builder->definitions, operand),
           gathers = operation->operands->len > 1;
  g_autoptr (GArray) renaming = outer ? get_renaming (builder, operation) : NULL;
  g_autoptr (HeddleExpr) body = heddle_expr_argument (0);
  g_autoptr (GPtrArray) indices = NULL;
  HeddleDefinition *definition;
  guint source;

  if (outer && (gathers || (builder->gathers && renaming == NULL)))
    {
      heddle_region_builder_add_gather (builder, operation);
      return;
    }
  if (renaming != NULL)
    source = heddle_region_builder_add_input (builder, operand, renaming, 0, NULL);
  else
    source = outer ? add_windowed (builder, operation, operand)
                   : heddle_region_builder_get_operand (builder, operand);
  if (renaming != NULL && !heddle_region_builder_is_read_outside (builder, operation->result)
      && !is_read_beyond (builder, operation->result, renaming))
    {
      g_hash_table_insert (builder->definitions, (gpointer) operation->result, GUINT_TO_POINTER (source + 1));
      return;
    }
  g_array_append_val (binding->operands, source);
  /* The definition that the indices read comes before the one that reads at them. */
  indices = gathers ? heddle_region_builder_bind_indices (builder, operation)
                    : g_ptr_array_ref (operation->indices);
  definition = add_compute (
      binding, operation->result, heddle_region_builder_value_axes (builder, operation->result), body);
  if (renaming == NULL)
    definition->indices = heddle_region_builder_order_indices (builder, operand, source, indices);
}

void
heddle_region_builder_add_operation (HeddleRegionBuilder *builder, const HeddleOperation *operation)
{
  g_autoptr (HeddleTerm) term
      = builder->inside != NULL ? heddle_term_new_counted (operation) : heddle_term_new (operation);
  g_autoptr (GArray) operands = g_array_new (FALSE, FALSE, sizeof (guint));
  Binding binding = { builder, operation, term, operands };

  switch (operation->kind->form)
    {
    case HEDDLE_FORM_REINDEX:
      add_reindex (&binding);
      return;
    case HEDDLE_FORM_CONCAT:
      heddle_region_builder_add_concat (builder, operation);
      return;
    case HEDDLE_FORM_SCAN:
      heddle_region_builder_add_scan (builder, operation);
      return;
    case HEDDLE_FORM_SELECT:
      heddle_region_builder_add_select (builder, operation);
      return;
    default:
      break;
    }
  if (builder->inside == NULL && heddle_region_builder_try_argmax (builder, operation, term))
    return;
  for (guint i = 0; i < operation->operands->len; i++)
    {
      guint definition
          = heddle_region_builder_get_operand (builder, heddle_ids_index (operation->operands, i));

      g_array_append_val (operands, definition);
    }
  add_term (&binding);
}
