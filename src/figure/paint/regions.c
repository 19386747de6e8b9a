/* SPDX-License-Identifier: MIT */
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"
#include "diagram/document/schedule.h"
#include "diagram/expression/evaluate.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/layout.h"
#include "figure/layout/lines.h"
#include "figure/layout/lookup.h"
#include "figure/layout/regions.h"
#include "figure/paint/regions.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"
#include "figure/scene/theme.h"
#include "figure/typeset/label.h"

#include <math.h>

#define HEAD 46. /* over the first wire */
#define FOOT 22. /* under the last */
#define BAR 3.
#define HEAD_SIZE 12.5
#define HEAD_INSET 10.
#define HEAD_BASELINE 17.
#define TAG_SIZE 14.8
#define TAG_HEIGHT 21.
#define TAG_PAD 11.
#define OUTLINE_PAD 7.
#define CARRIED_SIZE 12.
#define CARRIED_INSET 6.
#define CARRIED_FOOT 27. /* under an operation that carries, for these words */
#define BARE_FOOT 4. /* more, where it has no ground */

/* --- where a region is ------------------------------------------------------------------------------------ */

static void
cover_line (const HeddlePainter *self, HeddleShownRegion *region, int line)
{
  const double y = heddle_layout_line_y (self->layout, line);

  region->y1 = MIN (region->y1, y - HEAD);
  region->y2 = MAX (region->y2, y + FOOT);
}

static void
cover_member (const HeddlePainter *self, HeddleShownRegion *region, const HeddleMember *member)
{
  for (guint i = 0; i < member->strands->len; i++)
    {
      cover_line (self, region, heddle_strand (member->strands, i)->line);
      cover_line (self, region, heddle_strand (member->strands, i)->target);
    }
}

/* What is carried is said under all that carries it. */
static void
make_room_for_carried (const HeddlePainter *self, HeddleShownRegion *region)
{
  GHashTableIter iter;
  gpointer operation;

  g_hash_table_iter_init (&iter, region->carriers);
  while (g_hash_table_iter_next (&iter, &operation, NULL))
    {
      const HeddleFigureNode *node = heddle_layout_node_of (self->layout, operation);
      region->y2 = MAX (region->y2,
          node != NULL ? node->bottom + CARRIED_FOOT + (node->bare ? BARE_FOOT : 0.) : region->y2);
    }
}

/* Only the results that go no further than the region's edge, and operands from that edge on, are sure to lie within it. */
static void
find_extents (const HeddlePainter *self)
{
  const HeddleLayout *layout = self->layout;

  for (guint i = 0; i < layout->regions->len; i++)
    {
      HeddleShownRegion *region = heddle_layout_region (layout, i);
      if (region == NULL || region->last < 0)
        continue;
      region->x1 = heddle_layout_column (layout, region->first)->load;
      region->x2 = heddle_layout_column (layout, region->last + 1)->save;
      region->y1 = G_MAXDOUBLE;
      region->y2 = -G_MAXDOUBLE;
    }
  for (guint i = 0; i < layout->members->len; i++)
    {
      const HeddleMember *member = heddle_layout_member (layout, i);
      const int reader = member->reader >= 0 ? heddle_layout_node (layout, member->reader)->region : -1;
      const int producer = member->producer >= 0 && member->start != HEDDLE_START_LOAD
                               ? heddle_layout_node (layout, member->producer)->region
                               : -1;
      if (heddle_layout_region (layout, reader) != NULL)
        cover_member (self, heddle_layout_region (layout, reader), member);
      if (heddle_layout_region (layout, producer) != NULL)
        cover_member (self, heddle_layout_region (layout, producer), member);
    }
  for (guint i = 0; i < layout->nodes->len; i++)
    {
      const HeddleFigureNode *node = heddle_layout_node (layout, i);
      HeddleShownRegion *region = heddle_layout_region (layout, node->region);
      if (region == NULL)
        continue;
      region->y1 = MIN (region->y1, node->top - HEAD / 2. - 4.);
      region->y2 = MAX (region->y2, node->bottom + FOOT / 2.);
    }
  for (guint i = 0; i < layout->regions->len; i++)
    if (heddle_layout_region (layout, i) != NULL)
      make_room_for_carried (self, heddle_layout_region (layout, i));
}

