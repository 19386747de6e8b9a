/* SPDX-License-Identifier: MIT */
#include "diagram/analysis/sizes-infer.h"
#include "diagram/analysis/sizes-keep.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/polynomial.h"
#include "diagram/expression/tree.h"

/* This file keeps the sizes that follow from how a diagram reads when the operation that reads so is
 * removed. */

static gboolean
is_given (const HeddleAxis *axis, gpointer data)
{
  return axis->size != NULL;
}

static void
note_size (const char *axis_id, HeddleExpr *size, gpointer sizes)
{
  if (g_hash_table_contains (sizes, axis_id))
    heddle_expr_unref (size);
  else
    g_hash_table_insert (sizes, (gpointer) axis_id, size);
}

static void
note_open (const char *axis_id, const char *message, gpointer open)
{
  heddle_ids_append (open, axis_id);
}

static void
note_nothing (const char *axis_id, const char *message, gpointer data)
{
}

static gboolean
are_given (const HeddleDiagram *diagram)
{
  for (guint i = 0; i < diagram->axes->len; i++)
    if (((HeddleAxis *) g_ptr_array_index (diagram->axes, i))->size == NULL)
      return FALSE;
  return TRUE;
}

/* Returns the size as an expression where a read itself gives it, else as the number that it comes to; NULL
 * if it is open anyway. */
static HeddleExpr *
size_before (GHashTable *inferred, const HeddleSizes *sizes, const char *axis_id)
{
  HeddleExpr *size = g_hash_table_lookup (inferred, axis_id);
  gint64 number = heddle_sizes_get (sizes, axis_id);

  if (size != NULL)
    return heddle_expr_simplify (size);
  return number > 0 ? heddle_expr_number ((double) number) : NULL;
}

/* Returns whether all axes that a size depends on are still there. */
static gboolean
is_of (const HeddleExpr *node, gpointer diagram)
{
  return heddle_expr_get_kind (node) != HEDDLE_EXPR_SIZE
         || heddle_diagram_get_axis (diagram, heddle_expr_get_symbol (node)) != NULL;
}

void
heddle_sizes_keep (HeddleDiagram *diagram, const HeddleDiagram *before)
{
  g_autoptr (GHashTable) inferred = NULL;
  g_autoptr (GArray) open = NULL;
  g_autoptr (HeddleSizes) now = NULL, sizes = NULL;

  if (are_given (diagram))
    return;
  open = heddle_ids_new ();
  now = heddle_sizes_resolve (diagram, NULL, note_open, open);
  if (open->len == 0)
    return;
  inferred = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) heddle_expr_unref);
  heddle_sizes_infer (before, is_given, note_size, inferred);
  sizes = heddle_sizes_resolve (before, NULL, note_nothing, NULL);
  for (guint i = 0; i < open->len; i++)
    {
      const char *axis = heddle_ids_index (open, i);
      g_autoptr (HeddleExpr) size = heddle_diagram_get_axis (diagram, axis)->size == NULL
                                        ? size_before (inferred, sizes, axis)
                                        : NULL;

      if (size != NULL && heddle_expr_walk (size, is_of, diagram))
        heddle_diagram_edit_axis (diagram, axis)->size = heddle_expr_ref (size);
    }
}
