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
#include "figure/layout/shapes.h"
#include "figure/paint/regions.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"
#include "figure/scene/theme.h"
#include "figure/typeset/label.h"

#include <math.h>

#define HEAD 46. /* over the first wire */
#define HEAD_TEXT 21. /* …and over a formula that is higher: what is written along the top */
#define FOOT 22. /* under the last */
#define BAR 3.
#define HEAD_SIZE 12.5
#define HEAD_INSET 10.
#define HEAD_BASELINE 17.
#define TAG_SIZE 14.8
#define TAG_HEIGHT 21.
#define TAG_PAD 11.
#define WIDEST_TAG 76. /* as a rule */
#define UNDER_TAGS 9. /* more at the foot, where words stand under labels */
#define OUTLINE_PAD 7.
#define CARRIED_SIZE 12.
#define CARRIED_INSET 6.
#define CARRIED_FOOT 27. /* under an operation that carries, for these words */
#define BARE_FOOT 4. /* more, where it has no ground */

/* --- what is carried from step to step ------------------------------------------------------------------------- */

static gboolean
is_painted (const HeddlePainter *self, guint number)
{
  const HeddleShownRegion *region = heddle_layout_region (self->layout, number);

  return region != NULL && region->last >= 0;
}

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

/* A dotted outline goes around the operations whose state a kernel carries from step to step; words at its foot name
 * that state. */
typedef struct
{
  double left, right, top; /* of the outline */
  double wide; /* what the words take */
  char *text;
} Carried;

/* Returns FALSE where nothing that carries is drawn. The outline is made as wide as its words, to the left of it where the
 * kernel ends. @text is the caller's. */
static gboolean
find_carried (const HeddlePainter *self, const HeddleShownRegion *region, Carried *carried)
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
  if (x1 >= x2)
    return FALSE;
  g_autofree char *states = states_of (region->kernel->program);
  carried->text = g_strconcat ("fused: carries ", states, NULL);
  carried->left = x1 - OUTLINE_PAD;
  carried->right = x2 + OUTLINE_PAD;
  carried->top = y1 - OUTLINE_PAD;
  carried->wide = 2. * CARRIED_INSET
                  + heddle_math_layout (NULL, HEDDLE_PART_ANNOTATION, NULL, carried->text, HEDDLE_FONT_SANS,
                      CARRIED_SIZE, self->ink, 0., 0., NULL, NULL);
  if (carried->right < carried->left + carried->wide)
    {
      carried->right = MAX (carried->right, MIN (carried->left + carried->wide, region->x2 - 4.));
      carried->left = carried->right - carried->wide;
    }
  return TRUE;
}

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

/* Makes the region high enough for those words: they stand under all operations that carry state, and under the labels at
 * the kernel's edge, which hang below their wires. */
static void
make_room_for_carried (const HeddlePainter *self, HeddleShownRegion *region)
{
  GHashTableIter iter;
  gpointer operation;
  Carried carried;

  if (!find_carried (self, region, &carried))
    return;
  g_free (carried.text);
  if (carried.left < region->x1 + WIDEST_TAG / 2.)
    region->y2 += UNDER_TAGS;

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
      double top, bottom;
      region->y1 = MIN (region->y1, node->top - HEAD / 2. - 4.);
      if (heddle_figure_node_blocks (layout, node, &top, &bottom))
        region->y1 = MIN (region->y1, top - HEAD_TEXT);
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

/* A text on a region. All are placed before the first is painted: regions may overlap, and what is in the drawing
 * already is looked up by place. */
typedef struct
{
  double left, right, baseline;
  const HeddleShownRegion *region; /* NULL: it belongs to none */
  char *text;
  HeddleFont font;
  double size;
  HeddleColor color;
  HeddleMeaning meaning;
} RegionText;

static void
region_text_clear (gpointer data)
{
  g_free (((RegionText *) data)->text);
}

/* Returns whether the item, as painted so far, leaves the area to a text. */
static gboolean
leaves_free (const HeddleItem *item, double left, double top, double right, double bottom)
{
  double x, y, width, height;

  if (item->part == HEDDLE_PART_BACKGROUND || item->part == HEDDLE_PART_ANNOTATION)
    return item->kind != HEDDLE_ITEM_TEXT;
  if (item->kind == HEDDLE_ITEM_PATH && !item->fill)
    return !heddle_path_crosses (item->path, left, top, right, bottom);
  heddle_item_get_bounds (item, &x, &y, &width, &height);
  return x >= right || x + width <= left || y >= bottom || y + height <= top;
}

/* Returns whether nothing stands there yet. */
static gboolean
is_free (const HeddlePainter *self, const GArray *texts, const RegionText *text)
{
  const double top = text->baseline - 0.7 * text->size, bottom = text->baseline + 0.2 * text->size;
  g_autoptr (GArray) numbers = heddle_scene_find_in (self->scene, text->left, top, text->right, bottom);

  for (guint i = 0; i < texts->len; i++)
    {
      const RegionText *other = &g_array_index (texts, RegionText, i);

      if (fabs (other->baseline - text->baseline) < text->size && other->left < text->right
          && text->left < other->right)
        return FALSE;
    }
  for (guint i = 0; i < numbers->len; i++)
    {
      const HeddleItem *item = heddle_scene_get_item (self->scene, g_array_index (numbers, guint, i));
      double x, y, width, height;

      heddle_item_get_bounds (item, &x, &y, &width, &height);
      if (x < text->right && x + width > text->left && y < bottom && y + height > top
          && !leaves_free (item, text->left, top, text->right, bottom))
        return FALSE;
    }
  return TRUE;
}

/* Adds @text to @texts unless something stands in its place. Returns whether it was added. */
static gboolean
place_text (const HeddlePainter *self, GArray *texts, const RegionText *text, const char *words)
{
  if (!is_free (self, texts, text))
    return FALSE;
  g_array_append_vals (texts, text, 1);
  g_array_index (texts, RegionText, texts->len - 1).text = g_strdup (words);
  return TRUE;
}

/* Places a text of the head whose left end, middle or right end (@align) is at @x. Returns whether there is room. */
static gboolean
place_head_text (const HeddlePainter *self, const HeddleShownRegion *region, GArray *texts, const char *words,
    HeddleFont font, const HeddleColor *color, double x, double align)
{
  const double width = head_width (words, font);
  const RegionText text = { x - align * width, x + (1. - align) * width, region->y1 + HEAD_BASELINE, region,
    NULL, font, HEAD_SIZE, *color, HEDDLE_MEANING_NONE };

  return place_text (self, texts, &text, words);
}

static void
paint_texts (HeddlePainter *self, const GArray *texts)
{
  for (guint i = 0; i < texts->len; i++)
    {
      const RegionText *text = &g_array_index (texts, RegionText, i);
      const guint from = heddle_scene_get_n_items (self->scene);

      heddle_paint_label (self, text->region != NULL ? HEDDLE_PART_BACKGROUND : HEDDLE_PART_ANNOTATION,
          text->region != NULL ? text->region->id : NULL, text->text, text->font, text->size, &text->color,
          text->left, text->baseline, 0.);
      if (text->meaning != HEDDLE_MEANING_NONE)
        heddle_paint_mean (self, from, text->meaning);
    }
}

/* Of a kernel that has no label yet. */
static void
place_bare_head (const HeddlePainter *self, const HeddleShownRegion *region, GArray *texts)
{
  place_head_text (
      self, region, texts, "one kernel", HEDDLE_FONT_SANS, &self->dim, (region->x1 + region->x2) / 2., 0.5);
}

/* Said in fewer words, or not at all, where the region is too narrow for it, or another one says something there
 * (@texts). */
static void
place_head (
    const HeddlePainter *self, const HeddleShownRegion *region, GArray *texts, const HeddleColor *level)
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
            && place_head_text (self, region, texts, text, HEDDLE_FONT_SANS, &self->dim, (x1 + x2) / 2., 0.5);
    }
  place_head_text (self, region, texts, left, HEDDLE_FONT_SANS_BOLD, level, region->x1 + HEAD_INSET, 0.);
  place_head_text (self, region, texts, "save", HEDDLE_FONT_SANS_BOLD, level, region->x2 - HEAD_INSET, 1.);
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

