/* SPDX-License-Identifier: MIT */

/* This file makes choices of what is joined end to end, as halves are that a rotary embedding turns. */

#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/polynomial.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"
#include "diagram/rewrite/choose.h"
#include "diagram/rewrite/tools.h"

/* One part: its own axis, which is read at @index along @joined. */
typedef struct
{
  HeddleDiagram *diagram;
  const char *join; /* the operation */
  const char *own, *joined;
  HeddleExpr *index;
  GArray *operands; /* of the choice */
} Part;

static const HeddleOperation *
maker_of (const HeddleDiagram *diagram, const char *value, HeddleOperationForm form)
{
  const HeddleOperation *maker = heddle_diagram_get_producer (diagram, value);

  return maker != NULL && maker->kind->form == form && heddle_rewrite_is_passing (diagram, value)
                 && heddle_diagram_get_value (diagram, value)->dtype == HEDDLE_DTYPE_UNSET
             ? maker
             : NULL;
}

static gboolean
is_read (const HeddleDiagram *diagram, const char *value)
{
  const HeddleOperation *read = maker_of (diagram, value, HEDDLE_FORM_REINDEX);

  return read != NULL && read->operands->len == 1;
}

/* Returns whether the value is a read, or a map of reads and of what is the same along @own. */
static gboolean
can_move (const HeddleDiagram *diagram, const char *value, const char *own)
{
  const HeddleOperation *map = maker_of (diagram, value, HEDDLE_FORM_MAP);

  if (is_read (diagram, value))
    return TRUE;
  for (guint i = 0; map != NULL && i < map->operands->len; i++)
    {
      const char *operand = heddle_ids_index (map->operands, i);

      if (heddle_ids_contain (heddle_rewrite_axes_of (diagram, operand), own) && !is_read (diagram, operand))
        return FALSE;
    }
  return map != NULL;
}

static HeddleExpr *
move_index (const HeddleExpr *leaf, gpointer data)
{
  const Part *self = data;

  return heddle_expr_get_kind (leaf) == HEDDLE_EXPR_INDEX && heddle_expr_get_symbol (leaf) == self->own
             ? heddle_expr_ref (self->index)
             : NULL;
}

/* Returns the read along the joined axis; it is made before the join. */
static const char *
move_read (Part *self, const char *value)
{
  const HeddleOperation *read = heddle_diagram_get_producer (self->diagram, value);
  g_autoptr (GArray) operands = heddle_ids_copy (read->operands),
                     axes = heddle_ids_copy (heddle_rewrite_axes_of (self->diagram, value));
  GPtrArray *indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  HeddleOperation *made;

  for (guint i = 0; i < axes->len; i++)
    if (heddle_ids_index (axes, i) == self->own)
      heddle_ids_index (axes, i) = self->joined;
  for (guint i = 0; i < read->indices->len; i++)
    {
      g_autoptr (HeddleExpr) moved
          = heddle_expr_substitute (g_ptr_array_index (read->indices, i), move_index, self);

      g_ptr_array_add (indices, heddle_expr_simplify (moved));
    }
  made = heddle_rewrite_add (self->diagram, self->join, "reindex", operands, axes, NULL);
  g_clear_pointer (&made->indices, g_ptr_array_unref);
  made->indices = indices;
  return made->result;
}

typedef struct
{
  Part *part;
  const GArray *operands; /* of the map that moves */
} Body;

static HeddleExpr *
move_leaf (const HeddleExpr *leaf, gpointer data)
{
  const Body *self = data;
  const char *operand;

  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_ARGUMENT)
    return move_index (leaf, self->part);
  operand = heddle_ids_index (self->operands, heddle_expr_get_operand (leaf));
  if (heddle_ids_contain (heddle_rewrite_axes_of (self->part->diagram, operand), self->part->own))
    operand = move_read (self->part, operand);
  return heddle_rewrite_argument (self->part->operands, operand);
}

/* Returns the part as an expression over the operands of the choice. */
static HeddleExpr *
move_part (Part *self, const char *value)
{
  const HeddleOperation *map = maker_of (self->diagram, value, HEDDLE_FORM_MAP);
  g_autoptr (GArray) operands = map != NULL ? heddle_ids_copy (map->operands) : NULL;
  g_autoptr (HeddleExpr) body = map != NULL ? heddle_expr_ref (map->body) : NULL;
  Body moved = { self, operands };

  if (map == NULL)
    return heddle_rewrite_argument (self->operands, move_read (self, value));
  return heddle_expr_substitute (body, move_leaf, &moved);
}

