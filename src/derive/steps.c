/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/step-title.h"
#include "derive/steps.h"

typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleStepRules *rules;
  HeddleSchedule *partial;
  GPtrArray *titles; /* of char *: all that were told on the first way through */
  guint at; /* on the second way, the number of the next title; */
  guint number; /* and of the last step told */
  HeddleStepFunc visit; /* NULL on the first way */
  gpointer data;
} Walk;

/* The same label on several kernels is one step. @title: taken */
static void
tell (Walk *self, char *title)
{
  const guint next = ++self->at;

  if (self->visit == NULL)
    {
      g_ptr_array_add (self->titles, title);
      return;
    }
  if (next >= self->titles->len || !g_str_equal (title, g_ptr_array_index (self->titles, next)))
    self->visit (++self->number, title, self->partial, self->data);
  g_free (title);
}

static HeddleRegion *
bare_region (const HeddleRegion *region)
{
  HeddleRegion *bare = heddle_region_new (region->id);

  for (guint i = 0; i < region->operations->len; i++)
    heddle_ids_append (bare->operations, heddle_ids_index (region->operations, i));
  return bare;
}

static HeddleRegion *
copy_region (const HeddleRegion *region)
{
  HeddleRegion *copy = bare_region (region);

  for (guint i = 0; i < region->labels->len; i++)
    g_ptr_array_add (copy->labels, heddle_label_copy (g_ptr_array_index (region->labels, i)));
  return copy;
}

/* --- kernels ------------------------------------------------------------------------- */

static gboolean
is_read (const Walk *self, const HeddleRegion *region)
{
  return self->rules->is_read != NULL && self->rules->is_read (region, self->rules->data);
}

static gboolean
is_same (const Walk *self, const HeddleRegion *a, const HeddleRegion *b)
{
  if (a == b)
    return TRUE;
  return self->rules->is_same != NULL && a->operations->len > 0 && a->operations->len == b->operations->len
         && self->rules->is_same (
             heddle_ids_index (a->operations, 0), heddle_ids_index (b->operations, 0), self->rules->data);
}

/* The regions that are one kernel of a definition, each time that it is called: one step fuses or labels them all. */
static GPtrArray *
same_kernel (const Walk *self, const HeddleSchedule *schedule, guint first)
{
  const HeddleRegion *region = g_ptr_array_index (schedule->regions, first);
  GPtrArray *same = g_ptr_array_new ();

  for (guint i = 0; i < schedule->regions->len; i++)
    {
      HeddleRegion *other = g_ptr_array_index (schedule->regions, i);

      if (!is_same (self, region, other))
        continue;
      if (i < first)
        {
          g_ptr_array_set_size (same, 0); /* it was told with that one */
          return same;
        }
      g_ptr_array_add (same, other);
    }
  return same;
}

static void
add_kernel (Walk *self, GPtrArray *same)
{
  const HeddleRegion *first = same->len > 0 ? g_ptr_array_index (same, 0) : NULL;
  guint begin = self->partial->regions->len;
  char *title = first != NULL ? heddle_step_title_of_fusion (self->diagram, first) : NULL;

  for (guint i = 0; i < same->len; i++)
    g_ptr_array_add (self->partial->regions, bare_region (g_ptr_array_index (same, i)));
  if (title != NULL)
    tell (self, title);
  for (guint i = 0; first != NULL && i < first->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (first->labels, i);

      for (guint j = 0; j < same->len; j++)
        {
          const HeddleRegion *of = g_ptr_array_index (same, j);
          HeddleRegion *bare = g_ptr_array_index (self->partial->regions, begin + j);

          if (i < of->labels->len)
            g_ptr_array_add (bare->labels, heddle_label_copy (g_ptr_array_index (of->labels, i)));
        }
      if (label->inactive == NULL && label->kind <= HEDDLE_LABEL_STREAM)
        tell (self,
            heddle_step_title_of_label (self->diagram, label->axis, label->level, label->kind, label->size));
    }
}

static void
add_kernels (Walk *self, const HeddleSchedule *schedule)
{
  for (guint i = 0; i < schedule->regions->len; i++)
    {
      g_autoptr (GPtrArray) same = NULL;

      if (is_read (self, g_ptr_array_index (schedule->regions, i)))
        continue;
      same = same_kernel (self, schedule, i);
      add_kernel (self, same);
    }
}

