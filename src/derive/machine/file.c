/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/machine/file.h"
#include "derive/machine/key-file.h"
#include "derive/machine/sustained.h"
#include "diagram/base/dtype.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A machine file is a key file: [Machine], [Tensor] (FLOP/s by data type), [Sustained] (what is reached in
 * practice), one [Level NAME] for each memory, top first, and one [Link NAME] for what joins several GPUs,
 * several of those, and so on. */

#define MACHINE "Machine"
#define TENSOR "Tensor"
#define LEVEL_PREFIX "Level "
#define LINK_PREFIX "Link "
#define MAX_LINKS 3
#define MAX_LEVELS 16
#define MAX_COUNT 1e6
#define MAX_BYTES 1e15
#define MAX_RATE 1e21

static const char *const machine_keys[] = { "Name", "Title", "Aliases", "Source", "Measured", "Arch",
  "ComparisonOnly", "SMs", "Clock", "FP32", "FP64", "SpecialPerClock", "MaxThreadsPerBlock",
  "MaxThreadsPerSM", "MaxBlocksPerSM", "WarpSize", "RegisterGranularity", "ReservedShared", NULL };
static const char *const link_keys[] = { "Title", "Count", "Bandwidth", "Latency", NULL };
static const char *const level_keys[] = { "Title", "Parent", "Above", "Count", "Capacity", "Total",
  "Bandwidth", "JoulesPerByte", "Cache", "Labels", NULL };

/* Checks that a name has only letters, digits, dots, dashes and underscores, as the command line takes it. */
static void
check_name (HeddleKeyFile *reader, const char *group, const char *key, const char *name)
{
  for (const char *p = name; p != NULL && *p != '\0'; p++)
    if (!g_ascii_isalnum (*p) && strchr (".-_", *p) == NULL)
      {
        heddle_key_file_fail (
            reader, group, key, _ ("“%s” has characters other than letters, digits, “.”, “-” and “_”"), name);
        return;
      }
}

static void
read_aliases (HeddleKeyFile *reader, HeddleMachine *machine)
{
  machine->aliases = heddle_key_file_get_list (reader, MACHINE, "Aliases", FALSE);
  for (char **alias = machine->aliases; alias != NULL && *alias != NULL; alias++)
    check_name (reader, MACHINE, "Aliases", *alias);
}

static void
read_machine (HeddleKeyFile *reader, HeddleMachine *machine)
{
  gboolean real;

  machine->name = heddle_key_file_get_text (reader, MACHINE, "Name", TRUE);
  check_name (reader, MACHINE, "Name", machine->name);
  machine->title = heddle_key_file_get_text (reader, MACHINE, "Title", TRUE);
  machine->source = heddle_key_file_get_text (reader, MACHINE, "Source", TRUE);
  machine->measured = heddle_key_file_get_text (reader, MACHINE, "Measured", FALSE);
  machine->arch = heddle_key_file_get_text (reader, MACHINE, "Arch", FALSE);
  check_name (reader, MACHINE, "Arch", machine->arch);
  machine->comparison_only = heddle_key_file_get_flag (reader, MACHINE, "ComparisonOnly");
  read_aliases (reader, machine);
  real = machine->arch != NULL;
  machine->sms = (guint) heddle_key_file_get_whole (reader, MACHINE, "SMs", real, MAX_COUNT);
  machine->clock = heddle_key_file_get_number (reader, MACHINE, "Clock", real, real ? 1e6 : 0., 1e12);
  machine->fp32_flops = heddle_key_file_get_number (reader, MACHINE, "FP32", real, 0., MAX_RATE);
  machine->fp64_flops = heddle_key_file_get_number (reader, MACHINE, "FP64", FALSE, 0., MAX_RATE);
  machine->special_per_clock = heddle_key_file_get_number (reader, MACHINE, "SpecialPerClock", real, 0., 1e6);
  machine->max_threads_per_block
      = (guint) heddle_key_file_get_whole (reader, MACHINE, "MaxThreadsPerBlock", real, MAX_COUNT);
  machine->max_threads_per_sm
      = (guint) heddle_key_file_get_whole (reader, MACHINE, "MaxThreadsPerSM", real, MAX_COUNT);
  machine->max_blocks_per_sm
      = (guint) heddle_key_file_get_whole (reader, MACHINE, "MaxBlocksPerSM", real, MAX_COUNT);
  machine->warp_size = (guint) heddle_key_file_get_whole (reader, MACHINE, "WarpSize", real, 1024.);
  machine->register_granularity
      = (guint) heddle_key_file_get_whole (reader, MACHINE, "RegisterGranularity", FALSE, MAX_COUNT);
  machine->reserved_shared_bytes
      = heddle_key_file_get_whole (reader, MACHINE, "ReservedShared", FALSE, MAX_BYTES);
  heddle_key_file_check_keys (reader, MACHINE, machine_keys, _ ("is not a key of a machine file"));
  if (reader->error == NULL && real && machine->sms == 0)
    heddle_key_file_fail (reader, MACHINE, "SMs", "%s", _ ("a GPU has at least one"));
}

