/* SPDX-License-Identifier: MIT */
#include "figure/paint/paint.h"

/* Operations whose glyph stands on the wires that they take: a thick bar where arrays are laid end to end, a diamond where the largest are
 * chosen, a circle on the wire that a state is carried along, and the box of an embedding, into which the numbers go. */

#define DIAMOND 11.
#define TABLE_WIDTH 34.
#define CHIP 7.

/* --- which wires go on ------------------------------------------------------------------------ */

static gboolean
is_gather (const HeddleFigureNode *node)
{
  return node->operation->kind->form == HEDDLE_FORM_REINDEX;
}

/* Whether the wire of @axis of operand @slot ends here. */
static gboolean
ends (const HeddleLayout *self, const HeddleFigureNode *node, guint slot, const char *axis)
{
  const HeddleOperation *operation = node->operation;
  const HeddleValue *data
      = heddle_diagram_get_value (self->diagram, heddle_ids_index (operation->operands, 0));
  const HeddleValue *result = heddle_diagram_get_value (self->diagram, node->result);
  int at = slot == 0 && is_gather (node) ? heddle_ids_find (data->axes, axis) : -1;

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
  return is_gather (node) ? TABLE_WIDTH / 2. : 0.;
}

/* Wires that join another bend around the box, which is drawn before they do. */
#define JOIN_ROOM 124.
#define INSET 4.

double
heddle_combine_x (const HeddleFigureNode *node)
{
  return node->x + (node->width >= JOIN_ROOM ? TABLE_WIDTH / 2. + INSET : node->width / 2.);
}

void
heddle_combine_measure (const HeddleLayout *self, HeddleFigureNode *node, double title_width)
{
  node->width = MAX (54., title_width + 16.);
  node->above = 30.;
  node->below = 12.;
  for (guint i = 0; is_gather (node) && i < node->members->len; i++)
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

/* --- painting -------------------------------------------------------------------------------------- */

typedef struct
{
  double top, bottom;
} Span;

static double
wire_y (const HeddlePainter *self, const HeddleFigureNode *node, int line)
{
  return heddle_layout_line_y (self->layout, line) + node->dy;
}

/* From the first to the last of the wires that end or begin here. */
static Span
acting_span (const HeddlePainter *self, const HeddleFigureNode *node)
{
  Span span = { G_MAXDOUBLE, -G_MAXDOUBLE };

  for (guint i = 0; i < node->members->len; i++)
    {
      const HeddleMember *member = heddle_figure_node_member (self->layout, node, i);
      for (guint j = 0; j < member->strands->len; j++)
        if (heddle_strand (member->strands, j)->core)
          {
            const double y = wire_y (self, node, heddle_strand (member->strands, j)->target);
            span.top = MIN (span.top, y);
            span.bottom = MAX (span.bottom, y);
          }
    }
  for (guint i = 0; i < node->results->len; i++)
    if (heddle_strand (node->results, i)->fresh)
      {
        const double y = wire_y (self, node, heddle_strand (node->results, i)->line);
        span.top = MIN (span.top, y);
        span.bottom = MAX (span.bottom, y);
      }
  if (span.top > span.bottom)
    span = (Span){ (node->top + node->bottom) / 2., (node->top + node->bottom) / 2. };
  return span;
}

static void
paint_diamond (
    HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke, double x, double y)
{
  HeddleStroke outline = *stroke;
  outline.n_dashes = 0;
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, node->operation->id, &outline, &self->paper);

  heddle_item_move_to (item, x - DIAMOND, y);
  heddle_item_line_to (item, x, y - DIAMOND);
  heddle_item_line_to (item, x + DIAMOND, y);
  heddle_item_line_to (item, x, y + DIAMOND);
  heddle_item_close (item);
}

/* The numbers of an array of indices go into the table: a bold arrow down, or up, from its lowest wire. */
static void
paint_numbers (HeddlePainter *self, const HeddleFigureNode *node, double x, const Span *table)
{
  const HeddleStroke bold = { .color = self->ink, .width = 2. };

  for (guint i = 0; i < node->members->len; i++)
    {
      const HeddleMember *member = heddle_figure_node_member (self->layout, node, i);
      const HeddleStrand *lowest = heddle_member_entering (member, member->strands->len - 1);
      if (member->slot == 0 || lowest->axis == NULL)
        continue;
      const double y = wire_y (self, node, lowest->target);
      const double end = y < table->top ? table->top : table->bottom, back = end > y ? -5. : 5.;
      HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, node->operation->id, &bold, NULL);
      heddle_item_move_to (item, x, y);
      heddle_item_line_to (item, x, end + back);
      item = heddle_paint_path (self, HEDDLE_PART_GLYPH, node->operation->id, NULL, &self->ink);
      heddle_item_move_to (item, x, end);
      heddle_item_line_to (item, x - 4., end + 1.4 * back);
      heddle_item_line_to (item, x + 4., end + 1.4 * back);
      heddle_item_close (item);
    }
}

/* A box with one corner chipped where the table is learned. */
static void
paint_table (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke, double x)
{
  const HeddleOperation *operation = node->operation;
  const HeddleValue *data
      = heddle_diagram_get_value (self->layout->diagram, heddle_ids_index (operation->operands, 0));
  const Span span = acting_span (self, node);
  const double middle = (span.top + span.bottom) / 2., half = MAX ((span.bottom - span.top) / 2. + 9., 14.);
  const double right = x + TABLE_WIDTH / 2.;
  const Span table = { middle - half, middle + half };

  heddle_paint_box (
      self, operation->id, "norm", x - TABLE_WIDTH / 2., table.top, TABLE_WIDTH, table.bottom - table.top);
  if (data->role == HEDDLE_ROLE_PARAMETER)
    {
      HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_GLYPH, operation->id, NULL, &self->paper);
      heddle_item_move_to (item, right - CHIP, table.top - 0.5);
      heddle_item_line_to (item, right + 0.5, table.top - 0.5);
      heddle_item_line_to (item, right + 0.5, table.top + CHIP);
      heddle_item_close (item);
    }
  heddle_paint_label (
      self, HEDDLE_PART_GLYPH, operation->id, node->title, HEDDLE_FONT_MATH, 17., NULL, x, middle + 5.5, 0.5);
  paint_numbers (self, node, x, &table);
}

static void
paint_scan (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke, double x)
{
  const char *along = heddle_ids_index (node->operation->axes, 0);
  const HeddleStrand *wire = heddle_figure_node_result (node, along);
  const double y = wire_y (self, node, wire != NULL ? wire->line : heddle_strand (node->results, 0)->line);

  heddle_paint_norm (self, node->operation->id, stroke, node->operation->kind->glyph, x, y);
}

void
heddle_paint_combine (HeddlePainter *self, const HeddleFigureNode *node, const HeddleStroke *stroke)
{
  const double x = heddle_combine_x (node);
  const Span span = acting_span (self, node);

  if (is_gather (node))
    {
      paint_table (self, node, stroke, x);
      return;
    }
  if (node->operation->kind->form == HEDDLE_FORM_CONCAT)
    heddle_paint_bar (self, node->operation->id, x, span.top - 9., span.bottom + 9.);
  else if (node->operation->kind->form == HEDDLE_FORM_SELECT)
    paint_diamond (self, node, stroke, x, span.top);
  else
    paint_scan (self, node, stroke, x);
  if (node->title != NULL)
    heddle_paint_label (self, HEDDLE_PART_GLYPH, node->operation->id, node->title, HEDDLE_FONT_ROMAN, 13.,
        NULL, x, node->top - 8., 0.5);
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