static const char *
object_of (const HeddleShownRegion *region)
{
  return region->id;
}

/* Paints the tint of every region, with a bar on top and thin sides. */
void
heddle_paint_regions (HeddlePainter *self)
{
  find_extents (self);
  for (guint i = 0; i < self->layout->regions->len; i++)
    {
      const HeddleShownRegion *region = heddle_layout_region (self->layout, i);
      if (region == NULL || region->last < 0)
        continue;
      HeddleStroke side = heddle_paint_stroke (self, i);
      const HeddleColor level = side.color;
      HeddleColor tint = level;
      tint.a = heddle_theme_tint (self->theme);
      side.color.a = 0.55;
      side.width = 1.;
      side.n_dashes = 0;
      const guint from = heddle_scene_get_n_items (self->scene);
      HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_BACKGROUND, object_of (region), NULL, &tint);
      heddle_item_rectangle (
          item, region->x1, region->y1, region->x2 - region->x1, region->y2 - region->y1, 0.);
      item = heddle_paint_path (self, HEDDLE_PART_BACKGROUND, object_of (region), &side, NULL);
      heddle_item_move_to (item, region->x1, region->y1);
      heddle_item_line_to (item, region->x1, region->y2);
      heddle_item_move_to (item, region->x2, region->y1);
      heddle_item_line_to (item, region->x2, region->y2);
      item = heddle_paint_path (self, HEDDLE_PART_BACKGROUND, object_of (region), NULL, &level);
      heddle_item_rectangle (item, region->x1, region->y1 - BAR / 2., region->x2 - region->x1, BAR, 0.);
      heddle_paint_mean (self, from, HEDDLE_MEANING_KERNEL);
    }
}

/* --- what is written on it ---------------------------------------------------------------------------------- */

static const char *
level_title (const char *level)
{
  return g_str_equal (level, "smem") ? "SMEM" : g_str_equal (level, "gmem") ? "GMEM" : level;
}

static gint64
axis_size (const HeddlePainter *self, const char *axis_id)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (self->layout->diagram, axis_id);
  double size = 0.;

  if (self->layout->figure->sizes != NULL)
    return heddle_sizes_get (self->layout->figure->sizes, axis_id);
  if (axis == NULL || axis->size == NULL || !heddle_expr_evaluate (axis->size, NULL, NULL, &size, NULL))
    return 0;
  return size >= 1. && size < 1e15 ? (gint64) size : 0;
}

/* Returns how much of the label's axis there is where it stands: a tile of the next larger label of the
 * axis, or all of it. */
static gint64
extent_of (const HeddlePainter *self, const HeddleShownRegion *region, const HeddleLabel *label)
{
  gint64 extent = axis_size (self, label->axis);

  for (guint i = 0; i < region->labels->len; i++)
    {
      const HeddleLabel *other = region->labels->pdata[i];

      if (other->axis == label->axis && other->inactive == NULL && other->kind <= HEDDLE_LABEL_STREAM
          && other->size > label->size)
        extent = MIN (extent, other->size);
    }
  return extent;
}

/* Returns "32 groups of y in parallel, 64 steps over x". */
static char *
describe (const HeddlePainter *self, const HeddleShownRegion *region, gboolean briefly)
{
  GString *text = g_string_new (NULL);

  for (guint kind = HEDDLE_LABEL_GROUP; kind <= HEDDLE_LABEL_STREAM; kind++)
    for (guint i = 0; i < region->labels->len; i++)
      {
        const HeddleLabel *label = region->labels->pdata[i];
        const HeddleAxis *axis = heddle_diagram_get_axis (self->layout->diagram, label->axis);
        const gint64 size = extent_of (self, region, label);
        if (label->kind != kind || label->inactive != NULL || axis == NULL || size <= 0 || label->size <= 0)
          continue;
        const gint64 n = (size + label->size - 1) / label->size;
        g_string_append_printf (text, "%s%" G_GINT64_FORMAT " %s%s %s %s%s", text->len > 0 ? ", " : "", n,
            kind == HEDDLE_LABEL_GROUP ? "group" : "step", n == 1 ? "" : "s",
            kind == HEDDLE_LABEL_GROUP ? "of" : "over", axis->name,
            kind == HEDDLE_LABEL_GROUP && !briefly ? " in parallel" : "");
      }
  return g_string_free (text, FALSE);
}

