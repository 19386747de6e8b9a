/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cover-private.h"
#include "derive/legality.h"
#include "derive/shard-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

/* Kernels are put together to segments as long as each finds what it reads where the ones before left it. */

const char *
heddle_collective_to_string (HeddleCollectiveKind kind)
{
  static const char *const names[] = { "all-reduce", "reduce-scatter", "all-gather", "slice" };

  return names[kind];
}

static void
segment_free (HeddleShardSegment *self)
{
  g_clear_pointer (&self->diagram, heddle_diagram_free);
  g_clear_pointer (&self->sizes, heddle_sizes_unref);
  g_clear_pointer (&self->schedule, heddle_schedule_free);
  g_hash_table_unref (self->needs);
  g_hash_table_unref (self->gives);
  g_free (self);
}

static void
step_free (HeddleShardStep *self)
{
  g_clear_pointer (&self->segment, segment_free);
  g_free (self);
}

void
heddle_sharding_free (HeddleSharding *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->diagram, heddle_diagram_free);
  g_clear_pointer (&self->sizes, heddle_sizes_unref);
  g_ptr_array_unref (self->steps);
  g_hash_table_unref (self->given);
  g_hash_table_unref (self->left);
  g_hash_table_unref (self->apart);
  g_hash_table_unref (self->inserted);
  g_hash_table_unref (self->refusals);
  g_free (self);
}

gboolean
heddle_shard_layout_equal (const HeddleShardLayout *a, const HeddleShardLayout *b)
{
  for (guint l = 0; l < HEDDLE_MAX_LINKS; l++)
    if (a->how[l] != b->how[l] || a->axis[l] != b->axis[l])
      return FALSE;
  return TRUE;
}

gint64
heddle_shard_layout_elements (
    const HeddleShardLayout *self, const HeddleSharding *sharding, const char *value)
{
  gint64 elements
      = heddle_sizes_elements (sharding->sizes, heddle_diagram_get_value (sharding->diagram, value));

  for (guint l = 0; l < sharding->n_links; l++)
    if (self->how[l] == HEDDLE_SPREAD_SPLIT)
      elements /= sharding->ways[l];
  return elements;
}

static gboolean
is_at_link (const HeddleLabel *label, const HeddleMachine *machine)
{
  return heddle_machine_find_link (machine, label->level) >= 0;
}

gboolean
heddle_schedule_is_sharded (const HeddleSchedule *schedule, const HeddleMachine *machine)
{
  for (guint i = 0; schedule != NULL && machine->links->len > 0 && i < schedule->regions->len; i++)
    {
      const HeddleRegion *region = g_ptr_array_index (schedule->regions, i);

      for (guint k = 0; k < region->labels->len; k++)
        if (is_at_link (g_ptr_array_index (region->labels, k), machine))
          return TRUE;
    }
  return FALSE;
}

HeddleSchedule *
heddle_schedule_unsharded (const HeddleSchedule *schedule, const HeddleMachine *machine)
{
  HeddleSchedule *copy = heddle_schedule_copy (schedule);

  for (guint i = 0; i < copy->regions->len; i++)
    {
      HeddleRegion *region = g_ptr_array_index (copy->regions, i);

      for (guint k = region->labels->len; k-- > 0;)
        if (is_at_link (g_ptr_array_index (region->labels, k), machine))
          g_ptr_array_remove_index (region->labels, k);
    }
  return copy;
}

/* --- building -------------------------------------------------------------------------- */

typedef struct
{
  HeddleSharding *made;
  const HeddleMachine *machine;
  HeddleDtype dtype;
  HeddleShardSegment *segment; /* at hand */
  GArray *operations; /* of it */
  GPtrArray *regions; /* of it */
  GPtrArray *segments; /* of HeddleShardSegment, before steps are made of them */
  GHashTable *have; /* value id -> GPtrArray of HeddleShardLayout: as it is on the GPUs by now */
} Build;

static const char *
value_name (const Build *self, const char *value)
{
  g_autofree char *label = heddle_diagram_value_label (self->made->diagram, value);

  return g_intern_string (label);
}

