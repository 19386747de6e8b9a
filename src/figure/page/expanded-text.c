/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/program/loop-program.h"
#include "derive/program/windows.h"
#include "derive/region/region.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/print.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "figure/page/expanded-private.h"
#include "figure/page/expanded-text.h"
#include "figure/page/expanded.h"

#include <inttypes.h>

/* What the expanded columns of a loop program say. */

typedef struct
{
  const HeddleExpanded *drawing;
  const HeddleNode *node;
} Naming;

char *
heddle_expanded_axis_name (const HeddleExpanded *self, const char *axis)
{
  return g_strdup (heddle_diagram_get_axis (self->program->diagram, axis)->name);
}

static char *name_leaf (const HeddleExpr *leaf, gpointer data);

static char *
name_source (const Naming *naming, guint source)
{
  const GPtrArray *indices = g_ptr_array_index (naming->node->source_indices, source);
  GString *text = g_string_new (
      heddle_expanded_get_buffer (naming->drawing, g_array_index (naming->node->sources, guint, source))
          ->name);

  for (guint i = 0; indices != NULL && i < indices->len; i++)
    {
      g_autofree char *index
          = heddle_expr_to_string (g_ptr_array_index (indices, i), name_leaf, (gpointer) naming);

      g_string_append_printf (text, "%s%s%s", i == 0 ? "[" : ", ", index, i + 1 == indices->len ? "]" : "");
    }
  return g_string_free (text, FALSE);
}

static char *
name_leaf (const HeddleExpr *leaf, gpointer data)
{
  const Naming *naming = data;

  switch (heddle_expr_get_kind (leaf))
    {
    case HEDDLE_EXPR_ARGUMENT:
      return name_source (naming, heddle_expr_get_operand (leaf));
    case HEDDLE_EXPR_SIZE:
    case HEDDLE_EXPR_INDEX:
      return heddle_expanded_axis_name (naming->drawing, heddle_expr_get_symbol (leaf));
    default:
      return NULL;
    }
}

/* As mathematics is set: products by dots, powers raised, infinity by its sign. */
char *
heddle_expanded_typeset (const char *plain)
{
  g_autoptr (GRegex) power = g_regex_new ("\\^(-?[A-Za-z0-9.]+)", 0, 0, NULL);
  g_autoptr (GRegex) infinite = g_regex_new ("\\binf\\b", 0, 0, NULL);
  g_autoptr (GRegex) factor = g_regex_new ("\\bdelta\\b", 0, 0, NULL);
  g_autofree char *raised = g_regex_replace (power, plain, -1, 0, "^{\\1}", 0, NULL);
  g_autofree char *signs = g_regex_replace_literal (infinite, raised, -1, 0, "∞", 0, NULL);
  g_autofree char *greek = g_regex_replace_literal (factor, signs, -1, 0, "δ", 0, NULL);
  g_auto (GStrv) parts = g_strsplit (greek, "*", -1);
  g_autofree char *dots = g_strjoinv (" · ", parts);
  g_auto (GStrv) equal = g_strsplit (dots, " == ", -1);

  return g_strjoinv (" = ", equal);
}

static char *
expr_text (const HeddleExpanded *self, const HeddleNode *node, const HeddleExpr *expr)
{
  Naming naming = { self, node };
  g_autofree char *plain = heddle_expr_to_string (expr, name_leaf, &naming);

  return heddle_expanded_typeset (plain);
}

static char *
axes_text (const HeddleExpanded *self, const GArray *axes)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < axes->len; i++)
    {
      g_autofree char *name = heddle_expanded_axis_name (self, heddle_ids_index (axes, i));

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", name);
    }
  return g_string_free (text, FALSE);
}

/* sum over x: S V; max(m, max over x: S) */
static char *
fold_text (const HeddleExpanded *self, const HeddleNode *node)
{
  static const char *const signs[] = { "∑", "∏", "max", "min" };
  g_autofree char *name = heddle_expanded_typeset (heddle_expanded_get_buffer (self, node->buffer)->name);
  g_autofree char *body = expr_text (self, node, node->body);
  g_autofree char *over = axes_text (self, node->over);
  g_autofree char *rescale = node->rescale != NULL ? expr_text (self, node, node->rescale) : NULL;
  g_autofree char *result = node->over->len > 0
                                ? g_strdup_printf ("%s_{%s} %s", signs[node->monoid], over, body)
                                : g_strdup (body);
  g_autofree char *old = rescale != NULL ? g_strdup_printf ("%s · %s", rescale, name) : g_strdup (name);

  if (!node->accumulate)
    return g_steal_pointer (&result);
  if (node->monoid == HEDDLE_MONOID_SUM || node->monoid == HEDDLE_MONOID_PROD)
    return g_strdup_printf ("%s %s %s", old, node->monoid == HEDDLE_MONOID_SUM ? "+" : "·", result);
  return g_strdup_printf ("%s(%s, %s)", signs[node->monoid], old, result);
}

char *
heddle_expanded_statement_text (const HeddleExpanded *self, const HeddleNode *node)
{
  g_autofree char *body = NULL, *extra = NULL, *axis = NULL;

  if (node->kind != HEDDLE_NODE_COMPUTE)
    return NULL;
  if (node->form == HEDDLE_COMPUTE_FOLD)
    return fold_text (self, node);
  body = expr_text (self, node, node->body);
  extra = node->extra != NULL ? expr_text (self, node, node->extra) : NULL;
  if (node->form == HEDDLE_COMPUTE_SELECT)
    {
      axis = axes_text (self, node->over);
      return g_strdup_printf ("top_{%s} %s", axis, body);
    }
  axis = heddle_expanded_axis_name (self, node->along);
  return g_strdup_printf (
      "scan_{%s} %s%sh + %s", axis, extra != NULL ? extra : "", extra != NULL ? " · " : "", body);
}

/* 128 × 64 */
char *
heddle_expanded_shape_text (const HeddleExpanded *self, const HeddleBuffer *buffer)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < buffer->axes->len; i++)
    g_string_append_printf (
        text, "%s%" PRId64, i > 0 ? " × " : "", heddle_buffer_most (self->program, self->sizes, buffer, i));
  return g_string_free (text, FALSE);
}
