/* SPDX-License-Identifier: MIT */
#include "diagram/document/ornament.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"
#include "figure/layout/box.h"
#include "figure/layout/figure-node.h"
#include "figure/layout/node-title.h"
#include "figure/layout/rotary.h"
#include "figure/layout/source.h"

#include <math.h>

/* Each operation is drawn as one of these. */

/* Returns whether the operation is a contraction of an array with what stands at @parameter over all the
 * axes they share. */
static gboolean
fits_linear (const HeddleDiagram *diagram, const HeddleOperation *operation, guint parameter)
{
  if (operation->kind->form != HEDDLE_FORM_CONTRACT || operation->operands->len != 2
      || operation->axes->len == 0)
    return FALSE;
  const HeddleValue *weight
      = heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, parameter));
  const HeddleValue *array
      = heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, 1 - parameter));

  if (weight == NULL || array == NULL || array->role == HEDDLE_ROLE_PARAMETER)
    return FALSE;
  for (guint i = 0; i < weight->axes->len; i++)
    {
      const char *axis = heddle_ids_index (weight->axes, i);
      if (heddle_ids_contain (array->axes, axis) != heddle_ids_contain (operation->axes, axis))
        return FALSE;
    }
  for (guint i = 0; i < operation->axes->len; i++)
    if (!heddle_ids_contain (weight->axes, heddle_ids_index (operation->axes, i)))
      return FALSE;
  return TRUE;
}

/* Returns whether the operation says by the name in its box that it reads the parameter: a linear map or a
 * table that is looked up. */
static gboolean
names_parameter (const HeddleDiagram *diagram, const HeddleOperation *operation, const char *value_id)
{
  const int place = heddle_ids_find (operation->operands, value_id);

  if (operation->kind->form == HEDDLE_FORM_REINDEX)
    return place == 0 && operation->operands->len > 1;
  return place >= 0 && fits_linear (diagram, operation, place);
}

/* Returns whether the parameter needs no wires: one reads it, or all who read it say so. */
static gboolean
is_named_by_readers (const HeddleDiagram *diagram, const char *value_id)
{
  if (heddle_diagram_count_readers (diagram, value_id) == 1)
    return TRUE;
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, value_id);
  for (guint i = 0; i < readers->len; i++)
    if (!names_parameter (diagram, readers->pdata[i], value_id))
      return FALSE;
  return readers->len > 0;
}

static gboolean
is_parameter (const HeddleLayout *self, const char *value_id)
{
  const HeddleValue *value = heddle_diagram_get_value (self->diagram, value_id);

  return value != NULL && value->role == HEDDLE_ROLE_PARAMETER
         && !g_hash_table_contains (self->outputs, value_id) && is_named_by_readers (self->diagram, value_id);
}

/* Returns whether it is a contraction of an array with a parameter over all the axes they share. */
static gboolean
is_linear (const HeddleLayout *self, const HeddleOperation *operation, guint parameter)
{
  return fits_linear (self->diagram, operation, parameter)
         && is_parameter (self, heddle_ids_index (operation->operands, parameter));
}

static int
linear_parameter (const HeddleLayout *self, const HeddleOperation *operation)
{
  return is_linear (self, operation, 1) ? 1 : is_linear (self, operation, 0) ? 0 : -1;
}

static void
inline_parameters (HeddleLayout *self, const HeddleOperation *operation)
{
  const int linear = linear_parameter (self, operation);
  guint n_parameters = 0;

  if (linear >= 0)
    g_hash_table_add (self->inlined, (gpointer) heddle_ids_index (operation->operands, linear));
  if (operation->kind->form == HEDDLE_FORM_REINDEX && operation->operands->len > 1
      && is_parameter (self, heddle_ids_index (operation->operands, 0)))
    g_hash_table_add (self->inlined, (gpointer) heddle_ids_index (operation->operands, 0));
  const gboolean drawn_whole
      = operation->kind->form != HEDDLE_FORM_CALL && heddle_layout_is_boxed (self, operation);
  if (operation->kind->form != HEDDLE_FORM_MAP && !drawn_whole)
    return;
  for (guint i = 0; i < operation->operands->len; i++)
    n_parameters += is_parameter (self, heddle_ids_index (operation->operands, i));
  if (n_parameters == operation->operands->len)
    return;
  for (guint i = 0; i < operation->operands->len; i++)
    if (is_parameter (self, heddle_ids_index (operation->operands, i)))
      g_hash_table_add (self->inlined, (gpointer) heddle_ids_index (operation->operands, i));
}

