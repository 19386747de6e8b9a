/* SPDX-License-Identifier: MIT */

/* This file joins and splits maps. */

#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"
#include "diagram/rewrite/map.h"
#include "diagram/rewrite/tools.h"
#include "diagram/expression/private.h"

/* The limits of a joined function. Longer ones are not made: a function that is read twice doubles. */
#define MAX_FUSED_NODES 400
#define MAX_FUSED_DEPTH 100

/* --- joining ------------------------------------------------------------------------- */

typedef struct
{
  const GArray *from; /* what arguments stand for */
  GArray *operands; /* what they will stand for */
  const char *gone; /* the value whose function comes in its place; NULL: none */
  HeddleExpr *inner; /* that function, over `operands` */
} Fusion;

static HeddleExpr *
replace_argument (const HeddleExpr *leaf, gpointer data)
{
  Fusion *self = data;
  const char *id;

  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_ARGUMENT)
    return NULL;
  id = heddle_ids_index (self->from, heddle_expr_get_operand (leaf));
  return id == self->gone ? heddle_expr_ref (self->inner) : heddle_rewrite_argument (self->operands, id);
}

static gboolean
have_same_axes (const HeddleDiagram *diagram, const char *one, const char *other)
{
  const GArray *a = heddle_rewrite_axes_of (diagram, one), *b = heddle_rewrite_axes_of (diagram, other);

  return a->len == b->len && heddle_rewrite_contain_all (a, b);
}

static gboolean
fuse_operand (HeddleDiagram *diagram, const HeddleOperation *outer, const char *value_id)
{
  const HeddleOperation *inner = heddle_diagram_get_producer (diagram, value_id);
  g_autoptr (GArray) operands = heddle_ids_new ();
  Fusion inside = { NULL, operands, NULL, NULL }, outside = { outer->operands, operands, value_id, NULL };
  g_autoptr (HeddleExpr) inner_body = NULL;
  g_autoptr (HeddleExpr) body = NULL;
  g_autoptr (GPtrArray) readers = NULL;

  if (inner == NULL || inner->kind->form != HEDDLE_FORM_MAP || !heddle_rewrite_is_passing (diagram, value_id)
      || heddle_diagram_get_value (diagram, value_id)->dtype != HEDDLE_DTYPE_UNSET
      || !have_same_axes (diagram, value_id, outer->result))
    return FALSE;
  readers = heddle_diagram_get_readers (diagram, value_id);
  if (readers->len != 1)
    return FALSE;
  inside.from = inner->operands;
  inner_body = heddle_expr_substitute (inner->body, replace_argument, &inside);
  outside.inner = inner_body;
  body = heddle_expr_substitute (outer->body, replace_argument, &outside);
  if (body->n_nodes > MAX_FUSED_NODES || body->depth > MAX_FUSED_DEPTH)
    return FALSE;
  heddle_rewrite_become (diagram, outer->id, "map", operands, NULL, g_steal_pointer (&body), NULL);
  heddle_rewrite_remove (diagram, value_id);
  return TRUE;
}

gboolean
heddle_rewrite_fuse_maps (HeddleDiagram *diagram, const char *operation_id)
{
  const HeddleOperation *outer = heddle_diagram_get_operation (diagram, operation_id);

  for (guint i = 0; outer->kind->form == HEDDLE_FORM_MAP && i < outer->operands->len; i++)
    if (fuse_operand (diagram, outer, heddle_ids_index (outer->operands, i)))
      return TRUE;
  return FALSE;
}

/* --- taking apart -------------------------------------------------------------------- */

/* Returns the first part of the function that is a function of operands itself; -1 if there is none. */
static int
find_part (const HeddleExpr *body)
{
  for (guint i = 0; i < heddle_expr_get_n_children (body); i++)
    {
      const HeddleExpr *child = heddle_expr_get_child (body, i);

      if (heddle_expr_get_n_children (child) > 0 && heddle_expr_uses (child, HEDDLE_EXPR_ARGUMENT, NULL))
        return (int) i;
    }
  return -1;
}

/* Returns the axes that a part has from its operands and indices, in the order of the whole. */
static GArray *
axes_of_part (
    const HeddleDiagram *diagram, const HeddleOperation *map, const HeddleExpr *part, const GArray *operands)
{
  const GArray *whole = heddle_rewrite_axes_of (diagram, map->result);
  GArray *axes = heddle_ids_new ();

  for (guint i = 0; i < whole->len; i++)
    {
      const char *axis = heddle_ids_index (whole, i);
      gboolean used = heddle_expr_uses (part, HEDDLE_EXPR_INDEX, axis);

      for (guint j = 0; j < operands->len; j++)
        used |= heddle_ids_contain (heddle_rewrite_axes_of (diagram, heddle_ids_index (operands, j)), axis);
      if (used)
        heddle_ids_append (axes, axis);
    }
  return axes;
}

/* Returns the function with its part @at replaced by the value made of it; the other parts are as they
 * were. */
static HeddleExpr *
body_without_part (const HeddleOperation *map, guint at, const char *made, GArray *operands)
{
  HeddleExpr *children[3] = { NULL };
  guint n = heddle_expr_get_n_children (map->body);
  Fusion fusion = { map->operands, operands, NULL, NULL };

  for (guint i = 0; i < n; i++)
    children[i]
        = i == at ? heddle_rewrite_argument (operands, made)
                  : heddle_expr_substitute (heddle_expr_get_child (map->body, i), replace_argument, &fusion);
  return heddle_expr_node (heddle_expr_get_kind (map->body), children, n);
}

gboolean
heddle_rewrite_split_map (HeddleDiagram *diagram, const char *operation_id)
{
  const HeddleOperation *map = heddle_diagram_get_operation (diagram, operation_id);
  g_autoptr (GArray) inner = heddle_ids_new (), outer = heddle_ids_new ();
  g_autoptr (GArray) axes = NULL;
  Fusion fusion = { map->operands, inner, NULL, NULL };
  HeddleExpr *part, *body;
  HeddleOperation *made;
  int at;

  if (map->kind->form != HEDDLE_FORM_MAP || (at = find_part (map->body)) < 0)
    return FALSE;
  part = heddle_expr_substitute (heddle_expr_get_child (map->body, (guint) at), replace_argument, &fusion);
  axes = axes_of_part (diagram, map, part, inner);
  made = heddle_rewrite_add (diagram, operation_id, "map", inner, axes, NULL);
  made->body = part;
  body = body_without_part (
      heddle_diagram_get_operation (diagram, operation_id), (guint) at, made->result, outer);
  heddle_rewrite_become (diagram, operation_id, "map", outer, NULL, body, NULL);
  return TRUE;
}
