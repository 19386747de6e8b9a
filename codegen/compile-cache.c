/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "codegen/compiler.h"

/* What was compiled before, by the content of its text: an editor compiles the same kernel to show, to check and to export it. */

#define MOST_ENTRIES 256

static GMutex mutex;
static GHashTable *entries; /* key -> HeddleCompilation */
static GQueue order = G_QUEUE_INIT; /* of keys, the oldest first */

static HeddleCompilation *
copy (const HeddleCompilation *self)
{
  HeddleCompilation *result = g_memdup2 (self, sizeof *self);

  result->ptx = g_strdup (self->ptx);
  result->cubin = g_bytes_ref (self->cubin);
  result->log = g_strdup (self->log);
  result->compiler = g_strdup (self->compiler);
  return result;
}

char *
heddle_compile_cache_key (const char *compiler, const char *arch, const char *source)
{
  g_autofree char *all = g_strjoin ("\n", compiler, arch, source, NULL);

  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, all, -1);
}

HeddleCompilation *
heddle_compile_cache_get (const char *key)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);
  const HeddleCompilation *found = entries ? g_hash_table_lookup (entries, key) : NULL;

  return found ? copy (found) : NULL;
}

void
heddle_compile_cache_put (const char *key, const HeddleCompilation *compilation)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);
  char *owned;

  if (entries == NULL)
    entries
        = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_compilation_free);
  if (g_hash_table_contains (entries, key))
    return;
  owned = g_strdup (key);
  g_hash_table_insert (entries, owned, copy (compilation));
  g_queue_push_tail (&order, owned);
  if (g_queue_get_length (&order) > MOST_ENTRIES)
    g_hash_table_remove (entries, g_queue_pop_head (&order));
}
