/* SPDX-License-Identifier: MIT */
#include "cases.h"

#include <math.h>
#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/legality/refusal.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/evaluate/evaluate.h"

/* Random legal schedules of several diagrams, executed: the values are the evaluator's to 1e-12, what crossed and what was held is what
 * the cost says, exactly. */

static void
random_labels (GRand *random, const Case *self, const Fixture *fixture, GString *labels)
{
  g_auto (GStrv) groups = g_strsplit (self->groups, " ", -1), streams = g_strsplit (self->streams, " ", -1);
  guint n_streams = g_strv_length (streams);
  const char *stream = NULL;

  if (n_streams > 0 && g_rand_int_range (random, 0, 4) > 0)
    stream = streams[g_rand_int_range (random, 0, (gint32) n_streams)];
  if (stream != NULL)
    g_string_append_printf (labels, "%s:stream=%d ", stream, g_rand_int_range (random, 1, 12));
  for (char **group = groups; *group != NULL; group++)
    if (**group != '\0' && g_strcmp0 (stream, *group) != 0 && g_rand_boolean (random))
      g_string_append_printf (labels, "%s:group=%d ", *group, g_rand_int_range (random, 1, 12));
}

/* Ragged sizes; now and then 1. */
static char *
random_sizes (GRand *random, const Case *self)
{
  g_auto (GStrv) axes = g_strsplit (self->axes, " ", -1);
  GString *sizes = g_string_new (NULL);

  for (char **axis = axes; *axis != NULL; axis++)
    g_string_append_printf (
        sizes, "%s=%d ", *axis, g_rand_int_range (random, 0, 6) == 0 ? 1 : g_rand_int_range (random, 1, 20));
  return g_string_free (sizes, FALSE);
}

static GHashTable *
evaluate (const Fixture *fixture, guint64 seed, GHashTable *inputs)
{
  g_autoptr (GError) error = NULL;
  GHashTable *reference;

  g_assert_true (heddle_evaluate_fill_inputs (fixture->diagram, fixture->sizes, inputs, seed, &error));
  g_assert_no_error (error);
  reference = heddle_evaluate (fixture->diagram, fixture->sizes, inputs, HEDDLE_PRECISION_F64, NULL, &error);
  g_assert_no_error (error);
  return reference;
}

static void
check_schedule (const Case *self, const Fixture *fixture, const char *sizes, const char *labels, guint64 seed)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("two-level", 1000000, &error);
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  g_autoptr (GHashTable) reference = evaluate (fixture, seed, inputs);
  g_autofree char *what = g_strdup_printf ("%s at %s with %s", self->name, sizes, labels);

  for (int columns = HEDDLE_COLUMNS_ALL; columns <= HEDDLE_COLUMNS_OPERANDS; columns++)
    {
      HeddleDeriveOptions options = { machine, HEDDLE_DTYPE_F64, (HeddleColumns) columns,
        HEDDLE_OBJECTIVE_TRANSFERS, 1 + (guint) seed % 3, FALSE };
      g_autoptr (HeddleDerivation) derivation = fixture_derive (fixture, self->fuse, labels, &options);

      for (guint i = 0; i < derivation->kernels->len; i++)
        {
          const HeddleKernel *kernel = fixture_kernel (derivation, i);

          if (kernel->refusals->len > 0)
            g_error ("%s: %s", what, ((HeddleRefusal *) g_ptr_array_index (kernel->refusals, 0))->reason);
          fixture_check_kernel (fixture->sizes, what, kernel, reference, (HeddleColumns) columns);
        }
    }
}

static void
test_case (gconstpointer data)
{
  const Case *self = data;
  guint n_rounds = g_test_thorough () ? 220 : 40;
  g_autoptr (GRand) random = g_rand_new_with_seed (20261120);

  for (guint i = 0; i < n_rounds; i++)
    {
      g_autofree char *sizes = random_sizes (random, self);
      g_autoptr (GString) labels = g_string_new (NULL);
      g_auto (Fixture) fixture = { 0 };

      fixture_init (&fixture, self->text, sizes);
      random_labels (random, self, &fixture, labels);
      check_schedule (self, &fixture, sizes, labels->str, i);
    }
}

/* The sizes that are no multiple of anything, one row, and 1 x 1. */
static void
test_ragged (void)
{
  static const char *const sizes[] = { "q=77 x=129 d=40", "q=1 x=129 d=40", "q=1 x=1 d=1" };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_auto (Fixture) fixture = { 0 };

      fixture_init (&fixture, ATTENTION, sizes[i]);
      check_schedule (&cases[1], &fixture, sizes[i], "q:group=32 x:stream=64", i);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < n_cases; i++)
    {
      g_autofree char *path = g_strdup_printf ("/execute/%s", cases[i].name);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/execute/ragged", test_ragged);
  return g_test_run ();
}
