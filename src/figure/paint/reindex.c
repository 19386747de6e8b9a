/* SPDX-License-Identifier: MIT */
#include "diagram/document/ornament.h"
#include "figure/layout/box.h"
#include "figure/layout/bundle.h"
#include "figure/layout/graph.h"
#include "figure/layout/measure-node.h"
#include "figure/layout/weave-node.h"
#include "figure/layout/shapes.h"
#include "figure/paint/glyphs.h"
#include "figure/paint/reindex.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"
#include "figure/scene/theme.h"

/* A reindexing has a glyph on each group of wires that depend on one another. */

#define VIEW_HALF 14. /* px, of the ground of a bar */
#define VIEW_BEYOND 20.
#define UNDER_WIRE 9. /* px of a window …*/
#define UNDER_CLOSE 3. /* … and where another wire lies close */

/* A wire of a group at its operation, from the top: the operand's, then the result's. */
static const HeddleStrand *
group_strand (
    const HeddlePainter *self, const HeddleFigureNode *node, const HeddleReindexGroup *group, guint i)
{
  const HeddleMember *member = heddle_figure_node_member (self->layout, node, 0);

  return i < group->inputs->len
             ? heddle_member_entering (member, heddle_guint (group->inputs, i))
             : heddle_figure_node_result (node, heddle_ids_index (group->outputs, i - group->inputs->len));
}

/* Where it comes to the glyph. */
static HeddlePoint
group_port (const HeddlePainter *self, const HeddleFigureNode *node, const HeddleReindexGroup *group, guint i)
{
  const gboolean in = i < group->inputs->len;
  const HeddleStrand *strand = group_strand (self, node, group, i);

  return (HeddlePoint){ in ? node->x + node->inset : node->x + node->width - node->inset,
    heddle_figure_node_shift (
        node, heddle_layout_line_y (self->layout, in ? strand->target : strand->line)) };
}

static void
group_span (const HeddlePainter *self, const HeddleFigureNode *node, const HeddleReindexGroup *group,
    double *top, double *bottom)
{
  *top = G_MAXDOUBLE;
  *bottom = -G_MAXDOUBLE;
  for (guint i = 0; i < group->inputs->len + group->outputs->len; i++)
    {
      const double y = group_port (self, node, group, i).y;
      *top = MIN (*top, y);
      *bottom = MAX (*bottom, y);
    }
}

/* Does the same for the upper (0) or the lower (1) line of a bundle. */
static HeddlePoint
group_port_of_line (const HeddlePainter *self, const HeddleFigureNode *node, const HeddleReindexGroup *group,
    guint i, guint line)
{
  HeddlePoint port = group_port (self, node, group, i);

  port.y += (line == 0 ? -1. : 1.) * heddle_paint_spread (self, group_strand (self, node, group, i)->axis);
  return port;
}

/* The lines of a bundle go to the wires of its axes: the upper one to the upper half of them. */
static void
paint_split (HeddlePainter *self, const HeddleFigureNode *node, const HeddleReindexGroup *group,
    const HeddleStroke *stroke)
{
  const guint n_in = group->inputs->len, n_out = group->outputs->len, n = MAX (n_in, n_out);
  const HeddleMember *member = heddle_figure_node_member (self->layout, node, 0);

  for (guint i = 0; i < n; i++)
    {
      const guint line = 2 * i < n ? 0 : 1;
      const HeddlePoint a = group_port_of_line (self, node, group, MIN (i, n_in - 1), line),
                        b = group_port_of_line (self, node, group, n_in + MIN (i, n_out - 1), line);
      const double reach = 0.4 * (b.x - a.x);
      HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_WIRE, member->value, stroke, NULL);
      item->value = member->value;
      heddle_item_move_to (item, a.x, a.y);
      heddle_item_curve_to (item, a.x + reach, a.y, b.x - reach, b.y, b.x, b.y);
    }
}

/* Paints a diagonal: its wires join in dots, which are painted with all others. */
static void
paint_diagonal (HeddlePainter *self, const HeddleFigureNode *node, const HeddleReindexGroup *group,
    const HeddleStroke *stroke)
{
  const HeddleStrand *result = heddle_figure_node_result (node, heddle_ids_index (group->outputs, 0));
  const double y = heddle_figure_node_shift (node, heddle_layout_line_y (self->layout, result->line));
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, node->operation->id, stroke, NULL);

  heddle_item_move_to (item, node->x + 8., y);
  heddle_item_line_to (item, node->x + node->width - 8., y);
}