/* --- the rest ------------------------------------------------------------------------ */

static void
add_reads (Walk *self, const HeddleSchedule *schedule)
{
  for (guint i = 0; i < schedule->regions->len; i++)
    {
      const HeddleRegion *region = g_ptr_array_index (schedule->regions, i);

      if (is_read (self, region))
        g_ptr_array_add (self->partial->regions, copy_region (region));
    }
}

static void
add_divisors (Walk *self, const HeddleSchedule *schedule)
{
  if (schedule->divisors == NULL)
    return;
  self->partial->divisors = g_strdup (schedule->divisors);
  tell (self, heddle_step_title_of_divisors (schedule->divisors));
}

static void
add_places (Walk *self, const HeddleSchedule *schedule)
{
  for (guint i = 0; i < schedule->residency->len; i++)
    {
      const HeddleResidency *place = g_ptr_array_index (schedule->residency, i);

      heddle_schedule_set_residency (self->partial, place->value, place->column, place->level);
      tell (self, heddle_step_title_of_place (self->diagram, self->rules->machine, place));
    }
  for (guint i = 0; i < schedule->recomputed->len; i++)
    {
      const HeddleRecompute *again = &g_array_index (schedule->recomputed, HeddleRecompute, i);

      heddle_schedule_set_recomputed (self->partial, again->value, again->column, TRUE);
      tell (self, heddle_step_title_of_recompute (self->diagram, again));
    }
}

static void
walk (Walk *self, const HeddleSchedule *schedule, HeddleStepFunc visit)
{
  self->visit = visit;
  self->at = 0;
  self->partial = heddle_schedule_new (self->diagram->id);
  add_reads (self, schedule);
  add_divisors (self, schedule);
  add_kernels (self, schedule);
  add_places (self, schedule);
  g_clear_pointer (&self->partial, heddle_schedule_free);
}

guint
heddle_schedule_visit_steps (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleStepRules *rules, HeddleStepFunc visit, gpointer data)
{
  static const HeddleStepRules none = { NULL };
  g_autoptr (GPtrArray) titles = g_ptr_array_new_with_free_func (g_free);
  Walk self = { .diagram = diagram, .rules = rules != NULL ? rules : &none, .titles = titles, .data = data };

  g_return_val_if_fail (diagram != NULL && schedule != NULL && visit != NULL, 0);

  walk (&self, schedule, NULL);
  walk (&self, schedule, visit);
  return self.number;
}

/* --- schedules ----------------------------------------------------------------------- */

static gboolean
overlaps (const HeddleSchedule *schedule, const HeddleRegion *region)
{
  for (guint i = 0; i < region->operations->len; i++)
    if (heddle_schedule_region_of (schedule, heddle_ids_index (region->operations, i)) != NULL)
      return TRUE;
  return FALSE;
}

HeddleSchedule *
heddle_schedule_complete (const HeddleSchedule *partial, const HeddleSchedule *alone)
{
  HeddleSchedule *whole = heddle_schedule_copy (partial);

  for (guint i = 0; alone != NULL && i < alone->regions->len; i++)
    {
      const HeddleRegion *region = g_ptr_array_index (alone->regions, i);

      if (!overlaps (partial, region))
        g_ptr_array_add (whole->regions, copy_region (region));
    }
  return whole;
}

HeddleSchedule *
heddle_derivation_to_schedule (const HeddleDerivation *derivation, const HeddleDiagram *diagram)
{
  HeddleSchedule *schedule = heddle_schedule_new (diagram->id);

  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);
      g_autofree char *id = g_strdup_printf ("alone.%u", i);
      HeddleRegion *region = heddle_region_new (id);

      g_array_append_vals (region->operations, kernel->operations->data, kernel->operations->len);
      for (guint j = 0; j < kernel->labels->len; j++)
        g_ptr_array_add (region->labels, heddle_label_copy (g_ptr_array_index (kernel->labels, j)));
      g_ptr_array_add (schedule->regions, region);
    }
  return schedule;
}