static double
head_width (const char *text, HeddleFont font)
{
  return heddle_math_layout (
      NULL, 0, NULL, text, font, HEAD_SIZE, (HeddleColor){ 0., 0., 0., 1. }, 0., 0., NULL, NULL);
}

/* A text of a head: regions may overlap, and their heads stand at the same height. */
typedef struct
{
  double left, right, baseline;
} HeadText;

/* Returns whether nothing stands there yet, and takes the place if so. */
static gboolean
take_place (GArray *texts, double left, double right, double baseline)
{
  const HeadText text = { left, right, baseline };

  for (guint i = 0; i < texts->len; i++)
    {
      const HeadText *other = &g_array_index (texts, HeadText, i);

      if (fabs (other->baseline - baseline) < HEAD_SIZE && other->left < right && left < other->right)
        return FALSE;
    }
  g_array_append_val (texts, text);
  return TRUE;
}

/* Paints a text of the head whose left end, middle or right end (@align) is at @x, unless another region's stands
 * there. Returns whether it was painted. */
static gboolean
paint_head_text (HeddlePainter *self, const HeddleShownRegion *region, GArray *texts, const char *text,
    HeddleFont font, const HeddleColor *color, double x, double align)
{
  const double left = x - align * head_width (text, font), y = region->y1 + HEAD_BASELINE;

  if (!take_place (texts, left, left + head_width (text, font), y))
    return FALSE;
  heddle_paint_label (self, HEDDLE_PART_BACKGROUND, region->id, text, font, HEAD_SIZE, color, x, y, align);
  return TRUE;
}

/* Of a kernel that has no label yet. */
static void
paint_bare_head (HeddlePainter *self, const HeddleShownRegion *region, GArray *texts)
{
  paint_head_text (
      self, region, texts, "one kernel", HEDDLE_FONT_SANS, &self->dim, (region->x1 + region->x2) / 2., 0.5);
}

/* Said in fewer words, or not at all, where the region is too narrow for it, or another one says something there
 * (@texts). */
static void
paint_head (HeddlePainter *self, const HeddleShownRegion *region, GArray *texts, const HeddleColor *level)
{
  double x1 = region->x1, x2 = region->x2;
  heddle_layout_widest_in_line (self->layout, &x1, &x2);
  const double room = x2 - x1 - 2. * HEAD_INSET;
  g_autofree char *load = g_strdup_printf ("load to %s", level_title (region->level));
  const char *left = load;
  gboolean said = FALSE;

  for (guint step = 0; step < 3 && !said; step++)
    {
      g_autofree char *text = describe (self, region, step > 0);
      left = step == 2 ? "load" : load;
      const double side
          = MAX (head_width (left, HEDDLE_FONT_SANS_BOLD), head_width ("save", HEDDLE_FONT_SANS_BOLD));
      said
          = head_width (text, HEDDLE_FONT_SANS) + 2. * side + 24. <= room
            && paint_head_text (self, region, texts, text, HEDDLE_FONT_SANS, &self->dim, (x1 + x2) / 2., 0.5);
    }
  paint_head_text (self, region, texts, left, HEDDLE_FONT_SANS_BOLD, level, region->x1 + HEAD_INSET, 0.);
  paint_head_text (self, region, texts, "save", HEDDLE_FONT_SANS_BOLD, level, region->x2 - HEAD_INSET, 1.);
}

/* --- tags ------------------------------------------------------------------------------------------------------ */

static double
tag_width (const HeddlePainter *self, const HeddleLabel *label)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (self->layout->diagram, label->axis);
  g_autofree char *text = axis != NULL ? heddle_layout_tag_text (axis, label) : g_strdup ("");

  return heddle_math_layout (NULL, 0, NULL, text, HEDDLE_FONT_MATH, TAG_SIZE, self->ink, 0., 0., NULL, NULL)
         + 2. * TAG_PAD;
}

