/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/machine-private.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* A machine file is a key file: [Machine], [Tensor] (FLOP/s by data type) and one [Level NAME] for each memory, top first. */

#define MACHINE "Machine"
#define TENSOR "Tensor"
#define LEVEL_PREFIX "Level "
#define MAX_FILE_BYTES (64 * 1024)
#define MAX_LEVELS 16
#define MAX_COUNT 1e6
#define MAX_BYTES 1e15
#define MAX_RATE 1e21

/* A file being read: the first thing wrong stops all further reading. */
typedef struct
{
  const char *path;
  GKeyFile *file;
  GError *error;
} Reader;

G_GNUC_PRINTF (4, 5)
static void
fail (Reader *reader, const char *group, const char *key, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  if (reader->error != NULL)
    return;
  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  reader->error = key != NULL ? g_error_new (HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE,
                      "%s: [%s] %s: %s", reader->path, group, key, message)
                              : g_error_new (HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE, "%s: [%s]: %s",
                                  reader->path, group, message);
}

static char *
read_text (Reader *reader, const char *group, const char *key, gboolean required)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (reader->error != NULL)
    return NULL;
  text = g_key_file_get_string (reader->file, group, key, &error);
  if (text != NULL && text[0] != '\0')
    return g_steal_pointer (&text);
  if (error != NULL && !g_error_matches (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_KEY_NOT_FOUND))
    fail (reader, group, key, "%s", error->message);
  else if (required)
    fail (reader, group, key, "%s", _ ("is missing"));
  return NULL;
}

/* A number from @least to @most; 0 where the key is not there and not required. */
static double
read_number (Reader *reader, const char *group, const char *key, gboolean required, double least, double most)
{
  g_autofree char *text = read_text (reader, group, key, required);
  double value;
  char *end;

  if (text == NULL)
    return 0.;
  value = g_ascii_strtod (text, &end);
  if (end == text || *end != '\0' || !isfinite (value))
    fail (reader, group, key, _ ("“%s” is not a number"), text);
  else if (value < least || value > most)
    fail (reader, group, key, _ ("%s is not from %g to %g"), text, least, most);
  return reader->error == NULL ? value : 0.;
}

static gint64
read_whole (Reader *reader, const char *group, const char *key, gboolean required, double most)
{
  double value = read_number (reader, group, key, required, 0., most);

  if (value != floor (value))
    fail (reader, group, key, _ ("%g is not a whole number"), value);
  return (gint64) value;
}

static gboolean
read_flag (Reader *reader, const char *group, const char *key)
{
  g_autofree char *text = read_text (reader, group, key, FALSE);

  if (text == NULL || g_str_equal (text, "false"))
    return FALSE;
  if (!g_str_equal (text, "true"))
    fail (reader, group, key, _ ("“%s” is neither true nor false"), text);
  return TRUE;
}

/* A name is what the command line takes: letters, digits, dots and dashes. */
static void
check_name (Reader *reader, const char *group, const char *key, const char *name)
{
  for (const char *p = name; p != NULL && *p != '\0'; p++)
    if (!g_ascii_isalnum (*p) && strchr (".-_", *p) == NULL)
      {
        fail (reader, group, key, _ ("“%s” has other signs than letters, digits, “.”, “-” and “_”"), name);
        return;
      }
}

static void
read_aliases (Reader *reader, HeddleMachine *machine)
{
  machine->aliases = g_key_file_get_string_list (reader->file, MACHINE, "Aliases", NULL, NULL);
  for (char **alias = machine->aliases; alias != NULL && *alias != NULL; alias++)
    check_name (reader, MACHINE, "Aliases", *alias);
}

static void
read_machine (Reader *reader, HeddleMachine *machine)
{
  gboolean real;

  machine->name = read_text (reader, MACHINE, "Name", TRUE);
  check_name (reader, MACHINE, "Name", machine->name);
  machine->title = read_text (reader, MACHINE, "Title", TRUE);
  machine->source = read_text (reader, MACHINE, "Source", TRUE);
  machine->arch = read_text (reader, MACHINE, "Arch", FALSE);
  check_name (reader, MACHINE, "Arch", machine->arch);
  read_aliases (reader, machine);
  real = machine->arch != NULL;
  machine->sms = (guint) read_whole (reader, MACHINE, "SMs", real, MAX_COUNT);
  machine->clock = read_number (reader, MACHINE, "Clock", real, real ? 1e6 : 0., 1e12);
  machine->fp32_flops = read_number (reader, MACHINE, "FP32", real, 0., MAX_RATE);
  machine->fp64_flops = read_number (reader, MACHINE, "FP64", FALSE, 0., MAX_RATE);
  machine->special_per_clock = read_number (reader, MACHINE, "SpecialPerClock", real, 0., 1e6);
  machine->max_threads_per_block
      = (guint) read_whole (reader, MACHINE, "MaxThreadsPerBlock", real, MAX_COUNT);
  machine->max_threads_per_sm = (guint) read_whole (reader, MACHINE, "MaxThreadsPerSM", real, MAX_COUNT);
  machine->max_blocks_per_sm = (guint) read_whole (reader, MACHINE, "MaxBlocksPerSM", real, MAX_COUNT);
  machine->warp_size = (guint) read_whole (reader, MACHINE, "WarpSize", real, 1024.);
  machine->register_granularity
      = (guint) read_whole (reader, MACHINE, "RegisterGranularity", FALSE, MAX_COUNT);
  machine->reserved_shared_bytes = read_whole (reader, MACHINE, "ReservedShared", FALSE, MAX_BYTES);
  if (reader->error == NULL && real && machine->sms == 0)
    fail (reader, MACHINE, "SMs", "%s", _ ("a GPU has at least one"));
}