static void
add_refusal (Build *self, const HeddleRegion *region, const char *axis, const char *operation, char *reason,
    char *remedy)
{
  if (g_hash_table_contains (self->made->refusals, region->id))
    {
      g_free (reason);
      g_free (remedy);
      return;
    }
  g_hash_table_insert (self->made->refusals, (gpointer) region->id,
      heddle_refusal_new (axis, HEDDLE_LABEL_GROUP, operation, reason, remedy));
}

/* --- labels ----------------------------------------------------------------------------- */

static char *
check_label (const Build *self, const HeddleLabel *label, guint l)
{
  const HeddleLink *link = g_ptr_array_index (self->machine->links, l);
  const char *name = heddle_diagram_get_axis (self->made->diagram, label->axis)->name;
  gint64 n = heddle_sizes_get (self->made->sizes, label->axis), ways = (n + label->size - 1) / label->size;

  if (ways == 1 && label->kind == HEDDLE_LABEL_GROUP)
    return NULL; /* no longer than a piece: it stays whole */
  if (label->kind != HEDDLE_LABEL_GROUP)
    return g_strdup_printf (
        _ ("GPUs work at the same time: %s is grouped at %s, and streamed or ordered within each."), name,
        link->title);
  if (n % label->size != 0)
    return g_strdup_printf (_ ("%s is %" PRId64 " long, and pieces of %" PRId64
                               " leave a shorter one: all GPUs run the same program on pieces of one size."),
        name, n, label->size);
  if (ways > link->count)
    return g_strdup_printf (_ ("pieces of %" PRId64 " of %s are %" PRId64 ", and %s joins %u."), label->size,
        name, ways, link->title, link->count);
  if (self->made->ways[l] > 1 && self->made->ways[l] != ways)
    return g_strdup_printf (_ ("%" PRId64 " pieces of %s are not the %u that another kernel has at %s."),
        ways, name, self->made->ways[l], link->title);
  self->made->ways[l] = (guint) ways;
  return NULL;
}

/* The axis that the region groups at each link. */
static void
read_labels (Build *self, const HeddleRegion *region, const char **axes)
{
  for (guint i = 0; region != NULL && i < region->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (region->labels, i);
      int l = heddle_machine_find_link (self->machine, label->level);
      char *reason = NULL;

      if (l < 0 || label->inactive != NULL
          || heddle_diagram_get_axis (self->made->diagram, label->axis) == NULL)
        continue;
      reason = check_label (self, label, (guint) l);
      for (guint k = 0; reason == NULL && k < self->made->n_links; k++)
        if (axes[k] != NULL && (k == (guint) l || axes[k] == label->axis))
          reason = g_strdup (_ ("one axis is grouped at each level above GMEM, and at one of them."));
      if (reason != NULL)
        add_refusal (
            self, region, label->axis, NULL, reason, g_strdup (_ ("Choose another size or axis for it.")));
      else if (self->made->ways[l] > 1 && heddle_sizes_get (self->made->sizes, label->axis) > label->size)
        axes[l] = label->axis;
    }
}

/* --- kernels ---------------------------------------------------------------------------- */

/* Combines what is said of one operation at each link. %FALSE: refused. */
static gboolean
need_of (Build *self, const HeddlePart *part, const HeddleOperation *operation, const char **axes,
    HeddleShardLayout *wants, HeddleShardLayout *gives)
{
  const HeddleValue *result = heddle_diagram_get_value (self->made->diagram, operation->result);

  memset (wants, 0, operation->operands->len * sizeof *wants);
  memset (gives, 0, sizeof *gives);
  for (guint l = 0; l < self->made->n_links; l++)
    {
      HeddleShardNeed need;
      char *reason = NULL, *remedy = NULL;
      gboolean apart;

      if (axes[l] == NULL)
        continue;
      apart = g_hash_table_lookup (self->made->apart, operation->id) == axes[l];
      if (apart)
        heddle_shard_need_apart (self->made->diagram, operation, axes[l], &need);
      else if (!heddle_shard_need (self->made->diagram, operation, axes[l], &need, &reason, &remedy))
        {
          add_refusal (self, part->region, axes[l], operation->id, reason, remedy);
          return FALSE;
        }
      for (guint i = 0; i < operation->operands->len; i++)
        if (need.split[i])
          {
            wants[i].how[l] = HEDDLE_SPREAD_SPLIT;
            wants[i].axis[l] = axes[l];
          }
      gives->how[l] = need.result;
      gives->axis[l] = need.result != HEDDLE_SPREAD_SPLIT                     ? NULL
                       : apart && !heddle_ids_contain (result->axes, axes[l]) ? self->made->parts[l]
                                                                              : axes[l];
      gives->monoid = need.result == HEDDLE_SPREAD_PARTIAL ? need.monoid : gives->monoid;
      gives->mean = gives->mean || (need.result == HEDDLE_SPREAD_PARTIAL && need.mean);
    }
  return TRUE;
}