/* What is read for a rotary embedding alone is drawn within it. */
static void
inline_turned (HeddleLayout *self, const HeddleOperation *operation)
{
  const char *within[2];

  if (heddle_layout_is_boxed (self, operation) || heddle_layout_turns (self, operation, within) == NULL)
    return;
  g_hash_table_add (self->inlined, (gpointer) within[0]);
  g_hash_table_add (self->inlined, (gpointer) within[1]);
}

static guint
count_drawn (const HeddleLayout *self, const HeddleOperation *operation)
{
  guint n = 0;

  for (guint i = 0; i < operation->operands->len; i++)
    n += !g_hash_table_contains (self->inlined, heddle_ids_index (operation->operands, i));
  return n;
}

static gboolean
is_permutation (const HeddleDiagram *diagram, const HeddleOperation *operation)
{
  const HeddleValue *operand = heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, 0));
  const HeddleValue *result = heddle_diagram_get_value (diagram, operation->result);

  if (operation->indices == NULL || operand->axes->len != result->axes->len
      || operation->indices->len != operand->axes->len)
    return FALSE;
  for (guint i = 0; i < operation->indices->len; i++)
    {
      const HeddleExpr *index = operation->indices->pdata[i];
      if (heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX
          || heddle_expr_get_symbol (index) != heddle_ids_index (operand->axes, i)
          || !heddle_ids_contain (result->axes, heddle_expr_get_symbol (index)))
        return FALSE;
    }
  return TRUE;
}

static HeddleShape
shape_of (const HeddleLayout *self, const HeddleOperation *operation)
{
  if (heddle_layout_is_boxed (self, operation) && count_drawn (self, operation) > 0)
    return HEDDLE_SHAPE_BOX;
  switch (operation->kind->form)
    {
    case HEDDLE_FORM_CONTRACT:
      return linear_parameter (self, operation) >= 0 ? HEDDLE_SHAPE_LINEAR : HEDDLE_SHAPE_CUP;
    case HEDDLE_FORM_REDUCE:
      return HEDDLE_SHAPE_REDUCE;
    case HEDDLE_FORM_NORMALISE:
      return HEDDLE_SHAPE_NORMALISE;
    case HEDDLE_FORM_REINDEX:
      if (operation->operands->len > 1)
        return HEDDLE_SHAPE_COMBINE;
      return is_permutation (self->diagram, operation) ? HEDDLE_SHAPE_CROSS : HEDDLE_SHAPE_REINDEX;
    case HEDDLE_FORM_CONCAT:
    case HEDDLE_FORM_SCAN:
    case HEDDLE_FORM_SELECT:
      return HEDDLE_SHAPE_COMBINE;
    case HEDDLE_FORM_CALL:
      return HEDDLE_SHAPE_BOX;
    case HEDDLE_FORM_MAP:
      break;
    }
  if (heddle_source_fits (self, operation))
    return HEDDLE_SHAPE_SOURCE;
  if (count_drawn (self, operation) > 1)
    return HEDDLE_SHAPE_JOIN;
  return heddle_map_is_mask (operation->body) ? HEDDLE_SHAPE_MASK : HEDDLE_SHAPE_FLOAT;
}

/* Returns whether wires of an axis meet: two operands at least have it. */
static gboolean
has_cups (const HeddleLayout *self, const HeddleOperation *operation)
{
  for (guint i = 0; i < operation->axes->len; i++)
    {
      guint n = 0;
      for (guint j = 0; j < operation->operands->len; j++)
        n += heddle_ids_contain (
            heddle_diagram_get_value (self->diagram, heddle_ids_index (operation->operands, j))->axes,
            heddle_ids_index (operation->axes, i));
      if (n > 1)
        return TRUE;
    }
  return FALSE;
}

