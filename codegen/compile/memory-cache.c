/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "codegen/compile/compilation.h"
#include "codegen/compile/memory-cache.h"

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

/* Returns the end of the string, the character or the comment that begins at @text; in a string a backslash
 * hides what follows it. */
static const char *
skip (const char *text)
{
  const char quote = *text, *end;

  if (quote == '/')
    {
      end = text[1] == '*' ? strstr (text + 2, "*/") : strchr (text, '\n');
      return end == NULL ? text + strlen (text) : text[1] == '*' ? end + 2 : end;
    }
  for (end = text + 1; *end != '\0' && *end != quote; end++)
    if (*end == '\\' && end[1] != '\0')
      end++;
  return *end == '\0' ? end : end + 1;
}

/* Returns the text as a compiler reads it, with a space for each comment. A kernel that was verified says so
 * in one, and is the same kernel. */
static GString *
without_comments (const char *source)
{
  GString *text = g_string_sized_new (strlen (source));

  while (*source != '\0')
    {
      const gboolean comment = source[0] == '/' && (source[1] == '/' || source[1] == '*');
      const gboolean quoted = *source == '"' || *source == '\'';
      const char *end = comment || quoted ? skip (source) : source + 1;

      g_string_append_len (text, comment ? " " : source, comment ? 1 : end - source);
      source = end;
    }
  return text;
}

char *
heddle_memory_cache_key (const char *compiler, const char *arch, const char *source)
{
  g_autoptr (GString) bare = without_comments (source);
  g_autofree char *all = g_strjoin ("\n", HEDDLE_VERSION, compiler, arch, bare->str, NULL);

  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, all, -1);
}

HeddleCompilation *
heddle_memory_cache_get (const char *key)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);
  const HeddleCompilation *found = entries ? g_hash_table_lookup (entries, key) : NULL;

  return found ? copy (found) : NULL;
}

void
heddle_memory_cache_put (const char *key, const HeddleCompilation *compilation)
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
