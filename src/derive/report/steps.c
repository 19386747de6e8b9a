/* SPDX-License-Identifier: MIT */
#include "derive/derivation/derive.h"
#include "derive/report/layouts.h"
#include "derive/report/step-title.h"
#include "derive/report/steps.h"

typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleStepRules *rules;
  GPtrArray *same; /* by region: all told with it; NULL: it is told with another */
  HeddleSchedule *partial; /* NULL on the first pass, in which no step is reported */
  GPtrArray *titles; /* of char *: the titles found on the first pass */
  GHashTable *runs; /* title -> in how many places of the list it stands, on the second pass */
  guint at; /* on the second way, the number of the next title; */
  guint number; /* the number of the last step reported */
  HeddleStepFunc visit; /* NULL on the first way */
  gpointer data;
} Walk;

/* Returns the title of a step of the kernels @same (nullable); it says of which where another step has the same title. */
static char *
full_title (const Walk *self, const char *title, const GPtrArray *same)
{
  g_autofree char *kernel = NULL;

  if (same == NULL || GPOINTER_TO_UINT (g_hash_table_lookup (self->runs, title)) < 2)
    return g_strdup (title);
  kernel
      = heddle_kernel_title (self->diagram, ((const HeddleRegion *) g_ptr_array_index (same, 0))->operations);
  return g_strdup_printf (same->len > 1 ? "%s (%s …)" : "%s (%s)", title, kernel);
}

static void
count_runs (Walk *self)
{
  for (guint i = 0; i < self->titles->len; i++)
    {
      const char *title = g_ptr_array_index (self->titles, i);
      const guint runs = GPOINTER_TO_UINT (g_hash_table_lookup (self->runs, title));

      if (i == 0 || !g_str_equal (title, g_ptr_array_index (self->titles, i - 1)))
        g_hash_table_insert (self->runs, (gpointer) title, GUINT_TO_POINTER (runs + 1));
    }
}

/* Reports a step of the kernels @same; NULL: of no kernel. The same label on several kernels is one step. Takes
 * @title. */
static void
add_step (Walk *self, char *title, const GPtrArray *same)
{
  const guint next = ++self->at;
  g_autofree char *full = NULL;

  if (self->visit == NULL)
    {
      g_ptr_array_add (self->titles, title);
      return;
    }
  full = full_title (self, title, same);
  if (next >= self->titles->len || !g_str_equal (title, g_ptr_array_index (self->titles, next)))
    self->visit (++self->number, full, self->partial, self->data);
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

/* The properties that regions share which are one kernel of a definition, each time that it is called. */
typedef struct
{
  gconstpointer origin[2]; /* of the first operation */
  guint n_operations;
} Kind;

static guint
kind_hash (gconstpointer data)
{
  const Kind *self = data;

  return g_direct_hash (self->origin[0]) * 31 + g_direct_hash (self->origin[1]) * 7 + self->n_operations;
}

static gboolean
kind_equal (gconstpointer a, gconstpointer b)
{
  const Kind *one = a, *other = b;

  return one->origin[0] == other->origin[0] && one->origin[1] == other->origin[1]
         && one->n_operations == other->n_operations;
}

static gboolean
get_kind (const Walk *self, const HeddleRegion *region, Kind *kind)
{
  kind->n_operations = region->operations->len;
  return self->rules->get_origin != NULL && region->operations->len > 0
         && self->rules->get_origin (
             heddle_ids_index (region->operations, 0), kind->origin, self->rules->data);
}

static void
free_same (gpointer same)
{
  if (same != NULL)
    g_ptr_array_unref (same);
}

/* Returns what the labels of a region without a step of its own to fuse it have in common with those of others, newly
 * allocated; NULL if it has none, or is fused. */
static char *
labels_of (const Walk *self, const HeddleRegion *region)
{
  GString *text = NULL;

  if (region->labels->len == 0 || region->operations->len == 0
      || !heddle_kernel_is_statement (self->diagram, region->operations))
    return NULL;
  text = g_string_new (NULL);
  for (guint i = 0; i < region->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (region->labels, i);

      g_string_append_printf (text, "%s %s %d %" G_GINT64_FORMAT " %d\n", label->axis, label->level,
          label->kind, label->size, label->inactive != NULL);
    }
  return g_string_free (text, FALSE);
}

/* Adds the region to those that are reported together with another one, which @known has. Returns FALSE if it is
 * the first of its kind. */
static gboolean
join (GPtrArray *known, HeddleRegion *region, GPtrArray *by_region)
{
  if (known == NULL)
    return FALSE;
  g_ptr_array_add (known, region);
  g_ptr_array_add (by_region, NULL);
  return TRUE;
}

/* Returns the regions that are one kernel of a definition, or equations that are labelled alike: they are reported with
 * the first of them, and one step fuses or labels them all. */
static GPtrArray *
find_same (const Walk *self, const HeddleSchedule *schedule)
{
  GPtrArray *by_region = g_ptr_array_new_with_free_func (free_same);
  g_autoptr (GHashTable) kinds = g_hash_table_new_full (kind_hash, kind_equal, g_free, NULL);
  g_autoptr (GHashTable) labelled = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < schedule->regions->len; i++)
    {
      HeddleRegion *region = g_ptr_array_index (schedule->regions, i);
      Kind kind = { { NULL } };
      const gboolean known = get_kind (self, region, &kind);
      g_autofree char *labels = known || is_read (self, region) ? NULL : labels_of (self, region);
      GPtrArray *same = known            ? g_hash_table_lookup (kinds, &kind)
                        : labels != NULL ? g_hash_table_lookup (labelled, labels)
                                         : NULL;

      if (join (same, region, by_region))
        continue;
      same = g_ptr_array_new ();
      g_ptr_array_add (same, region);
      g_ptr_array_add (by_region, same);
      if (known)
        g_hash_table_insert (kinds, g_memdup2 (&kind, sizeof kind), same);
      else if (labels != NULL)
        g_hash_table_insert (labelled, g_steal_pointer (&labels), same);
    }
  return by_region;
}

