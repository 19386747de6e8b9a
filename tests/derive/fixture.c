/* SPDX-License-Identifier: MIT */
#include "fixture.h"

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
