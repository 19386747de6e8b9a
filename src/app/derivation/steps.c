/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n.h>

#include "app/derivation/format.h"
#include "app/derivation/steps.h"

static void
step_free (gpointer data)
{
  HeddleStep *self = data;

  g_free (self->title);
  g_free (self->needs);
  g_free (self);
}

/* Whether a kernel of it does not fit, and what the largest holds. */
static char *
describe_need (const HeddleDerivation *derivation)
{
  double most = 0;

  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      for (guint j = 0; !kernel->fits && j < kernel->levels->len; j++)
        {
          const HeddleLevelCost *cost = g_ptr_array_index (kernel->levels, j);

          most = MAX (most, (double) cost->memory_bytes);
        }
    }
  if (most == 0)
    return NULL;
  {
    g_autofree char *bytes = heddle_format_bytes (most);

    return g_strdup_printf (_ ("needs %s held"), bytes);
  }
}

static void
add_step (GPtrArray *steps, HeddleEditor *editor, const HeddleSchedule *schedule, char *title)
{
  HeddleSizes *sizes = heddle_editor_get_sizes (editor, NULL);
  g_autoptr (HeddleDerivation) derivation = NULL;
  HeddleDeriveOptions options;
  HeddleStep *step;

  heddle_editor_get_derive_options (editor, &options);
  if (sizes != NULL)
    derivation = heddle_derive (heddle_editor_get_diagram (editor), schedule, sizes, &options, NULL, NULL);
  if (derivation == NULL)
    {
      g_free (title);
      return;
    }
  step = g_new0 (HeddleStep, 1);
  step->title = title;
  step->values = derivation->transfer_elements;
  step->seconds = derivation->expected_s;
  step->needs = describe_need (derivation);
  g_ptr_array_add (steps, step);
}

/* "Fuse S, P and O": the named values of a region. */
static char *
fuse_title (const HeddleDiagram *diagram, const HeddleRegion *region)
{
  g_autoptr (GString) names = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; i < region->operations->len; i++)
    {
      const HeddleOperation *operation
          = heddle_diagram_get_operation (diagram, heddle_ids_index (region->operations, i));
      const HeddleValue *value = operation ? heddle_diagram_get_value (diagram, operation->result) : NULL;

      if (value != NULL && value->name != NULL)
        g_string_append_printf (names, "%s%s", n++ ? ", " : "", value->name);
    }
  return n > 1 ? g_strdup_printf (_ ("Fuse %s"), names->str) : NULL;
}

static char *
label_title (const HeddleDiagram *diagram, const HeddleLabel *label)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (diagram, label->axis);
  g_autofree char *level = g_ascii_strup (label->level, -1);

  return g_strdup_printf (label->kind == HEDDLE_LABEL_STREAM ? _ ("Stream %s at %s, %" G_GINT64_FORMAT)
                                                             : _ ("Group %s at %s, %" G_GINT64_FORMAT),
      axis ? axis->name : "?", level, label->size);
}

static HeddleRegion *
bare_region (const HeddleRegion *region)
{
  HeddleRegion *bare = heddle_region_new (region->id);

  for (guint i = 0; i < region->operations->len; i++)
    heddle_ids_append (bare->operations, heddle_ids_index (region->operations, i));
  return bare;
}

GPtrArray *
heddle_steps_new (HeddleEditor *editor, const HeddleSchedule *schedule)
{
  GPtrArray *steps = g_ptr_array_new_with_free_func (step_free);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  HeddleSchedule *partial;

  if (diagram == NULL)
    return steps;
  partial = heddle_schedule_new (diagram->id);
  add_step (steps, editor, partial, g_strdup (_ ("One operation at a time")));
  for (guint i = 0; schedule != NULL && i < schedule->regions->len; i++)
    {
      const HeddleRegion *region = g_ptr_array_index (schedule->regions, i);
      HeddleRegion *bare = bare_region (region);
      char *title = fuse_title (diagram, region);

      g_ptr_array_add (partial->regions, bare);
      if (title != NULL)
        add_step (steps, editor, partial, title);
      for (guint j = 0; j < region->labels->len; j++)
        {
          const HeddleLabel *label = g_ptr_array_index (region->labels, j);

          g_ptr_array_add (bare->labels, heddle_label_copy (label));
          if (label->inactive == NULL)
            add_step (steps, editor, partial, label_title (diagram, label));
        }
    }
  heddle_schedule_free (partial);
  return steps;
}
