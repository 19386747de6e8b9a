/* SPDX-License-Identifier: MIT */
#include "derive/cost/chosen.h"
#include "derive/cost/clock-form.h"
#include "derive/cost/clock-schedule.h"
#include "derive/cost/clock-part.h"
#include "derive/cost/clock-traffic.h"
#include "derive/cost/clock.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "derive/machine/sustained.h"
#include "diagram/base/dtype.h"

#include <math.h>
#include <string.h>

/* Laws of the clock: the parts add up, more work takes no less time, nothing jumps, and kernels that can be worked out by hand come out so. */

static const double one_step = 1.;

static HeddleMachine *
machine (const char *name)
{
  g_autoptr (GError) error = NULL;
  HeddleMachine *found = heddle_machine_find (name, 0, &error);

  g_assert_no_error (error);
  return found;
}

/* @blocks equal blocks of @steps steps. */
static HeddleClockKernel
kernel_of (const char *form, guint64 blocks, const double *steps)
{
  HeddleClockKernel kernel = { .form = heddle_clock_form_find (form),
    .type = HEDDLE_DTYPE_F16,
    .kernels = 1,
    .smem_conflict = 1.,
    .threads = 128,
    .registers = 64,
    .n_axes = 1,
    .grid = { blocks },
    .steps = steps,
    .n_steps = 1 };

  g_assert_nonnull (kernel.form);
  return kernel;
}

static double
seconds (const HeddleClockKernel *kernel, const HeddleMachine *on)
{
  HeddleClockTime time;

  heddle_clock (kernel, on, &time);
  return time.seconds;
}

static void
assert_near (double got, double wanted, double relative)
{
  if (!(fabs (got - wanted) <= relative * fabs (wanted)))
    g_error ("%.12g is not %.12g", got, wanted);
}

/* A product as cuBLAS has it: 128 x 256 tiles, in pairs that share the wider factor where @cluster is 2. */
static HeddleClockKernel
product (guint64 n, guint cluster, const double *steps)
{
  HeddleClockKernel kernel = kernel_of ("wgmma-pair", n / 256, steps);

  kernel.n_axes = 2;
  kernel.grid[1] = n / 128;
  kernel.group_axis = 1;
  kernel.group = 8;
  kernel.cluster = cluster;
  kernel.threads = 384;
  kernel.registers = 168;
  kernel.smem = 4 * (128 + 256) * 64 * 2;
  kernel.flight_bytes = 3. * (128 + 256) * 64 * 2;
  kernel.tensor_flops = 2. * 128 * 256 * 64;
  kernel.smem_bytes = 2. * (64 + 256) * 64 * 2;
  kernel.l2_bytes = (128. + 256. / cluster) * 64 * 2;
  kernel.block_l2_bytes = 128 * 256 * 2;
  kernel.n_arrays = 3;
  kernel.arrays[0] = (HeddleClockArray){ 128. * (double) n * 2, 2, FALSE };
  kernel.arrays[1] = (HeddleClockArray){ 256. * (double) n * 2, 1, FALSE };
  kernel.arrays[2] = (HeddleClockArray){ 128. * 256 * 2, 3, TRUE };
  return kernel;
}

/* --- laws --------------------------------------------------------------------------------- */

static HeddleClockKernel
random_kernel (const HeddleClockForm *form, double *steps, gsize n_steps)
{
  HeddleClockKernel kernel = kernel_of (form->name, (guint64) g_test_rand_int_range (1, 500), steps);
  double scale = pow (10., g_test_rand_double_range (1., 6.));

  for (gsize i = 0; i < n_steps; i++)
    steps[i] = g_test_rand_int_range (1, 40);
  kernel.n_steps = n_steps;
  kernel.n_axes = 2;
  kernel.grid[1] = (guint64) g_test_rand_int_range (1, 9);
  kernel.start = (HeddleClockStart) g_test_rand_int_range (0, 3);
  kernel.kernels = (guint) g_test_rand_int_range (1, 3);
  kernel.tensor_flops = g_test_rand_bit () ? scale * g_test_rand_double_range (0., 100.) : 0.;
  kernel.special_ops = scale * g_test_rand_double ();
  kernel.fp32_ops = scale * g_test_rand_double ();
  kernel.instructions = scale * g_test_rand_double ();
  kernel.smem_bytes = scale * g_test_rand_double ();
  kernel.smem_conflict = g_test_rand_double_range (1., 8.);
  kernel.barriers = g_test_rand_int_range (0, 4);
  kernel.l2_bytes = scale * g_test_rand_double ();
  kernel.block_l2_bytes = scale;
  kernel.block_barriers = g_test_rand_int_range (0, 4);
  kernel.flight_bytes = g_test_rand_bit () ? 32768. : 0.;
  kernel.n_arrays = 2;
  kernel.arrays[0] = (HeddleClockArray){ scale, (guint) g_test_rand_int_range (0, 4), FALSE };
  kernel.arrays[1] = (HeddleClockArray){ scale, 3, TRUE };
  return kernel;
}

