/* SPDX-License-Identifier: MIT */
#include "figure/layout/box.h"
#include "figure/layout/combine.h"
#include "figure/layout/graph.h"
#include "figure/layout/layout.h"
#include "figure/layout/node-title.h"
#include "figure/layout/shapes.h"
#include "figure/paint/box.h"
#include "figure/paint/combine.h"
#include "figure/paint/cups.h"
#include "figure/paint/glyphs.h"
#include "figure/paint/nodes.h"
#include "figure/paint/norms.h"
#include "figure/paint/reindex.h"
#include "figure/paint/rotary.h"
#include "figure/paint/source.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"

#define TITLE_SIZE 12.
#define OVER_PORT 4. /* px, of an operand's name over its wire */

/* --- boxes --------------------------------------------------------------------------------------- */

static const char *
fill_of (const HeddleFigureNode *node)
{
  if (node->shape == HEDDLE_SHAPE_CUP)
    return node->products % 2 == 1 ? "core" : "second";
  if (node->shape == HEDDLE_SHAPE_LINEAR)
    return "linear";
  return node->shape == HEDDLE_SHAPE_MASK ? "mask" : node->operation->kind->fill;
}

static void
paint_crossing (HeddlePainter *self, const HeddleFigureNode *node, const HeddleMember *member)
{
  const HeddleColumn *column = heddle_layout_column (self->layout, member->to);
  double top = G_MAXDOUBLE, bottom = -G_MAXDOUBLE;

  if (node->bare)
    return;
  for (guint i = 0; i < member->strands->len; i++)
    {
      const HeddleStrand *strand = heddle_strand (member->strands, i);
      if (heddle_guint (member->order, i) == i)
        continue;
      top = MIN (top, MIN (heddle_layout_line_y (self->layout, strand->line),
                          heddle_layout_line_y (self->layout, heddle_member_entering (member, i)->target)));
      bottom = MAX (
          bottom, MAX (heddle_layout_line_y (self->layout, strand->line),
                      heddle_layout_line_y (self->layout, heddle_member_entering (member, i)->target)));
    }
  const char *object = node->operation->id;
  const guint from = heddle_scene_get_n_items (self->scene);
  const gboolean own
      = node->shape == HEDDLE_SHAPE_CROSS; /* else a colour given to the operation is not the crossing's */
  heddle_paint_box (self, own ? object : NULL, "transpose", column->cross + (own ? node->dx : 0.),
      top - HEDDLE_BOX_PAD + (own ? node->dy : 0.), column->crossing, bottom - top + 2. * HEDDLE_BOX_PAD);
  heddle_paint_mean (self, from, HEDDLE_MEANING_TRANSPOSE);
}

void
heddle_paint_boxes (HeddlePainter *self)
{
  for (guint i = 0; i < self->layout->nodes->len; i++)
    {
      const HeddleFigureNode *node = heddle_layout_node (self->layout, i);
      for (guint j = 0; j < node->members->len; j++)
        if (heddle_figure_node_member (self->layout, node, j)->crosses)
          paint_crossing (self, node, heddle_figure_node_member (self->layout, node, j));
      if (node->shape == HEDDLE_SHAPE_BOX)
        heddle_paint_node_box (self, node);
      if (node->shape == HEDDLE_SHAPE_REINDEX)
        heddle_paint_view_grounds (self, node);
      if (!node->boxed || self->layout->figure->slim)
        continue;
      heddle_paint_box (self, node->operation->id, fill_of (node), node->x, node->top, node->width,
          node->bottom - node->top);
      if (node->attached_width > 0. && node->shape == HEDDLE_SHAPE_CUP)
        heddle_paint_box (self, node->attached->id, "scale", heddle_figure_node_attached_x (node), node->top,
            node->attached_width, node->bottom - node->top);
    }
}

/* --- the others -------------------------------------------------------------------------------------- */