/* What is made in the kernel is read there as it was left. */
static gboolean
check_inside (Build *self, const HeddlePart *part, const HeddleOperation *operation, const char *value,
    const HeddleShardLayout *made, const HeddleShardLayout *wanted, const char **axes)
{
  for (guint l = 0; l < self->made->n_links; l++)
    {
      const char *name = value_name (self, value);

      if (made->how[l] == wanted->how[l] && made->axis[l] == wanted->axis[l])
        continue;
      add_refusal (self, part->region, axes[l], operation->id,
          made->how[l] == HEDDLE_SPREAD_PARTIAL
              ? g_strdup_printf (
                  _ ("%s is in parts, one on each GPU, that have to be combined before it is read."), name)
              : g_strdup_printf (_ ("%s is in pieces, and is read whole."), name),
          g_strdup_printf (
              _ ("Run what reads %s as a kernel of its own: GPUs pass arrays to one another between "
                 "kernels."),
              name));
      return FALSE;
    }
  return TRUE;
}

typedef struct
{
  GHashTable *needs, *gives;
} Wants;

static void
set_layout (GHashTable *table, const char *value, const HeddleShardLayout *layout)
{
  g_hash_table_insert (table, (gpointer) value, g_memdup2 (layout, sizeof *layout));
}

/* One kernel's needs. Two readers of one kernel that want a value in two ways cannot be one kernel. */
static gboolean
part_needs (Build *self, const HeddlePart *part, const char **axes, Wants *wants)
{
  for (guint i = 0; i < part->operations->len; i++)
    {
      const HeddleOperation *operation
          = heddle_diagram_get_operation (self->made->diagram, heddle_ids_index (part->operations, i));
      g_autofree HeddleShardLayout *layouts = g_new0 (HeddleShardLayout, MAX (operation->operands->len, 1));
      HeddleShardLayout gives;

      if (!need_of (self, part, operation, axes, layouts, &gives))
        return FALSE;
      for (guint k = 0; k < operation->operands->len; k++)
        {
          const char *value = heddle_ids_index (operation->operands, k);
          const HeddleShardLayout *made = g_hash_table_lookup (wants->gives, value);
          const HeddleShardLayout *other = g_hash_table_lookup (wants->needs, value);

          if (made == NULL && other == NULL)
            set_layout (wants->needs, value, &layouts[k]);
          else if (!check_inside (
                       self, part, operation, value, made != NULL ? made : other, &layouts[k], axes))
            return FALSE;
        }
      set_layout (wants->gives, operation->result, &gives);
    }
  return TRUE;
}

static HeddleShardSegment *
segment_new (const char **axes)
{
  HeddleShardSegment *self = g_new0 (HeddleShardSegment, 1);

  memcpy (self->axes, axes, sizeof self->axes);
  self->needs = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->gives = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return self;
}

static void
close_segment (Build *self)
{
  if (self->segment == NULL)
    return;
  heddle_shard_segment_fill (
      self->segment, self->made, self->operations, self->regions, self->segments->len + 1, self->machine);
  g_ptr_array_add (self->segments, g_steal_pointer (&self->segment));
  g_array_set_size (self->operations, 0);
  g_ptr_array_set_size (self->regions, 0);
}

