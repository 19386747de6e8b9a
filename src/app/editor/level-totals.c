/* SPDX-License-Identifier: MIT */

#include "app/editor/level-totals.h"
#include "derive/cost/level-cost.h"
#include "diagram/analysis/sizes.h"

static HeddleLevelTotal *
find (const HeddleLevelTotals *self, const char *level)
{
  for (guint i = 0; i < self->levels->len; i++)
    {
      HeddleLevelTotal *total = &g_array_index (self->levels, HeddleLevelTotal, i);

      if (g_str_equal (total->level, level))
        return total;
    }
  return NULL;
}

static void
add_cost (HeddleLevelTotals *self, const HeddleLevelCost *cost)
{
  HeddleLevelTotal *total = find (self, cost->level);

  if (total == NULL)
    {
      g_array_append_vals (self->levels, &(HeddleLevelTotal){ .level = cost->level }, 1);
      total = &g_array_index (self->levels, HeddleLevelTotal, self->levels->len - 1);
    }
  total->held.values = MAX (total->held.values, (double) cost->memory_elements);
  total->held.bytes = MAX (total->held.bytes, (double) cost->memory_bytes);
  total->moved.values += (double) cost->transfer_elements;
  total->moved.bytes += (double) cost->transfer_bytes;
}

/* This says how arrays are counted. */
typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleSizes *sizes;
  HeddleDtype dtype;
  GHashTable *seen; /* ids of arrays that were counted */
} Count;

static void
add_values (HeddleLevelTotals *self, const Count *count, const GArray *ids)
{
  for (guint i = 0; i < ids->len; i++)
    {
      const char *id = heddle_ids_index (ids, i);
      const HeddleValue *value = heddle_diagram_get_value (count->diagram, id);
      double n;

      if (value == NULL || !g_hash_table_add (count->seen, (gpointer) id))
        continue;
      n = (double) heddle_sizes_elements (count->sizes, value);
      self->stored.values += n;
      self->stored.bytes += n * heddle_dtype_bytes (heddle_diagram_dtype (count->diagram, id, count->dtype));
    }
}

HeddleLevelTotals *
heddle_level_totals_new (const HeddleDerivation *derivation, const HeddleDiagram *diagram,
    const HeddleSizes *sizes, HeddleDtype dtype)
{
  HeddleLevelTotals *self = g_new0 (HeddleLevelTotals, 1);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  const Count count = { diagram, sizes, dtype, seen };

  self->levels = g_array_new (FALSE, FALSE, sizeof (HeddleLevelTotal));
  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      for (guint j = 0; j < kernel->levels->len; j++)
        add_cost (self, g_ptr_array_index (kernel->levels, j));
      if (kernel->program == NULL)
        continue;
      add_values (self, &count, kernel->program->inputs);
      add_values (self, &count, kernel->program->outputs);
    }
  return self;
}

void
heddle_level_totals_free (HeddleLevelTotals *self)
{
  g_array_unref (self->levels);
  g_free (self);
}

const HeddleLevelTotal *
heddle_level_totals_find (const HeddleLevelTotals *self, const char *level)
{
  return find (self, level);
}
