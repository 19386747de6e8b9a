/* SPDX-License-Identifier: MIT */
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

#include "codegen/compile/compilation.h"
#include "codegen/compile/disk-cache.h"

/* A file is a GVariant, packed by gzip, whose checksum says that all of it was written: compiler, milliseconds, PTX, cubin, log. */
#define TYPE "(sdayayay)"
#define MOST_BYTES (256 << 20)
/* A file of one kernel unpacks to at most so many bytes; a compiler writes no more within its bounds. */
#define MOST_OF_ONE (128 << 20)

/* Returns whether only the user can have written there. */
static gboolean
is_own (const char *path, mode_t type)
{
  GStatBuf info;

  return g_lstat (path, &info) == 0 && (info.st_mode & S_IFMT) == type && info.st_uid == geteuid ()
         && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Returns the folder, or NULL if nothing is to be kept. */
static char *
find_folder (void)
{
  const char *given = g_getenv ("HEDDLE_COMPILE_CACHE");
  char *folder;

  if (g_strcmp0 (given, "none") == 0)
    return NULL;
  folder = given != NULL && *given != '\0'
               ? g_strdup (given)
               : g_build_filename (g_get_user_cache_dir (), "heddle", "compiled", NULL);
  if (g_mkdir_with_parents (folder, 0700) == 0 && is_own (folder, S_IFDIR))
    return folder;
  g_free (folder);
  return NULL;
}

static char *
path_in (const char *folder, const char *key)
{
  return g_build_filename (folder, key, NULL);
}

/* --- packing --------------------------------------------------------------------------- */

static GBytes *
pack (GVariant *variant)
{
  g_autoptr (GZlibCompressor) packer = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 1);
  g_autoptr (GOutputStream) memory = g_memory_output_stream_new_resizable ();
  g_autoptr (GOutputStream) stream = g_converter_output_stream_new (memory, G_CONVERTER (packer));

  if (!g_output_stream_write_all (
          stream, g_variant_get_data (variant), g_variant_get_size (variant), NULL, NULL, NULL)
      || !g_output_stream_close (stream, NULL, NULL))
    return NULL;
  return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (memory));
}

/* Returns all that was packed, or NULL if it is damaged or too long. */
static GByteArray *
unpack (const char *data, gsize length)
{
  g_autoptr (GZlibDecompressor) unpacker = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_autoptr (GInputStream) memory = g_memory_input_stream_new_from_data (data, (gssize) length, NULL);
  g_autoptr (GInputStream) stream = g_converter_input_stream_new (memory, G_CONVERTER (unpacker));
  g_autoptr (GByteArray) whole = g_byte_array_new ();
  guint8 part[65536];
  gssize n;

  while ((n = g_input_stream_read (stream, part, sizeof part, NULL, NULL)) > 0 && whole->len < MOST_OF_ONE)
    g_byte_array_append (whole, part, (guint) n);
  return n == 0 ? g_steal_pointer (&whole) : NULL;
}

/* --- one kernel ------------------------------------------------------------------------ */

static GVariant *
bytes_variant (const void *data, gsize length)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, data, length, 1);
}

static GVariant *
write_compilation (const HeddleCompilation *self)
{
  gsize length;
  const void *cubin = g_bytes_get_data (self->cubin, &length);
  const char *log = self->log != NULL ? self->log : "";

  return g_variant_ref_sink (g_variant_new ("(sd@ay@ay@ay)", self->compiler, self->milliseconds,
      bytes_variant (self->ptx, strlen (self->ptx)), bytes_variant (cubin, length),
      bytes_variant (log, strlen (log))));
}

static char *
read_text (GVariant *tuple, gsize child)
{
  g_autoptr (GVariant) bytes = g_variant_get_child_value (tuple, child);

  return g_strndup (g_variant_get_data (bytes), g_variant_get_size (bytes));
}

static HeddleCompilation *
read_compilation (GVariant *tuple)
{
  g_autoptr (HeddleCompilation) self = g_new0 (HeddleCompilation, 1);
  g_autoptr (GVariant) cubin = g_variant_get_child_value (tuple, 3);

  g_variant_get_child (tuple, 0, "s", &self->compiler);
  g_variant_get_child (tuple, 1, "d", &self->milliseconds);
  self->ptx = read_text (tuple, 2);
  self->cubin = g_variant_get_data_as_bytes (cubin);
  self->log = read_text (tuple, 4);
  heddle_compilation_read_log (self);
  return *self->ptx != '\0' && g_bytes_get_size (self->cubin) > 0 ? g_steal_pointer (&self) : NULL;
}

