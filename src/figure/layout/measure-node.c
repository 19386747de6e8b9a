/* SPDX-License-Identifier: MIT */
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/box.h"
#include "figure/layout/bundle.h"
#include "figure/layout/combine.h"
#include "figure/layout/cups.h"
#include "figure/layout/figure-node.h"
#include "figure/layout/graph.h"
#include "figure/layout/measure-node.h"
#include "figure/layout/node-title.h"
#include "figure/layout/norms.h"
#include "figure/layout/regions.h"
#include "figure/layout/source.h"
#include "figure/scene/scene.h"
#include "figure/typeset/math-expr.h"

/* This says how much room an operation takes; heights of lines are not known yet. */

#define DOT_INSET 14. /* of a reduction */
#define CARRIED_ROOM 15. /* for the words that tell what is carried */
#define UNTITLED_WIDTH 42. /* of one whose title somebody took away … */
#define UNTITLED_BARE 28. /* …and its ground too */
#define LINEAR_SIDES 16. /* beside the letter of a linear map … */
#define LINEAR_SIDES_BARE 6. /* …that has no ground */
#define ROUND_WIDTH 46. /* of a norm with a map in the place of its title */
#define WINDOW_WIDTH 34. /* with its sides … */
#define BARE_WINDOW 24. /* … and where no stride stands in it */
#define PORT_ROOM 7. /* beside the name of an operand */
#define ARROW_BARE 7. /* more for an arrow after a cup without a ground, which is longer than its tail */
#define LEAST_ARROW 28. /* from a cup to the tip of its arrow, under a scale without a ground */
#define TITLE_ROOM 36. /* over a core wire, in a box with a title */

/* Returns how far below the operand's top wire, at least, are the wires that a box around the first core
 * wire takes in: those above it as long as none has ended between them. */
static double
depth_of_box (const HeddleLayout *self, const HeddleFigureNode *node)
{
  double depth = 0., box = 0.;

  for (guint i = 0; i < node->members->len; i++)
    {
      const HeddleMember *member = heddle_figure_node_member (self, node, i);
      for (guint j = 0; j < member->strands->len; j++)
        {
          const HeddleStrand *strand = heddle_member_entering (member, j);
          depth += j > 0 ? HEDDLE_PITCH * (1 + strand->hole) : 0.;
          box = j > 0 && strand->hole > 0 ? depth : box;
          if (strand->core)
            return box;
        }
    }
  return 0.;
}

/* What the lines of a title before the last take. */
static double
more_lines (const HeddleFigureNode *node, double size)
{
  return (heddle_title_n_lines (node->title) - 1) * HEDDLE_TITLE_LEADING * size;
}

/* Returns how far the lowest wire of the last operand, or what is made below it, lies under the lowest that
 * the operation acts along. */
static double
depth_below_core (const HeddleLayout *self, const HeddleFigureNode *node)
{
  const HeddleMember *member
      = node->members->len > 0 ? heddle_figure_node_member (self, node, node->members->len - 1) : NULL;
  double depth = 0.;

  for (guint i = member != NULL ? member->strands->len : 0; i-- > 0;)
    {
      const HeddleStrand *strand = heddle_member_entering (member, i);
      if (strand->core)
        return depth;
      depth += HEDDLE_PITCH * (1 + strand->hole);
    }
  return 0.;
}

/* What stands around the wires that the operation acts along needs no room beyond those that pass above and below them. */
static void
spare_beside_core (const HeddleLayout *self, HeddleFigureNode *node)
{
  node->below = MAX (node->below - depth_below_core (self, node), 0.);
}

static void
measure_titled (const HeddleLayout *self, HeddleFigureNode *node, double width)
{
  node->title_width = width;
  node->width = width > 0. ? MAX (46., width + 8.) : node->bare ? UNTITLED_BARE : UNTITLED_WIDTH;
  const double over = width > 0.                     ? TITLE_ROOM
                      : node->attached_title != NULL ? HEDDLE_FLOAT_ROOM
                                                     : heddle_titled_pad (node);

  node->above = MAX (over - depth_of_box (self, node), 0.) + (width > 0. ? more_lines (node, 13.) : 0.);
  node->below = heddle_figure_node_foot (self, node);
}

