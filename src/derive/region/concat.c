/* SPDX-License-Identifier: MIT */
#include "derive/region/concat.h"
#include "derive/region/definition.h"
#include "derive/region/inputs.h"
#include "derive/region/region.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/operation.h"

/* Arrays laid end to end, as a kernel sees them: each is read where it lies, at the index less the place
 * where it begins, and a point takes the value of the one that it lies in. What is read outside of the others
 * is not taken. */
typedef struct
{
  HeddleRegionBuilder *builder;
  const HeddleOperation *operation;
  const HeddleValue *result;
  const char *along;
} Concat;

static HeddleDefinition *
definition_new (const Concat *self, const char *value)
{
  HeddleDefinition *definition = heddle_definition_new (value, self->result->axes);

  definition->operation = self->operation->id;
  definition->column = self->builder->column;
  return definition;
}

/* Returns the indices of the point in the operand, which begins at @start. */
static GPtrArray *
indices_in (const Concat *self, const HeddleValue *operand, const HeddleExpr *start)
{
  const char *own = heddle_concat_own_axis (self->result, operand);
  GPtrArray *indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);

  for (guint i = 0; i < operand->axes->len; i++)
    {
      const char *axis = heddle_ids_index (operand->axes, i);
      HeddleExpr *index = heddle_expr_index (axis == own ? self->along : axis);

      if (axis == own && start != NULL)
        index = heddle_expr_binary (HEDDLE_EXPR_SUB, index, heddle_expr_ref ((HeddleExpr *) start));
      g_ptr_array_add (indices, index);
    }
  return indices;
}

/* Returns the operand's definition; along its own axis it holds what of it is in the result's part. */
static guint
add_source (const Concat *self, const HeddleValue *operand, const GPtrArray *indices)
{
  int own = heddle_ids_find (operand->axes, heddle_concat_own_axis (self->result, operand));
  guint64 whole = own < 64 ? G_GUINT64_CONSTANT (1) << own : 0;

  if (g_hash_table_contains (self->builder->definitions, operand->id))
    return heddle_region_builder_get_operand (self->builder, operand->id);
  return heddle_region_builder_add_input (
      self->builder, operand->id, operand->axes, whole, heddle_windows_of_indices (indices, whole));
}

static guint
add_part (const Concat *self, const HeddleValue *operand, const HeddleExpr *start)
{
  gboolean outer = !g_hash_table_contains (self->builder->definitions, operand->id);
  g_autoptr (GPtrArray) indices = NULL;
  HeddleDefinition *part;
  guint source;

  if (outer && self->builder->gathers)
    {
      part = heddle_definition_new (operand->id, self->result->axes);
      part->input = TRUE;
      part->at = indices_in (self, operand, start);
      heddle_ids_append_once (self->builder->region->inputs, operand->id);
      return heddle_region_builder_add (self->builder, part);
    }
  part = definition_new (self, NULL);
  part->name = "part";
  indices = indices_in (self, operand, start);
  source = add_source (self, operand, indices);
  part->indices = heddle_region_builder_order_indices (self->builder, operand->id, source, indices);
  part->body = heddle_expr_argument (source);
  return heddle_region_builder_add (self->builder, part);
}

/* Returns the choice of the part that the point lies in: each reaches up to where the next begins. */
static HeddleExpr *
choose (const Concat *self, const GArray *parts, const GPtrArray *ends)
{
  HeddleExpr *body = heddle_expr_argument (g_array_index (parts, guint, parts->len - 1));

  for (guint i = parts->len - 1; i-- > 0;)
    body = heddle_expr_where (heddle_expr_binary (HEDDLE_EXPR_LT, heddle_expr_index (self->along),
                                  heddle_expr_ref (g_ptr_array_index (ends, i))),
        heddle_expr_argument (g_array_index (parts, guint, i)), body);
  return body;
}

void
heddle_region_builder_add_concat (HeddleRegionBuilder *builder, const HeddleOperation *operation)
{
  const HeddleDiagram *diagram = builder->region->diagram;
  Concat self = { builder, operation, heddle_diagram_get_value (diagram, operation->result),
    heddle_ids_index (operation->axes, 0) };
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GPtrArray) ends = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  HeddleDefinition *whole;

  for (guint i = 0; i < operation->operands->len; i++)
    {
      const HeddleValue *operand
          = heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, i));
      HeddleExpr *start = i > 0 ? g_ptr_array_index (ends, i - 1) : NULL;
      HeddleExpr *end = heddle_expr_size (heddle_concat_own_axis (self.result, operand));
      guint part = add_part (&self, operand, start);

      g_array_append_val (parts, part);
      g_ptr_array_add (
          ends, start != NULL ? heddle_expr_binary (HEDDLE_EXPR_ADD, heddle_expr_ref (start), end) : end);
    }
  whole = definition_new (&self, operation->result);
  whole->body = choose (&self, parts, ends);
  whole->output = heddle_region_builder_is_read_outside (builder, operation->result);
  g_hash_table_insert (builder->definitions, (gpointer) operation->result,
      GUINT_TO_POINTER (heddle_region_builder_add (builder, whole) + 1));
}
