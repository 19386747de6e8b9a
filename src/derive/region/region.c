/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/index/window.h"
#include "derive/machine/machine.h"
#include "derive/region/check.h"
#include "derive/region/halos.h"
#include "derive/region/inputs.h"
#include "derive/region/inside.h"
#include "derive/region/operations.h"
#include "derive/region/outside.h"
#include "derive/region/private.h"
#include "derive/region/region.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram.h"

#include <glib/gi18n-lib.h>

HeddleDefinition *
heddle_definition_new (const char *value, const GArray *axes)
{
  HeddleDefinition *self = g_new0 (HeddleDefinition, 1);

  self->value = value;
  self->axes = heddle_ids_copy (axes);
  self->over = heddle_ids_new ();
  return self;
}

void
heddle_definition_free (HeddleDefinition *self)
{
  g_array_unref (self->axes);
  g_array_unref (self->over);
  g_clear_pointer (&self->body, heddle_expr_unref);
  g_clear_pointer (&self->indices, g_ptr_array_unref);
  g_clear_pointer (&self->at, g_ptr_array_unref);
  g_clear_pointer (&self->windows, g_ptr_array_unref);
  g_clear_pointer (&self->extra, heddle_expr_unref);
  g_free (self);
}

void
heddle_region_term_free (HeddleRegionTerm *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->operations);
  g_ptr_array_unref (self->definitions);
  g_array_unref (self->inputs);
  g_array_unref (self->outputs);
  g_array_unref (self->axes);
  g_free (self);
}

const HeddleDefinition *
heddle_region_term_get (const HeddleRegionTerm *self, guint i)
{
  g_assert (i < self->definitions->len);

  return g_ptr_array_index (self->definitions, i);
}

gboolean
heddle_definition_carries (const HeddleDefinition *self, const char *axis)
{
  int i = heddle_ids_find (self->axes, axis);

  return i >= 0 && (i >= 64 || (self->whole >> i & 1) == 0);
}

gboolean
heddle_definition_moves (const HeddleDefinition *self, const char *axis)
{
  if (heddle_definition_carries (self, axis))
    return TRUE;
  for (guint i = 0; self->windows != NULL && i < self->windows->len; i++)
    {
      const GPtrArray *window = g_ptr_array_index (self->windows, i);

      if (window != NULL && heddle_window_uses (window, axis))
        return TRUE;
    }
  return FALSE;
}

static gboolean
collect_argument (const HeddleExpr *node, gpointer data)
{
  GArray *arguments = data;
  guint operand;

  if (heddle_expr_get_kind (node) != HEDDLE_EXPR_ARGUMENT)
    return TRUE;
  operand = heddle_expr_get_operand (node);
  for (guint i = 0; i < arguments->len; i++)
    if (g_array_index (arguments, guint, i) == operand)
      return TRUE;
  g_array_append_val (arguments, operand);
  return TRUE;
}

GArray *
heddle_expr_arguments (const HeddleExpr *self)
{
  GArray *arguments = g_array_new (FALSE, FALSE, sizeof (guint));

  heddle_expr_walk (self, collect_argument, arguments);
  return arguments;
}

GArray *
heddle_definition_arguments (const HeddleDefinition *self)
{
  GArray *arguments = g_array_new (FALSE, FALSE, sizeof (guint));
  const GPtrArray *lists[] = { self->indices, self->at };

  if (self->body != NULL)
    heddle_expr_walk (self->body, collect_argument, arguments);
  if (self->extra != NULL)
    heddle_expr_walk (self->extra, collect_argument, arguments);
  for (guint l = 0; l < G_N_ELEMENTS (lists); l++)
    for (guint i = 0; lists[l] != NULL && i < lists[l]->len; i++)
      heddle_expr_walk (g_ptr_array_index (lists[l], i), collect_argument, arguments);
  return arguments;
}

gboolean
heddle_definition_gathers (const HeddleDefinition *self)
{
  for (guint i = 0; self->indices != NULL && i < self->indices->len; i++)
    if (heddle_expr_uses (g_ptr_array_index (self->indices, i), HEDDLE_EXPR_ARGUMENT, NULL))
      return TRUE;
  return FALSE;
}

/* The places come right after what they are of. */
guint
heddle_definition_partner (const HeddleRegionTerm *region, guint definition)
{
  const HeddleDefinition *self = heddle_region_term_get (region, definition);

  g_assert (self->form == HEDDLE_COMPUTE_SELECT);
  return self->places ? heddle_expr_get_operand (self->body) : definition + 1;
}

