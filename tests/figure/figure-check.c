/* SPDX-License-Identifier: MIT */
#include "figure-check.h"

#include <math.h>
#include <string.h>
#include "figure/scene/path.h"
#include "figure/scene/scene.h"

Box
figure_check_box (const HeddleItem *item)
{
  Box box;

  heddle_item_get_bounds (item, &box.x, &box.y, &box.width, &box.height);
  return box;
}

static gboolean
overlap (const Box *a, const Box *b, double slack)
{
  return a->x + a->width > b->x + slack && b->x + b->width > a->x + slack && a->y + a->height > b->y + slack
         && b->y + b->height > a->y + slack;
}

static gboolean
contains (const Box *box, Place point, double slack)
{
  return point.x >= box->x - slack && point.x <= box->x + box->width + slack && point.y >= box->y - slack
         && point.y <= box->y + box->height + slack;
}

/* --- labels ------------------------------------------------------------------------------------------- */

static gboolean
is_label (const HeddleItem *item)
{
  return item->kind == HEDDLE_ITEM_TEXT;
}

/* Runs of one label follow one another. */
static gboolean
same_label (const HeddleScene *scene, guint i, guint j)
{
  const HeddleItem *first = heddle_scene_get_item (scene, i);

  for (guint k = i; k <= j; k++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, k);
      if (item->part != first->part || item->object != first->object || item->value != first->value
          || fabs (item->y - first->y) > 14.)
        return item->kind == HEDDLE_ITEM_PATH && k < j ? first->object == item->object : FALSE;
    }
  return TRUE;
}

void
figure_check_labels_apart (const char *name, const HeddleScene *scene)
{
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    for (guint j = i + 1; j < heddle_scene_get_n_items (scene); j++)
      {
        const HeddleItem *a = heddle_scene_get_item (scene, i), *b = heddle_scene_get_item (scene, j);
        if (!is_label (a) || !is_label (b) || same_label (scene, i, j))
          continue;
        const Box first = figure_check_box (a), second = figure_check_box (b);
        if (overlap (&first, &second, 1.))
          g_error (
              "%s: “%s” at %g,%g and “%s” at %g,%g overlap", name, a->text, a->x, a->y, b->text, b->x, b->y);
      }
}

/* The sign of a bias stands in the box of the linear map whose part it is. */
static gboolean
is_attached (const HeddleItem *label, const Box *area, const Box *text)
{
  const Place place = { text->x + text->width / 2., text->y + text->height / 2. };

  return label->part == HEDDLE_PART_GLYPH && g_str_equal (label->text, "+") && contains (area, place, -4.);
}

void
figure_check_labels_off_boxes (const char *name, const HeddleScene *scene)
{
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *box = heddle_scene_get_item (scene, i);
      if (box->part != HEDDLE_PART_BOX || box->kind != HEDDLE_ITEM_PATH)
        continue;
      const Box area = figure_check_box (box);
      for (guint j = 0; j < heddle_scene_get_n_items (scene); j++)
        {
          const HeddleItem *label = heddle_scene_get_item (scene, j);
          const Box text = figure_check_box (label);
          if (is_label (label) && label->object != box->object && !is_attached (label, &area, &text)
              && overlap (&area, &text, 1.))
            g_error ("%s: “%s” at %g,%g lies on the box of %s", name, label->text, label->x, label->y,
                box->object != NULL ? box->object : "a crossing");
        }
    }
}

/* What is inked of a line of text, but for a px at its sides, and what reaches above a small letter. */
static Box
ink_box (const HeddleItem *label)
{
  const double above = 0.45 * label->size, below = strpbrk (label->text, "gjpqyQ") ? 0.18 * label->size : 0.;

  return (Box){ label->x + 1., label->y - above, MAX (label->width - 2., 0.), above + below };
}

static gboolean
wire_touches (const HeddleItem *wire, const Box *box)
{
  return heddle_path_crosses (wire->path, box->x, box->y, box->x + box->width, box->y + box->height);
}

