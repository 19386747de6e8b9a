/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>

#include "fixture.h"
#include "derive/cost/level-cost.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/schedule-text.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/kernel/divisors.h"
#include "derive/legality/refusal.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/file.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/graph/diagram.h"

/* Labels at several levels: warps within blocks, chunks within chunks. What the levels move and hold is worked out here by hand; that the
 * executor does the same is shown by what it runs, here and in the random schedules. */

static HeddleDerivation *
derive_on (const Fixture *fixture, const char *gpu, const char *labels, gboolean suggest)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleMachine) machine = heddle_machine_find (gpu, 0, &error);
  HeddleDeriveOptions options
      = { machine, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL, HEDDLE_OBJECTIVE_TIME, 1, suggest };

  g_assert_no_error (error);
  return fixture_derive (fixture, "all", labels, &options);
}

static const HeddleLevelCost *
level_of (const HeddleDerivation *derivation, guint i)
{
  const HeddleKernel *kernel = fixture_kernel (derivation, 0);

  g_assert_cmpuint (kernel->refusals->len, ==, 0);
  g_assert_cmpuint (i, <, kernel->levels->len);
  return g_ptr_array_index (kernel->levels, i);
}

static void
run (const Fixture *fixture, const HeddleDerivation *derivation, const char *what)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  g_autoptr (GHashTable) reference = NULL;

  g_assert_true (heddle_evaluate_fill_inputs (fixture->diagram, fixture->sizes, inputs, 3, &error));
  reference = heddle_evaluate (fixture->diagram, fixture->sizes, inputs, HEDDLE_PRECISION_F64, NULL, &error);
  g_assert_no_error (error);
  fixture_check_kernel (fixture->sizes, what, fixture_kernel (derivation, 0), reference, HEDDLE_COLUMNS_ALL);
}

/* q, x = 4096, d = 128; blocks of 128 rows and 64 columns, warps of 16 and 16. Each warp reads all of K and V. At SMEM the row
 * statistics and sums are not held any more: the larger of Q's tile and a chunk of K and V is. */
static void
test_attention (void)
{
  g_auto (Fixture) fixture = { NULL };
  g_autoptr (HeddleDerivation) derivation = NULL;
  const HeddleLevelCost *smem, *registers;

  fixture_init (&fixture, ATTENTION, NULL);
  derivation = derive_on (
      &fixture, "h100", "q:group=128 x:stream=64 q:group@registers=16 x:stream@registers=16", FALSE);
  smem = level_of (derivation, 0);
  registers = level_of (derivation, 1);
  g_assert_cmpint (smem->transfer_elements, ==, 2 * 4096 * 128 + 32 * 2 * 4096 * 128);
  g_assert_cmpint (smem->memory_elements, ==, 2 * 64 * 128);
  g_assert_cmpint (registers->transfer_elements, ==, 2 * 4096 * 128 + 256 * 2 * 4096 * 128);
  g_assert_cmpint (registers->memory_elements, ==, 2 * 16 * 128 + 2 * 16 * 128 + 16 * 16 + 2 * 16);
  g_assert_cmpint (registers->instances, ==, 8);
  g_assert_cmpstr (registers->level, ==, "registers");
  g_assert_true (fixture_kernel (derivation, 0)->fits);
  g_assert_cmpint (derivation->transfer_elements, ==, smem->transfer_elements);
}

/* Ragged at both levels: 50 rows in tiles of 16 and 8 are 7 warps; 37 columns in chunks of 12 and 4 are 10 steps, 13 with a warp of the last
 * tile's two rows. */
static void
test_ragged (void)
{
  g_auto (Fixture) fixture = { NULL };
  g_autoptr (HeddleDerivation) derivation = NULL;

  fixture_init (&fixture, ATTENTION, "q=50 x=37 d=5");
  derivation = derive_on (
      &fixture, "h100", "q:group=16 x:stream=12 q:group@registers=8 x:stream@reg=4 d:group@reg=5", FALSE);
  g_assert_cmpuint (fixture_kernel (derivation, 0)->refusals->len, ==, 1); /* d is contracted */
  g_clear_pointer (&derivation, heddle_derivation_free);
  derivation
      = derive_on (&fixture, "h100", "q:group=16 x:stream=12 q:group@registers=8 x:stream@reg=4", FALSE);
  g_assert_cmpint (level_of (derivation, 0)->transfer_elements, ==, 2 * 50 * 5 + 4 * 2 * 37 * 5);
  g_assert_cmpint (level_of (derivation, 1)->transfer_elements, ==, 2 * 50 * 5 + 7 * 2 * 37 * 5);
  run (&fixture, derivation, "ragged");
}

