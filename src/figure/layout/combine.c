/* SPDX-License-Identifier: MIT */
#include "diagram/expression/expr.h"
#include "diagram/graph/operation-table.h"
#include "figure/layout/box.h"
#include "figure/layout/combine.h"
#include "figure/layout/graph.h"
#include "figure/layout/weave-node.h"

/* Operations whose glyph stands on the wires that they take: a thick bar where arrays are laid end to end, a diamond where the largest are
 * chosen, a circle on the wire that a state is carried along, and the box of an embedding, into which the numbers go. */

/* --- which wires go on ------------------------------------------------------------------------ */

gboolean
heddle_figure_node_is_gather (const HeddleFigureNode *node)
{
  return node->operation->kind->form == HEDDLE_FORM_REINDEX;
}

/* Returns whether the wire of @axis of operand @slot ends here. */
static gboolean
ends (const HeddleLayout *self, const HeddleFigureNode *node, guint slot, const char *axis)
{
  const HeddleOperation *operation = node->operation;
  const HeddleValue *data
      = heddle_diagram_get_value (self->diagram, heddle_ids_index (operation->operands, 0));
  const HeddleValue *result = heddle_diagram_get_value (self->diagram, node->result);
  int at = slot == 0 && heddle_figure_node_is_gather (node) ? heddle_ids_find (data->axes, axis) : -1;

  if (axis == NULL || !heddle_ids_contain (result->axes, axis))
    return axis != NULL;
  return at >= 0 && (guint) at < operation->indices->len
         && heddle_expr_get_kind (operation->indices->pdata[at]) != HEDDLE_EXPR_INDEX;
}

/* The axis that begins where that of the first operand ends; NULL: none does. */
static const char *
made_axis (const HeddleFigureNode *node)
{
  const GArray *axes = node->operation->axes;
  const HeddleOperationForm form = node->operation->kind->form;

  return form == HEDDLE_FORM_CONCAT || form == HEDDLE_FORM_SELECT ? heddle_ids_index (axes, axes->len - 1)
                                                                  : NULL;
}

double
heddle_combine_reach (const HeddleFigureNode *node)
{
  return heddle_figure_node_is_gather (node) ? HEDDLE_TABLE_WIDTH / 2. : 0.;
}

/* Wires that join another bend around the box, which is drawn before they do. */
#define JOIN_ROOM 124.
#define INSET 4.
#define TITLED_WIDTH 54. /* at least */
#define BARE_WIDTH 46. /* of a bar with nothing over it, to which wires come up */

double
heddle_combine_x (const HeddleFigureNode *node)
{
  return node->x + (node->width >= JOIN_ROOM ? HEDDLE_TABLE_WIDTH / 2. + INSET : node->width / 2.);
}

void
heddle_combine_measure (const HeddleLayout *self, HeddleFigureNode *node, double title_width)
{
  node->width = title_width > 0. ? MAX (TITLED_WIDTH, title_width + 16.) : BARE_WIDTH;
  node->above = 30.;
  node->below = 12.;
  for (guint i = 0; heddle_figure_node_is_gather (node) && i < node->members->len; i++)
    {
      const HeddleMember *member = heddle_figure_node_member (self, node, i);
      for (guint j = 0; j < member->strands->len; j++)
        if (heddle_strand (member->strands, j)->join >= 0)
          node->width = JOIN_ROOM;
    }
}

void
heddle_layout_weave_combine (HeddleLayout *self, HeddleFigureNode *node)
{
  const char *made = made_axis (node);

  for (guint i = 0; i < node->members->len; i++)
    {
      HeddleMember *member = heddle_figure_node_member (self, node, i);
      for (guint j = 0; j < member->strands->len; j++)
        {
          HeddleStrand *strand = heddle_member_entering (member, j);
          const char *axis = strand->axis;
          strand->core = ends (self, node, member->slot, axis);
          if (strand->core && made != NULL && heddle_figure_node_result (node, made) == NULL)
            axis = made;
          else if (strand->core || axis == NULL || heddle_figure_node_result (node, axis) != NULL)
            continue;
          heddle_figure_node_add_result (node, axis, strand->target, axis == made)->hole = strand->hole;
        }
    }
}

/* E, or the name of what is read. Newly allocated; NULL: the glyph says all. */
char *
heddle_combine_title (const HeddleLayout *self, const HeddleOperation *operation)
{
  const char *id = heddle_ids_index (operation->operands, 0);
  const HeddleValue *data = heddle_diagram_get_value (self->diagram, id);

  switch (operation->kind->form)
    {
    case HEDDLE_FORM_REINDEX:
      if (data->role == HEDDLE_ROLE_PARAMETER && (data->name == NULL || g_str_equal (data->name, "E")))
        return g_strdup ("\\mathbf{E}");
      return data->role == HEDDLE_ROLE_PARAMETER ? g_strdup_printf ("\\mathbf{E}^{%s}", data->name)
                                                 : g_strdup ("[\\,]");
    case HEDDLE_FORM_SELECT:
      return g_strdup ("top\342\200\220k"); /* a hyphen, no minus */
    case HEDDLE_FORM_SCAN:
      return g_strdup (operation->kind->id);
    default:
      return NULL;
    }
}