/* Whether the kernel finds all as the segment at hand leaves it. */
static gboolean
joins (const Build *self, const char **axes, const Wants *wants)
{
  GHashTableIter iter;
  gpointer value, layout;

  if (self->segment == NULL || memcmp (self->segment->axes, axes, sizeof self->segment->axes) != 0)
    return FALSE;
  g_hash_table_iter_init (&iter, wants->needs);
  while (g_hash_table_iter_next (&iter, &value, &layout))
    {
      const HeddleShardLayout *made = g_hash_table_lookup (self->segment->gives, value);
      const HeddleShardLayout *other = g_hash_table_lookup (self->segment->needs, value);

      if ((made != NULL && !heddle_shard_layout_equal (made, layout))
          || (other != NULL && !heddle_shard_layout_equal (other, layout)))
        return FALSE;
    }
  return TRUE;
}

static void
add_part (Build *self, const HeddlePart *part)
{
  const char *axes[HEDDLE_MAX_LINKS] = { NULL };
  Wants wants = { g_hash_table_new_full (NULL, NULL, NULL, g_free),
    g_hash_table_new_full (NULL, NULL, NULL, g_free) };
  GHashTableIter iter;
  gpointer value, layout;

  const char *const *inserted
      = g_hash_table_lookup (self->made->inserted, heddle_ids_index (part->operations, 0));

  read_labels (self, part->region, axes);
  if (inserted != NULL)
    memcpy (axes, inserted, sizeof axes);
  if (part_needs (self, part, axes, &wants))
    {
      if (!joins (self, axes, &wants))
        {
          close_segment (self);
          self->segment = segment_new (axes);
        }
      g_hash_table_iter_init (&iter, wants.needs);
      while (g_hash_table_iter_next (&iter, &value, &layout))
        if (!g_hash_table_contains (self->segment->gives, value))
          set_layout (self->segment->needs, value, layout);
      g_hash_table_iter_init (&iter, wants.gives);
      while (g_hash_table_iter_next (&iter, &value, &layout))
        set_layout (self->segment->gives, value, layout);
      g_array_append_vals (self->operations, part->operations->data, part->operations->len);
      if (part->region != NULL)
        g_ptr_array_add (self->regions, (gpointer) part->region);
    }
  g_hash_table_unref (wants.needs);
  g_hash_table_unref (wants.gives);
}

/* --- collectives ------------------------------------------------------------------------ */

static GPtrArray *
layouts_of (Build *self, const char *value)
{
  GPtrArray *list = g_hash_table_lookup (self->have, value);

  if (list == NULL)
    {
      list = g_ptr_array_new_with_free_func (g_free);
      g_hash_table_insert (self->have, (gpointer) value, list);
    }
  return list;
}

/* In a ring of n each GPU sends a piece of 1/n of the array n - 1 times, and twice as often to combine and hand it out. */
static void
price (const Build *self, HeddleShardStep *step)
{
  const HeddleSharding *made = self->made;
  const HeddleLink *link = g_ptr_array_index (self->machine->links, step->link);
  HeddleShardLayout whole = step->to;
  double n = made->ways[step->link],
         rounds = step->kind == HEDDLE_COLLECTIVE_ALL_REDUCE ? 2. * (n - 1.) : n - 1.;

  whole.how[step->link] = HEDDLE_SPREAD_WHOLE;
  step->bytes
      = heddle_shard_layout_elements (&whole, made, step->value)
        * (gint64) heddle_dtype_bytes (heddle_diagram_dtype (made->diagram, step->value, self->dtype));
  if (step->kind == HEDDLE_COLLECTIVE_SLICE)
    return;
  step->sent_bytes = rounds / n * (double) step->bytes;
  step->seconds = step->sent_bytes / link->bandwidth + rounds * link->latency;
}

static HeddleCollectiveKind
kind_of (const HeddleShardLayout *from, const HeddleShardLayout *to, guint l)
{
  if (from->how[l] == HEDDLE_SPREAD_PARTIAL)
    return to->how[l] == HEDDLE_SPREAD_SPLIT ? HEDDLE_COLLECTIVE_REDUCE_SCATTER
                                             : HEDDLE_COLLECTIVE_ALL_REDUCE;
  return from->how[l] == HEDDLE_SPREAD_SPLIT ? HEDDLE_COLLECTIVE_ALL_GATHER : HEDDLE_COLLECTIVE_SLICE;
}

