/* SPDX-License-Identifier: MIT */
#include "derive/index/window.h"
#include "derive/region/definition.h"
#include "derive/region/inputs.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"

/* This file finds what a region reads and writes. */

void
heddle_ids_append_once (GArray *ids, const char *id)
{
  if (!heddle_ids_contain (ids, id))
    heddle_ids_append (ids, id);
}

gboolean
heddle_region_builder_is_member (const HeddleRegionBuilder *builder, const HeddleOperation *operation)
{
  return operation != NULL && g_hash_table_contains (builder->members, operation->id);
}

gboolean
heddle_region_builder_is_again (const HeddleRegionBuilder *builder, const HeddleOperation *operation)
{
  return operation != NULL && builder->storing != NULL
         && g_hash_table_contains (builder->storing->again, operation->id);
}

gboolean
heddle_region_builder_is_read_outside (const HeddleRegionBuilder *builder, const char *value)
{
  const HeddleOperation *producer = heddle_diagram_get_producer (builder->region->diagram, value);
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (builder->region->diagram, value);

  if (builder->storing != NULL)
    return !heddle_region_builder_is_again (builder, producer)
           && g_hash_table_contains (builder->storing->stored, value);
  for (guint i = 0; i < readers->len; i++)
    if (!heddle_region_builder_is_member (builder, g_ptr_array_index (readers, i)))
      return TRUE;
  return heddle_diagram_is_output (builder->region->diagram, value);
}

guint
heddle_region_builder_add (HeddleRegionBuilder *builder, HeddleDefinition *definition)
{
  g_ptr_array_add (builder->region->definitions, definition);
  return builder->region->definitions->len - 1;
}

static void
window_free (gpointer window)
{
  if (window != NULL)
    g_ptr_array_unref (window);
}

GPtrArray *
heddle_windows_new_none (guint n)
{
  GPtrArray *windows = g_ptr_array_new_with_free_func (window_free);

  g_ptr_array_set_size (windows, (gint) n);
  return windows;
}

/* Returns the indices at which the axes in @whole are read; NULL if nothing is bounded. */
GPtrArray *
heddle_windows_of_indices (const GPtrArray *indices, guint64 whole)
{
  GPtrArray *windows = g_ptr_array_new_with_free_func (window_free);
  gboolean any = FALSE;

  for (guint i = 0; i < indices->len; i++)
    {
      HeddleExpr *index = g_ptr_array_index (indices, i);
      GPtrArray *window = NULL;

      if (i < 64 && (whole >> i & 1) != 0 && heddle_window_is_bounded (index))
        {
          window = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
          g_ptr_array_add (window, heddle_expr_ref (index));
          any = TRUE;
        }
      g_ptr_array_add (windows, window);
    }
  if (!any)
    g_clear_pointer (&windows, g_ptr_array_unref);
  return windows;
}

/* Returns whether two ways to read an array along an axis can share what is held of it. */
static gboolean
may_share (const GPtrArray *window, const GPtrArray *other)
{
  if (window == NULL || other == NULL)
    return window == other;
  return heddle_window_is_shifted (g_ptr_array_index (window, 0), g_ptr_array_index (other, 0));
}

static gboolean
may_share_all (const GPtrArray *windows, const GPtrArray *others)
{
  if (windows == NULL || others == NULL)
    return windows == others;
  for (guint i = 0; i < windows->len; i++)
    if (!may_share (g_ptr_array_index (windows, i), g_ptr_array_index (others, i)))
      return FALSE;
  return TRUE;
}

static void
widen (GPtrArray *windows, const GPtrArray *by)
{
  for (guint i = 0; windows != NULL && i < windows->len; i++)
    {
      GPtrArray *window = g_ptr_array_index (windows, i);
      const GPtrArray *more = g_ptr_array_index (by, i);

      for (guint k = 0; window != NULL && k < more->len; k++)
        {
          HeddleExpr *index = g_ptr_array_index (more, k);
          gboolean known = FALSE;

          for (guint j = 0; j < window->len; j++)
            known = known || heddle_expr_equal (g_ptr_array_index (window, j), index);
          if (!known)
            g_ptr_array_add (window, heddle_expr_ref (index));
        }
    }
}

/* Returns the definition of global value @value read under @axes: there is one for each way to read it.
 * Windows at a constant distance are one. */
guint
heddle_region_builder_add_input (
    HeddleRegionBuilder *builder, const char *value, const GArray *axes, guint64 whole, GPtrArray *windows)
{
  GPtrArray *definitions = builder->region->definitions;
  HeddleDefinition *input;

  for (guint i = 0; i < definitions->len; i++)
    {
      HeddleDefinition *other = g_ptr_array_index (definitions, i);

      if (other->input && other->value == value && other->whole == whole && other->at == NULL
          && heddle_ids_equal (other->axes, axes) && may_share_all (other->windows, windows))
        {
          widen (other->windows, windows);
          g_clear_pointer (&windows, g_ptr_array_unref);
          return i;
        }
    }
  heddle_ids_append_once (builder->region->inputs, value);
  input = heddle_definition_new (value, axes);
  input->input = TRUE;
  input->whole = whole;
  input->windows = windows;
  return heddle_region_builder_add (builder, input);
}

const GArray *
heddle_region_builder_value_axes (const HeddleRegionBuilder *builder, const char *value)
{
  return heddle_diagram_get_value (builder->region->diagram, value)->axes;
}

guint
heddle_region_builder_get_operand (HeddleRegionBuilder *builder, const char *value)
{
  gpointer found = g_hash_table_lookup (builder->definitions, value);

  return found != NULL ? GPOINTER_TO_UINT (found) - 1
                       : heddle_region_builder_add_input (
                           builder, value, heddle_region_builder_value_axes (builder, value), 0, NULL);
}

GPtrArray *
heddle_region_builder_order_indices (
    const HeddleRegionBuilder *builder, const char *value, guint source, const GPtrArray *indices)
{
  const GArray *axes = heddle_region_builder_value_axes (builder, value);
  const HeddleDefinition *held = g_ptr_array_index (builder->region->definitions, source);
  GPtrArray *ordered = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);

  for (guint i = 0; i < held->axes->len; i++)
    {
      int at = heddle_ids_find (axes, heddle_ids_index (held->axes, i));

      g_ptr_array_add (ordered, heddle_expr_ref (g_ptr_array_index (indices, at >= 0 ? (guint) at : i)));
    }
  return ordered;
}