/* Adds label number @i of each region to its copy; the copies are the regions from @begin on. */
static void
add_label (HeddleSchedule *partial, guint begin, const GPtrArray *same, guint i)
{
  for (guint j = 0; j < same->len; j++)
    {
      const HeddleRegion *of = g_ptr_array_index (same, j);
      HeddleRegion *bare = g_ptr_array_index (partial->regions, begin + j);

      if (i < of->labels->len)
        g_ptr_array_add (bare->labels, heddle_label_copy (g_ptr_array_index (of->labels, i)));
    }
}

static void
add_kernel (Walk *self, GPtrArray *same)
{
  const HeddleRegion *first = g_ptr_array_index (same, 0);
  const guint begin = self->partial != NULL ? self->partial->regions->len : 0;
  char *title = heddle_step_title_of_fusion (self->diagram, first);

  for (guint i = 0; self->partial != NULL && i < same->len; i++)
    g_ptr_array_add (self->partial->regions, bare_region (g_ptr_array_index (same, i)));
  if (title != NULL)
    add_step (self, title, NULL);
  for (guint i = 0; i < first->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (first->labels, i);

      if (self->partial != NULL)
        add_label (self->partial, begin, same, i);
      if (label->inactive == NULL && label->kind <= HEDDLE_LABEL_STREAM)
        add_step (self,
            heddle_step_title_of_label (self->diagram, label->axis, label->level, label->kind, label->size),
            same);
    }
}

static void
add_kernels (Walk *self, const HeddleSchedule *schedule)
{
  for (guint i = 0; i < schedule->regions->len; i++)
    {
      GPtrArray *same = g_ptr_array_index (self->same, i);

      if (same != NULL && !is_read (self, g_ptr_array_index (schedule->regions, i)))
        add_kernel (self, same);
    }
}

/* --- the rest ------------------------------------------------------------------------ */

static void
add_reads (Walk *self, const HeddleSchedule *schedule)
{
  for (guint i = 0; self->partial != NULL && i < schedule->regions->len; i++)
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
  if (self->partial != NULL)
    self->partial->divisors = g_strdup (schedule->divisors);
  add_step (self, heddle_step_title_of_divisors (schedule->divisors), NULL);
}

static void
add_places (Walk *self, const HeddleSchedule *schedule)
{
  for (guint i = 0; i < schedule->residency->len; i++)
    {
      const HeddleResidency *place = g_ptr_array_index (schedule->residency, i);

      if (self->partial != NULL)
        heddle_schedule_set_residency (self->partial, place->value, place->column, place->level);
      add_step (self, heddle_step_title_of_place (self->diagram, self->rules->machine, place), NULL);
    }
  for (guint i = 0; i < schedule->recomputed->len; i++)
    {
      const HeddleRecompute *again = &g_array_index (schedule->recomputed, HeddleRecompute, i);

      if (self->partial != NULL)
        heddle_schedule_set_recomputed (self->partial, again->value, again->column, TRUE);
      add_step (self, heddle_step_title_of_recompute (self->diagram, again), NULL);
    }
}

static void
walk (Walk *self, const HeddleSchedule *schedule, HeddleStepFunc visit)
{
  self->visit = visit;
  self->at = 0;
  if (visit != NULL)
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
  g_autoptr (GPtrArray) titles = g_ptr_array_new_with_free_func (g_free), same = NULL;
  g_autoptr (GHashTable) runs = g_hash_table_new (g_str_hash, g_str_equal);
  Walk self = {
    .diagram = diagram, .rules = rules != NULL ? rules : &none, .titles = titles, .runs = runs, .data = data
  };

  g_return_val_if_fail (diagram != NULL && schedule != NULL && visit != NULL, 0);

  self.same = same = find_same (&self, schedule);
  walk (&self, schedule, NULL);
  count_runs (&self);
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

  heddle_derivation_write_layouts (derivation, diagram, schedule);
  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);
      g_autofree char *id = g_strdup_printf ("alone.%u", i);
      HeddleRegion *region;

      if (heddle_derivation_is_inserted (derivation, kernel))
        continue;
      region = heddle_region_new (id);
      g_array_append_vals (region->operations, kernel->operations->data, kernel->operations->len);
      for (guint j = 0; j < kernel->labels->len; j++)
        g_ptr_array_add (region->labels, heddle_label_copy (g_ptr_array_index (kernel->labels, j)));
      g_ptr_array_add (schedule->regions, region);
    }
  return schedule;
}
