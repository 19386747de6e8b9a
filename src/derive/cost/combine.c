/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/combine.h"
#include "derive/cost/cost.h"
#include "diagram/analysis/sizes.h"
#include "diagram/graph/diagram.h"

/* What the second kernel of a split program costs, for the number of parts that its tiles make. */

/* For numbers of parts that a search comes back to. */
#define MAX_COMBINES 64

typedef struct
{
  HeddleSizes *sizes;
  HeddleCost *cost;
} Merging;

struct _HeddleCombine
{
  GHashTable *by_parts; /* number of parts -> Merging */
};

static void
merging_free (gpointer data)
{
  Merging *self = data;

  heddle_cost_free (self->cost);
  heddle_sizes_unref (self->sizes);
  g_free (self);
}

struct _HeddleCombine *
heddle_combine_new (void)
{
  struct _HeddleCombine *self = g_new0 (struct _HeddleCombine, 1);

  self->by_parts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, merging_free);
  return self;
}

void
heddle_combine_free (struct _HeddleCombine *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->by_parts);
  g_free (self);
}

static const HeddleCost *
get_merging (const HeddleCost *self, gint64 parts)
{
  GHashTable *known = self->combine->by_parts;
  Merging *merging = g_hash_table_lookup (known, &parts);

  if (merging != NULL)
    return merging->cost;
  if (g_hash_table_size (known) >= MAX_COMBINES)
    g_hash_table_remove_all (known);
  merging = g_new0 (Merging, 1);
  merging->sizes = heddle_sizes_with (self->sizes, self->program->parts, parts);
  merging->cost = heddle_cost_new (self->program->combine, merging->sizes, self->columns);
  g_hash_table_insert (known, g_memdup2 (&parts, sizeof parts), merging);
  return merging->cost;
}

const HeddleCost *
heddle_cost_combine (const HeddleCost *self, const gint64 *tiles, gint64 own_tiles[HEDDLE_MAX_GROUPS])
{
  gint64 n, parts;

  if (self->combine == NULL)
    return NULL;
  n = self->n[self->split];
  parts = n / tiles[self->split] + (n % tiles[self->split] != 0);
  for (guint i = 0, k = 0; i < self->n_groups; i++)
    if ((int) i != self->split)
      own_tiles[k++] = tiles[i];
  return get_merging (self, parts);
}