/* --- nodes ----------------------------------------------------------------------------- */

gboolean
heddle_layout_is_bare (const HeddleLayout *self, const HeddleOperation *operation)
{
  const HeddlePresentation *presentation = self->figure->presentation;

  if (self->figure->slim)
    return TRUE;
  for (guint i = 0; presentation != NULL && i < presentation->fills->len; i++)
    {
      const HeddleFill *fill = presentation->fills->pdata[i];
      if (fill->object == operation->id)
        return g_str_equal (fill->fill, "none");
    }
  return FALSE;
}

gboolean
heddle_scale_is_bare (const HeddleLayout *self, const HeddleFigureNode *node)
{
  return node->attached != NULL && node->bare && heddle_layout_is_bare (self, node->attached);
}

static HeddleFigureNode *
node_new (const HeddleLayout *self, const HeddleOperation *operation)
{
  HeddleFigureNode *node = g_new0 (HeddleFigureNode, 1);

  node->operation = operation;
  node->shape = shape_of (self, operation);
  node->result = operation->result;
  node->triangle = node->shape != HEDDLE_SHAPE_NORMALISE || g_str_equal (operation->kind->glyph, "softmax");
  node->cups = node->shape == HEDDLE_SHAPE_CUP && has_cups (self, operation);
  node->members = g_array_new (FALSE, FALSE, sizeof (guint));
  node->results = g_array_new (FALSE, FALSE, sizeof (HeddleStrand));
  node->title = heddle_figure_node_title (self, operation, node->shape, linear_parameter (self, operation));
  node->bare = heddle_layout_is_bare (self, operation);
  node->region = -1;
  return node;
}

void
heddle_figure_node_free (HeddleFigureNode *node)
{
  g_array_unref (node->members);
  g_array_unref (node->results);
  g_clear_pointer (&node->groups, g_ptr_array_unref);
  g_free (node->title);
  g_free (node->attached_title);
  g_free (node);
}

static gboolean
same_region (const HeddleLayout *self, const HeddleOperation *a, const HeddleOperation *b)
{
  return g_hash_table_lookup (self->region_of, a->id) == g_hash_table_lookup (self->region_of, b->id);
}

static gboolean
same_axes (const HeddleDiagram *diagram, const char *a, const char *b)
{
  return heddle_diagram_get_value (diagram, a)->axes->len == heddle_diagram_get_value (diagram, b)->axes->len;
}

/* Returns whether a map can be drawn with it by hand. */
static gboolean
takes_maps (const HeddleFigureNode *node)
{
  return node->shape == HEDDLE_SHAPE_NORMALISE || node->shape == HEDDLE_SHAPE_REINDEX
         || (node->shape == HEDDLE_SHAPE_BOX && heddle_operation_n_results (node->operation) == 1);
}

/* The node with which @operation is drawn: a scale follows the arrow of a contraction, a bias is part of a linear map. */
static HeddleFigureNode *
node_to_attach_to (const HeddleLayout *self, const HeddleOperation *operation)
{
  if (operation->kind->form != HEDDLE_FORM_MAP || operation->body == NULL
      || count_drawn (self, operation) != 1)
    return NULL;
  const char *wired = NULL;
  for (guint i = 0; i < operation->operands->len; i++)
    if (!g_hash_table_contains (self->inlined, heddle_ids_index (operation->operands, i)))
      wired = heddle_ids_index (operation->operands, i);
  const HeddleOperation *producer = heddle_diagram_get_producer (self->diagram, wired);
  const guint index
      = producer != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (self->node_of, producer->id)) : 0;
  if (index == 0 || heddle_diagram_count_readers (self->diagram, wired) != 1
      || g_hash_table_contains (self->outputs, wired) || !same_axes (self->diagram, wired, operation->result))
    return NULL;
  HeddleFigureNode *node = heddle_layout_node (self, index - 1);
  if (heddle_layout_look (self, operation) == HEDDLE_LOOK_ATTACHED)
    return node->shape == HEDDLE_SHAPE_LINEAR            ? (node->over == NULL ? node : NULL)
           : node->attached == NULL && takes_maps (node) ? node
                                                         : NULL;
  if (node->attached != NULL || node->over != NULL || !same_region (self, node->operation, operation)
      || heddle_expr_uses (operation->body, HEDDLE_EXPR_INDEX, NULL))
    return NULL;
  const gboolean bias = operation->operands->len == 2
                        && heddle_expr_get_kind (operation->body) == HEDDLE_EXPR_ADD
                        && heddle_map_sign (operation->body) != NULL;
  const gboolean scale
      = operation->operands->len == 1 && heddle_expr_get_kind (operation->body) != HEDDLE_EXPR_ARGUMENT;
  return (node->shape == HEDDLE_SHAPE_LINEAR && bias) || (node->cups && scale) ? node : NULL;
}