static void
measure_cup (const HeddleLayout *self, HeddleFigureNode *node)
{
  const guint n = node->operation->axes->len;
  gboolean joins = FALSE;

  for (guint i = 0; i < node->members->len; i++)
    {
      const HeddleMember *member = heddle_figure_node_member (self, node, i);
      for (guint j = 0; j < member->strands->len; j++)
        joins |= heddle_strand (member->strands, j)->join >= 0
                 || heddle_strand (member->strands, j)->axis == NULL;
    }
  node->above = node->below = node->cups ? heddle_cup_pad (node) : 6.;
  node->inset = node->cups && node->bare ? HEDDLE_CUP_INSET_BARE : HEDDLE_CUP_INSET;
  if (!node->cups)
    {
      node->width = joins ? 48. : 30.;
      return;
    }
  node->reach = heddle_cup_radius (n > 0 ? n - 1 : 0);
  node->width = node->inset + node->reach + (node->bare ? HEDDLE_CUP_TAIL_BARE : HEDDLE_CUP_TAIL)
                + (!joins        ? 0.
                    : node->bare ? ARROW_BARE
                                 : 14.);
  if (node->attached == NULL)
    node->width += HEDDLE_CUP_ARROW + (node->bare && !joins ? ARROW_BARE : 0.);
  else if (heddle_scale_is_bare (self, node))
    node->attached_width
        = MAX (LEAST_ARROW, heddle_title_width (node->title, HEDDLE_FONT_MATH, 14.) + HEDDLE_SCALE_LEAD)
          + HEDDLE_SCALE_TIP - (node->width - node->inset - node->reach) - HEDDLE_ATTACHED_GAP;
  else
    node->attached_width = MAX (44., heddle_title_width (node->title, HEDDLE_FONT_MATH, 14.) + 8.);
}

/* The line of an own label that is for the index in place @i: "i_a\nj_b"; or NULL. */
static char *
own_index (const HeddleLayout *self, const HeddleOperation *operation, guint i)
{
  const char *own = heddle_layout_own_label (self, operation->id);
  g_auto (GStrv) lines = g_strsplit (own != NULL ? own : "", "\n", -1);
  guint line = 0;

  for (guint j = 0; j < i; j++)
    line += heddle_expr_get_kind (operation->indices->pdata[j]) != HEDDLE_EXPR_INDEX;
  return line < g_strv_length (lines) && *lines[line] != '\0' ? g_strdup (lines[line]) : NULL;
}

/* What stands in a group's glyph: the indices that are more than another axis' name. */
char *
heddle_reindex_group_text (
    const HeddleLayout *self, const HeddleFigureNode *node, const HeddleReindexGroup *group)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < group->operand_axes->len; i++)
    {
      const guint place = heddle_guint (group->operand_axes, i);
      const HeddleExpr *index = node->operation->indices->pdata[place];
      if (heddle_expr_get_kind (index) == HEDDLE_EXPR_INDEX)
        continue;
      g_autofree char *own = own_index (self, node->operation, place);
      g_autofree char *one = own == NULL ? heddle_math_from_expr (index, self->diagram) : NULL;
      g_string_append_printf (text, "%s%s", text->len > 0 ? ",\\," : "", own != NULL ? own : one);
    }
  return g_string_free (text, FALSE);
}

static double
reindex_width (const HeddleLayout *self, const HeddleFigureNode *node)
{
  double width = 34.;

  for (guint i = 0; i < node->groups->len; i++)
    {
      const HeddleReindexGroup *group = node->groups->pdata[i];
      g_autofree char *text = heddle_reindex_group_text (self, node, group);
      if (heddle_bundles_is_split (node->operation) || (group->bar && group->outputs->len > 0))
        continue;
      const double needs = *text != '\0' ? heddle_title_width (text, HEDDLE_FONT_MATH, 12.) + 38. : 0.;
      width = MAX (width, needs);
    }
  return width;
}

