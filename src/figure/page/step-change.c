/* SPDX-License-Identifier: MIT */
#include "figure/page/step-change.h"
#include "figure/scene/theme.h"

#define WEAK_TEXT                                                                                            \
  .35 /* of paper in the colour of a letter: as much as leaves it easy to read on any ground */
#define WEAK_LINE .5
#define WEAK_GROUND .5
#define HEAVY 1.7 /* times the outline of a label */

/* --- what is changed --------------------------------------------------------------------- */

void
heddle_step_change_free (HeddleStepChange *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->objects);
  g_hash_table_unref (self->axes);
  g_hash_table_unref (self->labelled);
  g_hash_table_unref (self->values);
  g_free (self);
}

static gboolean
has_same_operations (const HeddleRegion *one, const HeddleRegion *other)
{
  if (one->operations->len != other->operations->len)
    return FALSE;
  for (guint i = 0; i < one->operations->len; i++)
    if (!heddle_ids_contain (other->operations, heddle_ids_index (one->operations, i)))
      return FALSE;
  return TRUE;
}

static const HeddleRegion *
find_same (const HeddleSchedule *schedule, const HeddleRegion *region)
{
  for (guint i = 0; i < schedule->regions->len; i++)
    if (has_same_operations (schedule->regions->pdata[i], region))
      return schedule->regions->pdata[i];
  return NULL;
}

static void
add_ids (GHashTable *set, const GArray *ids)
{
  for (guint i = 0; ids != NULL && i < ids->len; i++)
    g_hash_table_add (set, (gpointer) heddle_ids_index (ids, i));
}

/* Adds what the operations of a kernel read and make. */
static void
add_values (GHashTable *set, const HeddleDiagram *diagram, const HeddleRegion *region)
{
  for (guint i = 0; i < region->operations->len; i++)
    {
      const HeddleOperation *operation
          = heddle_diagram_get_operation (diagram, heddle_ids_index (region->operations, i));

      if (operation == NULL)
        continue;
      add_ids (set, operation->operands);
      add_ids (set, operation->more_results);
      g_hash_table_add (set, (gpointer) operation->result);
    }
}

/* Of a kernel that has lost labels those that it has are told anew: it begins without any. */
static void
add_new_labels (HeddleStepChange *self, const HeddleRegion *before, const HeddleRegion *after)
{
  const gboolean anew = before->labels->len > after->labels->len;

  for (guint i = 0; i < after->labels->len; i++)
    {
      const HeddleLabel *label = after->labels->pdata[i];
      const HeddleLabel *same = heddle_region_get_label (before, label->axis, label->level, label->kind);

      if (anew || same == NULL || same->size != label->size)
        g_hash_table_add (self->axes, (gpointer) label->axis);
    }
}

static void
compare_region (HeddleStepChange *self, const HeddleDiagram *diagram, const HeddleSchedule *before,
    const HeddleRegion *region)
{
  const HeddleRegion *same = find_same (before, region);
  const guint n = g_hash_table_size (self->axes);

  if (same == NULL)
    {
      add_ids (self->objects, region->operations);
      add_values (self->values, diagram, region);
    }
  else
    add_new_labels (self, same, region);
  if (same != NULL && g_hash_table_size (self->axes) == n)
    return;
  g_hash_table_add (self->objects, (gpointer) region->id);
  add_values (self->labelled, diagram, region);
}

static gboolean
is_all (const HeddleStepChange *self, const HeddleDiagram *diagram)
{
  for (guint i = 0; i < diagram->operations->len; i++)
    if (!g_hash_table_contains (self->objects, ((HeddleOperation *) diagram->operations->pdata[i])->id))
      return FALSE;
  return TRUE;
}

HeddleStepChange *
heddle_step_change_new (
    const HeddleDiagram *diagram, const HeddleSchedule *before, const HeddleSchedule *after)
{
  HeddleStepChange *self = g_new0 (HeddleStepChange, 1);

  self->objects = g_hash_table_new (NULL, NULL);
  self->axes = g_hash_table_new (NULL, NULL);
  self->labelled = g_hash_table_new (NULL, NULL);
  self->values = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < after->regions->len; i++)
    compare_region (self, diagram, before, after->regions->pdata[i]);
  if (g_hash_table_size (self->objects) > 0 && !is_all (self, diagram))
    return self;
  heddle_step_change_free (self);
  return NULL;
}

/* --- how it is shown --------------------------------------------------------------------- */

static gboolean
is_labelled (const HeddleStepChange *self, const HeddleItem *item)
{
  return g_hash_table_contains (self->axes, item->axis)
         && g_hash_table_contains (self->labelled, item->value);
}

static gboolean
is_strong (const HeddleStepChange *self, const HeddleItem *item)
{
  if (item->part == HEDDLE_PART_TAG) /* its object is the kernel */
    return g_hash_table_contains (self->objects, item->object)
           && (is_labelled (self, item) || g_hash_table_contains (self->values, item->value));
  return g_hash_table_contains (self->objects, item->object)
         || g_hash_table_contains (self->values, item->value) || is_labelled (self, item);
}

static HeddleColor
weaker (HeddleColor color, HeddleColor paper, double share)
{
  return (HeddleColor){ color.r + share * (paper.r - color.r), color.g + share * (paper.g - color.g),
    color.b + share * (paper.b - color.b), color.a };
}

/* A letter in a colour of its own would be hard to read in a weaker one. */
static void
weaken (HeddleItem *item, HeddleTheme theme)
{
  const HeddleColor paper = heddle_theme_paper (theme), ink = heddle_theme_ink (theme);

  if (item->kind == HEDDLE_ITEM_TEXT || item->formula != NULL)
    item->fill_color = weaker (ink, paper, WEAK_TEXT);
  else
    item->fill_color = weaker (item->fill_color, paper, WEAK_GROUND);
  item->stroke_color = weaker (item->stroke_color, paper, WEAK_LINE);
}

void
heddle_step_change_show (const HeddleStepChange *self, HeddleScene *scene, HeddleTheme theme)
{
  for (guint i = 0; i < scene->items->len; i++)
    {
      HeddleItem *item = scene->items->pdata[i];
      const gboolean strong = is_strong (self, item);

      if (strong && item->part == HEDDLE_PART_TAG && item->stroke)
        item->line_width *= HEAVY;
      else if (!strong && theme != HEDDLE_THEME_CONTRAST)
        weaken (item, theme);
    }
}
