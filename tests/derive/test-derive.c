/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include <math.h>
#include <string.h>
#include "derive/cost/clock.h"
#include "derive/cost/level-cost.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/schedule-text.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "derive/program/loop-program.h"
#include "derive/program/memory-layout.h"
#include "derive/program/pseudocode.h"
#include "derive/report/roofline.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

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

/* --- time ------------------------------------------------------------------------------------- */

/* The tile of attention at which f16 compute equals DRAM traffic. */
static void
test_ridge (void)
{
  static const struct
  {
    const char *gpu;
    gint64 tile;
  } rows[] = { { "a100", 153 }, { "h100", 295 }, { "h200", 206 }, { "b200", 293 } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Fixture) fixture = { 0 };
      g_autoptr (HeddleDerivation) derivation = NULL;

      fixture_init (&fixture, ATTENTION, NULL);
      derivation = derive_on (&fixture, rows[i].gpu, "q:group=128 x:stream=64", FALSE);
      g_assert_cmpint (fixture_kernel (derivation, 0)->ridge_tile, ==, rows[i].tile);
    }
}

/* Per row and step of 64 on Hopper the tensor cores take 4 + 4 clocks in f16 and the special functions 65/16; and the sum of the two
 * predicts 495, 660 and 790 TFLOP/s for head sizes of 64, 128 and 256. */
static void
test_hopper (void)
{
  static const struct
  {
    const char *sizes;
    double d, tflops;
  } rows[] = { { "d=64", 64., 495. }, { "d=128", 128., 660. }, { "d=256", 256., 790. } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Fixture) fixture = { 0 };
      g_autoptr (HeddleDerivation) derivation = NULL;
      const HeddleKernel *kernel;

      fixture_init (&fixture, ATTENTION, rows[i].sizes);
      derivation = derive_on (&fixture, "h100", "q:group=128 x:stream=64", FALSE);
      kernel = fixture_kernel (derivation, 0);
      g_assert_cmpfloat (kernel->flops, ==, 4. * 4096. * 4096. * rows[i].d);
      g_assert_cmpfloat_with_epsilon (
          kernel->tensor_s / kernel->special_s, rows[i].d / 16. / (65. / 16.), 1e-3 * rows[i].d / 16.);
      g_assert_cmpfloat_with_epsilon (
          kernel->flops / (kernel->tensor_s + MAX (kernel->special_s, kernel->fp32_s)) / 1e12, rows[i].tflops,
          rows[i].tflops * .01);
    }
}

static void
test_waves (void)
{
  static const struct
  {
    const char *gpu;
    double waves;
  } rows[] = { { "a100", .948 }, { "h100", .970 }, { "b200", .865 } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Fixture) fixture = { 0 };
      g_autoptr (HeddleDerivation) derivation = NULL;
      g_autoptr (HeddleMachine) machine = NULL;
      const HeddleKernel *kernel;
      double share, apart; /* of the peak clock that tensor cores sustain; s that waves do not stretch */

      fixture_init (&fixture, ATTENTION, "q=65536");
      derivation = derive_on (&fixture, rows[i].gpu, "q:group=128 x:stream=64", FALSE);
      kernel = fixture_kernel (derivation, 0);
      g_assert_cmpint (kernel->groups, ==, 512);
      g_assert_cmpfloat_with_epsilon (kernel->waves, rows[i].waves, 5e-4);
      g_assert_cmpfloat (kernel->overlapped_s, <=, kernel->expected_s);
      g_assert_cmpfloat (kernel->expected_s, <=, kernel->serial_s);
      machine = heddle_machine_find (rows[i].gpu, 0, NULL);
      share = heddle_clock_rate (machine, HEDDLE_SUSTAINED_TENSOR);
      apart = kernel->parts[HEDDLE_TIME_BLOCKS] + kernel->parts[HEDDLE_TIME_LAUNCH];
      g_assert_cmpfloat_with_epsilon ((kernel->overlapped_s - apart) * kernel->waves,
          MAX (MAX (MAX (MAX (kernel->tensor_s, kernel->special_s), MAX (kernel->fp32_s, kernel->smem_s))
                        / share,
                   kernel->dram_s),
              kernel->l2_s),
          1e-12);
    }
}

