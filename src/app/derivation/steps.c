/* SPDX-License-Identifier: MIT */

#include "config.h"

#include "app/derivation/step-title.h"
#include "app/derivation/steps.h"

struct HeddleSteps
{
  HeddleEditor *editor;
  GHashTable *forecasts; /* of HeddleForecast, by the text of the schedule */
};

static void
step_free (gpointer data)
{
  HeddleStep *self = data;

  g_free (self->title);
  g_free (self);
}

HeddleSteps *
heddle_steps_new (HeddleEditor *editor)
{
  HeddleSteps *self = g_new0 (HeddleSteps, 1);

  self->editor = editor;
  self->forecasts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

void
heddle_steps_free (HeddleSteps *self)
{
  g_hash_table_unref (self->forecasts);
  g_free (self);
}

void
heddle_steps_forget (HeddleSteps *self)
{
  g_hash_table_remove_all (self->forecasts);
}

/* --- what a schedule promises --- */

static void
append_region (GString *key, const HeddleRegion *region)
{
  g_string_append_c (key, '|');
  for (guint i = 0; i < region->operations->len; i++)
    g_string_append_printf (key, "%s ", heddle_ids_index (region->operations, i));
  for (guint i = 0; i < region->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (region->labels, i);

      g_string_append_printf (
          key, "%s@%s:%d=%" G_GINT64_FORMAT " ", label->axis, label->level, label->kind, label->size);
    }
}

static HeddleForecast *
derive (HeddleSteps *self, const HeddleSchedule *schedule)
{
  HeddleSizes *sizes = heddle_editor_get_sizes (self->editor, NULL);
  g_autoptr (HeddleDerivation) derivation = NULL;
  HeddleDeriveOptions options;

  heddle_editor_get_derive_options (self->editor, &options);
  if (sizes == NULL || options.machine == NULL)
    return NULL;
  derivation
      = heddle_derive (heddle_editor_get_diagram (self->editor), schedule, sizes, &options, NULL, NULL);
  if (derivation == NULL)
    return NULL;
  {
    HeddleForecast *forecast = g_new (HeddleForecast, 1);

    *forecast = heddle_forecast (derivation, options.machine);
    return forecast;
  }
}

static const HeddleForecast *
look_up (HeddleSteps *self, const HeddleSchedule *schedule)
{
  g_autoptr (GString) key = g_string_new (NULL);
  HeddleForecast *forecast;

  for (guint i = 0; i < schedule->regions->len; i++)
    append_region (key, g_ptr_array_index (schedule->regions, i));
  forecast = g_hash_table_lookup (self->forecasts, key->str);
  if (forecast == NULL)
    {
      forecast = derive (self, schedule);
      if (forecast != NULL)
        g_hash_table_insert (self->forecasts, g_strdup (key->str), forecast);
    }
  return forecast;
}

/* --- the steps --- */

/* The same label on several kernels is one step. */
static void
add_step (HeddleSteps *self, GPtrArray *steps, const HeddleSchedule *partial, char *title)
{
  const HeddleForecast *forecast = look_up (self, partial);
  HeddleStep *last = steps->len > 0 ? g_ptr_array_index (steps, steps->len - 1) : NULL;

  if (forecast != NULL && (last == NULL || !g_str_equal (last->title, title)))
    {
      last = g_new0 (HeddleStep, 1);
      last->title = g_steal_pointer (&title);
      g_ptr_array_add (steps, last);
    }
  if (forecast != NULL)
    last->forecast = *forecast;
  g_free (title);
}

static HeddleRegion *
bare_region (const HeddleRegion *region)
{
  HeddleRegion *bare = heddle_region_new (region->id);

  for (guint i = 0; i < region->operations->len; i++)
    heddle_ids_append (bare->operations, heddle_ids_index (region->operations, i));
  return bare;
}

static void
add_region (HeddleSteps *self, GPtrArray *steps, HeddleSchedule *partial, const HeddleRegion *region)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);
  HeddleRegion *bare = bare_region (region);
  char *title = heddle_step_title_of_fusion (diagram, region);

  g_ptr_array_add (partial->regions, bare);
  if (title != NULL)
    add_step (self, steps, partial, title);
  for (guint i = 0; i < region->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (region->labels, i);

      g_ptr_array_add (bare->labels, heddle_label_copy (label));
      if (label->inactive == NULL && label->kind <= HEDDLE_LABEL_STREAM)
        add_step (self, steps, partial,
            heddle_step_title_of_label (diagram, label->axis, label->level, label->kind, label->size));
    }
}

GPtrArray *
heddle_steps_find (HeddleSteps *self, const HeddleSchedule *schedule)
{
  GPtrArray *steps = g_ptr_array_new_with_free_func (step_free);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);
  HeddleSchedule *partial;

  if (diagram == NULL || schedule == NULL)
    return steps;
  partial = heddle_schedule_new (diagram->id);
  for (guint i = 0; i < schedule->regions->len; i++)
    add_region (self, steps, partial, g_ptr_array_index (schedule->regions, i));
  heddle_schedule_free (partial);
  return steps;
}