static void
paint_linear (HeddlePainter *self, const HeddleFigureNode *node)
{
  const double y = (node->top + node->bottom) / 2. + 7.;
  const gboolean numbered = node->title != NULL && g_str_has_prefix (node->title, "\\mathbf{L}_");
  const double left = node->x + node->width / 2. - node->title_width / 2.;

  heddle_paint_label (self, HEDDLE_PART_GLYPH, node->operation->id, node->title, HEDDLE_FONT_MATH, 20., NULL,
      node->x + node->width / 2. - (node->attached != NULL ? 3. : 0.), y, 0.5);

  if (node->attached != NULL) /* below a name, beside a number */
    heddle_paint_label (self, HEDDLE_PART_GLYPH, node->attached->id, "\\mathbf{+}", HEDDLE_FONT_MATH, 12.,
        NULL, left + (numbered ? node->title_width - 2. : 9.), y + 5., 0.);
}

static void
paint_joins (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke)
{
  for (guint i = 0; i < node->members->len; i++)
    {
      const HeddleMember *member = heddle_figure_node_member (self->layout, node, i);
      for (guint j = 0; j < member->strands->len; j++)
        {
          const HeddleStrand *strand = heddle_strand (member->strands, j);
          if (strand->join < 0)
            continue;
          const guint from = heddle_scene_get_n_items (self->scene);
          heddle_paint_dot (
              self, HEDDLE_PART_GLYPH, node->operation->id, stroke, strand->end.x, strand->end.y);
          heddle_paint_mark (self, from, strand->axis, member->value);
        }
    }
}

/* The names of a function's operands, over the first wire of each where it comes in. */
static void
paint_ports (HeddlePainter *self, const HeddleFigureNode *node)
{
  for (guint i = 0; node->lead > 0. && i < node->members->len; i++)
    {
      const HeddleMember *member = heddle_figure_node_member (self->layout, node, i);
      const char *name = heddle_figure_node_port (self->layout, node, i);
      const double y = heddle_figure_node_shift (
          node, heddle_layout_line_y (self->layout, heddle_member_entering (member, 0)->target));

      if (name != NULL)
        heddle_paint_label (self, HEDDLE_PART_GLYPH, node->operation->id, name, HEDDLE_FONT_MATH,
            HEDDLE_PORT_SIZE, NULL, node->x + node->lead / 2., y - OVER_PORT, 0.5);
    }
}

/* Finds the next wire from @i on along which the operation acts, and the last of those directly below it. */
static gboolean
next_core_run (const HeddleMember *member, guint *i, guint *last)
{
  while (*i < member->strands->len && !heddle_member_entering (member, *i)->core)
    (*i)++;
  *last = *i;
  while (*last + 1 < member->strands->len && heddle_member_entering (member, *last + 1)->core)
    (*last)++;
  return *i < member->strands->len;
}

/* A triangle takes in wires that are side by side. */
static void
paint_triangles (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke)
{
  const HeddleMember *member = heddle_figure_node_member (self->layout, node, 0);

  for (guint i = 0, last; next_core_run (member, &i, &last); i = last + 1)
    {
      const double y1 = heddle_figure_node_shift (
          node, heddle_layout_line_y (self->layout, heddle_member_entering (member, i)->target));
      const double y2 = heddle_figure_node_shift (
          node, heddle_layout_line_y (self->layout, heddle_member_entering (member, last)->target));
      heddle_paint_triangle (
          self, node->operation->id, stroke, node->x + node->width / 2., (y1 + y2) / 2., y2 - y1);
    }
}

static void
paint_core_glyphs (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke)
{
  const HeddleMember *member = heddle_figure_node_member (self->layout, node, 0);
  const char *object = node->operation->id, *glyph = node->operation->kind->glyph;

  if (g_str_equal (glyph, "softmax"))
    {
      paint_triangles (self, node, stroke);
      return;
    }
  for (guint i = 0; i < member->strands->len; i++)
    {
      const HeddleStrand *strand = heddle_strand (member->strands, i);
      const double y = heddle_figure_node_shift (node, heddle_layout_line_y (self->layout, strand->target));
      if (strand->core && node->shape == HEDDLE_SHAPE_REDUCE)
        heddle_paint_dot (self, HEDDLE_PART_GLYPH, object, stroke, node->x + node->reach, y);
      else if (strand->core)
        heddle_paint_norm (self, object, stroke, glyph, node->x + node->width / 2., y);
    }
}

