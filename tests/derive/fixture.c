/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include <math.h>
#include "derive/cost/level-cost.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/schedule-text.h"
#include "derive/execute/execute.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "derive/program/pseudocode.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/base/problem.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "files/equations/document.h"

void
fixture_init (Fixture *self, const char *text, const char *sizes)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);

  self->snapshot = heddle_equations_read (text, -1, "test.eq", problems);
  if (self->snapshot == NULL)
    {
      g_autofree char *why = heddle_problem_to_string (g_ptr_array_index (problems, 0));

      g_error ("%s", why);
    }
  self->diagram = heddle_snapshot_get_diagram (self->snapshot, NULL);
  self->sizes = fixture_sizes (self, sizes);
}

void
fixture_clear (Fixture *self)
{
  g_clear_pointer (&self->sizes, heddle_sizes_unref);
  g_clear_pointer (&self->snapshot, heddle_snapshot_unref);
}

HeddleSizes *
fixture_sizes (const Fixture *self, const char *sizes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) overrides = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_auto (GStrv) parts = g_strsplit (sizes != NULL ? sizes : "", " ", -1);
  HeddleSizes *result;

  for (char **part = parts; *part != NULL; part++)
    {
      char *sign = g_strrstr (*part, "=");
      gint64 size;

      if (sign == NULL)
        continue;
      size = g_ascii_strtoll (sign + 1, NULL, 10);
      g_hash_table_insert (
          overrides, g_strndup (*part, (gsize) (sign - *part)), g_memdup2 (&size, sizeof size));
    }
  result = heddle_sizes_new (self->diagram, overrides, &error);
  g_assert_no_error (error);
  return result;
}

HeddleDerivation *
fixture_derive (const Fixture *self, const char *fuse, const char *labels, const HeddleDeriveOptions *options)
{
  g_autoptr (GError) error = NULL;
  HeddleSchedule *schedule = heddle_schedule_fuse (self->diagram, NULL, fuse, &error);
  g_auto (GStrv) parts = g_strsplit (labels != NULL ? labels : "", " ", -1);
  HeddleDerivation *derivation;

  g_assert_no_error (error);
  for (char **part = parts; *part != NULL; part++)
    if (**part != '\0')
      {
        heddle_schedule_add_label_text (schedule, self->diagram, options->machine, *part, &error);
        g_assert_no_error (error);
      }
  derivation = heddle_derive (self->diagram, schedule, self->sizes, options, NULL, &error);
  g_assert_no_error (error);
  heddle_schedule_free (schedule);
  return derivation;
}

HeddleDerivation *
fixture_derive_abstract (const Fixture *self, const char *fuse, const char *labels, gint64 memory,
    HeddleColumns columns, gboolean suggest)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("two-level", memory, &error);
  HeddleDeriveOptions options
      = { machine, HEDDLE_DTYPE_F16, columns, HEDDLE_OBJECTIVE_TRANSFERS, 1, suggest };

  g_assert_no_error (error);
  return fixture_derive (self, fuse, labels, &options);
}

HeddleKernel *
fixture_kernel (const HeddleDerivation *derivation, guint i)
{
  g_assert_cmpuint (i, <, derivation->kernels->len);
  return g_ptr_array_index (derivation->kernels, i);
}

const char *
fixture_axis (const Fixture *self, const char *name)
{
  const HeddleAxis *axis = heddle_diagram_find_axis (self->diagram, name);

  g_assert_nonnull (axis);
  return axis->id;
}

gint64
fixture_label (const Fixture *self, const HeddleKernel *kernel, const char *axis, HeddleLabelKind kind)
{
  const char *id = fixture_axis (self, axis);

  for (guint i = 0; i < kernel->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (kernel->labels, i);

      if (label->axis == id && label->kind == kind)
        return label->size;
    }
  return 0;
}

/* @listing: for the message. */
static void
assert_equal (const char *what, const HeddleArray *result, const HeddleArray *reference, const char *listing)
{
  double scale = 1.;

  g_assert_cmpint (result->n_elements, ==, reference->n_elements);
  for (gint64 i = 0; i < reference->n_elements; i++)
    scale = MAX (scale, isfinite (reference->data[i]) ? fabs (reference->data[i]) : 0.);
  for (gint64 i = 0; i < reference->n_elements; i++)
    {
      double a = result->data[i], b = reference->data[i];

      if (a == b || (isnan (a) && isnan (b)) || fabs (a - b) <= 1e-12 * scale)
        continue;
      g_error ("%s:\n%s\nelement %" G_GINT64_FORMAT " is %.17g, not %.17g", what, listing, i, a, b);
    }
}

static void
check_level (const char *what, const HeddleKernel *kernel, guint i, const HeddleLevelCounts *counts,
    HeddleColumns columns, const char *listing)
{
  const HeddleLevelCost *level = g_ptr_array_index (kernel->levels, i);
  gint64 peak = columns == HEDDLE_COLUMNS_ALL ? counts->peak_elements : counts->peak_operands_elements;

  if (counts->transfer_elements != level->transfer_elements || peak != level->memory_elements)
    g_error ("%s at %s:\n%s\n%" G_GINT64_FORMAT " elements crossed, %" G_GINT64_FORMAT
             " by the cost; %" G_GINT64_FORMAT " were held, %" G_GINT64_FORMAT " by the cost",
        what, level->level, listing, counts->transfer_elements, level->transfer_elements, peak,
        level->memory_elements);
}

/* What crossed the links above global memory, all of them together. */
static void
check_above (const HeddleKernel *kernel, const HeddleCounts *counts)
{
  gint64 priced = 0, crossed = 0;

  for (guint i = 0; i < kernel->above->len; i++)
    priced += ((const HeddleLevelCost *) g_ptr_array_index (kernel->above, i))->transfer_elements;
  for (guint i = 0; i < HEDDLE_MAX_ABOVE; i++)
    crossed += counts->above_elements[i];
  g_assert_cmpint (priced, ==, crossed);
}

void
fixture_check_kernel (const HeddleSizes *sizes, const char *what, const HeddleKernel *kernel,
    GHashTable *reference, HeddleColumns columns)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) arrays
      = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) heddle_array_unref);
  g_autofree char *listing = heddle_loop_program_to_pseudocode (kernel->program, sizes, NULL);
  HeddleCounts counts;

  for (guint i = 0; i < kernel->program->inputs->len; i++)
    {
      const char *id = heddle_ids_index (kernel->program->inputs, i);

      g_hash_table_insert (arrays, (gpointer) id, heddle_array_ref (g_hash_table_lookup (reference, id)));
    }
  heddle_execute (kernel->program, sizes, arrays, &counts, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < kernel->program->outputs->len; i++)
    {
      const char *id = heddle_ids_index (kernel->program->outputs, i);

      assert_equal (what, g_hash_table_lookup (arrays, id), g_hash_table_lookup (reference, id), listing);
    }
  for (guint i = 0; i < kernel->levels->len; i++)
    check_level (what, kernel, i, &counts.levels[i], columns, listing);
  check_above (kernel, &counts);
}
