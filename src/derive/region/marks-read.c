/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/index/range.h"
#include "derive/region/inputs.h"
#include "derive/region/marks-read.h"
#include "derive/region/marks.h"
#include "derive/region/private.h"
#include "diagram/analysis/reindex.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram.h"

/* Marks of what an operation reads at indices of its own: those of what it reads, moved, and its own. */

/* The result's axes that the indices along @operand_axis vary along; NULL: along any. */
static GArray *
axes_of_read (
    const HeddleRegionBuilder *builder, const HeddleOperation *operation, const GArray *operand_axes)
{
  const HeddleDiagram *diagram = builder->region->diagram;
  const GArray *result = heddle_region_builder_value_axes (builder, operation->result);
  const GArray *source
      = heddle_region_builder_value_axes (builder, heddle_ids_index (operation->operands, 0));
  GArray *axes = heddle_ids_new ();

  for (guint k = 0; k < result->len; k++)
    for (guint i = 0; i < operation->indices->len; i++)
      if ((operand_axes == NULL || heddle_ids_contain (operand_axes, heddle_ids_index (source, i)))
          && heddle_reindex_varies (diagram, operation, i, heddle_ids_index (result, k)))
        heddle_ids_append_once (axes, heddle_ids_index (result, k));
  return axes;
}

/* 0 <= i and i < size of each index that may leave; NULL: none does. */
static HeddleExpr *
inside_of_read (const HeddleRegionBuilder *builder, const HeddleOperation *operation)
{
  const GArray *axes = heddle_region_builder_value_axes (builder, heddle_ids_index (operation->operands, 0));
  HeddleExpr *inside = NULL;

  for (guint i = 0; i < operation->indices->len; i++)
    {
      g_autoptr (HeddleExpr) index = NULL;

      if (!heddle_index_may_leave (builder->region->diagram, builder->sizes, operation, i))
        continue;
      index = heddle_expr_substitute (
          g_ptr_array_index (operation->indices, i), heddle_mark_name_operand, (gpointer) operation);
      inside = heddle_expr_both (
          inside, heddle_expr_binary (HEDDLE_EXPR_LE, heddle_expr_number (0.), heddle_expr_ref (index)));
      inside = heddle_expr_both (inside, heddle_expr_binary (HEDDLE_EXPR_LT, heddle_expr_ref (index),
                                             heddle_expr_size (heddle_ids_index (axes, i))));
    }
  return inside;
}

typedef struct
{
  const HeddleOperation *operation;
  const GArray *axes; /* of what is read */
} Move;

static HeddleExpr *
move_leaf (const HeddleExpr *leaf, gpointer data)
{
  Move *self = data;
  int at = heddle_expr_get_kind (leaf) == HEDDLE_EXPR_INDEX
               ? heddle_ids_find (self->axes, heddle_expr_get_symbol (leaf))
               : -1;

  if (at < 0)
    return NULL;
  return heddle_expr_substitute (g_ptr_array_index (self->operation->indices, (guint) at),
      heddle_mark_name_operand, (gpointer) self->operation);
}

/* What is outside already, where it is read; what the read itself leaves is the read's own. */
static HeddleMark *
moved (const HeddleRegionBuilder *builder, const HeddleOperation *operation, const HeddleMark *mark,
    HeddleExpr *own)
{
  g_autoptr (GArray) axes = axes_of_read (builder, operation, mark->read_axes);
  Move move
      = { operation, heddle_region_builder_value_axes (builder, heddle_ids_index (operation->operands, 0)) };
  HeddleExpr *inside = mark->inside != NULL ? heddle_expr_substitute (mark->inside, move_leaf, &move) : NULL;
  HeddleMark *result;

  if (inside != NULL && own != NULL)
    inside = heddle_expr_binary (
        HEDDLE_EXPR_OR, heddle_expr_unary (HEDDLE_EXPR_NOT, heddle_expr_ref (own)), inside);
  result = heddle_mark_new (axes, inside, NULL);
  result->zero = mark->zero;
  return result;
}

void
heddle_region_builder_mark_reindex (
    HeddleRegionBuilder *builder, const HeddleOperation *operation, GPtrArray *marks)
{
  g_autoptr (HeddleExpr) own = inside_of_read (builder, operation);

  if (own != NULL)
    {
      g_autoptr (GArray) axes = axes_of_read (builder, operation, NULL);

      g_ptr_array_add (marks, heddle_mark_new (axes, heddle_expr_ref (own), operation->result));
    }
  for (guint k = 0; k < operation->operands->len; k++)
    {
      const GPtrArray *read
          = heddle_region_builder_get_marks (builder, heddle_ids_index (operation->operands, k));

      for (guint i = 0; i < read->len; i++)
        {
          const HeddleMark *mark = g_ptr_array_index (read, i);

          if (heddle_mark_goes_on (mark) && k > 0)
            heddle_marks_add_copy (marks, mark, FALSE);
          else if (heddle_mark_goes_on (mark))
            g_ptr_array_add (marks, moved (builder, operation, mark, own));
        }
    }
}