static void
assert_adds_up (const HeddleClockTime *time)
{
  double sum = 0.;
  guint seen = 0;

  for (guint i = 0; i < HEDDLE_CLOCK_N_PARTS; i++)
    {
      g_assert_cmpfloat (time->parts[i], >=, -1e-12 * time->seconds);
      g_assert_cmpfloat (time->parts[time->order[i]], <=, time->parts[time->bound]);
      sum += time->parts[time->order[i]];
      seen |= 1u << time->order[i];
    }
  g_assert_cmpuint (seen, ==, (1u << HEDDLE_CLOCK_N_PARTS) - 1);
  g_assert_cmpfloat (sum, ==, time->seconds);
  for (guint i = 0; i < HEDDLE_CLOCK_N_UNITS; i++)
    g_assert_cmpfloat (time->alone[i], <=, time->seconds * (1. + 1e-9));
}

static void
test_adds_up (void)
{
  static const char *const names[] = { "a100-80-sxm", "h100-sxm", "rtx-4090", "l4", "b200" };
  gsize n;
  const HeddleClockForm *forms = heddle_clock_forms (&n);

  for (guint m = 0; m < G_N_ELEMENTS (names); m++)
    {
      g_autoptr (HeddleMachine) on = machine (names[m]);

      for (gsize f = 0; f < n; f++)
        for (guint i = 0; i < 40; i++)
          {
            double steps[7];
            HeddleClockKernel kernel
                = random_kernel (&forms[f], steps, i % 2 == 0 ? 1 : G_N_ELEMENTS (steps));
            HeddleClockTime time;

            heddle_clock (&kernel, on, &time);
            assert_adds_up (&time);
          }
    }
}

static void
test_monotone (void)
{
  g_autoptr (HeddleMachine) on = machine ("h100-sxm");
  gsize n;
  const HeddleClockForm *forms = heddle_clock_forms (&n);

  for (guint i = 0; i < 300; i++)
    {
      double steps[5], longer[5];
      HeddleClockKernel kernel = random_kernel (&forms[i % n], steps, G_N_ELEMENTS (steps)), more;
      double least = seconds (&kernel, on) * (1. - 1e-9);
      double *const works[] = { &more.tensor_flops, &more.special_ops, &more.fp32_ops, &more.instructions,
        &more.smem_bytes, &more.smem_conflict, &more.barriers, &more.l2_bytes, &more.block_l2_bytes,
        &more.block_barriers, &more.arrays[0].bytes, &more.arrays[1].bytes };

      for (guint k = 0; k < G_N_ELEMENTS (works); k++)
        {
          more = kernel;
          /* A kernel without tensor work runs at another clock. */
          *works[k] *= 1.5;
          g_assert_cmpfloat (seconds (&more, on), >=, least);
        }
      more = kernel;
      for (guint k = 0; k < G_N_ELEMENTS (steps); k++)
        longer[k] = steps[k] + 1.;
      more.steps = longer;
      g_assert_cmpfloat (seconds (&more, on), >=, least);
    }
}

/* A data set that grows past L2 by one hundredth after the other: the time grows, and never by more than the miss share can: where it halves the reads that
 * hit, a hundredth more data is a few hundredths more time. */
static void
test_no_cliff (void)
{
  g_autoptr (HeddleMachine) on = machine ("h100-sxm");
  double before = 0.;

  for (double bytes = 10e6; bytes < 300e6; bytes *= 1.01)
    {
      HeddleClockKernel kernel = kernel_of ("reread", 132, &one_step);
      double now;

      kernel.n_axes = 2;
      kernel.grid[1] = 200;
      kernel.apart = TRUE;
      kernel.block_l2_bytes = bytes / 132.;
      kernel.n_arrays = 1;
      kernel.arrays[0] = (HeddleClockArray){ bytes / 132., 1, FALSE };
      now = seconds (&kernel, on);
      if (before > 0.)
        {
          g_assert_cmpfloat (now, >, before);
          g_assert_cmpfloat (now, <, before * 1.10);
        }
      before = now;
    }
  g_assert_cmpfloat (heddle_clock_hit_share (0.1, 1.), >, 0.99);
  g_assert_cmpfloat (heddle_clock_hit_share (3., 1.), <, 0.01);
}

