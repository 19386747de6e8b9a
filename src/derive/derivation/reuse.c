/* SPDX-License-Identifier: MIT */
#include "derive/derivation/reuse.h"

/* A kernel depends on its operations, on the labels of its region, and on what the schedule says of arrays
 * and of tiles in general. If the latter differs, nothing is reused. A kernel that computes values again is
 * always derived anew, and so is a refused one: the remedy may be in other kernels. */

struct _HeddleReuse
{
  GHashTable *kernels; /* HeddleKernel by its first operation */
  GHashTable *regions; /* HeddleRegion of the earlier schedule by id */
};

static gboolean
places_are_same (const HeddleSchedule *a, const HeddleSchedule *b)
{
  if (a->residency->len != b->residency->len)
    return FALSE;
  for (guint i = 0; i < a->residency->len; i++)
    {
      const HeddleResidency *one = g_ptr_array_index (a->residency, i);
      const HeddleResidency *other = g_ptr_array_index (b->residency, i);

      if (one->value != other->value || one->column != other->column
          || !g_str_equal (one->level, other->level))
        return FALSE;
    }
  return TRUE;
}

static gboolean
labels_are_same (const GPtrArray *a, const GPtrArray *b)
{
  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    {
      const HeddleLabel *one = g_ptr_array_index (a, i), *other = g_ptr_array_index (b, i);

      if (one->axis != other->axis || one->kind != other->kind || one->size != other->size
          || !g_str_equal (one->level, other->level) || g_strcmp0 (one->inactive, other->inactive) != 0)
        return FALSE;
    }
  return TRUE;
}

static gboolean
ids_are_same (const GArray *a, const GArray *b)
{
  return a->len == b->len && memcmp (a->data, b->data, a->len * sizeof (const char *)) == 0;
}

static gboolean
is_plain (const HeddleSchedule *schedule)
{
  return schedule == NULL
         || (schedule->residency->len == 0 && schedule->recomputed->len == 0 && schedule->layouts->len == 0
             && schedule->divisors == NULL);
}

static gboolean
schedules_agree (const HeddleSchedule *a, const HeddleSchedule *b)
{
  if (a == NULL || b == NULL)
    return is_plain (a) && is_plain (b);
  /* The kernels of a diagram that is laid out borrow the diagram of their own derivation. */
  return a->recomputed->len == 0 && b->recomputed->len == 0 && a->layouts->len == 0 && b->layouts->len == 0
         && g_strcmp0 (a->divisors, b->divisors) == 0 && places_are_same (a, b);
}

HeddleReuse *
heddle_reuse_new (const HeddleDerivation *earlier, const HeddleSchedule *then, const HeddleSchedule *now)
{
  HeddleReuse *self = NULL;

  if (earlier == NULL || earlier->sharding != NULL || !schedules_agree (then, now))
    return NULL;
  self = g_new0 (HeddleReuse, 1);
  self->kernels = g_hash_table_new (NULL, NULL);
  self->regions = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < earlier->kernels->len; i++)
    {
      HeddleKernel *kernel = g_ptr_array_index (earlier->kernels, i);

      if (kernel->refusals->len == 0 && kernel->again->len == 0)
        g_hash_table_insert (self->kernels, (gpointer) heddle_ids_index (kernel->operations, 0), kernel);
    }
  for (guint i = 0; then != NULL && i < then->regions->len; i++)
    {
      HeddleRegion *region = g_ptr_array_index (then->regions, i);

      g_hash_table_insert (self->regions, (gpointer) region->id, region);
    }
  return self;
}

void
heddle_reuse_free (HeddleReuse *self)
{
  g_hash_table_unref (self->kernels);
  g_hash_table_unref (self->regions);
  g_free (self);
}

HeddleKernel *
heddle_reuse_find (const HeddleReuse *self, const HeddlePart *part)
{
  HeddleKernel *kernel = g_hash_table_lookup (self->kernels, heddle_ids_index (part->operations, 0));
  const char *id = part->region != NULL ? part->region->id : NULL;
  const HeddleRegion *region = id != NULL ? g_hash_table_lookup (self->regions, id) : NULL;

  if (kernel == NULL || kernel->region_id != id || !ids_are_same (kernel->operations, part->operations))
    return NULL;
  if (id != NULL && (region == NULL || !labels_are_same (region->labels, part->region->labels)))
    return NULL;
  return heddle_kernel_ref (kernel);
}
