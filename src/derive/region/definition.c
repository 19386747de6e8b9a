/* SPDX-License-Identifier: MIT */
#include "derive/index/window.h"
#include "derive/region/definition.h"
#include "diagram/expression/tree.h"

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