/* What is suggested for a GPU fits in its memory, by the model and by the general kernels' own use. */
static void
test_suggestion (void)
{
  static const char *const gpus[] = { "a100", "h100", "b200", "rtx-4090" };

  for (gsize i = 0; i < G_N_ELEMENTS (gpus); i++)
    {
      g_auto (Fixture) fixture = { 0 };
      g_autoptr (HeddleDerivation) derivation = NULL;
      const HeddleKernel *kernel;
      const HeddleLevelCost *level;
      gint64 tile;

      fixture_init (&fixture, ATTENTION, NULL);
      derivation = derive_on (&fixture, gpus[i], NULL, TRUE);
      kernel = fixture_kernel (derivation, 0);
      level = g_ptr_array_index (kernel->levels, 0);
      tile = fixture_label (&fixture, kernel, "q", HEDDLE_LABEL_GROUP);
      g_assert_true (kernel->fits);
      g_assert_cmpint (tile % 16, ==, 0);
      g_assert_cmpint (tile, >=, 16);
      g_assert_cmpint (fixture_label (&fixture, kernel, "x", HEDDLE_LABEL_STREAM), >=, 16);
      g_assert_cmpint (level->memory_bytes, <=, level->capacity_bytes);
      g_assert_cmpint (
          heddle_loop_program_shared_bytes (kernel->program, fixture.sizes), <=, level->capacity_bytes);
    }
}

/* Tiles narrower than a fragment are taken where no others fit. */
static void
test_narrow (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;

  fixture_init (&fixture, ATTENTION, "d=4096");
  derivation = derive_on (&fixture, "h100", NULL, TRUE);
  g_assert_true (fixture_kernel (derivation, 0)->fits);
  g_assert_cmpint (fixture_label (&fixture, fixture_kernel (derivation, 0), "q", HEDDLE_LABEL_GROUP), <, 16);
}

static void
test_shared_layout (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;
  const HeddleLoopProgram *program;
  gint64 total;

  fixture_init (&fixture, ATTENTION, NULL);
  derivation = derive_on (&fixture, "h100", "q:group=128 x:stream=64", FALSE);
  program = fixture_kernel (derivation, 0)->program;
  total = heddle_loop_program_shared_bytes (program, fixture.sizes);
  /* Q, K and V in f16; the scores, o, and m, l and the factor in f32. */
  g_assert_cmpint (total, ==, 2 * (128 * 128 + 2 * 64 * 128) + 4 * (128 * 64 + 128 * 128 + 3 * 128));
  for (guint i = 0; i < program->buffers->len; i++)
    {
      gint64 offset = heddle_loop_program_buffer_offset (program, fixture.sizes, i);

      g_assert_cmpint (offset % 16, ==, 0);
      g_assert_cmpint (offset, <, total);
    }
}

/* --- columns ---------------------------------------------------------------------------------------- */

static void
test_columns (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;
  const HeddleKernel *kernel;
  const HeddleLevelCost *level;
  gint64 transfers = 0, memory = 0;

  fixture_init (&fixture, ATTENTION, NULL);
  derivation = derive_on (&fixture, "h100", "q:group=128 x:stream=64", FALSE);
  kernel = fixture_kernel (derivation, 0);
  level = g_ptr_array_index (kernel->levels, 0);
  g_assert_cmpuint (kernel->columns->len, ==, kernel->operations->len + 1);
  for (guint i = 0; i < kernel->columns->len; i++)
    {
      const HeddleColumnCost *column = g_ptr_array_index (kernel->columns, i);

      g_assert_true (column->operation == (i > 0 ? heddle_ids_index (kernel->operations, i - 1) : NULL));
      transfers += column->transfer_elements;
      memory = MAX (memory, column->memory_elements);
    }
  g_assert_cmpint (transfers, ==, level->transfer_elements);
  g_assert_cmpint (memory, ==, level->memory_elements);
  g_assert_cmpint (level->memory_bytes, ==, 115200);
  g_assert_cmpint (((HeddleColumnCost *) g_ptr_array_index (kernel->columns, 0))->transfer_elements, ==,
      4096 * 128 + 2 * 4096 * 128 * 32);
}