static void
read_tensor (HeddleKeyFile *reader, HeddleMachine *machine)
{
  g_auto (GStrv) keys = g_key_file_get_keys (reader->file, TENSOR, NULL, NULL);

  for (char **key = keys; key != NULL && *key != NULL; key++)
    {
      HeddleDtype dtype;

      if (!heddle_dtype_from_string (*key, &dtype))
        heddle_key_file_fail (reader, TENSOR, *key, "%s", _ ("is not a data type"));
      else
        machine->tensor_flops[dtype] = heddle_key_file_get_number (reader, TENSOR, *key, TRUE, 0., MAX_RATE);
    }
}

/* Returns the memory that the key names; -1 if it names none. */
static int
read_neighbour (HeddleKeyFile *reader, const HeddleMachine *machine, const char *group, const char *key,
    gboolean required)
{
  g_autofree char *name = heddle_key_file_get_text (reader, group, key, required);
  int level = name != NULL ? heddle_machine_find_level (machine, name) : -1;

  if (name != NULL && level < 0)
    heddle_key_file_fail (reader, group, key, _ ("there is no level “%s” before this one"), name);
  return level;
}

/* Checks a level beside the tree: its data cross into the top of the tree first, or into another level beside
 * it that is nearer. */
static void
check_above (HeddleKeyFile *reader, const HeddleMachine *machine, const HeddleLevel *level, const char *group)
{
  int n = 0;

  for (guint i = 0; i < machine->levels->len; i++)
    n += ((HeddleLevel *) g_ptr_array_index (machine->levels, i))->above >= 0 ? 1 : 0;
  if (reader->error != NULL || level->above < 0)
    return;
  if ((level->above != 0
          && ((HeddleLevel *) g_ptr_array_index (machine->levels, (guint) level->above))->above < 0)
      || level->parent >= 0 || level->labels || level->cache)
    heddle_key_file_fail (reader, group, "Above", "%s",
        _ ("a level is above the first one or another that is above it, has no parent, is no cache and takes "
           "no "
           "labels"));
  else if (n >= HEDDLE_MAX_ABOVE)
    heddle_key_file_fail (
        reader, group, "Above", _ ("at most %d levels are above another"), HEDDLE_MAX_ABOVE);
}

static void
read_level (HeddleKeyFile *reader, HeddleMachine *machine, const char *group)
{
  HeddleLevel *level = heddle_level_new (group + strlen (LEVEL_PREFIX));

  check_name (reader, group, "name", level->name);
  level->title = heddle_key_file_get_text (reader, group, "Title", TRUE);
  level->count = (guint) heddle_key_file_get_whole (reader, group, "Count", TRUE, MAX_COUNT);
  level->capacity_bytes = heddle_key_file_get_whole (reader, group, "Capacity", FALSE, MAX_BYTES);
  level->total_bytes = heddle_key_file_get_whole (reader, group, "Total", FALSE, MAX_BYTES);
  level->bandwidth = heddle_key_file_get_number (reader, group, "Bandwidth", FALSE, 0., MAX_RATE);
  level->joules_per_byte = heddle_key_file_get_number (reader, group, "JoulesPerByte", FALSE, 0., 1.);
  level->cache = heddle_key_file_get_flag (reader, group, "Cache");
  level->labels = heddle_key_file_get_flag (reader, group, "Labels");
  heddle_key_file_check_keys (reader, group, level_keys, _ ("is not a key of a machine file"));
  level->above = read_neighbour (reader, machine, group, "Above", FALSE);
  level->parent
      = read_neighbour (reader, machine, group, "Parent", machine->levels->len > 0 && level->above < 0);
  check_above (reader, machine, level, group);
  if (level->total_bytes == 0)
    level->total_bytes = level->capacity_bytes;
  if (heddle_machine_find_level (machine, level->name) >= 0)
    heddle_key_file_fail (reader, group, NULL, "%s", _ ("there is a level of that name already"));
  if (reader->error == NULL && level->count == 0)
    heddle_key_file_fail (reader, group, "Count", "%s", _ ("must be at least 1"));
  if (reader->error == NULL && level->labels && (level->capacity_bytes == 0 || machine->levels->len == 0))
    heddle_key_file_fail (
        reader, group, "Labels", "%s", _ ("a level that takes labels is below another and has a capacity"));
  g_ptr_array_add (machine->levels, level);
}

