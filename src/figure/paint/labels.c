/* SPDX-License-Identifier: MIT */
#include "diagram/graph/diagram.h"
#include "figure/layout/box.h"
#include "figure/layout/figure-spec.h"
#include "figure/layout/layout.h"
#include "figure/layout/naming.h"
#include "figure/layout/regions.h"
#include "figure/layout/lookup.h"
#include "figure/paint/labels.h"
#include "figure/paint/wires.h"
#include "figure/scene/scene.h"
#include "figure/typeset/label.h"

#define AXIS_SIZE 16.
#define NAME_SIZE 24.
#define NAME_DISTANCE 14. /* px between a name and its wires */
#define NAME_CARD_SIDES 6. /* px beside a name that lies on a card */
#define NAME_CARD_HEIGHT 40.
#define LEARNED_CARD_HEIGHT 26.
#define NAME_DROP 8. /* from the middle of the wires to the name's baseline */
#define ABOVE_WIRE 4.
#define DESCENDER_GAP 2.1
#define SKIP_PAD 8.
#define ALL (-1)

static void
paint_axis (HeddlePainter *self, const HeddleMember *member, const HeddleStrand *strand, double x)
{
  const HeddleAxis *axis
      = strand->axis != NULL ? heddle_diagram_get_axis (self->layout->diagram, strand->axis) : NULL;
  const guint from = heddle_scene_get_n_items (self->scene);
  double descent, dx, dy;

  if (axis == NULL)
    return;
  const char *label = heddle_layout_axis_label (self->layout, axis);
  const double width = heddle_math_layout (
      NULL, 0, NULL, label, HEDDLE_FONT_MATH, AXIS_SIZE, self->ink, 0., 0., NULL, &descent);
  heddle_layout_nudge (self->layout, axis->id, &dx, &dy);
  heddle_math_layout (self->scene, HEDDLE_PART_AXIS_LABEL, axis->id, label, HEDDLE_FONT_MATH, AXIS_SIZE,
      self->ink, x - width / 2. + dx,
      heddle_layout_line_y (self->layout, strand->line) - MAX (ABOVE_WIRE, descent + DESCENDER_GAP) + dy,
      NULL, NULL);
  heddle_paint_mark (self, from, strand->axis, member->value);
}

/* Returns whether a hexagon stands there, which says the name. */
static gboolean
is_tagged (const HeddlePainter *self, const HeddleMember *member, const HeddleStrand *strand, double x)
{
  const HeddleColumn *column = heddle_layout_column (self->layout, member->from);

  return heddle_layout_tags_within (self->layout, member, strand) != NULL
         && (x == heddle_layout_tags_x (self->layout, member)
             || (column->tags < G_MAXDOUBLE && x == column->labels));
}

/* The axes of @member that are named at column @t, or ALL. */
static void
paint_axes (HeddlePainter *self, const HeddleMember *member, double x, int t)
{
  for (guint i = 0; i < member->strands->len; i++)
    {
      const HeddleStrand *strand = heddle_strand (member->strands, i);
      if ((t == ALL || heddle_member_names (member, strand, t)) && !is_tagged (self, member, strand, x))
        paint_axis (self, member, strand, x);
    }
}

/* --- at which columns ---------------------------------------------------------------------------------- */

static gboolean
enters_region_at (const HeddlePainter *self, const HeddleMember *member, int t)
{
  const HeddleLayout *layout = self->layout;
  const int reader = member->reader >= 0 ? heddle_layout_node (layout, member->reader)->region : -1;
  const int producer = member->producer >= 0 ? heddle_layout_node (layout, member->producer)->region : -1;
  const HeddleShownRegion *region = heddle_layout_region (layout, reader);

  return region != NULL && region->first == t && (producer != reader || member->start == HEDDLE_START_LOAD);
}

static gboolean
leaves_region_at (const HeddlePainter *self, const HeddleMember *member, int t)
{
  const HeddleLayout *layout = self->layout;
  const int reader = member->reader >= 0 ? heddle_layout_node (layout, member->reader)->region : -1;
  const int producer = member->producer >= 0 ? heddle_layout_node (layout, member->producer)->region : -1;
  const HeddleShownRegion *region = heddle_layout_region (layout, producer);

  return region != NULL && region->last + 1 == t && producer != reader && member->start != HEDDLE_START_LOAD;
}

/* Paints what naming.h chose; and all axes on both sides of where a line or a region begins or ends. */
static void
paint_column (HeddlePainter *self, const HeddleMember *member, int t)
{
  const HeddleColumn *column = heddle_layout_column (self->layout, t);
  const gboolean slim = self->layout->figure->slim;
  const gboolean leaves = !slim && leaves_region_at (self, member, t),
                 enters = !slim && enters_region_at (self, member, t);
  const gboolean begins = member->start == HEDDLE_START_INPUT || member->start == HEDDLE_START_LOAD;

  if (leaves)
    paint_axes (self, member, column->after, ALL);
  if (column->breaks && (!begins || t > member->from))
    paint_axes (self, member, column->turn, ALL);
  if (column->breaks && t == member->to && member->end != HEDDLE_END_OPERATION)
    return;
  if (enters)
    paint_axes (self, member, column->outer, ALL);
  paint_axes (self, member, column->labels, column->breaks || leaves || enters ? ALL : t);
}

/* --- names ------------------------------------------------------------------------------------------------ */

static double
middle_of (const HeddlePainter *self, const HeddleMember *member)
{
  const HeddleStrand *last = heddle_strand (member->strands, member->strands->len - 1);

  return (heddle_layout_line_y (self->layout, heddle_strand (member->strands, 0)->line)
             + heddle_layout_line_y (self->layout, last->line))
         / 2.;
}