static void
paint_title (HeddlePainter *self, const HeddleFigureNode *node, HeddleFont font, double size)
{
  const double more = (heddle_title_n_lines (node->title) - 1) * HEDDLE_TITLE_LEADING * size;

  heddle_paint_title (
      self, node->operation->id, node->title, font, size, node->x + node->width / 2., node->top + 14. + more);
}

static double
lowest_core (HeddlePainter *self, const HeddleFigureNode *node)
{
  const HeddleMember *member = heddle_figure_node_member (self->layout, node, 0);
  double y = -G_MAXDOUBLE;

  for (guint i = 0; i < member->strands->len; i++)
    {
      const HeddleStrand *strand = heddle_strand (member->strands, i);
      if (strand->core || y == -G_MAXDOUBLE)
        y = MAX (y, heddle_figure_node_shift (node, heddle_layout_line_y (self->layout, strand->target)));
    }
  return y;
}

/* Paints what each wire goes on as, from the window to its dot. */
static void
paint_pooled_wire (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStrand *strand,
    const HeddleStroke *stroke, double y)
{
  const double apart = heddle_paint_spread (self, strand->axis);

  for (int side = apart > 0. ? -1 : 0; side <= 1; side += 2)
    {
      HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, node->operation->id, stroke, NULL);
      heddle_item_move_to (item, strand->end.x + HEDDLE_POOL_WIDTH, y + side * apart);
      heddle_item_line_to (item, node->x + node->reach, y + side * apart);
    }
}

/* The window that a pooling slides, as a convolution's, and behind it how much it takes in. */
static void
paint_pool (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke)
{
  const HeddleMember *member = heddle_figure_node_member (self->layout, node, 0);
  const char *object = node->operation->id, *size = heddle_layout_own_label (self->layout, object);
  double top = G_MAXDOUBLE, bottom = -G_MAXDOUBLE, left = node->x;

  for (guint i = 0; i < member->strands->len; i++)
    {
      const HeddleStrand *strand = heddle_strand (member->strands, i);
      const double y = heddle_figure_node_shift (node, heddle_layout_line_y (self->layout, strand->target));
      if (!strand->core)
        continue;
      top = MIN (top, y);
      bottom = MAX (bottom, y);
      left = strand->end.x;
      paint_pooled_wire (self, node, strand, stroke, y);
    }
  heddle_paint_window (
      self, object, NULL, left + HEDDLE_POOL_WIDTH / 2., top - 13., bottom + 9., HEDDLE_POOL_WIDTH);
  if (size != NULL)
    heddle_paint_label (self, HEDDLE_PART_GLYPH, object, size, HEDDLE_FONT_MATH, 16., NULL,
        (left + HEDDLE_POOL_WIDTH + node->x + node->reach) / 2. - 1., top - 4., 0.5);
  if (node->title != NULL)
    heddle_paint_label (self, HEDDLE_PART_GLYPH, object, node->title, HEDDLE_FONT_ROMAN, 13., NULL,
        (left + HEDDLE_POOL_WIDTH + node->x + node->reach) / 2., bottom + 12., 0.5);
}

static void
paint_reduction (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke)
{
  const gboolean window = heddle_layout_look (self->layout, node->operation) == HEDDLE_LOOK_WINDOW;

  if (window)
    paint_pool (self, node, stroke);
  paint_core_glyphs (self, node, stroke);
  if (node->title != NULL && !window)
    heddle_paint_label (self, HEDDLE_PART_GLYPH, node->operation->id, node->title, HEDDLE_FONT_ROMAN, 13.,
        NULL, node->x + node->reach + 6., node->bottom - 10.5, 0.);
}

