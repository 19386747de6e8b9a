/* SPDX-License-Identifier: MIT */
#include "derive/program/pseudocode-names.h"
#include "derive/region/region.h"
#include "diagram/expression/print.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

const char *
heddle_listing_axis_name (const HeddleListing *self, const char *axis)
{
  return heddle_diagram_get_axis (self->program->diagram, axis)->name;
}

const char *
heddle_listing_buffer_name (const HeddleListing *self, guint i)
{
  return heddle_loop_program_get_buffer (self->program, i)->name;
}

typedef struct
{
  const HeddleListing *listing;
  const HeddleNode *node;
} Naming;

static char *name_leaf (const HeddleExpr *leaf, gpointer data);

/* Returns a buffer with its indices, as X[i + k, c]. Newly allocated. */
static char *
name_indexed (const Naming *naming, guint buffer, const GPtrArray *indices)
{
  GString *text = g_string_new (heddle_listing_buffer_name (naming->listing, buffer));

  for (guint i = 0; i < indices->len; i++)
    {
      g_autofree char *index
          = heddle_expr_to_string (g_ptr_array_index (indices, i), name_leaf, (gpointer) naming);

      g_string_append_printf (text, "%s%s", i == 0 ? "[" : ", ", index);
    }
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

static char *
name_leaf (const HeddleExpr *leaf, gpointer data)
{
  const Naming *naming = data;

  switch (heddle_expr_get_kind (leaf))
    {
    case HEDDLE_EXPR_ARGUMENT:
      {
        guint i = heddle_expr_get_operand (leaf);
        guint buffer = g_array_index (naming->node->sources, guint, i);
        const GPtrArray *indices = g_ptr_array_index (naming->node->source_indices, i);

        return indices != NULL ? name_indexed (naming, buffer, indices)
                               : g_strdup (heddle_listing_buffer_name (naming->listing, buffer));
      }
    case HEDDLE_EXPR_SIZE:
    case HEDDLE_EXPR_INDEX:
      return g_strdup (heddle_listing_axis_name (naming->listing, heddle_expr_get_symbol (leaf)));
    default:
      return NULL;
    }
}

char *
heddle_listing_expr (const HeddleListing *self, const HeddleNode *node, const HeddleExpr *expr)
{
  Naming naming = { self, node };

  return heddle_expr_to_string (expr, name_leaf, &naming);
}

char *
heddle_listing_reduction (const HeddleListing *self, const HeddleNode *node)
{
  g_autofree char *body = heddle_listing_expr (self, node, node->body);
  GString *text = g_string_new (heddle_monoid_to_string (node->monoid));

  if (node->over->len == 0)
    {
      g_string_free (text, TRUE);
      return g_steal_pointer (&body);
    }
  for (guint i = 0; i < node->over->len; i++)
    g_string_append_printf (
        text, "%s%s", i == 0 ? "[" : ", ", heddle_listing_axis_name (self, heddle_ids_index (node->over, i)));
  g_string_append_printf (text, "](%s)", body);
  return g_string_free (text, FALSE);
}

char *
heddle_listing_form (const HeddleListing *self, const HeddleNode *node)
{
  g_autofree char *body = heddle_listing_expr (self, node, node->body);
  g_autofree char *extra = node->extra != NULL ? heddle_listing_expr (self, node, node->extra) : NULL;
  GString *text = g_string_new (NULL);

  if (node->form == HEDDLE_COMPUTE_SCAN)
    {
      const char *state
          = node->second != HEDDLE_NO_BUFFER ? heddle_listing_buffer_name (self, node->second) : "h";

      g_string_printf (text, "scan[%s](%s ← %s%s%s + %s)", heddle_listing_axis_name (self, node->along),
          state, extra != NULL ? extra : "", extra != NULL ? "*" : "", state, body);
      return g_string_free (text, FALSE);
    }
  g_string_printf (text, "largest[");
  for (guint i = 0; i < node->over->len; i++)
    g_string_append_printf (
        text, "%s%s", i > 0 ? ", " : "", heddle_listing_axis_name (self, heddle_ids_index (node->over, i)));
  if (node->ranked)
    g_string_append_printf (text, ", %s", heddle_listing_axis_name (self, node->along));
  g_string_append_printf (text, "]((%s, %s), (%s, %s))", heddle_listing_buffer_name (self, node->buffer),
      heddle_listing_buffer_name (self, node->second), body, extra);
  return g_string_free (text, FALSE);
}