/* A stream at registers alone: K and V are whole at SMEM. */
static void
test_lower_alone (void)
{
  g_auto (Fixture) fixture = { NULL };
  g_autoptr (HeddleDerivation) derivation = NULL;

  fixture_init (&fixture, ATTENTION, "q=9 x=7 d=4");
  derivation = derive_on (&fixture, "h100", "q:group=3 x:stream@registers=2", FALSE);
  g_assert_cmpint (level_of (derivation, 0)->memory_elements, ==, 3 * 4 + 2 * 7 * 4);
  g_assert_cmpint (level_of (derivation, 1)->memory_elements, ==, 2 * 3 * 4 + 2 * 2 * 4 + 3 * 2 + 2 * 3);
  run (&fixture, derivation, "stream at registers");
}

/* Three memories below global memory. */
static void
test_three (void)
{
  static const char text[]
      = "[Machine]\nName=deep\nTitle=Deep\nSource=made up\n\n[Level gmem]\nTitle=GMEM\nCount=1\n\n"
        "[Level smem]\nTitle=SMEM\nParent=gmem\nCount=1\nCapacity=100000\nLabels=true\n\n"
        "[Level registers]\nTitle=Registers\nParent=smem\nCount=1\nCapacity=10000\nLabels=true\n\n"
        "[Level lanes]\nTitle=Lanes\nParent=registers\nCount=1\nCapacity=1000\nLabels=true\n";
  g_auto (Fixture) fixture = { NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  int file = g_file_open_tmp ("XXXXXX.machine", &path, &error);
  g_autoptr (HeddleMachine) machine = NULL;
  g_autoptr (HeddleDerivation) derivation = NULL;
  HeddleDeriveOptions options
      = { NULL, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL, HEDDLE_OBJECTIVE_TRANSFERS, 2, FALSE };

  g_assert_no_error (error);
  g_close (file, NULL);
  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  machine = heddle_machine_load_file (path, &error);
  g_assert_no_error (error);
  g_remove (path);
  options.machine = machine;
  fixture_init (&fixture, ATTENTION, "q=50 x=37 d=5");
  derivation = fixture_derive (&fixture, "all",
      "q:group=16 x:stream=12 q:group@registers=8 x:stream@registers=6 q:group@lanes=2 x:stream@lanes=3",
      &options);
  g_assert_cmpint (level_of (derivation, 0)->transfer_elements, ==, 2 * 50 * 5 + 4 * 2 * 37 * 5);
  g_assert_cmpint (level_of (derivation, 1)->transfer_elements, ==, 2 * 50 * 5 + 7 * 2 * 37 * 5);
  g_assert_cmpint (level_of (derivation, 2)->transfer_elements, ==, 2 * 50 * 5 + 25 * 2 * 37 * 5);
  g_assert_cmpint (level_of (derivation, 2)->instances, ==, 4);
  run (&fixture, derivation, "three levels");
}

static const HeddleRefusal *
refusal_of (const HeddleDerivation *derivation)
{
  const HeddleKernel *kernel = fixture_kernel (derivation, 0);

  g_assert_cmpuint (kernel->refusals->len, >, 0);
  return g_ptr_array_index (kernel->refusals, 0);
}

static void
assert_refused (const Fixture *fixture, const char *labels, const char *reason, const char *remedy)
{
  g_autoptr (HeddleDerivation) derivation = derive_on (fixture, "h100", labels, FALSE);

  g_assert_cmpstr (refusal_of (derivation)->reason, ==, reason);
  g_assert_cmpstr (refusal_of (derivation)->remedy, ==, remedy);
}

static void
test_refusals (void)
{
  g_auto (Fixture) fixture = { NULL };

  fixture_init (&fixture, ATTENTION, NULL);
  assert_refused (&fixture, "q:group=128 q:group@registers=48",
      "128 of q at smem is not a multiple of its divisor 48 (48: its tiles at registers).", "Make it 144.");
  assert_refused (&fixture, "q:group=100 q:group@registers=16 q:divisor=24",
      "100 of q at smem is not a multiple of its divisor 48 (16: its tiles at registers; 24: as it was "
      "labelled).",
      "Make it 144.");
  assert_refused (&fixture, "x:stream=64 x:group@registers=16",
      "x would be streamed, and its chunks grouped at a level below.",
      "Stream x at both levels, or group it at both.");
  assert_refused (&fixture, "x:group@registers=16",
      "The groups of x at registers would have to be merged, and only those at smem are.",
      "Stream x at registers instead.");
  assert_refused (&fixture, "x:stream@registers=16 q:stream=16",
      "This kernel streams x already, and one axis streams at a time.", "Remove the label of x first.");
}

/* 17 warps of 16 rows hold more than all registers. */
static void
test_capacity (void)
{
  g_auto (Fixture) fixture = { NULL };
  g_autoptr (HeddleDerivation) fits = NULL, too_many = NULL;

  fixture_init (&fixture, ATTENTION, NULL);
  fits = derive_on (
      &fixture, "h100", "q:group=240 x:stream=16 q:group@registers=16 x:stream@registers=16", FALSE);
  g_assert_cmpint (level_of (fits, 1)->memory_bytes * 15, <=, 262144);
  g_assert_true (fixture_kernel (fits, 0)->fits);
  too_many = derive_on (
      &fixture, "h100", "q:group=256 x:stream=16 q:group@registers=16 x:stream@registers=16", FALSE);
  g_assert_cmpint (level_of (too_many, 1)->memory_bytes * 16, >, 262144);
  g_assert_false (fixture_kernel (too_many, 0)->fits);
}

/* What is looked for fits what is given below. */
static void
test_suggest (void)
{
  g_auto (Fixture) fixture = { NULL };
  g_autoptr (HeddleDerivation) derivation = NULL;
  const HeddleKernel *kernel;

  fixture_init (&fixture, ATTENTION, NULL);
  derivation = derive_on (&fixture, "h100", "q:group@registers=24 x:stream@registers=16 x:divisor=10", TRUE);
  kernel = fixture_kernel (derivation, 0);
  g_assert_cmpuint (kernel->refusals->len, ==, 0);
  g_assert_cmpint (heddle_kernel_divisor (kernel, fixture_axis (&fixture, "x")), ==, 80);
  g_assert_cmpint (heddle_kernel_divisor (kernel, fixture_axis (&fixture, "q")), ==, 24);
  for (guint i = 0; i < kernel->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (kernel->labels, i);

      if (label->kind < HEDDLE_LABEL_DIVISOR && g_str_equal (label->level, "smem"))
        g_assert_cmpint (label->size % heddle_kernel_divisor (kernel, label->axis), ==, 0);
    }
  g_assert_cmpuint (kernel->levels->len, ==, 2);
}

/* Parts of a split axis are folded chunk by chunk at both levels; the second kernel merges them at SMEM. */
static void
test_split (void)
{
  g_auto (Fixture) fixture = { NULL };
  g_autoptr (HeddleDerivation) derivation = NULL;

  fixture_init (&fixture, ATTENTION, "q=5 x=41 d=3");
  derivation = derive_on (
      &fixture, "h100", "x:group=12 x:stream=6 q:group=4 q:group@registers=2 x:stream@registers=3", FALSE);
  g_assert_nonnull (fixture_kernel (derivation, 0)->program->combine);
  run (&fixture, derivation, "split");
}

/* --- places ------------------------------------------------------------------------------------- */

static const char decode[] = "Q : f16[h=32, d=128]\nK : f16[h, x=2048, d]\nV : f16[h, x, d]\n"
                             "P[h,x] = softmax[x](Q[h,d] K[h,x,d] * d^-0.5)\nO[h,d] = P[h,x] V[h,x,d]\n";

static HeddleDerivation *
derive_placed (const Fixture *fixture, const char *place, const char *level, GError **error)
{
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("h100", 0, NULL);
  HeddleSchedule *schedule = heddle_schedule_fuse (fixture->diagram, NULL, "all", NULL);
  HeddleDeriveOptions options
      = { machine, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL, HEDDLE_OBJECTIVE_TIME, 1, FALSE };
  HeddleDerivation *derivation;
  static const char *const labels[] = { "h:group=1", "x:stream=64", "h:group@registers=1" };

  for (gsize i = 0; i < G_N_ELEMENTS (labels); i++)
    g_assert_true (heddle_schedule_add_label_text (schedule, fixture->diagram, machine, labels[i], NULL));
  for (const char *name = place; *name != '\0'; name++)
    {
      const char single[] = { *name, '\0' };

      g_ptr_array_add (schedule->residency,
          heddle_residency_new (heddle_diagram_find_value (fixture->diagram, single)->id, NULL, level));
    }
  derivation = heddle_derive (fixture->diagram, schedule, fixture->sizes, &options, NULL, error);
  heddle_schedule_free (schedule);
  return derivation;
}

/* Keys and values kept in L2, 16 MiB each, are not read from DRAM: what is left is Q and O, 8 KiB each. Of 4096 positions they are 64 MiB, of
 * which L2 holds 50. */
static void
test_kept (void)
{
  g_auto (Fixture) fixture = { NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleDerivation) none = NULL, kept = NULL, too_large = NULL;

  fixture_init (&fixture, decode, NULL);
  none = derive_placed (&fixture, "", "l2", &error);
  g_assert_no_error (error);
  kept = derive_placed (&fixture, "KV", "l2", &error);
  g_assert_no_error (error);
  g_assert_cmpint (fixture_kernel (none, 0)->kept_bytes, ==, 0);
  g_assert_cmpint (fixture_kernel (kept, 0)->kept_bytes, ==, 2 * 32 * 2048 * 128 * 2);
  g_assert_cmpfloat_with_epsilon (
      fixture_kernel (none, 0)->dram_s * 3.03e12, 2. * 32. * 2048. * 128. * 2. + 2. * 8192., 1.);
  g_assert_cmpfloat_with_epsilon (fixture_kernel (kept, 0)->dram_s * 3.03e12, 2. * 8192., 1.);
  g_assert_cmpfloat (fixture_kernel (kept, 0)->l2_s, ==, fixture_kernel (none, 0)->l2_s);
  g_assert_cmpint (kept->transfer_bytes, ==, none->transfer_bytes);
  heddle_sizes_unref (fixture.sizes);
  fixture.sizes = fixture_sizes (&fixture, "x=4096");
  too_large = derive_placed (&fixture, "KV", "l2", &error);
  g_assert_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL);
  g_assert_cmpstr (error->message, ==,
      "V cannot be kept at l2: with what is kept there already that is 67108864 bytes, and it holds "
      "52428800");
}

/* What is worked out at registers is there, and nowhere else. */
static void
test_placed_inside (void)
{
  g_auto (Fixture) fixture = { NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleDerivation) registers = NULL, smem = NULL;

  fixture_init (&fixture, decode, NULL);
  registers = derive_placed (&fixture, "P", "registers", &error);
  g_assert_no_error (error);
  smem = derive_placed (&fixture, "P", "smem", &error);
  g_assert_cmpstr (error->message, ==,
      "P cannot be placed at smem: its kernel keeps it at registers; unfuse it to place it elsewhere");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/levels/attention", test_attention);
  g_test_add_func ("/levels/ragged", test_ragged);
  g_test_add_func ("/levels/lower-alone", test_lower_alone);
  g_test_add_func ("/levels/three", test_three);
  g_test_add_func ("/levels/refusals", test_refusals);
  g_test_add_func ("/levels/capacity", test_capacity);
  g_test_add_func ("/levels/suggest", test_suggest);
  g_test_add_func ("/levels/split", test_split);
  g_test_add_func ("/levels/kept", test_kept);
  g_test_add_func ("/levels/placed-inside", test_placed_inside);
  return g_test_run ();
}
