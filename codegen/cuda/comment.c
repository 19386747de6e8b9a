/* SPDX-License-Identifier: MIT */
#include "codegen/base/names.h"
#include "codegen/cuda/comment.h"
#include "codegen/cuda/text.h"
#include "derive/region/region.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/print.h"
#include "diagram/graph/operation-table.h"

/* The comment above a statement: what it computes, with the names of the buffers. */

static char *
index_leaf (const HeddleExpr *leaf, gpointer data)
{
  HeddleCudaKernel *self = data;
  HeddleExprKind kind = heddle_expr_get_kind (leaf);

  if (kind == HEDDLE_EXPR_INDEX)
    return g_strdup (heddle_names_axis (self->names, heddle_expr_get_symbol (leaf)));
  if (kind == HEDDLE_EXPR_SIZE)
    return g_strdup_printf ("size(%s)", heddle_names_axis (self->names, heddle_expr_get_symbol (leaf)));
  return NULL;
}

/* Returns a source as A, or as A[o + w - 2] where a statement reads it at indices of its own. */
static char *
source_text (HeddleCudaKernel *self, guint i)
{
  guint buffer = g_array_index (self->node->sources, guint, i);
  const GPtrArray *indices = g_ptr_array_index (self->node->source_indices, i);
  g_autoptr (GString) text = g_string_new (heddle_loop_program_get_buffer (self->program, buffer)->name);

  for (guint k = 0; indices != NULL && k < indices->len; k++)
    {
      g_autofree char *index = heddle_expr_to_string (g_ptr_array_index (indices, k), index_leaf, self);

      g_string_append_printf (text, "%s%s%s", k == 0 ? "[" : ", ", index, k + 1 == indices->len ? "]" : "");
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
buffer_leaf (const HeddleExpr *leaf, gpointer data)
{
  HeddleCudaKernel *self = data;

  switch (heddle_expr_get_kind (leaf))
    {
    case HEDDLE_EXPR_ARGUMENT:
      return source_text (self, heddle_expr_get_operand (leaf));
    case HEDDLE_EXPR_SIZE:
      return g_strdup (heddle_names_axis (self->names, heddle_expr_get_symbol (leaf)));
    case HEDDLE_EXPR_INDEX:
      return g_strdup_printf ("index(%s)", heddle_names_axis (self->names, heddle_expr_get_symbol (leaf)));
    default:
      return NULL;
    }
}

/* Appends the reduction, as "sum over x of ". */
static void
append_reduction (HeddleCudaKernel *self, const HeddleNode *node, GString *text)
{
  g_string_append_printf (text, "%s over", heddle_monoid_to_string (node->monoid));
  for (guint i = 0; i < node->over->len; i++)
    g_string_append_printf (text, " %s", heddle_names_axis (self->names, heddle_ids_index (node->over, i)));
  g_string_append (text, " of ");
}

/* Prints the comment on a form, as H: state = a * state + b along t, or best, I: the largest of L over e, and
 * their places. */
static void
print_form_comment (HeddleCudaKernel *self, const HeddleNode *node, const char *body)
{
  const char *name = heddle_loop_program_get_buffer (self->program, node->buffer)->name;
  g_autofree char *extra
      = node->extra != NULL ? heddle_expr_to_string (node->extra, buffer_leaf, self) : NULL;
  g_autoptr (GString) axes = g_string_new (NULL);

  for (guint i = 0; i < node->over->len; i++)
    g_string_append_printf (axes, " %s", heddle_names_axis (self->names, heddle_ids_index (node->over, i)));
  if (node->form == HEDDLE_COMPUTE_SCAN)
    heddle_cuda_line (self, "// %s: state = %s%sstate + %s, along %s", name, extra ? extra : "",
        extra ? " * " : "", body, heddle_names_axis (self->names, node->along));
  else
    heddle_cuda_line (self, "// %s, %s: the largest of %s over%s, in order, and their places", name,
        heddle_loop_program_get_buffer (self->program, node->second)->name, body, axes->str);
}

void
heddle_cuda_statement_comment (HeddleCudaKernel *self, const HeddleNode *node)
{
  const char *name = heddle_loop_program_get_buffer (self->program, node->buffer)->name;
  g_autofree char *body = heddle_expr_to_string (node->body, buffer_leaf, self);
  g_autofree char *rescale = node->rescale ? heddle_expr_to_string (node->rescale, buffer_leaf, self) : NULL;
  gboolean sums = node->monoid == HEDDLE_MONOID_SUM;
  g_autoptr (GString) text = g_string_new (NULL);

  if (node->form != HEDDLE_COMPUTE_FOLD)
    {
      print_form_comment (self, node, body);
      return;
    }
  g_string_printf (text, "// %s = ", name);
  if (node->accumulate)
    g_string_append_printf (text, "%s%s%s%s%s", sums ? "" : heddle_monoid_to_string (node->monoid),
        sums ? "" : " (", rescale ? rescale : "", rescale ? " * " : "", name);
  if (node->accumulate)
    g_string_append (text, sums ? " + " : ", ");
  if (node->over->len > 0)
    append_reduction (self, node, text);
  g_string_append (text, body);
  if (node->accumulate && !sums)
    g_string_append_c (text, ')');
  heddle_cuda_line (self, "%s", text->str);
}