/* --- the folder ------------------------------------------------------------------------ */

typedef struct
{
  char *path;
  gint64 asked; /* when it was asked for last, in seconds */
  gint64 bytes;
} Kept;

static void
kept_free (Kept *self)
{
  g_free (self->path);
  g_free (self);
}

static int
compare_asked (gconstpointer a, gconstpointer b)
{
  const Kept *one = *(Kept *const *) a, *other = *(Kept *const *) b;

  return (one->asked > other->asked) - (one->asked < other->asked);
}

static GPtrArray *
list_kept (const char *folder, gint64 *total)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) kept_free);
  g_autoptr (GDir) directory = g_dir_open (folder, 0, NULL);
  const char *name;

  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
    {
      g_autofree char *path = path_in (folder, name);
      GStatBuf info;

      if (g_lstat (path, &info) != 0 || !S_ISREG (info.st_mode))
        continue;
      *total += info.st_size;
      g_ptr_array_add (
          all, g_memdup2 (&(Kept){ g_steal_pointer (&path), info.st_mtime, info.st_size }, sizeof (Kept)));
    }
  return all;
}

void
heddle_disk_cache_sweep (const char *folder, gint64 bytes)
{
  g_autoptr (GPtrArray) all = NULL;
  gint64 total = 0;

  g_return_if_fail (folder != NULL);

  all = list_kept (folder, &total);
  g_ptr_array_sort (all, compare_asked);
  for (guint i = 0; i < all->len && total > bytes; i++)
    {
      const Kept *kept = g_ptr_array_index (all, i);

      g_unlink (kept->path);
      total -= kept->bytes;
    }
}

/* Sweeps before the first file that this process writes, and whenever it has written an eighth of what there may be. */
static void
make_room (const char *folder, gint64 bytes)
{
  static GMutex mutex;
  static gint64 left;
  gboolean sweeps;

  g_mutex_lock (&mutex);
  left -= bytes;
  sweeps = left < 0;
  if (sweeps)
    left = MOST_BYTES / 8;
  g_mutex_unlock (&mutex);
  if (sweeps)
    heddle_disk_cache_sweep (folder, MOST_BYTES / 8 * 7);
}

char *
heddle_disk_cache_build_of (const char *file)
{
  g_autofree char *path = g_canonicalize_filename (file, NULL);
  GStatBuf info;

  if (g_stat (path, &info) != 0)
    return NULL;
  return g_strdup_printf (
      "%s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, path, (gint64) info.st_size, (gint64) info.st_mtime);
}

HeddleCompilation *
heddle_disk_cache_get (const char *key)
{
  g_autofree char *folder = find_folder (), *path = folder != NULL ? path_in (folder, key) : NULL,
                  *data = NULL;
  g_autoptr (GByteArray) whole = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GVariant) tuple = NULL;
  gsize length;

  if (path == NULL || !is_own (path, S_IFREG) || !g_file_get_contents (path, &data, &length, NULL))
    return NULL;
  whole = unpack (data, length);
  if (whole == NULL)
    return NULL;
  g_utime (path, NULL);
  bytes = g_byte_array_free_to_bytes (g_steal_pointer (&whole));
  tuple = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE (TYPE), bytes, FALSE));
  return g_variant_is_normal_form (tuple) ? read_compilation (tuple) : NULL;
}

void
heddle_disk_cache_put (const char *key, const HeddleCompilation *compilation)
{
  g_autofree char *folder = find_folder (), *path = folder != NULL ? path_in (folder, key) : NULL;
  g_autoptr (GVariant) tuple = path != NULL ? write_compilation (compilation) : NULL;
  g_autoptr (GBytes) packed = tuple != NULL ? pack (tuple) : NULL;
  gsize length;
  const char *data;

  if (packed == NULL)
    return;
  data = g_bytes_get_data (packed, &length);
  make_room (folder, (gint64) length);
  g_file_set_contents_full (path, data, (gssize) length, G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL);
}