/* A window has its star and its stride side by side, and fills all but its sides. */
static void
measure_reading (const HeddleLayout *self, HeddleFigureNode *node)
{
  const char *stride = heddle_layout_own_label (self, node->operation->id);
  const gboolean window = heddle_layout_look (self, node->operation) == HEDDLE_LOOK_WINDOW;
  const gboolean wide = stride != NULL && heddle_title_width (stride, HEDDLE_FONT_MATH, 12.5) > 4.;

  node->inset = window ? HEDDLE_WINDOW_SIDE : 8.;
  node->width = !window ? reindex_width (self, node) : wide ? WINDOW_WIDTH : BARE_WINDOW;
}

/* Returns whether wires come down to the dots of an elementwise function, where its title would stand. */
static gboolean
joins_down (const HeddleLayout *self, const HeddleFigureNode *node)
{
  const HeddleMember *first = heddle_figure_node_member (self, node, 0);

  return node->results->len > 0
         && heddle_strand (node->results, 0)->line != heddle_member_entering (first, 0)->target;
}

/* What the names of the operands take before the wires join. */
static double
measure_ports (const HeddleLayout *self, const HeddleFigureNode *node)
{
  double widest = 0.;

  for (guint i = 0; i < node->members->len; i++)
    {
      const char *name = heddle_figure_node_port (self, node, i);
      if (name != NULL)
        widest = MAX (widest, heddle_title_width (name, HEDDLE_FONT_MATH, HEDDLE_PORT_SIZE));
    }
  return widest > 0. ? widest + PORT_ROOM : 0.;
}

static void
measure_join (const HeddleLayout *self, HeddleFigureNode *node)
{
  const gboolean down = joins_down (self, node);

  node->title_width = heddle_title_width (node->title, HEDDLE_FONT_MATH, 15.);
  node->tail = node->turns != NULL ? HEDDLE_TURN_TAIL : down ? node->title_width + 16. : HEDDLE_JOIN_TAIL;
  node->lead = measure_ports (self, node);
  node->width
      = node->lead + (down || node->turns != NULL ? 38. + node->tail : MAX (56., node->title_width + 16.));
  node->above = (down ? 12. : 30.) + more_lines (node, 15.);
  node->below = 8.;
}

/* A map drawn with a norm stands where its name would; with a linear map, over it; with a box, under it; with a
 * reading, beside it. */
static void
measure_attached (const HeddleLayout *self, HeddleFigureNode *node)
{
  const double text = heddle_title_width (node->attached_title, HEDDLE_FONT_MATH, HEDDLE_FLOAT_SIZE);

  if (node->shape == HEDDLE_SHAPE_NORMALISE)
    {
      node->width = MAX (ROUND_WIDTH, text + HEDDLE_FLOAT_ARROWS + 4.);
      return;
    }
  if (node->shape == HEDDLE_SHAPE_LINEAR)
    {
      node->width = MAX (node->width, text + HEDDLE_FLOAT_ARROWS - 2. * HEDDLE_FLOAT_BEYOND);
      node->above += HEDDLE_FLOAT_UNDER;
      return;
    }
  if (node->shape == HEDDLE_SHAPE_BOX)
    {
      node->width = MAX (node->width, text + HEDDLE_FLOAT_ARROWS + 4.);
      node->below += HEDDLE_FLOAT_UNDER;
      return;
    }
  node->attached_width = text;
  node->above = MAX (node->above, 28.);
}

/* Returns the room over and under the wires of a linear map. */
static double
linear_pad (const HeddleLayout *self, const HeddleFigureNode *node)
{
  const HeddleMember *member = heddle_figure_node_member (self, node, 0);
  guint n_taken = 0, n_made = 0;

  for (guint i = 0; i < member->strands->len; i++)
    n_taken += heddle_member_entering (member, i)->core;
  for (guint i = 0; i < node->results->len; i++)
    n_made += heddle_strand (node->results, i)->fresh;
  return node->bare && node->attached == NULL
             ? heddle_linear_pad_bare (MAX (MAX (n_taken, n_made), 1) > 1 ? HEDDLE_PITCH : 0.)
             : heddle_linear_pad (node);
}