static void
attach (HeddleLayout *self, HeddleFigureNode *node, const HeddleOperation *operation)
{
  node->result = operation->result;
  if (node->shape == HEDDLE_SHAPE_LINEAR && heddle_layout_look (self, operation) == HEDDLE_LOOK_ATTACHED)
    {
      node->over = operation;
      node->attached_title = heddle_figure_node_title (self, operation, HEDDLE_SHAPE_FLOAT, -1);
      return;
    }
  node->attached = operation;
  if (takes_maps (node))
    node->attached_title = heddle_figure_node_title (self, operation, HEDDLE_SHAPE_FLOAT, -1);
  if (node->shape != HEDDLE_SHAPE_CUP)
    return;
  g_free (node->title);
  node->title = heddle_figure_node_title (self, operation, HEDDLE_SHAPE_FLOAT, -1);
}

static gboolean
is_drawable (const HeddleDiagram *diagram, const HeddleOperation *operation)
{
  if (heddle_diagram_get_value (diagram, operation->result) == NULL || operation->operands->len == 0)
    return (operation->kind->form == HEDDLE_FORM_MAP || operation->kind->form == HEDDLE_FORM_CALL)
           && heddle_diagram_get_value (diagram, operation->result) != NULL;
  for (guint i = 0; i < operation->operands->len; i++)
    if (heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, i)) == NULL)
      return FALSE;
  return TRUE;
}

/* The reads within a rotary embedding belong to its node. */
static void
hold_turned (HeddleLayout *self, const HeddleOperation *operation)
{
  HeddleFigureNode *node = heddle_layout_node (self, self->nodes->len - 1);
  const char *within[2];
  const char *axis = node->shape == HEDDLE_SHAPE_JOIN ? heddle_layout_turns (self, operation, within) : NULL;

  if (axis == NULL)
    return;
  node->turns = axis;
  g_clear_pointer (&node->title, g_free);
  for (guint i = 0; i < 2; i++)
    g_hash_table_insert (self->node_of, (gpointer) heddle_diagram_get_producer (self->diagram, within[i])->id,
        GUINT_TO_POINTER (self->nodes->len));
}

void
heddle_layout_make_nodes (HeddleLayout *self)
{
  const GPtrArray *operations = self->diagram->operations;

  for (guint i = 0; i < operations->len; i++)
    if (is_drawable (self->diagram, operations->pdata[i]))
      {
        inline_parameters (self, operations->pdata[i]);
        inline_turned (self, operations->pdata[i]);
      }
  for (guint i = 0; i < operations->len; i++)
    {
      const HeddleOperation *operation = operations->pdata[i];
      if (!is_drawable (self->diagram, operation) || g_hash_table_contains (self->inlined, operation->result))
        continue;
      HeddleFigureNode *node = node_to_attach_to (self, operation);
      if (node != NULL)
        {
          attach (self, node, operation);
          g_hash_table_insert (self->node_of, (gpointer) operation->id,
              g_hash_table_lookup (self->node_of, node->operation->id));
          continue;
        }
      g_ptr_array_add (self->nodes, node_new (self, operation));
      g_hash_table_insert (self->node_of, (gpointer) operation->id, GUINT_TO_POINTER (self->nodes->len));
      hold_turned (self, operation);
    }
}
