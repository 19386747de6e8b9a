/* SPDX-License-Identifier: MIT */
#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/find.h"
#include "derive/report/roofline.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/problem.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/flatten/flatten.h"
#include "files/exchange/load.h"

/* Every example has points that lie under the roofs that bound them, on an A100 and on an H100. */

#define TOLERANCE 1.01
#define LARGE 60 /* operations of an example that is searched in the long tests alone */

/* Points of kernels by the memory whose roof they are under, and those of L2 that are above the roof of global memory. */
static guint n_gmem, n_l2, n_smem, n_over_gmem;

static double
rate_of (const GPtrArray *roofs, const char *name)
{
  for (guint i = 0; i < roofs->len; i++)
    {
      const HeddleRoof *roof = g_ptr_array_index (roofs, i);

      if (g_str_equal (roof->name, name))
        return roof->rate;
    }
  g_error ("There is no roof “%s”", name);
}

/* Checks a point against the roof of the memory that it names. */
static void
check_under (const char *what, const GPtrArray *roofs, const HeddleRooflinePoint *point)
{
  double roof = rate_of (roofs, point->memory) * point->intensity;

  if (point->flops_per_s > TOLERANCE * roof)
    g_error ("%s: %g FLOP/s at %g FLOP/byte are above the roof of %s, %g FLOP/s", what, point->flops_per_s,
        point->intensity, point->memory, roof);
}

/* Checks what serves the kernel: the memory that is busy longest, or the unit that bounds it. */
static void
check_kernel (const HeddleKernel *kernel, const GPtrArray *roofs)
{
  HeddleRooflinePoint point = heddle_roofline_kernel_point (kernel);

  if (point.memory == NULL)
    {
      g_assert_true (!(kernel->flops > 0. && kernel->expected_s > 0.));
      return;
    }
  check_under (kernel->name, roofs, &point);
  if (g_str_equal (kernel->bound, "tensor") || g_str_equal (kernel->bound, "fp32")
      || g_str_equal (kernel->bound, "special"))
    g_assert_cmpfloat (point.flops_per_s, <=, TOLERANCE * rate_of (roofs, kernel->bound));
  if (g_str_equal (kernel->bound, "l2"))
    g_assert_cmpstr (point.memory, ==, "l2");
  if (g_str_equal (kernel->bound, "dram"))
    g_assert_cmpstr (point.memory, ==, "gmem");
  n_gmem += g_str_equal (point.memory, "gmem");
  n_l2 += g_str_equal (point.memory, "l2");
  n_smem += g_str_equal (point.memory, "smem");
  n_over_gmem += point.flops_per_s > TOLERANCE * rate_of (roofs, "gmem") * point.intensity;
}

static void
check_on (const HeddleDiagram *diagram, const HeddleMachine *machine, gboolean suggest)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (diagram, NULL, &error);
  HeddleSchedule *schedule = heddle_schedule_new (diagram->id);
  HeddleDeriveOptions options = { .machine = machine,
    .dtype = HEDDLE_DTYPE_F16,
    .objective = HEDDLE_OBJECTIVE_TIME,
    .suggest = suggest,
    .lean = TRUE };
  g_autoptr (HeddleDerivation) derivation = heddle_derive (diagram, schedule, sizes, &options, NULL, &error);
  HeddleKernel work = heddle_derivation_total_work (derivation);
  g_autoptr (GPtrArray) roofs = heddle_roofline_roofs (machine, HEDDLE_DTYPE_F16, &work);
  HeddleRooflinePoint whole;

  g_assert_no_error (error);
  for (guint i = 0; i < derivation->kernels->len; i++)
    check_kernel (g_ptr_array_index (derivation->kernels, i), roofs);
  whole = heddle_roofline_point (derivation);
  if (whole.memory != NULL)
    check_under (diagram->name, roofs, &whole);
  heddle_schedule_free (schedule);
}

static void
test_example (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autofree char *path = g_build_filename (heddle_data_directory (), "examples", data, NULL);
  g_autoptr (HeddleSnapshot) document = heddle_file_load (path, problems, &error);
  g_autoptr (HeddleSnapshot) flat
      = heddle_snapshot_flatten (document, heddle_snapshot_get_diagram (document, NULL), NULL, NULL, &error);
  const HeddleDiagram *diagram = heddle_snapshot_get_diagram (flat, NULL);
  static const char *const machines[] = { "a100", "h100" };

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (machines); i++)
    {
      g_autoptr (HeddleMachine) machine = heddle_machine_find (machines[i], 0, &error);

      g_assert_no_error (error);
      check_on (diagram, machine, FALSE);
      if (diagram->operations->len <= LARGE || g_test_thorough ())
        check_on (diagram, machine, TRUE);
    }
}

/* Points of all memories were tried, and of L2 some that the roof of global memory does not bound. */
static void
test_enough (void)
{
  g_test_message (
      "%u points are under the roof of global memory, %u of L2, %u of SMEM; %u of them are above that of "
      "global memory",
      n_gmem, n_l2, n_smem, n_over_gmem);
  g_assert_cmpuint (n_gmem, >, 50);
  g_assert_cmpuint (n_l2, >, 50);
  g_assert_cmpuint (n_over_gmem, >, 0);
}

int
main (int argc, char **argv)
{
  g_autofree char *path = NULL;
  g_autoptr (GDir) directory = NULL;

  g_test_init (&argc, &argv, NULL);
  path = g_build_filename (heddle_data_directory (), "examples", NULL);
  directory = g_dir_open (path, 0, NULL);
  g_assert_nonnull (directory);
  for (const char *name = g_dir_read_name (directory); name != NULL; name = g_dir_read_name (directory))
    if (g_str_has_suffix (name, ".ncd"))
      {
        g_autofree char *test = g_strdup_printf ("/roofline/%s", name);

        g_test_add_data_func_full (test, g_strdup (name), test_example, g_free);
      }
  g_test_add_func ("/roofline/enough", test_enough);
  return g_test_run ();
}