/* --- texts ------------------------------------------------------------------------------------------------ */

static void
assert_label_fails (const Fixture *fixture, const char *text, const char *why)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("h100", 0, NULL);
  HeddleSchedule *schedule = heddle_schedule_fuse (fixture->diagram, NULL, "all", NULL);

  g_assert_false (heddle_schedule_add_label_text (schedule, fixture->diagram, machine, text, &error));
  g_assert_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL);
  if (strstr (error->message, why) == NULL)
    g_error ("“%s” is not in “%s”", why, error->message);
  heddle_schedule_free (schedule);
}

static void
test_label_texts (void)
{
  static const char *const wrong[][2] = { { "q", "no “:”" }, { "q:group", "no “=”" },
    { "z:group=1", "no axis “z”" }, { "q:tile=1", "“tile” is not a kind of label" },
    { "q:group@disk=1", "no level “disk”" }, { "q:group=0", "“0” is not" }, { "q:group=-3", "“-3” is not" },
    { "q:group=1e3", "“1e3” is not" }, { "q:group=99999999999999999999", "is not" },
    { "R/q:group=1", "no such region" }, { "", "no “:”" }, { "=:", "no “:”" } };
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("h100", 0, NULL);
  HeddleSchedule *schedule;

  fixture_init (&fixture, ATTENTION, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    assert_label_fails (&fixture, wrong[i][0], wrong[i][1]);

  schedule = heddle_schedule_fuse (fixture.diagram, NULL, "P,O", NULL);
  g_assert_cmpuint (schedule->regions->len, ==, 1);
  g_assert_true (heddle_schedule_add_label_text (schedule, fixture.diagram, machine, "x:stream=64", NULL));
  g_assert_true (
      heddle_schedule_add_label_text (schedule, fixture.diagram, machine, "S/q:group@smem=32", NULL));
  g_assert_true (heddle_schedule_add_label_text (schedule, fixture.diagram, machine, "S/q:group=48", NULL));
  g_assert_cmpuint (schedule->regions->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      const HeddleRegion *region = g_ptr_array_index (schedule->regions, i);
      const HeddleLabel *label
          = heddle_region_get_label (region, fixture_axis (&fixture, "q"), "smem", HEDDLE_LABEL_GROUP);

      g_assert_cmpint (label != NULL ? label->size : 0, ==, i == 0 ? 0 : 48);
      g_assert_nonnull (
          heddle_region_get_label (region, fixture_axis (&fixture, "x"), "smem", HEDDLE_LABEL_STREAM));
    }
  heddle_schedule_free (schedule);
}

static void
test_fuse_texts (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GError) error = NULL;
  HeddleSchedule *first, *second;

  fixture_init (&fixture, ATTENTION, NULL);
  g_assert_null (heddle_schedule_fuse (fixture.diagram, NULL, "P,Z", &error));
  g_assert_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_REGION);
  g_clear_error (&error);
  g_assert_null (heddle_schedule_fuse (fixture.diagram, NULL, "Q", &error));
  g_assert_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_REGION);

  /* Fusing more keeps the labels of what was fused. */
  first = heddle_schedule_fuse (fixture.diagram, NULL, "P,O", NULL);
  g_assert_true (heddle_schedule_add_label_text (first, fixture.diagram, NULL, "P/x:stream@smem=64", NULL));
  second = heddle_schedule_fuse (fixture.diagram, first, "all", NULL);
  g_assert_cmpuint (second->regions->len, ==, 1);
  g_assert_cmpuint (((HeddleRegion *) g_ptr_array_index (second->regions, 0))->labels->len, ==, 1);
  g_assert_cmpuint (((HeddleRegion *) g_ptr_array_index (second->regions, 0))->operations->len, ==,
      fixture.diagram->operations->len);
  heddle_schedule_free (first);
  heddle_schedule_free (second);
}

