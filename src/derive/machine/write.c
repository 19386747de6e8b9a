/* SPDX-License-Identifier: MIT */
#include "derive/machine/sustained.h"
#include "derive/machine/write.h"
#include "diagram/base/dtype.h"

#include <inttypes.h>

/* A machine as a machine file: what heddle_machine_load_file () reads. */

typedef struct
{
  GKeyFile *file;
  GHashTable *comments;
} Writer;

static void
put_text (Writer *self, const char *group, const char *key, const char *text)
{
  g_autofree char *place = g_strdup_printf ("%s/%s", group, key);
  const char *comment = self->comments != NULL ? g_hash_table_lookup (self->comments, place) : NULL;

  if (text == NULL)
    return;
  g_key_file_set_string (self->file, group, key, text);
  if (comment != NULL)
    g_key_file_set_comment (self->file, group, key, comment, NULL);
}

/* Writes a number. 0 is the same as a missing key, except for those that a GPU must have (@needed). */
static void
put_number (Writer *self, const char *group, const char *key, double value, gboolean needed)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (value != 0. || needed)
    put_text (self, group, key, g_ascii_formatd (text, sizeof text, "%.6g", value));
}

static void
put_whole (Writer *self, const char *group, const char *key, gint64 value, gboolean needed)
{
  g_autofree char *text = g_strdup_printf ("%" PRId64, value);

  if (value != 0 || needed)
    put_text (self, group, key, text);
}

static void
put_flag (Writer *self, const char *group, const char *key, gboolean value)
{
  put_text (self, group, key, value ? "true" : NULL);
}

static void
put_machine (Writer *self, const HeddleMachine *machine)
{
  const char *group = "Machine";
  const gboolean real = machine->arch != NULL;

  put_text (self, group, "Name", machine->name);
  put_text (self, group, "Title", machine->title);
  if (machine->aliases != NULL && machine->aliases[0] != NULL)
    g_key_file_set_string_list (self->file, group, "Aliases", (const char *const *) machine->aliases,
        g_strv_length (machine->aliases));
  put_text (self, group, "Source", machine->source);
  put_text (self, group, "Measured", machine->measured);
  put_text (self, group, "Arch", machine->arch);
  put_flag (self, group, "ComparisonOnly", machine->comparison_only);
  put_whole (self, group, "SMs", machine->sms, real);
  put_number (self, group, "Clock", machine->clock, real);
  put_number (self, group, "FP32", machine->fp32_flops, real);
  put_number (self, group, "FP64", machine->fp64_flops, FALSE);
  put_number (self, group, "SpecialPerClock", machine->special_per_clock, real);
  put_whole (self, group, "MaxThreadsPerBlock", machine->max_threads_per_block, real);
  put_whole (self, group, "MaxThreadsPerSM", machine->max_threads_per_sm, real);
  put_whole (self, group, "MaxBlocksPerSM", machine->max_blocks_per_sm, real);
  put_whole (self, group, "WarpSize", machine->warp_size, real);
  put_whole (self, group, "RegisterGranularity", machine->register_granularity, FALSE);
  put_whole (self, group, "ReservedShared", machine->reserved_shared_bytes, FALSE);
}

static void
put_neighbour (Writer *self, const HeddleMachine *machine, const char *group, const char *key, int level)
{
  if (level >= 0)
    put_text (
        self, group, key, ((const HeddleLevel *) g_ptr_array_index (machine->levels, (guint) level))->name);
}

static void
put_level (Writer *self, const HeddleMachine *machine, const HeddleLevel *level)
{
  g_autofree char *group = g_strdup_printf ("Level %s", level->name);

  put_text (self, group, "Title", level->title);
  put_neighbour (self, machine, group, "Parent", level->parent);
  put_neighbour (self, machine, group, "Above", level->above);
  put_whole (self, group, "Count", level->count, FALSE);
  put_whole (self, group, "Capacity", level->capacity_bytes, FALSE);
  if (level->total_bytes != level->capacity_bytes)
    put_whole (self, group, "Total", level->total_bytes, FALSE);
  put_number (self, group, "Bandwidth", level->bandwidth, FALSE);
  put_number (self, group, "JoulesPerByte", level->joules_per_byte, FALSE);
  put_flag (self, group, "Cache", level->cache);
  put_flag (self, group, "Labels", level->labels);
}

static void
put_link (Writer *self, const HeddleLink *link)
{
  g_autofree char *group = g_strdup_printf ("Link %s", link->name);

  put_text (self, group, "Title", link->title);
  put_whole (self, group, "Count", link->count, FALSE);
  put_number (self, group, "Bandwidth", link->bandwidth, FALSE);
  put_number (self, group, "Latency", link->latency, FALSE);
}

static void
put_sustained (Writer *self, const HeddleMachine *machine)
{
  for (guint i = 0; i < HEDDLE_N_SUSTAINED; i++)
    {
      g_autofree char *text = heddle_sustained_text (&machine->sustained[i]);

      put_text (self, HEDDLE_SUSTAINED_GROUP, heddle_sustained_key ((HeddleSustainedRate) i), text);
    }
}

char *
heddle_machine_write (const HeddleMachine *self, GHashTable *comments)
{
  Writer writer = { g_key_file_new (), comments };
  const char *head = comments != NULL ? g_hash_table_lookup (comments, "") : NULL;
  char *text;

  g_return_val_if_fail (self != NULL, NULL);

  put_machine (&writer, self);
  for (guint i = 0; i < HEDDLE_N_DTYPES; i++)
    if (self->tensor_flops[i] > 0.)
      put_number (&writer, "Tensor", heddle_dtype_to_string ((HeddleDtype) i), self->tensor_flops[i], TRUE);
  put_sustained (&writer, self);
  for (guint i = 0; i < self->levels->len; i++)
    put_level (&writer, self, g_ptr_array_index (self->levels, i));
  for (guint i = 0; i < self->links->len; i++)
    put_link (&writer, g_ptr_array_index (self->links, i));
  if (head != NULL)
    g_key_file_set_comment (writer.file, NULL, NULL, head, NULL);
  text = g_key_file_to_data (writer.file, NULL, NULL);
  g_key_file_unref (writer.file);
  return text;
}