static void
read_link (HeddleKeyFile *reader, HeddleMachine *machine, const char *group)
{
  HeddleLink *link = heddle_link_new (group + strlen (LINK_PREFIX));

  check_name (reader, group, "name", link->name);
  link->title = heddle_key_file_get_text (reader, group, "Title", TRUE);
  link->count = (guint) heddle_key_file_get_whole (reader, group, "Count", TRUE, MAX_COUNT);
  link->bandwidth = heddle_key_file_get_number (reader, group, "Bandwidth", TRUE, 1., MAX_RATE);
  link->latency = heddle_key_file_get_number (reader, group, "Latency", FALSE, 0., 1.);
  heddle_key_file_check_keys (reader, group, link_keys, _ ("is not a key of a machine file"));
  if (heddle_machine_find_level (machine, link->name) >= 0
      || heddle_machine_find_link (machine, link->name) >= 0)
    heddle_key_file_fail (reader, group, NULL, "%s", _ ("there is a level of that name already"));
  if (reader->error == NULL && link->count < 2)
    heddle_key_file_fail (reader, group, "Count", "%s", _ ("joins at least 2"));
  if (machine->links->len == MAX_LINKS)
    heddle_key_file_fail (reader, group, NULL, _ ("at most %d levels are above another"), MAX_LINKS);
  g_ptr_array_add (machine->links, link);
}

static void
read_levels (HeddleKeyFile *reader, HeddleMachine *machine)
{
  g_auto (GStrv) groups = g_key_file_get_groups (reader->file, NULL);

  for (char **group = groups; *group != NULL && reader->error == NULL; group++)
    {
      if (g_str_equal (*group, MACHINE) || g_str_equal (*group, TENSOR)
          || g_str_equal (*group, HEDDLE_SUSTAINED_GROUP))
        continue;
      if (g_str_has_prefix (*group, LINK_PREFIX))
        read_link (reader, machine, *group);
      else if (!g_str_has_prefix (*group, LEVEL_PREFIX))
        heddle_key_file_fail (reader, *group, NULL, "%s", _ ("is not a group of a machine file"));
      else if (machine->levels->len == MAX_LEVELS)
        heddle_key_file_fail (reader, *group, NULL, _ ("a machine has at most %d levels"), MAX_LEVELS);
      else
        read_level (reader, machine, *group);
    }
  if (machine->levels->len < 2)
    heddle_key_file_fail (reader, MACHINE, NULL, "%s", _ ("a machine has at least two levels"));
}

HeddleMachine *
heddle_machine_load_file (const char *path, GError **error)
{
  g_autoptr (HeddleKeyFile) reader = NULL;
  g_autoptr (HeddleMachine) machine = heddle_machine_new ();

  g_return_val_if_fail (path != NULL, NULL);

  reader = heddle_key_file_new (path, error);
  if (reader == NULL)
    return NULL;
  read_machine (reader, machine);
  read_tensor (reader, machine);
  heddle_sustained_read (reader, machine->sustained);
  read_levels (reader, machine);
  if (reader->error == NULL)
    return g_steal_pointer (&machine);
  g_propagate_error (error, g_steal_pointer (&reader->error));
  return NULL;
}