/* --- scans, and reads at indices ------------------------------------------------------------------------------ */

static HeddleDerivation *
derive_apart (Fixture *fixture, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("h100", 0, &error);
  HeddleDeriveOptions options
      = { machine, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL, HEDDLE_OBJECTIVE_TIME, 1, TRUE };

  g_assert_no_error (error);
  fixture_init (fixture, text, NULL);
  return fixture_derive (fixture, "none", NULL, &options);
}

static void
check_moved (const HeddleKernel *kernel, gint64 elements, gint64 bytes, double flops)
{
  const HeddleLevelCost *level = g_ptr_array_index (kernel->levels, 0);

  g_assert_nonnull (kernel->program);
  g_assert_null (kernel->opaque_reason);
  g_assert_cmpint (level->transfer_elements, ==, elements);
  g_assert_cmpint (level->transfer_bytes, ==, bytes);
  g_assert_cmpfloat (kernel->flops, ==, flops);
}

/* A scan reads and writes each element once; it adds at every point, and multiplies where it has a factor. */
static void
test_scan (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = derive_apart (&fixture, "X : f16[t=64, d=32]\nA : f32[t, d]\n"
                                                                    "C[t,d] = cumsum[t](X[t,d])\n"
                                                                    "H[t,d] = recurrence[t](A[t,d], C[t,d])\n"
                                                                    "Y[t,d] = 2 * H[t,d]\n");

  g_assert_cmpuint (derivation->kernels->len, ==, 3);
  check_moved (fixture_kernel (derivation, 0), 2 * 64 * 32, 4 * 64 * 32, 64 * 32);
  g_assert_cmpfloat (fixture_kernel (derivation, 1)->flops, ==, 2 * 64 * 32);
  g_assert_cmpint (derivation->transfer_elements, ==, (2 + 3 + 2) * 64 * 32);
  g_assert_false (derivation->illegal);
}

/* What a maximum leaves out of windows it has to read itself: no kernel stores the windows, whatever has a name. A sum may: zeros add nothing. */
static void
test_windows_apart (void)
{
  static const struct
  {
    const char *reduction;
    guint kernels;
  } rows[] = { { "max", 1 }, { "sum", 2 } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Fixture) fixture = { 0 };
      g_autofree char *text
          = g_strdup_printf ("A : f32[h=32, w=32]\naxis y = 16\naxis x = 16\naxis p = 3\naxis q = 3\n"
                             "W[y,x,p,q] = A[2*y+p-1,2*x+q-1]\nO[y,x] = %s[p,q](W[y,x,p,q])\n",
              rows[i].reduction);
      g_autoptr (HeddleDerivation) derivation = derive_apart (&fixture, text);

      g_assert_cmpuint (derivation->kernels->len, ==, rows[i].kernels);
      for (guint k = 0; k < derivation->kernels->len; k++)
        g_assert_nonnull (fixture_kernel (derivation, k)->program);
    }
}

/* A gather reads as much as it makes, however large the table, and the places once for each group. */
static void
test_gather (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;

  derivation = derive_apart (&fixture, "I : i32[t=16]\nE : f16[v=1000, m=8]\nX[t,m] = 3 * E[I[t],m]\n");
  g_assert_cmpuint (derivation->kernels->len, ==, 1);
  check_moved (fixture_kernel (derivation, 0), 2 * 16 * 8 + 16, 2 * 2 * 16 * 8 + 4 * 16, 16 * 8);
}