/* The window of a pooling is followed by a stretch of wire with its size over it and what is done under it. */
static void
measure_reduction (const HeddleLayout *self, HeddleFigureNode *node)
{
  const gboolean window = heddle_layout_look (self, node->operation) == HEDDLE_LOOK_WINDOW;
  const char *size = heddle_layout_own_label (self, node->operation->id);
  const double title = heddle_title_width (node->title, HEDDLE_FONT_ROMAN, 13.);

  node->inset = window ? HEDDLE_WINDOW_SIDE : DOT_INSET;
  node->reach = node->inset;
  node->above = 20.;
  node->below = window ? 16. : 6.;
  if (window)
    {
      node->reach += HEDDLE_POOL_WIDTH
                     + MAX (MAX (DOT_INSET, heddle_title_width (size, HEDDLE_FONT_MATH, 16.) + 8.),
                         title + 2. * HEDDLE_POOL_GAP);
      node->width = node->reach + HEDDLE_POOL_END;
      return;
    }
  node->width = MAX (node->reach + 16., node->reach + title + 12.);
}

void
heddle_layout_measure_node (HeddleLayout *self, HeddleFigureNode *node)
{
  switch (node->shape)
    {
    case HEDDLE_SHAPE_CUP:
      measure_cup (self, node);
      break;
    case HEDDLE_SHAPE_LINEAR:
      node->title_width = heddle_title_width (node->title, HEDDLE_FONT_MATH, 20.);
      node->width
          = node->bare ? node->title_width + LINEAR_SIDES_BARE : MAX (34., node->title_width + LINEAR_SIDES);
      node->above = node->below = linear_pad (self, node);
      spare_beside_core (self, node);
      break;
    case HEDDLE_SHAPE_NORMALISE:
      measure_titled (self, node,
          node->attached_title == NULL ? heddle_title_width (node->title, HEDDLE_FONT_SANS, 12.) : 0.);
      break;
    case HEDDLE_SHAPE_MASK:
      measure_titled (self, node, heddle_title_width (node->title, HEDDLE_FONT_MATH, 13.));
      break;
    case HEDDLE_SHAPE_FLOAT:
      node->width
          = heddle_title_width (node->title, HEDDLE_FONT_MATH, HEDDLE_FLOAT_SIZE) + HEDDLE_FLOAT_ARROWS + 6.;
      node->above = 28. + more_lines (node, HEDDLE_FLOAT_SIZE);
      node->below = 4.;
      break;
    case HEDDLE_SHAPE_JOIN:
      measure_join (self, node);
      break;
    case HEDDLE_SHAPE_REDUCE:
      measure_reduction (self, node);
      break;
    case HEDDLE_SHAPE_REINDEX:
      measure_reading (self, node);
      node->above = 14.;
      node->below = 10.;
      spare_beside_core (self, node);
      break;
    case HEDDLE_SHAPE_COMBINE:
      heddle_combine_measure (self, node, heddle_title_width (node->title, HEDDLE_FONT_ROMAN, 13.));
      break;
    case HEDDLE_SHAPE_SOURCE:
      heddle_source_measure (node, heddle_title_width (node->title, HEDDLE_FONT_MATH, 12.));
      break;
    case HEDDLE_SHAPE_BOX:
      heddle_layout_measure_box (self, node);
      break;
    case HEDDLE_SHAPE_CROSS:
      node->width = 0.;
      node->above = node->below = HEDDLE_BOX_PAD;
      break;
    }
  if (node->attached_title != NULL)
    measure_attached (self, node);
  if (heddle_layout_carries (self, node))
    node->below += CARRIED_ROOM;
}