/* --- the words for what is carried --------------------------------------------------------------------------- */

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

static void
paint_carried (HeddlePainter *self, const HeddleShownRegion *region)
{
  const HeddleStroke dotted = { .color = self->ink, .width = 1., .dash = { 1.2, 3. }, .n_dashes = 2 };
  const guint from = heddle_scene_get_n_items (self->scene);
  Carried it;

  if (!find_carried (self, region, &it))
    return;
  HeddleItem *item = heddle_paint_path (self, HEDDLE_PART_ANNOTATION, NULL, &dotted, NULL);
  heddle_item_rectangle (item, it.left, it.top, it.right - it.left, region->y2 - 4. - it.top, 0.);
  heddle_paint_mean (self, from, HEDDLE_MEANING_CARRIED);
  g_free (it.text);
}

/* Places the words at the left or the right foot of the outline, or over it. Where a line of the figure ends there, they
 * stand beside it. */
static void
place_carried (const HeddlePainter *self, const HeddleShownRegion *region, GArray *texts)
{
  Carried it;

  if (!find_carried (self, region, &it))
    return;
  const double width = it.wide - 2. * CARRIED_INSET, foot = region->y2 - 9.;
  const gboolean beside
      = line_ends_within (self, it.left, it.left + it.wide) && it.left - it.wide > region->x1;
  const double places[][2] = { { beside ? it.left - it.wide + CARRIED_INSET : it.left + CARRIED_INSET, foot },
    { it.right - it.wide + CARRIED_INSET, foot }, { it.left + CARRIED_INSET, it.top - 4. } };
  RegionText text = {
    .font = HEDDLE_FONT_SANS, .size = CARRIED_SIZE, .color = self->ink, .meaning = HEDDLE_MEANING_CARRIED
  };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      text.left = places[i][0];
      text.right = text.left + width;
      text.baseline = places[i][1];
      if (place_text (self, texts, &text, it.text))
        break;
    }
  g_free (it.text);
}

/* Paints what lies on top of the drawing: the outline of what is carried, tags, and texts where there is room. */
void
heddle_paint_region_heads (HeddlePainter *self)
{
  g_autoptr (GArray) texts = g_array_new (FALSE, FALSE, sizeof (RegionText));
  const GPtrArray *regions = self->layout->regions;

  g_array_set_clear_func (texts, region_text_clear);
  for (guint i = 0; i < regions->len; i++)
    if (is_painted (self, i))
      paint_carried (self, regions->pdata[i]);
  for (guint i = 0; i < self->layout->members->len; i++)
    {
      paint_tags_within (self, heddle_layout_member (self->layout, i));
      paint_tags (self, heddle_layout_member (self->layout, i));
    }
  for (guint i = 0; i < regions->len; i++)
    {
      const HeddleShownRegion *region = regions->pdata[i];
      const HeddleStroke stroke = heddle_paint_stroke (self, i);
      if (!is_painted (self, i))
        continue;
      if (region->labels->len > 0)
        place_head (self, region, texts, &stroke.color);
      else
        place_bare_head (self, region, texts);
      place_carried (self, region, texts);
    }
  paint_texts (self, texts);
}
