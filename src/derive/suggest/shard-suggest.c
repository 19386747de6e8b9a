/* SPDX-License-Identifier: MIT */
#include "derive/shard/shard.h"
#include "derive/shard/small.h"
#include "derive/suggest/shard-suggest.h"

#include <math.h>

/* This file decides what is one kernel if axes are grouped over GPUs: it searches what each GPU does between
 * two collectives. */

void
heddle_schedule_take_links (HeddleSchedule *self, const HeddleSchedule *from, const HeddleMachine *machine)
{
  for (guint i = 0; from != NULL && i < self->regions->len; i++)
    {
      HeddleRegion *region = g_ptr_array_index (self->regions, i);

      for (guint k = 0; k < region->operations->len; k++)
        {
          const HeddleRegion *other
              = heddle_schedule_region_of (from, heddle_ids_index (region->operations, k));

          for (guint j = 0; other != NULL && j < other->labels->len; j++)
            {
              const HeddleLabel *label = g_ptr_array_index (other->labels, j);

              if (heddle_machine_find_link (machine, label->level) >= 0
                  && heddle_region_get_label (region, label->axis, label->level, label->kind) == NULL)
                g_ptr_array_add (region->labels, heddle_label_copy (label));
            }
        }
    }
}

/* Adds the regions of what one GPU does; the operations that merge parts are in no document. */
static void
add_regions (HeddleSchedule *self, const HeddleDiagram *diagram, const HeddleSchedule *part)
{
  for (guint i = 0; i < part->regions->len; i++)
    {
      const HeddleRegion *region = g_ptr_array_index (part->regions, i);
      HeddleRegion *made = NULL;

      for (guint k = 0; k < region->operations->len; k++)
        {
          const char *operation = heddle_ids_index (region->operations, k);

          if (heddle_diagram_get_operation (diagram, operation) == NULL)
            continue;
          if (made == NULL)
            made = heddle_schedule_add_region (self);
          heddle_ids_append (made->operations, operation);
        }
    }
}

static char *
join (char *one, const char *other)
{
  char *both = one == NULL     ? g_strdup (other)
               : other == NULL ? g_strdup (one)
                               : g_strjoin (" | ", one, other, NULL);

  g_free (one);
  return both;
}

/* Cuts of parts that come one after the other: one that is second best is so in one of them. */
static void
add_report (HeddleFusion *self, const HeddleFusion *part, gboolean first)
{
  double more = fmin (part->second_cost - part->cost, first ? INFINITY : self->second_cost - self->cost);

  self->chosen = join (self->chosen, part->chosen);
  self->cost += part->cost;
  self->least += part->least;
  self->second_cost = self->cost + more;
  self->priced += part->priced;
  self->exact = (first || self->exact) && part->exact;
  self->by_time = part->by_time;
}

HeddleSchedule *
heddle_sharding_suggest (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleSizes *sizes, const HeddleDeriveOptions *options, GCancellable *cancellable,
    HeddleFusion *report, GError **error)
{
  g_autoptr (HeddleSharding) sharding
      = heddle_sharding_new (diagram, schedule, sizes, options->machine, options->dtype, error);
  HeddleDeriveOptions own = *options;
  HeddleSchedule *made;
  gboolean first = TRUE;

  if (sharding == NULL || !heddle_sharding_check (sharding, error))
    return NULL;
  own.search_cache = NULL; /* that is of one diagram */
  made = heddle_schedule_new (diagram->id);
  for (guint i = 0; i < sharding->steps->len; i++)
    {
      const HeddleShardSegment *segment
          = ((const HeddleShardStep *) g_ptr_array_index (sharding->steps, i))->segment;
      HeddleFusion found = { 0 };
      HeddleSchedule *part = segment != NULL ? heddle_schedule_suggest (
                                 segment->diagram, NULL, segment->sizes, &own, cancellable, &found, error)
                                             : NULL;

      if (segment == NULL)
        continue;
      if (part == NULL)
        {
          heddle_schedule_free (made);
          return NULL;
        }
      add_regions (made, diagram, part);
      add_report (report, &found, first);
      first = FALSE;
      heddle_fusion_clear (&found);
      heddle_schedule_free (part);
    }
  heddle_schedule_take_links (made, schedule, options->machine);
  return made;
}