/* One of each row of what the kernel made itself: the row and its place cross, and what is taken of it. */
static void
test_gather_made (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;

  fixture_init (&fixture,
      "X : f16[n=7, v=11]\nT : i64[n]\nP[n,v] = softmax[v](X[n,v])\nL[n] = -log(P[n,T[n]])\n", NULL);
  derivation = fixture_derive_abstract (&fixture, "all", "n:group=2", 1000, HEDDLE_COLUMNS_ALL, FALSE);
  g_assert_cmpuint (derivation->kernels->len, ==, 1);
  g_assert_cmpint (derivation->transfer_elements, ==, 7 * 11 + 7 + 7);
}

/* --- regions and places -------------------------------------------------------------------------------------- */

static HeddleDerivation *
derive_schedule (const Fixture *fixture, const HeddleSchedule *schedule, GCancellable *cancellable,
    gboolean suggest, GError **error)
{
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("two-level", 0, NULL);
  HeddleDeriveOptions options
      = { machine, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL, HEDDLE_OBJECTIVE_TRANSFERS, 1, suggest };

  return heddle_derive (fixture->diagram, schedule, fixture->sizes, &options, cancellable, error);
}

/* S and O cannot be one kernel without P between them. */
static void
test_convex (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GError) error = NULL;
  HeddleSchedule *schedule;

  fixture_init (&fixture, ATTENTION, NULL);
  schedule = heddle_schedule_fuse (fixture.diagram, NULL, "S,O", NULL);
  g_assert_null (derive_schedule (&fixture, schedule, NULL, FALSE, &error));
  g_assert_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_REGION);
  heddle_schedule_free (schedule);
}

static void
test_residency (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleDerivation) honoured = NULL;
  const char *value;
  HeddleSchedule *schedule;

  fixture_init (&fixture, ATTENTION, NULL);
  value = heddle_diagram_find_value (fixture.diagram, "S")->id;
  schedule = heddle_schedule_fuse (fixture.diagram, NULL, "all", NULL);
  g_ptr_array_add (schedule->residency, heddle_residency_new (value, NULL, "smem"));
  honoured = derive_schedule (&fixture, schedule, NULL, FALSE, &error);
  g_assert_no_error (error);
  g_ptr_array_add (schedule->residency, heddle_residency_new (value, NULL, "gmem"));
  g_assert_null (derive_schedule (&fixture, schedule, NULL, FALSE, &error));
  g_assert_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL);
  heddle_schedule_free (schedule);
}

/* Without a schedule every named value is a kernel; what is inactive is not used. */
static void
test_cover (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleDerivation) bare = NULL, inactive = NULL;
  HeddleSchedule *schedule;
  HeddleRegion *region;

  fixture_init (&fixture, ATTENTION, NULL);
  bare = derive_schedule (&fixture, NULL, NULL, FALSE, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (bare->kernels->len, ==, 3);
  g_assert_cmpuint (fixture_kernel (bare, 1)->operations->len, ==, 2);
  g_assert_cmpstr (fixture_kernel (bare, 1)->program->name, ==, "P");

  schedule = heddle_schedule_fuse (fixture.diagram, NULL, "S,P", NULL);
  heddle_schedule_add_label_text (schedule, fixture.diagram, NULL, "x:stream=64", NULL);
  region = heddle_schedule_region_of (schedule, heddle_ids_index (fixture_kernel (bare, 1)->operations, 0));
  for (guint i = 0; i < region->labels->len; i++)
    ((HeddleLabel *) g_ptr_array_index (region->labels, i))->inactive = g_strdup ("split");
  inactive = derive_schedule (&fixture, schedule, NULL, FALSE, &error);
  g_assert_no_error (error);
  g_assert_false (inactive->illegal);
  g_assert_cmpstr (fixture_kernel (inactive, 0)->program->name, ==, "S_P");
  heddle_schedule_free (schedule);
}

