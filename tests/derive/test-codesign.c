/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include "derive/cost/clock.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/schedule-text.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "derive/suggest/codesign.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"

#include <math.h>

static HeddleSchedule *
schedule_of (const Fixture *fixture, const HeddleMachine *machine, const char *labels)
{
  g_autoptr (GError) error = NULL;
  HeddleSchedule *schedule = heddle_schedule_fuse (fixture->diagram, NULL, "all", &error);
  g_auto (GStrv) parts = g_strsplit (labels, " ", -1);

  for (char **part = parts; *part != NULL; part++)
    if (**part != '\0')
      g_assert_true (heddle_schedule_add_label_text (schedule, fixture->diagram, machine, *part, &error));
  g_assert_no_error (error);
  return schedule;
}

static const HeddleCrossing *
find (const GArray *crossings, HeddleMachineFigure figure, gboolean more)
{
  for (guint i = 0; i < crossings->len; i++)
    {
      const HeddleCrossing *crossing = &g_array_index (crossings, HeddleCrossing, i);

      if (crossing->figure == figure && (crossing->factor > 1.) == more)
        return crossing;
    }
  return NULL;
}

/* With labels given, times are inverse to rates, so that a unit's time over the longest is the factor at which it takes over. */
static void
test_given (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("h100", 0, &error);
  HeddleDeriveOptions options
      = { machine, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL, HEDDLE_OBJECTIVE_TIME, 1, FALSE };
  g_autoptr (HeddleDerivation) derivation = NULL;
  g_autoptr (GArray) crossings = NULL;
  const HeddleKernel *kernel;
  HeddleSchedule *schedule;
  double share
      = heddle_clock_rate (machine, HEDDLE_SUSTAINED_TENSOR); /* of the peak clock, beside tensor cores */

  fixture_init (&fixture, ATTENTION, NULL);
  schedule = schedule_of (&fixture, machine, "q:group=64 x:stream=64");
  derivation = heddle_derive (fixture.diagram, schedule, fixture.sizes, &options, NULL, &error);
  crossings = heddle_codesign_new (fixture.diagram, schedule, fixture.sizes, &options, 64., &error);
  g_assert_no_error (error);
  kernel = fixture_kernel (derivation, 0);
  /* L2: 2 * (2qd + 2xd * 64) bytes at 9.7 TB/s take longer than the tensor cores do. */
  g_assert_cmpstr (heddle_derivation_bound (derivation), ==, "l2");
  g_assert_cmpfloat (kernel->l2_s, >, kernel->tensor_s);
  g_assert_cmpfloat_with_epsilon (
      find (crossings, HEDDLE_FIGURE_CACHE, TRUE)->factor, kernel->l2_s / (kernel->tensor_s / share), 1e-4);
  g_assert_cmpstr (find (crossings, HEDDLE_FIGURE_CACHE, TRUE)->bound, ==, "tensor");
  g_assert_cmpfloat_with_epsilon (
      find (crossings, HEDDLE_FIGURE_TENSOR, FALSE)->factor, kernel->tensor_s / share / kernel->l2_s, 1e-4);
  g_assert_cmpfloat_with_epsilon (
      find (crossings, HEDDLE_FIGURE_DRAM, FALSE)->factor, kernel->dram_s / kernel->l2_s, 1e-4);
  g_assert_cmpfloat_with_epsilon (
      find (crossings, HEDDLE_FIGURE_SPECIAL, FALSE)->factor, kernel->special_s / share / kernel->l2_s, 1e-4);
  g_assert_null (find (crossings, HEDDLE_FIGURE_DRAM, TRUE));
  g_assert_null (find (crossings, HEDDLE_FIGURE_CACHE, FALSE));
  for (guint i = 1; i < crossings->len; i++)
    g_assert_cmpfloat (fabs (log (g_array_index (crossings, HeddleCrossing, i - 1).factor)), <=,
        fabs (log (g_array_index (crossings, HeddleCrossing, i).factor)));
  heddle_schedule_free (schedule);
}

static const char *
bound_with (const Fixture *fixture, const HeddleSchedule *schedule, const HeddleDeriveOptions *options,
    HeddleMachineFigure figure, double factor)
{
  g_autoptr (HeddleMachine) machine = heddle_machine_copy (options->machine);
  g_autoptr (HeddleDerivation) derivation = NULL;
  HeddleDeriveOptions changed = *options;

  heddle_machine_scale_figure (machine, figure, factor);
  changed.machine = machine;
  derivation = heddle_derive (fixture->diagram, schedule, fixture->sizes, &changed, NULL, NULL);
  g_assert_nonnull (derivation);
  return heddle_derivation_bound (derivation);
}

/* With labels found anew each time: on one side of a crossing the bound is the machine's own, on the other that which was told. */
static void
test_found (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GError) error = NULL;
  static const char *const gpus[] = { "h100", "a100", "rtx-4090" };

  fixture_init (&fixture, ATTENTION, "q=16384 x=16384");
  for (gsize i = 0; i < G_N_ELEMENTS (gpus); i++)
    {
      g_autoptr (HeddleMachine) machine = heddle_machine_find (gpus[i], 0, &error);
      HeddleDeriveOptions options
          = { machine, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL, HEDDLE_OBJECTIVE_TIME, 1, TRUE };
      HeddleSchedule *schedule = schedule_of (&fixture, machine, "");
      g_autoptr (GArray) crossings
          = heddle_codesign_new (fixture.diagram, schedule, fixture.sizes, &options, 64., &error);
      const char *own = bound_with (&fixture, schedule, &options, HEDDLE_FIGURE_DRAM, 1.);

      g_assert_no_error (error);
      g_assert_cmpuint (crossings->len, >=, 3);
      for (guint k = 0; k < crossings->len; k++)
        {
          const HeddleCrossing *crossing = &g_array_index (crossings, HeddleCrossing, k);
          double before = crossing->figure == HEDDLE_FIGURE_CAPACITY
                              ? (crossing->at + (crossing->factor > 1. ? -1. : 1.)) / crossing->now
                              : crossing->factor * (crossing->factor > 1. ? 1. - 2e-5 : 1. + 2e-5);

          g_assert_cmpstr (bound_with (&fixture, schedule, &options, crossing->figure, crossing->factor), ==,
              crossing->bound);
          g_assert_cmpstr (bound_with (&fixture, schedule, &options, crossing->figure, before), ==, own);
          g_assert_cmpstr (crossing->bound, !=, own);
        }
      heddle_schedule_free (schedule);
    }
}

/* The abstract machine has no times, and so no bound. */
static void
test_abstract (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("two-level", 0, &error);
  HeddleDeriveOptions options
      = { machine, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL, HEDDLE_OBJECTIVE_TRANSFERS, 1, TRUE };
  g_autoptr (GArray) crossings = NULL;
  HeddleSchedule *schedule;

  fixture_init (&fixture, ATTENTION, NULL);
  schedule = schedule_of (&fixture, machine, "");
  crossings = heddle_codesign_new (fixture.diagram, schedule, fixture.sizes, &options, 64., &error);
  g_assert_no_error (error);
  g_assert_cmpuint (crossings->len, ==, 0);
  heddle_schedule_free (schedule);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/codesign/given", test_given);
  g_test_add_func ("/codesign/found", test_found);
  g_test_add_func ("/codesign/abstract", test_abstract);
  return g_test_run ();
}
