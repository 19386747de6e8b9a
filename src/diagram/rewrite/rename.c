/* SPDX-License-Identifier: MIT */

/* This file moves renames: what is computed from an array under another name of its axis is computed under
 * its own name, and read under the other. Queries, keys and values of the same tokens are then products of
 * the same array. */

#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"
#include "diagram/rewrite/rename.h"
#include "diagram/rewrite/tools.h"

/* A read that does nothing but give an axis the name of another one of the same size. */
typedef struct
{
  const char *source;
  const char *from, *to;
} Rename;

static gboolean
read_rename (const HeddleDiagram *diagram, const char *value_id, Rename *rename)
{
  const HeddleOperation *read = heddle_diagram_get_producer (diagram, value_id);
  const GArray *axes;

  *rename = (Rename){ NULL, NULL, NULL };
  if (read == NULL || read->kind->form != HEDDLE_FORM_REINDEX || read->operands->len != 1
      || !heddle_rewrite_is_passing (diagram, value_id)
      || heddle_diagram_get_value (diagram, value_id)->dtype != HEDDLE_DTYPE_UNSET)
    return FALSE;
  rename->source = heddle_ids_index (read->operands, 0);
  axes = heddle_rewrite_axes_of (diagram, rename->source);
  if (axes->len != heddle_rewrite_axes_of (diagram, value_id)->len)
    return FALSE;
  for (guint i = 0; i < axes->len; i++)
    {
      const HeddleExpr *index = g_ptr_array_index (read->indices, i);

      if (heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX)
        return FALSE;
      if (heddle_expr_get_symbol (index) == heddle_ids_index (axes, i))
        continue;
      if (rename->from != NULL)
        return FALSE;
      rename->from = heddle_ids_index (axes, i);
      rename->to = heddle_expr_get_symbol (index);
    }
  return rename->from != NULL;
}

static gboolean
have_same_size (const HeddleDiagram *diagram, const Rename *rename)
{
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (diagram, NULL, NULL);

  return sizes != NULL && heddle_sizes_get (sizes, rename->from) == heddle_sizes_get (sizes, rename->to);
}

/* Returns the operands under the old name of the axis; NULL if one has the new name and is not renamed, or
 * already has the old one. */
static GArray *
sources_of (const HeddleDiagram *diagram, const HeddleOperation *operation, const Rename *rename)
{
  g_autoptr (GArray) sources = heddle_ids_new ();

  for (guint i = 0; i < operation->operands->len; i++)
    {
      const char *id = heddle_ids_index (operation->operands, i);
      const GArray *axes = heddle_rewrite_axes_of (diagram, id);
      Rename own;

      if (heddle_ids_contain (axes, rename->from))
        return NULL;
      if (!heddle_ids_contain (axes, rename->to))
        own.source = id;
      else if (!read_rename (diagram, id, &own) || own.from != rename->from || own.to != rename->to)
        return NULL;
      heddle_ids_append (sources, own.source);
    }
  return g_steal_pointer (&sources);
}

static gboolean
can_move (const HeddleDiagram *diagram, const HeddleOperation *operation, const Rename *rename)
{
  const GArray *axes = heddle_rewrite_axes_of (diagram, operation->result);

  return heddle_ids_contain (axes, rename->to) && !heddle_ids_contain (axes, rename->from)
         && !heddle_ids_contain (operation->axes, rename->to)
         && !heddle_ids_contain (operation->axes, rename->from)
         && (operation->body == NULL
             || (!heddle_expr_uses (operation->body, HEDDLE_EXPR_INDEX, rename->to)
                 && !heddle_expr_uses (operation->body, HEDDLE_EXPR_INDEX, rename->from)))
         && have_same_size (diagram, rename);
}

static GArray *
renamed (const GArray *axes, const char *from, const char *to)
{
  GArray *made = heddle_ids_copy (axes);

  for (guint i = 0; i < made->len; i++)
    if (heddle_ids_index (made, i) == from)
      heddle_ids_index (made, i) = to;
  return made;
}

/* Moves the operation before itself under the old name; in its place there is the read under the new one. */
static void
move (HeddleDiagram *diagram, const char *operation_id, const GArray *sources, const Rename *rename)
{
  const HeddleOperation *operation = heddle_diagram_get_operation (diagram, operation_id);
  g_autoptr (GArray) axes
      = renamed (heddle_rewrite_axes_of (diagram, operation->result), rename->to, rename->from),
      core = heddle_ids_copy (operation->axes), old = heddle_ids_copy (operation->operands),
      made_only = heddle_ids_new (), none = heddle_ids_new ();
  GPtrArray *indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  HeddleOperation *made
      = heddle_rewrite_add (diagram, operation_id, operation->kind->id, sources, axes, core);

  operation = heddle_diagram_get_operation (diagram, operation_id);
  heddle_operation_copy_details (made, operation, NULL, NULL);
  heddle_diagram_edit_value (diagram, made->result)->dtype
      = heddle_diagram_get_value (diagram, operation->result)->dtype;
  for (guint i = 0; i < axes->len; i++)
    {
      const char *axis = heddle_ids_index (axes, i);

      g_ptr_array_add (indices, heddle_expr_index (axis == rename->from ? rename->to : axis));
    }
  heddle_ids_append (made_only, made->result);
  heddle_rewrite_become (diagram, operation_id, "reindex", made_only, none, NULL, indices);
  for (guint i = 0; i < old->len; i++)
    heddle_rewrite_drop (diagram, heddle_ids_index (old, i));
}

gboolean
heddle_rewrite_slide_rename (HeddleDiagram *diagram, const char *operation_id)
{
  const HeddleOperation *operation = heddle_diagram_get_operation (diagram, operation_id);
  HeddleOperationForm form = operation->kind->form;
  gboolean known = form == HEDDLE_FORM_MAP || form == HEDDLE_FORM_CONTRACT || form == HEDDLE_FORM_REDUCE
                   || form == HEDDLE_FORM_NORMALISE;

  for (guint i = 0; known && i < operation->operands->len; i++)
    {
      g_autoptr (GArray) sources = NULL;
      Rename rename;

      if (!read_rename (diagram, heddle_ids_index (operation->operands, i), &rename)
          || !can_move (diagram, operation, &rename)
          || (sources = sources_of (diagram, operation, &rename)) == NULL)
        continue;
      move (diagram, operation_id, sources, &rename);
      return TRUE;
    }
  return FALSE;
}