static void
paint_repeats (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke)
{
  for (guint i = 0; i < node->results->len; i++)
    {
      const HeddleStrand *result = heddle_strand (node->results, i);
      gboolean made = result->axis == NULL || !result->fresh || node->shape == HEDDLE_SHAPE_LINEAR
                      || node->shape == HEDDLE_SHAPE_BOX || node->shape == HEDDLE_SHAPE_COMBINE
                      || node->shape == HEDDLE_SHAPE_SOURCE;
      for (guint j = 0; node->groups != NULL && j < node->groups->len; j++)
        {
          const HeddleReindexGroup *group = node->groups->pdata[j];
          made |= heddle_ids_contain (group->outputs, result->axis);
        }
      const guint from = heddle_scene_get_n_items (self->scene);
      if (!made)
        heddle_paint_dot (
            self, HEDDLE_PART_GLYPH, node->operation->id, stroke, result->start.x, result->start.y);
      heddle_paint_mean (self, from, HEDDLE_MEANING_REPEAT);
    }
}

/* Returns the y over the uppermost wire. */
static double
highest_wire (const HeddlePainter *self, const HeddleFigureNode *node)
{
  double y = G_MAXDOUBLE;

  for (guint i = 0; i < node->results->len; i++)
    y = MIN (y, heddle_figure_node_shift (
                    node, heddle_layout_line_y (self->layout, heddle_strand (node->results, i)->line)));
  return y;
}

/* A map that somebody would have drawn with it. */
static void
paint_attached (HeddlePainter *self, const HeddleFigureNode *node)
{
  const char *object = node->over != NULL ? node->over->id : node->attached->id;
  const double y = highest_wire (self, node);

  if (node->shape == HEDDLE_SHAPE_REINDEX)
    heddle_paint_label (self, HEDDLE_PART_GLYPH, object, node->attached_title, HEDDLE_FONT_MATH,
        HEDDLE_FLOAT_SIZE, NULL, node->x + node->width + 2., y - 5., 0.);
  else if (node->shape == HEDDLE_SHAPE_NORMALISE)
    heddle_paint_float (self, object, node->attached_title, node->x + 4., y - 14., node->width - 8.);
  else if (node->shape == HEDDLE_SHAPE_LINEAR)
    heddle_paint_float (self, object, node->attached_title, node->x - HEDDLE_FLOAT_BEYOND + 1.,
        MIN (node->top, y - 4.) - HEDDLE_FLOAT_UNDER / 2., node->width + 2. * HEDDLE_FLOAT_BEYOND - 2.);
  else
    heddle_paint_float (self, object, node->attached_title, node->x + 1.,
        node->bottom + HEDDLE_FLOAT_UNDER / 2., node->width - 2.);
}

static HeddleMeaning
meaning_of_norm (const char *glyph)
{
  static const struct
  {
    const char *glyph;
    HeddleMeaning meaning;
  } norms[] = {
    { "softmax", HEDDLE_MEANING_SOFTMAX },
    { "l2norm", HEDDLE_MEANING_LENGTH },
    { "rmsnorm", HEDDLE_MEANING_RMS },
    { "layernorm", HEDDLE_MEANING_VARIANCE },
    { "batchnorm", HEDDLE_MEANING_BATCH },
    { "scan", HEDDLE_MEANING_SCAN },
  };

  for (guint i = 0; i < G_N_ELEMENTS (norms); i++)
    if (g_str_equal (norms[i].glyph, glyph))
      return norms[i].meaning;
  return HEDDLE_MEANING_BOX;
}