/* --- by hand ------------------------------------------------------------------------------ */

/* An array that exceeds L2 is read once a wave, not once a block: 16 tiles of a grid of 4 x 4, all at a time, read 4 of each factor. */
static void
test_traffic (void)
{
  HeddleClockKernel kernel = kernel_of ("wgmma-pair", 4, &one_step);

  kernel.start = HEDDLE_CLOCK_ALONE;
  kernel.n_axes = 2;
  kernel.grid[1] = 4;
  kernel.n_arrays = 3;
  kernel.arrays[0] = (HeddleClockArray){ 1000., 2, FALSE };
  kernel.arrays[1] = (HeddleClockArray){ 10., 1, FALSE };
  kernel.arrays[2] = (HeddleClockArray){ 1., 3, TRUE };
  assert_near (heddle_clock_dram_bytes (&kernel, 16., 1.), 4000. + 40. + 16., 1e-9);
  /* Four at a time, row after row: each wave reads a row of one and all four of the other. */
  assert_near (heddle_clock_dram_bytes (&kernel, 4., 1.), 4000. + 4. * 40. + 16., 1e-9);
  /* In groups of two rows: each wave reads two rows of one and two of the other. */
  kernel.group_axis = 1;
  kernel.group = 2;
  assert_near (heddle_clock_dram_bytes (&kernel, 4., 1.), 4. * 2000. + 4. * 20. + 16., 1e-9);
  /* Where a tile of one lies in sectors of which an eighth is wanted, DRAM moves eight times as much of it. */
  kernel.arrays[1].sectors = 8.;
  assert_near (heddle_clock_dram_bytes (&kernel, 4., 1.), 4. * 2000. + 8. * 4. * 20. + 16., 1e-9);
  kernel.arrays[1].sectors = 0.;
  /* A cache that holds all reads each once. */
  assert_near (heddle_clock_dram_bytes (&kernel, 4., 1e9), 4000. + 40. + 16., 1e-6);
}

static void
test_schedule (void)
{
  static const double uneven[] = { 3., 1., 1., 1. };
  HeddleClockKernel kernel = kernel_of ("row", 4, uneven);

  kernel.n_steps = G_N_ELEMENTS (uneven);
  g_assert_cmpfloat (heddle_clock_all_steps (&kernel), ==, 6.);
  g_assert_cmpfloat (heddle_clock_makespan (&kernel, 2, 1., 0.), ==, 3.);
  g_assert_cmpfloat (heddle_clock_makespan (&kernel, 2, 2., 0.5), ==, 7.5);
  kernel.fixed_order = TRUE;
  g_assert_cmpfloat (heddle_clock_makespan (&kernel, 2, 1., 0.), ==, 4.);
  kernel.n_steps = 1;
  kernel.grid[0] = 5;
  g_assert_cmpfloat (heddle_clock_makespan (&kernel, 2, 1., 0.), ==, 9.);
}

/* 4096 operations a clock and SM: 132 blocks of a million clocks each. */
static void
test_tensor (void)
{
  g_autoptr (HeddleMachine) on = machine ("h100-sxm");
  HeddleClockKernel kernel = kernel_of ("wgmma-pair", 132, &one_step);
  HeddleClockTime time;
  double clocks = 1e6, rate = on->clock * on->sustained[HEDDLE_SUSTAINED_TENSOR].value;

  kernel.tensor_flops = clocks * on->tensor_flops[HEDDLE_DTYPE_F16] / (132. * on->clock);
  heddle_clock (&kernel, on, &time);
  assert_near (time.parts[HEDDLE_CLOCK_TENSOR], clocks / rate, 1e-9);
  assert_near (time.parts[HEDDLE_CLOCK_LAUNCH], on->sustained[HEDDLE_SUSTAINED_LAUNCH].value, 1e-12);
  g_assert_cmpfloat (fabs (time.parts[HEDDLE_CLOCK_IDLE]), <, 1e-12);
  assert_near (
      time.parts[HEDDLE_CLOCK_BLOCKS], on->sustained[HEDDLE_SUSTAINED_LATENCY].value + 600. / rate, 1e-6);
  g_assert_cmpint (time.bound, ==, HEDDLE_CLOCK_TENSOR);
}