static void
test_cancel (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  fixture_init (&fixture, ATTENTION, NULL);
  g_cancellable_cancel (cancellable);
  g_assert_null (derive_schedule (&fixture, NULL, cancellable, TRUE, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (derive_schedule (&fixture, NULL, cancellable, FALSE, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Loops nest as their order labels say; a tile goes by its divisor. */
static void
test_order_and_divisor (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL, wrong = NULL, whole = NULL;
  const HeddleNode *outer;

  fixture_init (&fixture, "A : [a=64, b=64]\nB : [b, c=64]\nC[a,c] = A[a,b] B[b,c]\n", NULL);
  derivation = derive_on (&fixture, "h100", "a:group=16 c:group=32 c:order=1 a:divisor=8 a:divisor=4", FALSE);
  outer = g_ptr_array_index (fixture_kernel (derivation, 0)->program->root->children, 0);
  g_assert_true (outer->axis == fixture_axis (&fixture, "c"));
  wrong = derive_on (&fixture, "h100", "a:group=20 a:divisor=8", FALSE);
  g_assert_cmpuint (fixture_kernel (wrong, 0)->refusals->len, ==, 1);
  whole = derive_on (&fixture, "h100", "a:group=100 a:divisor=8", FALSE);
  g_assert_cmpuint (fixture_kernel (whole, 0)->refusals->len, ==, 0);
}

/* A diagram that is not whole is refused, not fallen over. */
static void
test_unsound (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleDiagram) copy = NULL;
  HeddleOperation *operation;

  fixture_init (&fixture, ATTENTION, NULL);
  copy = heddle_diagram_copy (fixture.diagram);
  operation = heddle_diagram_edit_operation (
      copy, ((HeddleOperation *) g_ptr_array_index (copy->operations, 1))->id);
  g_assert_cmpint (operation->kind->form, ==, HEDDLE_FORM_MAP);
  g_clear_pointer (&operation->body, heddle_expr_unref);
  fixture.diagram = copy;
  g_assert_null (derive_schedule (&fixture, NULL, NULL, FALSE, &error));
  g_assert_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_REGION);
}

/* Nothing legal fits: the derivation says so rather than fail. */
static void
test_too_large (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;

  fixture_init (&fixture, ATTENTION, "d=4096");
  derivation = fixture_derive_abstract (&fixture, "all", NULL, 1000, HEDDLE_COLUMNS_ALL, TRUE);
  g_assert_false (fixture_kernel (derivation, 0)->fits);
  g_assert_nonnull (fixture_kernel (derivation, 0)->program);
}

/* --- roofline ------------------------------------------------------------------------------------------------------ */

static void
test_roofline (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("h100", 0, NULL);
  g_autoptr (GPtrArray) roofs = NULL;
  HeddleRooflinePoint point;
  const HeddleKernel *kernel;
  guint ceilings = 0;

  fixture_init (&fixture, ATTENTION, NULL);
  derivation = derive_on (&fixture, "h100", "q:group=128 x:stream=64", FALSE);
  kernel = fixture_kernel (derivation, 0);
  roofs = heddle_roofline_roofs (machine, HEDDLE_DTYPE_F16, kernel);
  for (guint i = 0; i < roofs->len; i++)
    {
      const HeddleRoof *roof = g_ptr_array_index (roofs, i);

      ceilings += roof->ceiling ? 1 : 0;
      if (g_str_equal (roof->name, "special"))
        g_assert_cmpfloat_with_epsilon (
            roof->rate, 16. * 132. * 1.83e9 * kernel->flops / kernel->special_ops, 1e6);
      if (g_str_equal (roof->name, "gmem"))
        g_assert_cmpfloat (roof->rate, ==, 3.35e12);
    }
  g_assert_cmpuint (ceilings, ==, 3);
  point = heddle_roofline_point (derivation);
  /* L2 is busy longest: it serves all that is read again, 2 (2 q d + 2 x d q / 128) bytes. */
  g_assert_cmpstr (point.memory, ==, "l2");
  g_assert_cmpfloat_with_epsilon (point.intensity, kernel->intensity, 1e-9);
  g_assert_cmpfloat_with_epsilon (point.flops_per_s, kernel->flops / kernel->expected_s, 1.);
}

/* --- listing ---------------------------------------------------------------------------------------------------------- */

static void
test_pseudocode (void)
{
  static const char expected[] = "parfor q₀ in 0, 128 … 4096\n"
                                 "  Q ← load Q[q₀ : q₀+128, :]\n"
                                 "  m ← -inf  # running maximum\n"
                                 "  l ← 0  # running sum of exponentials\n"
                                 "  o ← 0  # running sum of products\n"
                                 "  for x₀ in 0, 64 … 4096\n"
                                 "    K ← load K[x₀ : x₀+64, :]\n"
                                 "    V ← load V[x₀ : x₀+64, :]\n"
                                 "    S ← sum[d](Q*K)\n"
                                 "    t1 ← S*d^-0.5\n"
                                 "    delta ← m\n"
                                 "    m ← max(m, max[x](t1))\n"
                                 "    delta ← where(delta == m, 1, exp(delta - m))\n"
                                 "    P ← where(t1 == -inf, 0, exp(t1 - m))\n"
                                 "    l ← delta*l + sum[x](P)\n"
                                 "    o ← delta*o + sum[x](P*V)\n"
                                 "  o ← where(l == 0, 0, o/l)\n"
                                 "  save O[q₀ : q₀+128, :] ← o\n";
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;
  g_autoptr (GPtrArray) lines = NULL;
  g_autofree char *text = NULL;

  fixture_init (&fixture, ATTENTION, NULL);
  derivation = derive_on (&fixture, "h100", "q:group=128 x:stream=64", FALSE);
  text = heddle_loop_program_to_pseudocode (fixture_kernel (derivation, 0)->program, fixture.sizes, &lines);
  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpuint (lines->len, ==, 18);
  g_assert_null (g_ptr_array_index (lines, 0));
  g_assert_true (
      g_ptr_array_index (lines, 15)
      == heddle_diagram_get_producer (fixture.diagram, heddle_diagram_find_value (fixture.diagram, "O")->id)
             ->id);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/derive/ridge", test_ridge);
  g_test_add_func ("/derive/hopper", test_hopper);
  g_test_add_func ("/derive/waves", test_waves);
  g_test_add_func ("/derive/suggestion", test_suggestion);
  g_test_add_func ("/derive/narrow", test_narrow);
  g_test_add_func ("/derive/shared-layout", test_shared_layout);
  g_test_add_func ("/derive/columns", test_columns);
  g_test_add_func ("/derive/label-texts", test_label_texts);
  g_test_add_func ("/derive/fuse-texts", test_fuse_texts);
  g_test_add_func ("/derive/convex", test_convex);
  g_test_add_func ("/derive/scan", test_scan);
  g_test_add_func ("/derive/windows-apart", test_windows_apart);
  g_test_add_func ("/derive/gather", test_gather);
  g_test_add_func ("/derive/gather-made", test_gather_made);
  g_test_add_func ("/derive/residency", test_residency);
  g_test_add_func ("/derive/cover", test_cover);
  g_test_add_func ("/derive/cancel", test_cancel);
  g_test_add_func ("/derive/order-and-divisor", test_order_and_divisor);
  g_test_add_func ("/derive/unsound", test_unsound);
  g_test_add_func ("/derive/too-large", test_too_large);
  g_test_add_func ("/derive/roofline", test_roofline);
  g_test_add_func ("/derive/pseudocode", test_pseudocode);
  return g_test_run ();
}
