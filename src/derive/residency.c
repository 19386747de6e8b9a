/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/kernel-private.h"

#include <glib/gi18n-lib.h>

/* Where values are placed: within a kernel at the level where it computes, at its ends in global memory. What passes between kernels, or is an
 * input that is read again and again such as a cache of keys and values, may be kept in a cache instead: it then costs no traffic of the
 * memory above, as long as all that is kept there fits. */

static const HeddleLevel *
find_level (const HeddleMachine *machine, const char *name)
{
  int i = heddle_machine_find_level (machine, name);

  return i >= 0 ? g_ptr_array_index (machine->levels, (guint) i) : NULL;
}

static gint64
bytes_of (const HeddleDeriveContext *context, const char *value)
{
  return heddle_saturating_multiply (
      heddle_sizes_elements (context->sizes, heddle_diagram_get_value (context->diagram, value)),
      heddle_dtype_bytes (heddle_diagram_dtype (context->diagram, value, context->dtype)));
}

static gboolean
keep (HeddleDeriveContext *self, const char *value, const HeddleLevel *level, gint64 *total, GError **error)
{
  g_autofree char *label = heddle_diagram_value_label (self->diagram, value);

  if (!g_hash_table_insert (self->kept, (gpointer) value, level->name))
    return TRUE;
  *total = heddle_saturating_add (*total, bytes_of (self, value));
  if (level->capacity_bytes == 0 || *total <= level->capacity_bytes)
    return TRUE;
  g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL,
      _ ("%s cannot be kept at %s: with what is kept there already that is %lld bytes, and it holds %lld"),
      label, level->name, (long long) *total, (long long) level->capacity_bytes);
  return FALSE;
}

gboolean
heddle_residency_find_kept (HeddleDeriveContext *self, GError **error)
{
  gint64 total = 0;

  self->kept = g_hash_table_new (NULL, NULL);
  for (guint i = 0; self->schedule != NULL && i < self->schedule->residency->len; i++)
    {
      const HeddleResidency *place = g_ptr_array_index (self->schedule->residency, i);
      const HeddleLevel *level = find_level (self->options->machine, place->level);

      if (level != NULL && level->cache && heddle_diagram_get_value (self->diagram, place->value) != NULL
          && !keep (self, place->value, level, &total, error))
        return FALSE;
    }
  return TRUE;
}

gint64
heddle_residency_bytes (const HeddleDeriveContext *self, const HeddleLoopProgram *program)
{
  g_autoptr (GArray) reads = heddle_loop_program_reads (program),
                     writes = heddle_loop_program_writes (program);
  const GArray *lists[] = { reads, writes };
  gint64 total = 0;

  for (guint l = 0; l < G_N_ELEMENTS (lists); l++)
    for (guint i = 0; i < lists[l]->len; i++)
      if (g_hash_table_contains (self->kept, heddle_ids_index (lists[l], i)))
        total = heddle_saturating_add (total, bytes_of (self, heddle_ids_index (lists[l], i)));
  return total;
}

/* Where the kernel computes. */
static const char *
computing_level (const HeddleLabelling *self)
{
  guint n = self->inner->len;

  return n > 0 ? ((const HeddleTiling *) g_ptr_array_index (self->inner, n - 1))->level
               : self->context->level;
}

gboolean
heddle_labelling_check_residency (const HeddleLabelling *self, GError **error)
{
  const HeddleSchedule *schedule = self->context->schedule;
  const char *level = computing_level (self);

  for (guint i = 0; schedule != NULL && i < schedule->residency->len; i++)
    {
      const HeddleResidency *place = g_ptr_array_index (schedule->residency, i);
      const HeddleOperation *producer = heddle_diagram_get_producer (self->context->diagram, place->value);
      gboolean inside = producer != NULL && heddle_ids_contain (self->term->operations, producer->id)
                        && !heddle_ids_contain (self->term->outputs, place->value);
      gboolean kept = g_hash_table_contains (self->context->kept, place->value) && !inside;
      g_autofree char *label = NULL;

      if (kept || producer == NULL || !heddle_ids_contain (self->term->operations, producer->id)
          || g_str_equal (place->level, inside ? level : "gmem"))
        continue;
      label = heddle_diagram_value_label (self->context->diagram, place->value);
      g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL,
          inside ? _ ("%s cannot be placed at %s: its kernel keeps it at %s; unfuse it to place it elsewhere")
                 : _ ("%s cannot be placed at %s: it leaves its kernel, by %s; fuse what reads it"),
          label, place->level, inside ? level : "gmem");
      return FALSE;
    }
  return TRUE;
}