/* One block more than there are SMs takes a second wave. */
static void
test_waves (void)
{
  g_autoptr (HeddleMachine) on = machine ("h100-sxm");
  HeddleClockKernel kernel = kernel_of ("wgmma-pair", 132, &one_step);
  HeddleClockTime full, more;

  kernel.tensor_flops = 1e10;
  heddle_clock (&kernel, on, &full);
  kernel.grid[0] = 133;
  kernel.smem = 200 * 1024;
  heddle_clock (&kernel, on, &more);
  assert_near (more.seconds, 2. * full.seconds, 0.01);
  assert_near (more.parts[HEDDLE_CLOCK_IDLE] / more.seconds, 1. - 133. / 264., 0.01);
  assert_near (more.busy, 133. / 264., 0.01);
  assert_near (full.busy, 1., 1e-9);
  g_assert_cmpfloat (more.waves, ==, 133. / 132.);
}

static void
test_launches (void)
{
  g_autoptr (HeddleMachine) on = machine ("h100-sxm");
  HeddleClockKernel kernel = kernel_of ("copy", 1, &one_step);
  double one, launch = on->sustained[HEDDLE_SUSTAINED_LAUNCH].value;

  /* However little there is to do, it takes a launch and a load. */
  kernel.start = HEDDLE_CLOCK_ALONE;
  one = seconds (&kernel, on);
  g_assert_cmpfloat (
      one, >=, on->sustained[HEDDLE_SUSTAINED_ALONE].value + on->sustained[HEDDLE_SUSTAINED_LATENCY].value);
  g_assert_cmpfloat (one, <, 10e-6);
  kernel.kernels = 2;
  assert_near (seconds (&kernel, on) - one, launch, 1e-9);
  kernel.kernels = 1;
  kernel.start = HEDDLE_CLOCK_GRAPH;
  assert_near (one - seconds (&kernel, on),
      on->sustained[HEDDLE_SUSTAINED_ALONE].value - on->sustained[HEDDLE_SUSTAINED_GRAPH].value, 1e-9);
}

/* A machine file that tells no sustained rates is taken by shares of its peaks. */
static void
test_defaults (void)
{
  g_autoptr (HeddleMachine) on = machine ("l4");
  const HeddleLevel *gmem = g_ptr_array_index (on->levels, 0);

  for (guint i = 0; i < HEDDLE_N_SUSTAINED; i++)
    g_assert_cmpfloat (on->sustained[i].value, ==, 0.);
  assert_near (heddle_clock_rate (on, HEDDLE_SUSTAINED_DRAM), 0.9 * gmem->bandwidth, 1e-12);
  g_assert_cmpfloat (heddle_clock_rate (on, HEDDLE_SUSTAINED_MMA), ==, 1.);
  g_assert_cmpfloat (heddle_clock_rate (on, HEDDLE_SUSTAINED_LAUNCH), >, 1e-6);
}

static void
test_occupancy (void)
{
  g_autoptr (HeddleMachine) a100 = machine ("a100-80-sxm"), rtx = machine ("rtx-4090");
  HeddleClockKernel kernel = kernel_of ("fa2-mma", 1, &one_step);

  /* 255 registers are handed out as 256: 4 warps take 32,768 of 65,536. */
  kernel.registers = 255;
  g_assert_cmpuint (heddle_clock_blocks_per_sm (&kernel, a100), ==, 2);
  kernel.registers = 32;
  g_assert_cmpuint (heddle_clock_blocks_per_sm (&kernel, a100), ==, 16);
  g_assert_cmpuint (heddle_clock_blocks_per_sm (&kernel, rtx), ==, 12);
  /* With the kibibyte that the system takes of each: 164 KiB hold two of 80 KiB, not of 82. */
  kernel.smem = 80 * 1024;
  g_assert_cmpuint (heddle_clock_blocks_per_sm (&kernel, a100), ==, 2);
  kernel.smem = 82 * 1024;
  g_assert_cmpuint (heddle_clock_blocks_per_sm (&kernel, a100), ==, 1);
  g_assert_cmpuint (heddle_clock_blocks_per_sm (&kernel, rtx), ==, 1);
  kernel.smem = 200 * 1024;
  g_assert_cmpuint (heddle_clock_blocks_per_sm (&kernel, a100), ==, 0);
}

/* 8192 to the third on an H100 in the form of cuBLAS, which is told to reach 795 TFLOP/s, and the same without the pair's multicast. */
static void
test_product (void)
{
  g_autoptr (HeddleMachine) on = machine ("h100-sxm");
  double steps = 8192. / 64.;
  HeddleClockKernel kernel = product (8192, 2, &steps);
  HeddleClockTime pairs, alone;

  heddle_clock (&kernel, on, &pairs);
  assert_near (2. * pow (8192., 3.) / pairs.seconds / 1e12, 790., 0.1);
  g_assert_cmpint (pairs.bound, ==, HEDDLE_CLOCK_TENSOR);
  g_assert_cmpint (pairs.order[0], ==, HEDDLE_CLOCK_TENSOR);
  g_assert_cmpuint (pairs.blocks_per_sm, ==, 1);
  /* Three times 128 MiB is past L2, and still no array is read for each block: 5.4 GB would be. */
  g_assert_cmpfloat (pairs.dram_bytes, <, 2e9);
  kernel = product (8192, 1, &steps);
  heddle_clock (&kernel, on, &alone);
  assert_near (alone.l2_bytes / pairs.l2_bytes, 1.5, 0.02);
  g_assert_cmpfloat (alone.seconds, >, pairs.seconds * 1.05);
}