/* Paints the grounds of the bars of a view to which a person gave a fill. */
void
heddle_paint_view_grounds (HeddlePainter *self, const HeddleFigureNode *node)
{
  const char *fill = self->fills != NULL ? g_hash_table_lookup (self->fills, node->operation->id) : NULL;

  for (guint i = 0; fill != NULL && g_strcmp0 (fill, "none") != 0 && i < node->groups->len; i++)
    {
      const HeddleReindexGroup *group = node->groups->pdata[i];
      double top, bottom;

      if (!group->bar || group->outputs->len == 0)
        continue;
      group_span (self, node, group, &top, &bottom);
      heddle_paint_card (self, HEDDLE_PART_BOX, node->operation->id, fill,
          node->x + node->width / 2. - VIEW_HALF, top - VIEW_BEYOND, 2. * VIEW_HALF,
          bottom - top + 2. * VIEW_BEYOND);
    }
}

/* A view of the same array: wires go through a bar. */
static void
paint_view (HeddlePainter *self, const HeddleFigureNode *node, const HeddleReindexGroup *group,
    const HeddleStroke *stroke, double top, double bottom)
{
  const char *object = node->operation->id;
  const double x = node->x + node->width / 2.;
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, object, stroke, NULL);

  for (guint i = 0; i < group->inputs->len + group->outputs->len; i++)
    {
      const HeddlePoint port = group_port (self, node, group, i);
      heddle_item_move_to (item, x, port.y);
      heddle_item_line_to (item, port.x, port.y);
    }
  heddle_paint_bar (self, object, x, top - 9., bottom + 9.);
}

static void
paint_glyph (HeddlePainter *self, const HeddleFigureNode *node, const HeddleReindexGroup *group,
    const HeddleStroke *stroke, const char *text, double top, double bottom)
{
  const char *object = node->operation->id;
  const double x = node->x + node->width / 2., middle = (top + bottom) / 2.,
               height = bottom - top + (group->outputs->len == 0 ? 18. : 16.);
  const gboolean ends = group->outputs->len == 0;

  if (ends)
    heddle_paint_pentagon (self, object, stroke, x, middle, node->width - 16., height);
  else
    heddle_paint_hexagon (self, object, stroke, x, middle, node->width - 16., height);
  if (*text == '\0')
    return;
  const char *own = self->fills != NULL ? g_hash_table_lookup (self->fills, object) : NULL;
  const HeddleColor ink = own != NULL ? heddle_theme_on_fill (self->theme, own) : self->ink;
  heddle_paint_label (self, HEDDLE_PART_GLYPH, object, text, HEDDLE_FONT_MATH, ends ? 14. : 12.,
      ends ? &ink : NULL, x, middle + (ends ? 4.6 : 4.), 0.5);
}

static void
paint_group (HeddlePainter *self, const HeddleFigureNode *node, const HeddleReindexGroup *group,
    const HeddleStroke *stroke)
{
  const HeddleMember *member = heddle_figure_node_member (self->layout, node, 0);
  const char *object = node->operation->id;
  g_autofree char *text = heddle_reindex_group_text (self->layout, node, group);
  const gboolean window = heddle_layout_look (self->layout, node->operation) == HEDDLE_LOOK_WINDOW;
  const HeddleStrand *last = group->outputs->len > 0 ? heddle_figure_node_result (
                                 node, heddle_ids_index (group->outputs, group->outputs->len - 1))
                                                     : NULL;
  const gboolean close = last != NULL && heddle_layout_line_is_close (self->layout, last->line);
  const guint from = heddle_scene_get_n_items (self->scene);
  double top, bottom;

  if (!heddle_member_entering (member, heddle_guint (group->inputs, 0))->core)
    return;
  group_span (self, node, group, &top, &bottom);
  if (heddle_bundles_is_split (node->operation) && group->outputs->len > 0)
    paint_split (self, node, group, stroke);
  else if (group->inputs->len > 1 && group->outputs->len == 1 && *text == '\0')
    paint_diagonal (self, node, group, stroke);
  else if (group->bar && group->outputs->len > 0)
    paint_view (self, node, group, stroke, top, bottom);
  else if (window && group->outputs->len > 1)
    heddle_paint_window (self, object, heddle_layout_own_label (self->layout, object),
        node->x + node->width / 2., top - 10., bottom + (close ? UNDER_CLOSE : UNDER_WIRE),
        node->width - 2. * HEDDLE_WINDOW_SIDE);
  else
    {
      paint_glyph (self, node, group, stroke, text, top, bottom);
      heddle_paint_mean (
          self, from, group->outputs->len == 0 ? HEDDLE_MEANING_INDEX : HEDDLE_MEANING_READING);
    }
  heddle_paint_mean (self, from, HEDDLE_MEANING_VIEW);
}

void
heddle_paint_reindex (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke)
{
  for (guint i = 0; i < node->groups->len; i++)
    paint_group (self, node, node->groups->pdata[i], stroke);
}