/* Changes how the value lies at one link. */
static void
add_collective (
    Build *self, const char *value, HeddleShardLayout *layout, guint l, HeddleSpread how, const char *axis)
{
  HeddleShardStep *step = g_new0 (HeddleShardStep, 1);

  step->value = value;
  step->from = *layout;
  layout->how[l] = how;
  layout->axis[l] = axis;
  step->to = *layout;
  step->link = l;
  step->kind = kind_of (&step->from, &step->to, l);
  step->axis = axis != NULL ? axis : step->from.axis[l];
  price (self, step);
  self->made->sent_bytes += step->sent_bytes;
  self->made->seconds += step->seconds;
  g_ptr_array_add (self->made->steps, step);
  g_ptr_array_add (layouts_of (self, value), g_memdup2 (layout, sizeof *layout));
}

/* What it takes to have it otherwise, in bytes: to choose from which. */
static double
distance (const HeddleShardLayout *from, const HeddleShardLayout *to)
{
  double sum = 0.;

  for (guint l = 0; l < HEDDLE_MAX_LINKS; l++)
    if (from->how[l] != to->how[l] || from->axis[l] != to->axis[l])
      sum += from->how[l] == HEDDLE_SPREAD_PARTIAL ? 2. : from->how[l] == HEDDLE_SPREAD_SPLIT ? 1. : 0.;
  return sum;
}

static void
ensure (Build *self, const char *value, const HeddleShardLayout *wanted)
{
  GPtrArray *list = layouts_of (self, value);
  const HeddleShardLayout *best = g_ptr_array_index (list, 0);
  HeddleShardLayout layout;

  for (guint i = 0; i < list->len; i++)
    {
      if (heddle_shard_layout_equal (g_ptr_array_index (list, i), wanted))
        return;
      if (distance (g_ptr_array_index (list, i), wanted) < distance (best, wanted))
        best = g_ptr_array_index (list, i);
    }
  layout = *best;
  for (guint l = 0; l < self->made->n_links; l++)
    {
      if (layout.how[l] == wanted->how[l] && layout.axis[l] == wanted->axis[l])
        continue;
      if (layout.how[l] == HEDDLE_SPREAD_SPLIT && wanted->how[l] == HEDDLE_SPREAD_SPLIT)
        add_collective (self, value, &layout, l, HEDDLE_SPREAD_WHOLE, NULL);
      add_collective (self, value, &layout, l, wanted->how[l], wanted->axis[l]);
    }
}

/* --- all of it -------------------------------------------------------------------------- */

/* Inputs are given as all that read them want them; where they differ, whole. */
static void
give_inputs (Build *self)
{
  for (guint i = 0; i < self->segments->len; i++)
    {
      GHashTableIter iter;
      gpointer value, layout;

      g_hash_table_iter_init (&iter, ((HeddleShardSegment *) g_ptr_array_index (self->segments, i))->needs);
      while (g_hash_table_iter_next (&iter, &value, &layout))
        {
          HeddleShardLayout *given = g_hash_table_lookup (self->made->given, value);

          if (heddle_diagram_get_producer (self->made->diagram, value) != NULL)
            continue;
          if (given == NULL)
            set_layout (self->made->given, value, layout);
          for (guint l = 0; given != NULL && l < HEDDLE_MAX_LINKS; l++)
            if (given->axis[l] != ((HeddleShardLayout *) layout)->axis[l])
              {
                given->how[l] = HEDDLE_SPREAD_WHOLE;
                given->axis[l] = NULL;
              }
        }
    }
}

static void
add_given (Build *self)
{
  GHashTableIter iter;
  gpointer value, layout;

  g_hash_table_iter_init (&iter, self->made->given);
  while (g_hash_table_iter_next (&iter, &value, &layout))
    g_ptr_array_add (layouts_of (self, value), g_memdup2 (layout, sizeof (HeddleShardLayout)));
}