/* Paints a tag about @x. */
static void
paint_tag (HeddlePainter *self, const HeddleShownRegion *region, const HeddleLabel *label, const char *value,
    double x, double y)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (self->layout->diagram, label->axis);
  HeddleStroke outline = heddle_paint_plain (self);
  const guint from = heddle_scene_get_n_items (self->scene);

  if (axis == NULL)
    return;
  if (!heddle_level_style (
          label->level, self->theme, &outline.color, &outline.width, outline.dash, &outline.n_dashes))
    heddle_level_style ("gmem", self->theme, &outline.color, &outline.width, outline.dash, &outline.n_dashes);
  outline.width = 1.4;
  outline.n_dashes = 0;
  if (label->inactive != NULL)
    {
      outline.color = self->dim;
      outline.dash[0] = outline.dash[1] = 3.;
      outline.n_dashes = 2;
    }
  g_autofree char *text = heddle_layout_tag_text (axis, label);
  const double half = tag_width (self, label) / 2., up = TAG_HEIGHT / 2., slant = 7.;
  HeddleItem *item = heddle_paint_path (
      self, HEDDLE_PART_TAG, region->id != NULL ? region->id : axis->id, &outline, &self->paper);
  heddle_item_move_to (item, x - half, y);
  heddle_item_line_to (item, x - half + slant, y - up);
  heddle_item_line_to (item, x + half - slant, y - up);
  heddle_item_line_to (item, x + half, y);
  heddle_item_line_to (item, x + half - slant, y + up);
  heddle_item_line_to (item, x - half + slant, y + up);
  heddle_item_close (item);
  heddle_paint_label (self, HEDDLE_PART_TAG, region->id != NULL ? region->id : axis->id, text,
      HEDDLE_FONT_MATH, TAG_SIZE, label->inactive != NULL ? &self->dim : NULL, x, y + 4.6, 0.5);
  heddle_paint_mean (self, from,
      label->inactive != NULL             ? HEDDLE_MEANING_INACTIVE
      : label->kind == HEDDLE_LABEL_GROUP ? HEDDLE_MEANING_GROUP
                                          : HEDDLE_MEANING_STREAM);
  heddle_paint_mark (self, from, axis->id, value);
}

static gboolean
is_tag_of (const HeddleLabel *label, const char *axis)
{
  return axis != NULL && label->axis == axis && label->kind <= HEDDLE_LABEL_STREAM;
}

/* Paints all labels of an axis, one after the other, about @x. */
static void
paint_strand_tags (HeddlePainter *self, const HeddleShownRegion *region, const HeddleStrand *strand,
    const char *value, double x)
{
  const double y = heddle_layout_line_y (self->layout, strand->line);

  for (guint i = 0; i < region->labels->len; i++)
    if (is_tag_of (region->labels->pdata[i], strand->axis))
      x -= tag_width (self, region->labels->pdata[i]) / 2.;
  for (guint i = 0; i < region->labels->len; i++)
    {
      const HeddleLabel *label = region->labels->pdata[i];
      const double half = is_tag_of (label, strand->axis) ? tag_width (self, label) / 2. : 0.;

      if (half > 0.)
        paint_tag (self, region, label, value, x + half, y);
      x += 2. * half;
    }
}

/* On every wire of a labelled axis that begins within its region. */
static void
paint_tags_within (HeddlePainter *self, const HeddleMember *member)
{
  for (guint i = member->strands->len; i-- > 0;)
    {
      const HeddleStrand *strand = heddle_strand (member->strands, i);
      const HeddleShownRegion *region = heddle_layout_tags_within (self->layout, member, strand);

      if (region != NULL)
        paint_strand_tags (self, region, strand, member->value, heddle_layout_tags_x (self->layout, member));
    }
}

/* Paints the tags of what enters it. */
static void
paint_tags (HeddlePainter *self, const HeddleMember *member)
{
  const HeddleLayout *layout = self->layout;
  const int reader = member->reader >= 0 ? heddle_layout_node (layout, member->reader)->region : -1;
  const HeddleShownRegion *region = heddle_layout_region (layout, reader);

  if (region == NULL || member->from > region->first
      || (member->start == HEDDLE_START_OPERATION
          && heddle_layout_node (layout, member->producer)->region == reader))
    return;
  for (guint i = member->strands->len;
       i-- > 0;) /* they are as high as rows: what hangs below a line stays whole */
    paint_strand_tags (self, region, heddle_strand (member->strands, i), member->value, region->x1);
}

/* --- what is carried from step to step ------------------------------------------------------------------------- */