/* --- the whole -------------------------------------------------------------------------- */

static void
collect_axes (HeddleRegionTerm *region)
{
  for (guint i = 0; i < region->outputs->len; i++)
    {
      const HeddleValue *value
          = heddle_diagram_get_value (region->diagram, heddle_ids_index (region->outputs, i));

      for (guint k = 0; k < value->axes->len; k++)
        heddle_ids_append_once (region->axes, heddle_ids_index (value->axes, k));
    }
  for (guint i = 0; i < region->definitions->len; i++)
    {
      const HeddleDefinition *definition = heddle_region_term_get (region, i);

      for (guint k = 0; k < definition->axes->len; k++)
        heddle_ids_append_once (region->axes, heddle_ids_index (definition->axes, k));
      for (guint k = 0; k < definition->over->len; k++)
        heddle_ids_append_once (region->axes, heddle_ids_index (definition->over, k));
    }
}

static gboolean
build (HeddleRegionBuilder *builder, GError **error)
{
  HeddleRegionTerm *region = builder->region;
  const HeddleDiagram *diagram = region->diagram;

  for (guint i = builder->first; i < builder->end; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      if (!heddle_region_builder_is_member (builder, operation))
        continue;
      heddle_ids_append (region->operations, operation->id);
      builder->column = region->operations->len;
      if (!heddle_region_builder_get_inside (builder, operation, &builder->inside, error))
        return FALSE;
      heddle_region_builder_add_operation (builder, operation);
      g_clear_pointer (&builder->inside, heddle_expr_unref);
    }
  for (guint i = 0; i < region->definitions->len; i++)
    {
      const HeddleDefinition *definition = heddle_region_term_get (region, i);

      if (definition->output)
        heddle_ids_append (region->outputs, definition->value);
    }
  heddle_region_term_find_halos (region);
  collect_axes (region);
  return TRUE;
}

static void
add_members (HeddleRegionBuilder *builder, const GArray *operations)
{
  const HeddleDiagram *diagram = builder->region->diagram;

  builder->first = diagram->operations->len;
  for (guint i = 0; i < operations->len; i++)
    {
      int at = heddle_diagram_index_of_operation (diagram, heddle_ids_index (operations, i));

      if (at < 0)
        continue;
      g_hash_table_add (builder->members, (gpointer) heddle_ids_index (operations, i));
      builder->first = MIN (builder->first, (guint) at);
      builder->end = MAX (builder->end, (guint) at + 1);
    }
}

static HeddleRegionTerm *
term_new (const HeddleDiagram *diagram, const GArray *operations, const HeddleSizes *sizes, gboolean gathers,
    const HeddleStoring *storing, GError **error)
{
  g_autoptr (HeddleRegionTerm) self = g_new0 (HeddleRegionTerm, 1);
  g_autoptr (GHashTable) members = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) definitions = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) marks = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  HeddleRegionBuilder builder = { .region = self,
    .sizes = sizes,
    .members = members,
    .definitions = definitions,
    .marks = marks,
    .gathers = gathers,
    .storing = storing };

  self->diagram = diagram;
  self->operations = heddle_ids_new ();
  self->definitions = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_definition_free);
  self->inputs = heddle_ids_new ();
  self->outputs = heddle_ids_new ();
  self->axes = heddle_ids_new ();
  add_members (&builder, operations);
  if (!heddle_region_builder_check_sound (&builder, error)
      || !heddle_region_builder_check_convex (&builder, error)
      || (sizes != NULL && !heddle_outside_check (diagram, operations, sizes, error))
      || !build (&builder, error))
    return NULL;
  if (self->operations->len > 0)
    return g_steal_pointer (&self);
  g_set_error (
      error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_REGION, _ ("a kernel has at least one operation"));
  return NULL;
}

HeddleRegionTerm *
heddle_region_term_new (
    const HeddleDiagram *diagram, const GArray *operations, const HeddleSizes *sizes, GError **error)
{
  return term_new (diagram, operations, sizes, FALSE, NULL, error);
}

HeddleRegionTerm *
heddle_region_term_new_gathered (
    const HeddleDiagram *diagram, const GArray *operations, const HeddleSizes *sizes, GError **error)
{
  return term_new (diagram, operations, sizes, TRUE, NULL, error);
}

HeddleRegionTerm *
heddle_region_term_new_storing (const HeddleDiagram *diagram, const GArray *operations,
    const HeddleSizes *sizes, gboolean gathered, const HeddleStoring *storing, GError **error)
{
  return term_new (diagram, operations, sizes, gathered, storing, error);
}