/* Returns what the sign of the whole node means; parts of it may mean something else. */
static HeddleMeaning
meaning_of_node (const HeddleFigureNode *node)
{
  static const HeddleMeaning of_shape[] = {
    [HEDDLE_SHAPE_CUP] = HEDDLE_MEANING_CONTRACTION,
    [HEDDLE_SHAPE_LINEAR] = HEDDLE_MEANING_LINEAR,
    [HEDDLE_SHAPE_FLOAT] = HEDDLE_MEANING_MAP,
    [HEDDLE_SHAPE_JOIN] = HEDDLE_MEANING_JOIN,
    [HEDDLE_SHAPE_MASK] = HEDDLE_MEANING_MASK,
    [HEDDLE_SHAPE_REDUCE] = HEDDLE_MEANING_REDUCTION,
    [HEDDLE_SHAPE_REINDEX] = HEDDLE_MEANING_READING, /* of what is written beside its groups */
  };
  const HeddleOperationKind *kind = node->operation->kind;

  switch (node->shape)
    {
    case HEDDLE_SHAPE_NORMALISE:
      return meaning_of_norm (kind->glyph);
    case HEDDLE_SHAPE_COMBINE:
      return heddle_figure_node_is_gather (node) ? HEDDLE_MEANING_GATHER
             : kind->form == HEDDLE_FORM_CONCAT  ? HEDDLE_MEANING_CONCAT
             : kind->form == HEDDLE_FORM_SELECT  ? HEDDLE_MEANING_SELECT
                                                 : HEDDLE_MEANING_SCAN;
    case HEDDLE_SHAPE_SOURCE:
      return node->title != NULL ? HEDDLE_MEANING_CONSTANT : HEDDLE_MEANING_UNIT;
    case HEDDLE_SHAPE_BOX:
      return node->operation->callee != NULL ? HEDDLE_MEANING_CALL : HEDDLE_MEANING_BOX;
    case HEDDLE_SHAPE_JOIN:
      return node->turns != NULL ? HEDDLE_MEANING_ROTARY : HEDDLE_MEANING_JOIN;
    case HEDDLE_SHAPE_CROSS:
      return HEDDLE_MEANING_TRANSPOSE;
    default:
      return of_shape[node->shape];
    }
}

static void
paint_node (HeddlePainter *self, const HeddleFigureNode *node)
{
  const HeddleStroke stroke = heddle_paint_stroke (self, node->region);
  const char *object = node->operation->id;
  const guint from = heddle_scene_get_n_items (self->scene);

  switch (node->shape)
    {
    case HEDDLE_SHAPE_CUP:
      heddle_paint_contraction (self, node, &stroke);
      break;
    case HEDDLE_SHAPE_LINEAR:
      paint_linear (self, node);
      break;
    case HEDDLE_SHAPE_FLOAT:
      heddle_paint_float (self, object, node->title, node->x + 2., node->top - 10., node->width - 4.);
      break;
    case HEDDLE_SHAPE_JOIN:
      if (node->turns != NULL)
        {
          heddle_paint_turn (self, node, &stroke);
          break;
        }
      heddle_paint_title (self, object, node->title, HEDDLE_FONT_MATH, 15.,
          node->x + node->width
              - (node->tail > HEDDLE_JOIN_TAIL ? node->tail / 2. - 2.
                                               : MAX (node->tail, node->title_width / 2. + 4.)),
          heddle_figure_node_title_y (self->layout, node));
      paint_ports (self, node);
      break;
    case HEDDLE_SHAPE_MASK:
      heddle_paint_mask (self, object, node->x + node->width / 2., lowest_core (self, node), 22.);
      paint_title (self, node, HEDDLE_FONT_MATH, 13.);
      break;
    case HEDDLE_SHAPE_NORMALISE:
      if (!heddle_paint_batch_norm (self, node, &stroke))
        paint_core_glyphs (self, node, &stroke);
      if (node->attached_title == NULL)
        paint_title (self, node, HEDDLE_FONT_SANS, TITLE_SIZE);
      break;
    case HEDDLE_SHAPE_REDUCE:
      paint_reduction (self, node, &stroke);
      break;
    case HEDDLE_SHAPE_BOX:
      heddle_paint_node_name (self, node);
      break;
    case HEDDLE_SHAPE_REINDEX:
      heddle_paint_reindex (self, node, &stroke);
      break;
    case HEDDLE_SHAPE_COMBINE:
      heddle_paint_combine (self, node, &stroke);
      break;
    case HEDDLE_SHAPE_SOURCE:
      heddle_paint_source (self, node, &stroke);
      break;
    case HEDDLE_SHAPE_CROSS:
      break;
    }
  const guint before = heddle_scene_get_n_items (self->scene);
  if (node->attached_title != NULL)
    paint_attached (self, node);
  heddle_paint_mean (self, before, HEDDLE_MEANING_MAP);
  paint_joins (self, node, &stroke);
  heddle_paint_mean (self, from, meaning_of_node (node));
  paint_repeats (self, node, &stroke);
}

void
heddle_paint_nodes (HeddlePainter *self)
{
  for (guint i = 0; i < self->layout->nodes->len; i++)
    paint_node (self, heddle_layout_node (self->layout, i));
}