static char *
states_of (const HeddleLoopProgram *program)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < program->buffers->len; i++)
    {
      const HeddleBuffer *buffer = program->buffers->pdata[i];
      if (buffer->role != HEDDLE_BUFFER_STATE)
        continue;
      if (text->len > 0)
        g_string_append (text, ", ");
      g_string_append_printf (text, "\\mathit{%s}", g_str_equal (buffer->name, "l") ? "\\ell" : buffer->name);
    }
  return g_string_free (text, FALSE);
}

/* Returns whether a line ends between @left and @right, where its wires turn down. */
static gboolean
line_ends_within (const HeddlePainter *self, double left, double right)
{
  for (int t = 0; t <= self->layout->n_stages; t++)
    {
      const HeddleColumn *column = heddle_layout_column (self->layout, t);

      if (column->breaks && column->turn > left && column->turn < right)
        return TRUE;
    }
  return FALSE;
}

/* Dotted, with what is carried at its foot; made as wide as these words, to the left of it where the kernel ends. Where a line
 * of the figure ends there, they stand beside it. */
static void
outline_carried (HeddlePainter *self, const HeddleShownRegion *region, double left, double right, double top)
{
  const HeddleStroke dotted = { .color = self->ink, .width = 1., .dash = { 1.2, 3. }, .n_dashes = 2 };
  g_autofree char *states = states_of (region->kernel->program);
  g_autofree char *text = g_strconcat ("fused: carries ", states, NULL);
  const guint from = heddle_scene_get_n_items (self->scene);
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_ANNOTATION, NULL, &dotted, NULL);
  const double wide = 2. * CARRIED_INSET
                      + heddle_math_layout (NULL, HEDDLE_PART_ANNOTATION, NULL, text, HEDDLE_FONT_SANS,
                          CARRIED_SIZE, self->ink, 0., 0., NULL, NULL);

  if (right < left + wide)
    {
      right = MAX (right, MIN (left + wide, region->x2 - 4.));
      left = right - wide;
    }
  const gboolean beside = line_ends_within (self, left, left + wide) && left - wide > region->x1;
  heddle_item_rectangle (item, left, top, right - left, region->y2 - 4. - top, 0.);
  heddle_paint_label (self, HEDDLE_PART_ANNOTATION, NULL, text, HEDDLE_FONT_SANS, CARRIED_SIZE, NULL,
      beside ? left - CARRIED_INSET : left + CARRIED_INSET, region->y2 - 9., beside ? 1. : 0.);
  heddle_paint_mean (self, from, HEDDLE_MEANING_CARRIED);
}

static void
paint_carried (HeddlePainter *self, const HeddleShownRegion *region)
{
  double x1 = G_MAXDOUBLE, y1 = G_MAXDOUBLE, x2 = -G_MAXDOUBLE;
  GHashTableIter iter;
  gpointer operation;

  g_hash_table_iter_init (&iter, region->carriers);
  while (g_hash_table_iter_next (&iter, &operation, NULL))
    {
      const HeddleFigureNode *node = heddle_layout_node_of (self->layout, operation);
      if (node == NULL)
        continue;
      const double attached = node->attached_width > 0. ? node->attached_width + HEDDLE_ATTACHED_GAP : 0.;
      x1 = MIN (x1, node->x);
      x2 = MAX (x2, node->x + node->width + attached);
      y1 = MIN (y1, node->top);
    }
  if (x1 < x2)
    outline_carried (self, region, x1 - OUTLINE_PAD, x2 + OUTLINE_PAD, y1 - OUTLINE_PAD);
}

/* Paints what lies on top of the drawing: texts, tags, the outline of fused operations. */
void
heddle_paint_region_heads (HeddlePainter *self)
{
  g_autoptr (GArray) texts = g_array_new (FALSE, FALSE, sizeof (HeadText));

  for (guint i = 0; i < self->layout->regions->len; i++)
    {
      const HeddleShownRegion *region = heddle_layout_region (self->layout, i);
      if (region == NULL || region->last < 0)
        continue;
      const HeddleStroke stroke = heddle_paint_stroke (self, i);
      if (region->labels->len > 0)
        paint_head (self, region, texts, &stroke.color);
      else
        paint_bare_head (self, region, texts);
      paint_carried (self, region);
    }
  for (guint i = 0; i < self->layout->members->len; i++)
    {
      paint_tags_within (self, heddle_layout_member (self->layout, i));
      paint_tags (self, heddle_layout_member (self->layout, i));
    }
}