static void
test_sentences (void)
{
  g_autoptr (HeddleMachine) on = machine ("h100-sxm");
  double steps = 8192. / 64.;
  HeddleClockKernel kernel = product (8192, 2, &steps);
  HeddleClockTime time;
  g_autofree char *longest = NULL, *hidden = NULL;

  heddle_clock (&kernel, on, &time);
  longest = heddle_clock_part_sentence (&time, HEDDLE_CLOCK_TENSOR);
  hidden = heddle_clock_part_sentence (&time, HEDDLE_CLOCK_DRAM);
  g_assert_true (g_str_has_prefix (longest, "With nothing else to do, tensor cores would take"));
  g_assert_nonnull (strstr (hidden, "DRAM would take"));
  for (guint i = 0; i < HEDDLE_CLOCK_N_PARTS; i++)
    {
      g_autofree char *sentence = heddle_clock_part_sentence (&time, (HeddleClockPart) i);

      g_assert_true (g_ascii_isupper (sentence[0]) && g_str_has_suffix (sentence, "."));
      g_assert_nonnull (heddle_clock_part_title ((HeddleClockPart) i));
    }
}

/* Rows that are sorted by the matrix that they choose have one in a block, and another one at each border; a
 * block of all rows has all that are chosen, and one row has one. Without sorting a block of many rows has
 * nearly all matrices. */
static void
test_chosen (void)
{
  double chosen = heddle_chosen_matrices (256, 32768);

  g_assert_cmpfloat_with_epsilon (chosen, 256, 1e-9);
  g_assert_cmpfloat_with_epsilon (heddle_chosen_when_sorted (256, 128, 32768), 1 + 255. / 256, 1e-9);
  g_assert_cmpfloat_with_epsilon (heddle_chosen_when_sorted (256, 32768, 32768), 256, 1e-9);
  g_assert_cmpfloat_with_epsilon (heddle_chosen_when_sorted (256, 1, 32768), 1, 1e-9);
  g_assert_cmpfloat_with_epsilon (heddle_chosen_when_sorted (8, 4, 4), heddle_chosen_matrices (8, 4), 1e-9);
  g_assert_cmpfloat (heddle_chosen_matrices (256, 128), >, 100);
  g_assert_cmpfloat (heddle_chosen_when_sorted (1000, 128, 32768), ==, heddle_chosen_matrices (1000, 128));
}

/* Waves that read an array in turns read again only what lies at a border between two turns. */
static void
test_turns (void)
{
  HeddleClockKernel kernel = { .n_axes = 2, .grid = { 16, 64 }, .n_arrays = 1, .start = HEDDLE_CLOCK_COLD };
  HeddleClockWaves waves;

  kernel.arrays[0] = (HeddleClockArray){ .bytes = 1e9, .axes = 1, .turns = 1. };
  heddle_clock_waves_init (&waves, &kernel, 16, 40e6);
  g_assert_cmpfloat_with_epsilon (heddle_clock_waves_passes (&waves, 1, 1.), 64, 1e-3);
  g_assert_cmpfloat_with_epsilon (heddle_clock_waves_passes (&waves, 1, 8.), 1 + 63. / 8, 1e-3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/clock/adds-up", test_adds_up);
  g_test_add_func ("/clock/monotone", test_monotone);
  g_test_add_func ("/clock/no-cliff", test_no_cliff);
  g_test_add_func ("/clock/traffic", test_traffic);
  g_test_add_func ("/clock/schedule", test_schedule);
  g_test_add_func ("/clock/tensor", test_tensor);
  g_test_add_func ("/clock/waves", test_waves);
  g_test_add_func ("/clock/launches", test_launches);
  g_test_add_func ("/clock/defaults", test_defaults);
  g_test_add_func ("/clock/occupancy", test_occupancy);
  g_test_add_func ("/clock/product", test_product);
  g_test_add_func ("/clock/chosen", test_chosen);
  g_test_add_func ("/clock/turns", test_turns);
  g_test_add_func ("/clock/sentences", test_sentences);
  return g_test_run ();
}