/* In the order of the diagram, so that all GPUs do the same and every run gives the same text. */
static void
add_segment (Build *self, HeddleShardSegment *segment)
{
  const GPtrArray *values = self->made->diagram->values;
  HeddleShardStep *step = g_new0 (HeddleShardStep, 1);

  for (guint i = 0; i < values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (values, i);
      const HeddleShardLayout *need = g_hash_table_lookup (segment->needs, value->id);

      if (need != NULL)
        ensure (self, value->id, need);
    }
  step->segment = segment;
  g_ptr_array_add (self->made->steps, step);
  for (guint i = 0; i < values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (values, i);
      const HeddleShardLayout *given = g_hash_table_lookup (segment->gives, value->id);

      if (given != NULL)
        g_ptr_array_add (layouts_of (self, value->id), g_memdup2 (given, sizeof *given));
    }
}

/* Outputs may stay in pieces, not in parts. */
static void
leave_outputs (Build *self)
{
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (self->made->diagram);

  for (guint i = 0; i < outputs->len; i++)
    {
      const char *value = heddle_ids_index (outputs, i);
      GPtrArray *list = layouts_of (self, value);
      HeddleShardLayout layout = { { HEDDLE_SPREAD_WHOLE } };

      if (list->len > 0)
        layout = *(HeddleShardLayout *) g_ptr_array_index (list, list->len - 1);
      for (guint l = 0; l < HEDDLE_MAX_LINKS; l++)
        if (layout.how[l] == HEDDLE_SPREAD_PARTIAL)
          layout.how[l] = HEDDLE_SPREAD_WHOLE;
      if (list->len > 0)
        ensure (self, value, &layout);
      set_layout (self->made->left, value, &layout);
    }
}

static void
make_steps (Build *self)
{
  give_inputs (self);
  add_given (self);
  while (self->segments->len > 0)
    add_segment (self, g_ptr_array_steal_index (self->segments, 0));
  leave_outputs (self);
}

static HeddleSharding *
sharding_new (const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleMachine *machine)
{
  HeddleSharding *self = g_new0 (HeddleSharding, 1);

  self->diagram = heddle_diagram_copy (diagram);
  self->sizes = heddle_sizes_ref ((HeddleSizes *) sizes);
  self->n_links = MIN (machine->links->len, HEDDLE_MAX_LINKS);
  for (guint l = 0; l < HEDDLE_MAX_LINKS; l++)
    self->ways[l] = 1;
  self->steps = g_ptr_array_new_with_free_func ((GDestroyNotify) step_free);
  self->given = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->left = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->apart = g_hash_table_new (NULL, NULL);
  self->inserted = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->refusals
      = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) heddle_refusal_free);
  return self;
}

/* With what merges parts of softmaxes. */
static HeddleSchedule *
merged_schedule (
    HeddleSharding *self, const HeddleSchedule *schedule, const HeddleMachine *machine, HeddleDtype dtype)
{
  HeddleSchedule *own = heddle_schedule_copy (schedule);

  heddle_shard_merge (self, own, machine, dtype);
  return own;
}

HeddleSharding *
heddle_sharding_new (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const HeddleSizes *sizes,
    const HeddleMachine *machine, HeddleDtype dtype, GError **error)
{
  g_autoptr (HeddleSharding) made = sharding_new (diagram, sizes, machine);
  HeddleSchedule *own = merged_schedule (made, schedule, machine, dtype);
  g_autoptr (GHashTable) by_operation = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) parts = heddle_parts_cover (made->diagram, own, by_operation);
  g_autoptr (GPtrArray) sorted = heddle_parts_sort (made->diagram, parts, by_operation, error);
  Build self = { made, machine, dtype, NULL, heddle_ids_new (), g_ptr_array_new (),
    g_ptr_array_new_with_free_func ((GDestroyNotify) segment_free),
    g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref) };

  for (guint i = 0; sorted != NULL && i < sorted->len; i++)
    add_part (&self, g_ptr_array_index (sorted, i));
  close_segment (&self);
  made->gpus = 1;
  for (guint l = 0; l < made->n_links; l++)
    made->gpus *= made->ways[l];
  if (sorted != NULL && g_hash_table_size (made->refusals) == 0)
    make_steps (&self);
  heddle_schedule_free (own);
  g_array_unref (self.operations);
  g_ptr_array_unref (self.regions);
  g_ptr_array_unref (self.segments);
  g_hash_table_unref (self.have);
  return sorted != NULL ? g_steal_pointer (&made) : NULL;
}
