/* SPDX-License-Identifier: MIT */

#include "app/editor/schedule-key.h"

static void
add_pointer (GByteArray *key, gconstpointer interned)
{
  g_byte_array_append (key, (const guint8 *) &interned, sizeof interned);
}

/* Adds a text with its end. */
static void
add_text (GByteArray *key, const char *text)
{
  const char *known = text != NULL ? text : "";

  g_byte_array_append (key, (const guint8 *) known, (guint) strlen (known) + 1);
}

static void
add_labels (GByteArray *key, const GPtrArray *labels)
{
  for (guint i = 0; i < labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (labels, i);

      add_pointer (key, label->axis);
      add_text (key, label->level);
      g_byte_array_append (key, &(guint8){ (guint8) label->kind }, 1);
      g_byte_array_append (key, (const guint8 *) &label->size, sizeof label->size);
    }
}

static void
add_region (GByteArray *key, const HeddleRegion *region)
{
  add_pointer (key, NULL); /* where one ends and the next begins */
  g_byte_array_append (
      key, (const guint8 *) region->operations->data, region->operations->len * sizeof (const char *));
  add_pointer (key, NULL);
  add_labels (key, region->labels);
}

GBytes *
heddle_schedule_key (const HeddleSchedule *schedule, gboolean completed)
{
  GByteArray *key = NULL;

  g_return_val_if_fail (schedule != NULL, NULL);

  key = g_byte_array_new ();
  g_byte_array_append (key, &(guint8){ completed }, 1);
  add_text (key, schedule->divisors);
  for (guint i = 0; i < schedule->residency->len; i++)
    {
      const HeddleResidency *place = g_ptr_array_index (schedule->residency, i);

      add_pointer (key, place->value);
      add_pointer (key, place->column);
      add_text (key, place->level);
    }
  add_pointer (key, NULL);
  g_byte_array_append (
      key, (const guint8 *) schedule->recomputed->data, schedule->recomputed->len * sizeof (HeddleRecompute));
  for (guint i = 0; i < schedule->layouts->len; i++)
    {
      const HeddleValueLayout *layout = g_ptr_array_index (schedule->layouts, i);

      add_pointer (key, layout->value);
      g_byte_array_append (key, (const guint8 *) layout->axes->data, layout->axes->len * sizeof (char *));
      add_labels (key, layout->labels);
    }
  add_pointer (key, NULL);
  for (guint i = 0; i < schedule->regions->len; i++)
    add_region (key, g_ptr_array_index (schedule->regions, i));
  return g_byte_array_free_to_bytes (key);
}
