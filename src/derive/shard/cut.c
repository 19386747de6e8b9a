/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/legality/legality.h"
#include "derive/region/cover-private.h"
#include "derive/region/cover.h"
#include "derive/shard/cut.h"
#include "derive/shard/layout.h"
#include "derive/shard/private.h"
#include "derive/shard/segment.h"
#include "diagram/analysis/sizes.h"
#include "diagram/graph/diagram.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

/* This file groups kernels into segments, as long as each finds what it reads in the layout in which the ones
 * before left it. */

/* --- building -------------------------------------------------------------------------- */

typedef struct
{
  HeddleSharding *made;
  const HeddleMachine *machine;
  HeddleDtype dtype;
  HeddleShardSegment *segment; /* the current segment */
  GArray *operations; /* of it */
  GPtrArray *regions; /* of it */
  GPtrArray *segments; /* of HeddleShardSegment, before steps are made of them */
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

/* Returns how much of the label's axis the GPUs of its link share: a piece of the next larger label above
 * GMEM, or all of it. */
static gint64
extent_of (const Build *self, const HeddleRegion *region, const HeddleLabel *label)
{
  gint64 extent = heddle_sizes_get (self->made->sizes, label->axis);

  for (guint i = 0; i < region->labels->len; i++)
    {
      const HeddleLabel *other = g_ptr_array_index (region->labels, i);

      if (other->axis == label->axis && other->inactive == NULL && other->size > label->size
          && heddle_machine_find_link (self->machine, other->level) >= 0)
        extent = MIN (extent, other->size);
    }
  return extent;
}

static char *
check_label (const Build *self, const HeddleLabel *label, guint l, gint64 n)
{
  const HeddleLink *link = g_ptr_array_index (self->machine->links, l);
  const char *name = heddle_diagram_get_axis (self->made->diagram, label->axis)->name;
  gint64 ways = (n + label->size - 1) / label->size;

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

/* Reads the axis that the region groups at each link. */
static void
read_labels (Build *self, const HeddleRegion *region, const char **axes)
{
  for (guint i = 0; region != NULL && i < region->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (region->labels, i);
      int l = heddle_machine_find_link (self->machine, label->level);
      char *reason = NULL;
      gint64 extent;

      if (l < 0 || label->inactive != NULL
          || heddle_diagram_get_axis (self->made->diagram, label->axis) == NULL)
        continue;
      extent = extent_of (self, region, label);
      reason = check_label (self, label, (guint) l, extent);
      if (reason == NULL && axes[l] != NULL)
        reason = g_strdup (_ ("one axis is grouped at each level above GMEM."));
      if (reason != NULL)
        add_refusal (
            self, region, label->axis, NULL, reason, g_strdup (_ ("Choose another size or axis for it.")));
      else if (self->made->ways[l] > 1 && extent > label->size)
        axes[l] = label->axis;
    }
}

/* --- kernels ---------------------------------------------------------------------------- */

/* Combines what is said of one operation at each link. Returns %FALSE if it is refused. */
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

/* Checks that what is made in the kernel is read there in the layout in which it was left. */
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

/* Collects the needs of one kernel. Two readers that want a value in two layouts cannot be one kernel. */
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

/* Returns whether the kernel finds all its operands in the layout in which the current segment leaves
 * them. */
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

GPtrArray *
heddle_shard_cut (HeddleSharding *made, const HeddleSchedule *schedule, const HeddleMachine *machine,
    HeddleDtype dtype, GError **error)
{
  g_autoptr (GHashTable) by_operation = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) parts = heddle_parts_cover (made->diagram, schedule, by_operation);
  g_autoptr (GPtrArray) sorted = heddle_parts_sort (made->diagram, parts, by_operation, error);
  Build self = { made, machine, dtype, NULL, heddle_ids_new (), g_ptr_array_new (),
    g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_shard_segment_free) };

  for (guint i = 0; sorted != NULL && i < sorted->len; i++)
    add_part (&self, g_ptr_array_index (sorted, i));
  close_segment (&self);
  g_array_unref (self.operations);
  g_ptr_array_unref (self.regions);
  if (sorted == NULL)
    g_clear_pointer (&self.segments, g_ptr_array_unref);
  return self.segments;
}