/* A tag lies on its wire, which it hides. */
void
figure_check_labels_off_wires (const char *name, const HeddleScene *scene)
{
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *label = heddle_scene_get_item (scene, i);
      if (!is_label (label) || label->part == HEDDLE_PART_TAG)
        continue;
      const Box ink = ink_box (label);
      for (guint j = 0; j < heddle_scene_get_n_items (scene); j++)
        {
          const HeddleItem *wire = heddle_scene_get_item (scene, j);
          const gboolean line = wire->kind == HEDDLE_ITEM_PATH && wire->stroke
                                && (wire->part == HEDDLE_PART_WIRE || wire->part == HEDDLE_PART_SEPARATOR);
          if (line && wire_touches (wire, &ink))
            g_error ("%s: “%s” at %g,%g lies on a wire of %s", name, label->text, label->x, label->y,
                wire->value != NULL ? wire->value : "nothing: a separator");
        }
    }
}

void
figure_check_print (const char *name, const HeddleScene *scene)
{
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      if (item->kind == HEDDLE_ITEM_TEXT)
        g_assert_cmpfloat (item->size, >=, 10.); /* 5 pt, for scripts */
      if (item->kind == HEDDLE_ITEM_PATH && item->stroke)
        g_assert_cmpfloat (item->line_width, >=, 1.); /* 0.5 pt */
    }
}

/* --- wires ----------------------------------------------------------------------------------------------- */

void
figure_check_ends (const HeddleItem *item, Place ends[2])
{
  const HeddleSegment *first = &g_array_index (item->path, HeddleSegment, 0);
  const HeddleSegment *last = &g_array_index (item->path, HeddleSegment, item->path->len - 1);

  ends[0] = (Place){ first->x1, first->y1 };
  ends[1]
      = last->kind == HEDDLE_SEGMENT_CURVE ? (Place){ last->x3, last->y3 } : (Place){ last->x1, last->y1 };
}

/* A wire that comes in from the line above begins in the air, and then has an arrow. */
static gboolean
is_resumed_by (const HeddleItem *wire, const HeddleItem *head, Place end)
{
  const Box box = figure_check_box (head);

  return head->part == HEDDLE_PART_WIRE && head->fill && head->value == wire->value
         && head->axis == wire->axis && contains (&box, (Place){ end.x + 25., end.y + 10. }, 0.5);
}

/* Where a wire may end: at another's end, at a glyph or a dot, within its operation's box, by the name of an array, or at a line's end. */
static gboolean
end_is_held (const HeddleScene *scene, guint wire, Place end)
{
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      const Box box = figure_check_box (item);
      if (i == wire || item->kind == HEDDLE_ITEM_SHADOW)
        continue;
      if (is_resumed_by (heddle_scene_get_item (scene, wire), item, end))
        return TRUE;
      if (item->part == HEDDLE_PART_WIRE && item->stroke)
        {
          Place ends[2];
          figure_check_ends (item, ends);
          if (hypot (ends[0].x - end.x, ends[0].y - end.y) < 0.02
              || hypot (ends[1].x - end.x, ends[1].y - end.y) < 0.02)
            return TRUE;
        }
      else if (item->part == HEDDLE_PART_VALUE_LABEL
               && item->value == heddle_scene_get_item (scene, wire)->value
               && (fabs (box.x - end.x) < 16. || fabs (box.x + box.width - end.x) < 19.))
        return TRUE;
      else if ((item->part == HEDDLE_PART_WIRE || item->part == HEDDLE_PART_GLYPH
                   || item->part == HEDDLE_PART_BOX)
               && contains (&box, end, item->kind == HEDDLE_ITEM_TEXT ? 8. : 1.))
        return TRUE;
    }
  return FALSE;
}

void
figure_check_wires_meet (const char *name, const HeddleScene *scene)
{
  guint n = 0;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      Place ends[2];
      if (item->part != HEDDLE_PART_WIRE || !item->stroke)
        continue;
      n++;
      figure_check_ends (item, ends);
      for (guint j = 0; j < 2; j++)
        if (!end_is_held (scene, i, ends[j]))
          g_error ("%s: a wire of %s, axis %s, hangs loose at %g,%g", name, item->value,
              item->axis != NULL ? item->axis : "(none)", ends[j].x, ends[j].y);
    }
  g_assert_cmpuint (n, >, 0);
}
