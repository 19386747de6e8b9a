/* SPDX-License-Identifier: MIT */
#include "derive/kernel/search-cache.h"

/* The number of results kept: more than a model of a hundred layers has. Later ones are not kept. */
#define MAX_KEPT 20000

struct _HeddleSearchCache
{
  grefcount references;
  guint64 searched; /* operations of kernels */
  GHashTable *tilings; /* GBytes -> Found */
  GHashTable *costs; /* GBytes -> double */
  GHashTable *topics; /* static name -> table of GBytes -> what rooms above found */
};

/* The axes by their number among the region's. */
typedef struct
{
  guint axis;
  gint64 size;
} FoundTile;

typedef struct
{
  GArray *groups; /* of FoundTile */
  int stream; /* -1: nothing streams */
  gint64 chunk;
  gboolean exact;
  const char *unproved; /* static */
  char *binding, *runner_up;
} Found;

static void
found_free (gpointer data)
{
  Found *self = data;

  g_array_unref (self->groups);
  g_free (self->binding);
  g_free (self->runner_up);
  g_free (self);
}

static GHashTable *
table_new (GDestroyNotify free_value)
{
  return g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, free_value);
}

HeddleSearchCache *
heddle_search_cache_new (void)
{
  HeddleSearchCache *self = g_new0 (HeddleSearchCache, 1);

  g_ref_count_init (&self->references);
  self->tilings = table_new (found_free);
  self->costs = table_new (g_free);
  self->topics = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_hash_table_unref);
  return self;
}

HeddleSearchCache *
heddle_search_cache_ref (HeddleSearchCache *self)
{
  g_ref_count_inc (&self->references);
  return self;
}

void
heddle_search_cache_unref (HeddleSearchCache *self)
{
  if (!g_ref_count_dec (&self->references))
    return;
  g_hash_table_unref (self->tilings);
  g_hash_table_unref (self->costs);
  g_hash_table_unref (self->topics);
  g_free (self);
}

gboolean
heddle_search_cache_lookup_tiling (const HeddleSearchCache *self, GBytes *key, const HeddleRegionTerm *region,
    HeddleTiling *tiling, HeddleSearchReport *report)
{
  const Found *found = g_hash_table_lookup (self->tilings, key);

  if (found == NULL)
    return FALSE;
  g_array_set_size (tiling->groups, 0);
  for (guint i = 0; i < found->groups->len; i++)
    {
      const FoundTile *own = &g_array_index (found->groups, FoundTile, i);
      HeddleTile tile = { heddle_ids_index (region->axes, own->axis), own->size };

      g_array_append_val (tiling->groups, tile);
    }
  tiling->stream = found->stream >= 0 ? heddle_ids_index (region->axes, (guint) found->stream) : NULL;
  tiling->chunk = found->chunk;
  report->exact = found->exact;
  report->unproved = found->unproved;
  report->binding = g_strdup (found->binding);
  report->runner_up = g_strdup (found->runner_up);
  return TRUE;
}

void
heddle_search_cache_store_tiling (HeddleSearchCache *self, GBytes *key, const HeddleRegionTerm *region,
    const HeddleTiling *tiling, const HeddleSearchReport *report)
{
  Found *found;

  if (g_hash_table_size (self->tilings) >= MAX_KEPT)
    return;
  found = g_new0 (Found, 1);
  found->groups = g_array_new (FALSE, FALSE, sizeof (FoundTile));
  for (guint i = 0; i < tiling->groups->len; i++)
    {
      const HeddleTile *tile = &g_array_index (tiling->groups, HeddleTile, i);
      FoundTile own = { (guint) heddle_ids_find (region->axes, tile->axis), tile->size };

      g_array_append_val (found->groups, own);
    }
  found->stream = tiling->stream != NULL ? heddle_ids_find (region->axes, tiling->stream) : -1;
  found->chunk = tiling->chunk;
  found->exact = report->exact;
  found->unproved = report->unproved;
  found->binding = g_strdup (report->binding);
  found->runner_up = g_strdup (report->runner_up);
  g_hash_table_insert (self->tilings, g_bytes_ref (key), found);
}

gboolean
heddle_search_cache_lookup_cost (const HeddleSearchCache *self, GBytes *key, double *cost)
{
  const double *found = g_hash_table_lookup (self->costs, key);

  if (found != NULL)
    *cost = *found;
  return found != NULL;
}

void
heddle_search_cache_store_cost (HeddleSearchCache *self, GBytes *key, double cost)
{
  if (g_hash_table_size (self->costs) < MAX_KEPT)
    g_hash_table_insert (self->costs, g_bytes_ref (key), g_memdup2 (&cost, sizeof cost));
}

void
heddle_search_cache_count (HeddleSearchCache *self, guint operations)
{
  self->searched += operations;
}

guint64
heddle_search_cache_get_searched (const HeddleSearchCache *self)
{
  return self->searched;
}

gconstpointer
heddle_search_cache_lookup (const HeddleSearchCache *self, const char *topic, GBytes *key)
{
  GHashTable *known = g_hash_table_lookup (self->topics, topic);

  return known != NULL ? g_hash_table_lookup (known, key) : NULL;
}

void
heddle_search_cache_store (
    HeddleSearchCache *self, const char *topic, GBytes *key, gpointer value, GDestroyNotify free_value)
{
  GHashTable *known = g_hash_table_lookup (self->topics, topic);

  if (known == NULL)
    {
      known = table_new (free_value);
      g_hash_table_insert (self->topics, (gpointer) topic, known);
    }
  if (g_hash_table_size (known) < MAX_KEPT)
    g_hash_table_insert (known, g_bytes_ref (key), value);
  else
    free_value (value);
}