static void
read_tensor (Reader *reader, HeddleMachine *machine)
{
  g_auto (GStrv) keys = g_key_file_get_keys (reader->file, TENSOR, NULL, NULL);

  for (char **key = keys; key != NULL && *key != NULL; key++)
    {
      HeddleDtype dtype;

      if (!heddle_dtype_from_string (*key, &dtype))
        fail (reader, TENSOR, *key, "%s", _ ("is no data type"));
      else
        machine->tensor_flops[dtype] = read_number (reader, TENSOR, *key, TRUE, 0., MAX_RATE);
    }
}

static void
read_level (Reader *reader, HeddleMachine *machine, const char *group)
{
  HeddleLevel *level = heddle_level_new (group + strlen (LEVEL_PREFIX));
  g_autofree char *parent = read_text (reader, group, "Parent", machine->levels->len > 0);

  check_name (reader, group, "name", level->name);
  level->title = read_text (reader, group, "Title", TRUE);
  level->count = (guint) read_whole (reader, group, "Count", TRUE, MAX_COUNT);
  level->capacity_bytes = read_whole (reader, group, "Capacity", FALSE, MAX_BYTES);
  level->total_bytes = read_whole (reader, group, "Total", FALSE, MAX_BYTES);
  level->bandwidth = read_number (reader, group, "Bandwidth", FALSE, 0., MAX_RATE);
  level->joules_per_byte = read_number (reader, group, "JoulesPerByte", FALSE, 0., 1.);
  level->cache = read_flag (reader, group, "Cache");
  level->labels = read_flag (reader, group, "Labels");
  if (parent != NULL)
    level->parent = heddle_machine_find_level (machine, parent);
  if (parent != NULL && level->parent < 0)
    fail (reader, group, "Parent", _ ("there is no level “%s” before this one"), parent);
  if (level->total_bytes == 0)
    level->total_bytes = level->capacity_bytes;
  if (heddle_machine_find_level (machine, level->name) >= 0)
    fail (reader, group, NULL, "%s", _ ("there is a level of that name already"));
  if (reader->error == NULL && level->count == 0)
    fail (reader, group, "Count", "%s", _ ("must be at least 1"));
  if (reader->error == NULL && level->labels && (level->capacity_bytes == 0 || machine->levels->len == 0))
    fail (reader, group, "Labels", "%s", _ ("a level that takes labels is below another and has a capacity"));
  g_ptr_array_add (machine->levels, level);
}

static void
read_levels (Reader *reader, HeddleMachine *machine)
{
  g_auto (GStrv) groups = g_key_file_get_groups (reader->file, NULL);

  for (char **group = groups; *group != NULL && reader->error == NULL; group++)
    {
      if (g_str_equal (*group, MACHINE) || g_str_equal (*group, TENSOR))
        continue;
      if (!g_str_has_prefix (*group, LEVEL_PREFIX))
        fail (reader, *group, NULL, "%s", _ ("is no group of a machine file"));
      else if (machine->levels->len == MAX_LEVELS)
        fail (reader, *group, NULL, _ ("a machine has at most %d levels"), MAX_LEVELS);
      else
        read_level (reader, machine, *group);
    }
  if (machine->levels->len < 2)
    fail (reader, MACHINE, NULL, "%s", _ ("a machine has at least two levels"));
}

/* Reads no more than a machine file can be long, whatever the file is. */
static char *
read_bounded (const char *path, gsize *length, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = NULL;
  g_autofree char *text = g_malloc (MAX_FILE_BYTES + 1);
  g_autoptr (GError) reason = NULL;

  if (g_file_test (path, G_FILE_TEST_EXISTS) && !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    reason = g_error_new_literal (HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE, _ ("is no regular file"));
  else if ((stream = g_file_read (file, NULL, &reason)) != NULL
           && g_input_stream_read_all (
               G_INPUT_STREAM (stream), text, MAX_FILE_BYTES + 1, length, NULL, &reason)
           && *length > MAX_FILE_BYTES)
    reason = g_error_new (HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE,
        _ ("is longer than the %d bytes a machine file may have"), MAX_FILE_BYTES);
  if (reason == NULL)
    return g_steal_pointer (&text);
  g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE, "%s: %s", path, reason->message);
  return NULL;
}

/**
 * heddle_machine_load_file:
 * @path: a machine file
 *
 * Reads one machine. Its file is a key file of at most 64 KiB.
 *
 * Returns: (transfer full): the machine; or %NULL with %HEDDLE_DERIVE_ERROR_MACHINE, whose message names file, group and key
 */
HeddleMachine *
heddle_machine_load_file (const char *path, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (HeddleMachine) machine = g_new0 (HeddleMachine, 1);
  g_autoptr (GError) reason = NULL;
  g_autofree char *text = NULL;
  Reader reader = { path, file, NULL };
  gsize length = 0;

  g_return_val_if_fail (path != NULL, NULL);

  machine->levels = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_level_free);
  text = read_bounded (path, &length, error);
  if (text == NULL)
    return NULL;
  if (!g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, &reason))
    {
      g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE, "%s: %s", path, reason->message);
      return NULL;
    }
  read_machine (&reader, machine);
  read_tensor (&reader, machine);
  read_levels (&reader, machine);
  if (reader.error == NULL)
    return g_steal_pointer (&machine);
  g_propagate_error (error, reader.error);
  return NULL;
}