/* Returns the size of an axis as a number, if it is given as one. */
static HeddleExpr *
size_of (const HeddleDiagram *diagram, const char *axis)
{
  HeddleExpr *size = heddle_diagram_get_axis (diagram, axis)->size;

  return size != NULL && heddle_expr_get_kind (size) == HEDDLE_EXPR_NUMBER ? heddle_expr_ref (size)
                                                                           : heddle_expr_size (axis);
}

/* Drops the parts that nobody reads any more, and what they alone read. */
static void
drop_parts (HeddleDiagram *diagram, const GArray *parts)
{
  for (guint i = 0; i < parts->len; i++)
    {
      const HeddleOperation *maker = heddle_diagram_get_producer (diagram, heddle_ids_index (parts, i));
      g_autoptr (GArray) read = maker != NULL ? heddle_ids_copy (maker->operands) : heddle_ids_new ();

      heddle_rewrite_drop (diagram, heddle_ids_index (parts, i));
      for (guint k = 0; k < read->len; k++)
        if (heddle_diagram_get_producer (diagram, heddle_ids_index (read, k)) != NULL)
          heddle_rewrite_drop (diagram, heddle_ids_index (read, k));
    }
}

static gboolean
can_choose (const HeddleDiagram *diagram, const HeddleOperation *join)
{
  const HeddleValue *result = heddle_diagram_get_value (diagram, join->result);

  if (join->kind->form != HEDDLE_FORM_CONCAT || join->operands->len < 2)
    return FALSE;
  for (guint i = 0; i < join->operands->len; i++)
    {
      const char *part = heddle_ids_index (join->operands, i);
      const char *own = heddle_concat_own_axis (result, heddle_diagram_get_value (diagram, part));

      if (own == NULL || !can_move (diagram, part, own))
        return FALSE;
    }
  return TRUE;
}

gboolean
heddle_rewrite_choose_joined (HeddleDiagram *diagram, const char *operation_id)
{
  const HeddleOperation *join = heddle_diagram_get_operation (diagram, operation_id);
  g_autoptr (GArray) parts = NULL, operands = heddle_ids_new ();
  g_autoptr (GPtrArray) ends = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref),
                        bodies = g_ptr_array_new ();
  g_autoptr (HeddleExpr) begin = heddle_expr_number (0);
  Part part = { diagram, operation_id, .operands = operands };
  HeddleExpr *body;

  if (!can_choose (diagram, join))
    return FALSE;
  parts = heddle_ids_copy (join->operands);
  part.joined = heddle_ids_index (join->axes, 0);
  for (guint i = 0; i < parts->len; i++)
    {
      const char *value = heddle_ids_index (parts, i);
      g_autoptr (HeddleExpr) behind
          = heddle_expr_binary (HEDDLE_EXPR_SUB, heddle_expr_index (part.joined), heddle_expr_ref (begin));
      HeddleExpr *end;

      part.own = heddle_concat_own_axis (
          heddle_diagram_get_value (diagram, heddle_diagram_get_operation (diagram, operation_id)->result),
          heddle_diagram_get_value (diagram, value));
      part.index = heddle_expr_simplify (behind);
      g_ptr_array_add (bodies, move_part (&part, value));
      heddle_expr_unref (part.index);
      end = heddle_expr_binary (HEDDLE_EXPR_ADD, heddle_expr_ref (begin), size_of (diagram, part.own));
      heddle_expr_unref (begin);
      begin = heddle_expr_simplify (end);
      heddle_expr_unref (end);
      g_ptr_array_add (ends, heddle_expr_ref (begin));
    }
  body = g_ptr_array_index (bodies, parts->len - 1);
  for (guint i = parts->len - 1; i-- > 0;)
    body = heddle_expr_where (heddle_expr_binary (HEDDLE_EXPR_LT, heddle_expr_index (part.joined),
                                  heddle_expr_ref (g_ptr_array_index (ends, i))),
        g_ptr_array_index (bodies, i), body);
  heddle_rewrite_become (diagram, operation_id, "map", operands, NULL, body, NULL);
  drop_parts (diagram, parts);
  return TRUE;
}
