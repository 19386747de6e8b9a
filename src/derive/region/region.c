/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/machine/machine.h"
#include "derive/region/check.h"
#include "derive/region/definition.h"
#include "derive/region/halos.h"
#include "derive/region/inputs.h"
#include "derive/region/inside.h"
#include "derive/region/operations.h"
#include "derive/region/outside.h"
#include "derive/region/private.h"
#include "derive/region/region.h"

#include <glib/gi18n-lib.h>

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
    const HeddleStoring *storing, HeddleRegionMemo *memo, GError **error)
{
  g_autoptr (HeddleRegionTerm) self = g_new0 (HeddleRegionTerm, 1);
  g_autoptr (GHashTable) members = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) definitions = g_hash_table_new (NULL, NULL);
  g_autoptr (HeddleRegionMemo) own = memo == NULL ? heddle_region_memo_new () : NULL;
  HeddleRegionMemo *known = memo != NULL ? memo : own;
  HeddleRegionBuilder builder = { .region = self,
    .sizes = sizes,
    .members = members,
    .definitions = definitions,
    .marks = known->marks,
    .gathers = gathers,
    .storing = storing };

  self->diagram = diagram;
  self->operations = heddle_ids_new ();
  self->definitions = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_definition_free);
  self->inputs = heddle_ids_new ();
  self->outputs = heddle_ids_new ();
  self->axes = heddle_ids_new ();
  add_members (&builder, operations);
  if (!heddle_region_check_count (g_hash_table_size (members), error)
      || !heddle_region_builder_check_sound (&builder, error)
      || !heddle_region_builder_check_convex (&builder, error)
      || (sizes != NULL && !heddle_outside_check (diagram, operations, sizes, known, error))
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
  return term_new (diagram, operations, sizes, FALSE, NULL, NULL, error);
}

HeddleRegionTerm *
heddle_region_term_new_storing (const HeddleDiagram *diagram, const GArray *operations,
    const HeddleSizes *sizes, gboolean gathered, const HeddleStoring *storing, HeddleRegionMemo *memo,
    GError **error)
{
  return term_new (diagram, operations, sizes, gathered, storing, memo, error);
}