/* Returns the fill that a person gave the value, which lies under its name unless it lies under its copies. */
static const char *
fill_under_name (const HeddlePainter *self, const char *value)
{
  const char *fill = self->fills != NULL ? g_hash_table_lookup (self->fills, value) : NULL;

  for (guint i = 0; fill != NULL && i < self->layout->members->len; i++)
    {
      const HeddleMember *member = heddle_layout_member (self->layout, i);

      if (member->value == value && member->start == HEDDLE_START_COPY)
        return NULL;
    }
  return g_strcmp0 (fill, "none") == 0 ? NULL : fill;
}

static gboolean
is_learned (const HeddlePainter *self, const char *value)
{
  return heddle_diagram_get_value (self->layout->diagram, value)->role == HEDDLE_ROLE_PARAMETER;
}

/* Paints the card under the name @source of an input or an output: in the colour that somebody gave it, or, of what is
 * learned, in that of linear maps. */
static void
paint_name_card (
    HeddlePainter *self, const char *value, const char *source, double x, double middle, double align)
{
  const char *own = fill_under_name (self, value),
             *fill = own == NULL && is_learned (self, value) ? "linear" : own;
  const double height = own != NULL ? NAME_CARD_HEIGHT : LEARNED_CARD_HEIGHT;
  const double width = heddle_math_layout (
      NULL, 0, NULL, source, HEDDLE_FONT_MATH, NAME_SIZE, self->ink, 0., 0., NULL, NULL);

  if (fill != NULL)
    heddle_paint_card (self, HEDDLE_PART_BOX, value, fill, x - align * width - NAME_CARD_SIDES,
        middle - height / 2., width + 2. * NAME_CARD_SIDES, height);
}

static void
paint_name (HeddlePainter *self, const HeddleMember *member, double x, double align, const char *format)
{
  g_autofree char *name = heddle_layout_value_label (self->layout, member->value);
  g_auto (GStrv) parts = g_strsplit (format, "@", 2);
  g_autofree char *source = g_strconcat (parts[0], name, parts[1], NULL);
  const guint from = heddle_scene_get_n_items (self->scene);
  double dx, dy;

  heddle_layout_nudge (self->layout, member->value, &dx, &dy);
  paint_name_card (self, member->value, source, x + dx, middle_of (self, member) + dy, align);
  heddle_paint_label (self, HEDDLE_PART_VALUE_LABEL, member->value, source, HEDDLE_FONT_MATH, NAME_SIZE, NULL,
      x + dx, middle_of (self, member) + NAME_DROP + dy, align);
  heddle_paint_mark (self, from, NULL, member->value);
}

/* A card in the way of the wire, with the name and an arrow to or from it. */
static void
paint_skip (HeddlePainter *self, const HeddleMember *member, gboolean save)
{
  g_autofree char *name = heddle_layout_value_label (self->layout, member->value);
  g_autofree char *source = save ? g_strdup_printf ("\\to\\,%s", name) : g_strdup_printf ("%s\\,\\to", name);
  const guint from = heddle_scene_get_n_items (self->scene);
  const double top = heddle_layout_line_y (self->layout, heddle_strand (member->strands, 0)->line),
               bottom = heddle_layout_line_y (
                   self->layout, heddle_strand (member->strands, member->strands->len - 1)->line);
  const double height = MAX (bottom - top + 16., 36.), middle = (top + bottom) / 2.;
  const double width
      = heddle_math_layout (NULL, 0, NULL, source, HEDDLE_FONT_MATH, NAME_SIZE, self->ink, 0., 0., NULL, NULL)
        + 2. * SKIP_PAD;
  const double x
      = save ? heddle_paint_wire_end (self, member) : heddle_paint_wire_start (self, member) - width;

  heddle_paint_card (self, HEDDLE_PART_BOX, member->value, "load", x, middle - height / 2., width, height);
  heddle_paint_label (self, HEDDLE_PART_VALUE_LABEL, member->value, source, HEDDLE_FONT_MATH, NAME_SIZE, NULL,
      x + SKIP_PAD, middle + NAME_DROP, 0.);
  heddle_paint_mean (self, from, HEDDLE_MEANING_NAMED);
  heddle_paint_mark (self, from, NULL, member->value);
}

static void
paint_names (HeddlePainter *self, const HeddleMember *member)
{
  const HeddleFigure *figure = self->layout->figure;

  if (member->start == HEDDLE_START_INPUT && !figure->resumes && !figure->unnamed)
    paint_name (self, member, heddle_paint_wire_start (self, member) - NAME_DISTANCE, 1., "@");
  else if (member->start == HEDDLE_START_LOAD && member->carded)
    paint_skip (self, member, FALSE);
  else if (member->start == HEDDLE_START_LOAD)
    paint_name (self, member, heddle_paint_wire_start (self, member) - NAME_DISTANCE + 4., 1., "@");
  if (member->end == HEDDLE_END_OUTPUT && !figure->continues && !figure->unnamed)
    paint_name (self, member, heddle_paint_wire_end (self, member) + NAME_DISTANCE - 3., 0., "@");
  else if (member->end == HEDDLE_END_SAVE && member->carded)
    paint_skip (self, member, TRUE);
  else if (member->end == HEDDLE_END_SAVE)
    paint_name (self, member, heddle_paint_wire_end (self, member) + 6., 0., "\\to @");
}

void
heddle_paint_labels (HeddlePainter *self)
{
  const HeddleLayout *layout = self->layout;

  for (int t = 0; t <= layout->n_stages; t++)
    {
      const GPtrArray *live = layout->live->pdata[t];
      for (guint i = 0; i < live->len; i++)
        paint_column (self, live->pdata[i], t);
    }
  for (guint i = 0; i < layout->members->len; i++)
    paint_names (self, heddle_layout_member (layout, i));
}
