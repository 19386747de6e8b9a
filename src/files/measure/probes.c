/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "codegen/plan/plan.h"
#include "derive/cost/level-cost.h"
#include "derive/derivation/schedule-text.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "files/equations/document.h"
#include "files/measure/probes.h"

/* --- sizes ----------------------------------------------------------------------------- */

/* A tile of what is contracted, for the tensor core. */
#define TILE 128

static gint64
level_capacity (const HeddleMachine *machine, const char *name)
{
  int i = heddle_machine_find_level (machine, name);

  return i >= 0 ? ((const HeddleLevel *) g_ptr_array_index (machine->levels, (guint) i))->capacity_bytes : 0;
}

/* Returns a size of eight times what the L2 holds, in f32: nothing of it is there at the next launch. */
static gint64
size_of_stream (const HeddleMachine *machine)
{
  return MAX (2 * level_capacity (machine, "l2"), 1024);
}

/* Returns n such that three arrays of n x n in f16 are half of the L2, 3 * 2 * n^2 = C / 2, in whole tiles of
 * 64. */
static gint64
size_of_cached (const HeddleMachine *machine)
{
  return MAX (64, (gint64) sqrt ((double) level_capacity (machine, "l2") / 12.) / 64 * 64);
}

/* Returns a size with four tiles for each processor. */
static gint64
size_of_product (const HeddleMachine *machine)
{
  return TILE * (gint64) ceil (2. * sqrt (machine->sms));
}

/* Returns a size with eight tiles of 32 x 32 for each processor. */
static gint64
size_of_shared (const HeddleMachine *machine)
{
  return 32 * (gint64) ceil (sqrt (8. * machine->sms));
}

/* Returns a size with eight elements for each thread that a processor holds. */
static gint64
size_of_chain (const HeddleMachine *machine)
{
  return 8 * (gint64) machine->sms * machine->max_threads_per_sm;
}

/* --- amounts --------------------------------------------------------------------------- */

#define EXPONENTIALS 32
#define ADDITIONS 128

static double
amount_of_stream (const HeddlePlan *plan, gint64 n)
{
  return 2. * 4. * (double) n;
}

/* Returns the bytes that the groups read and write by the derivation, as the model counts what crosses the
 * L2. */
static double
amount_of_cached (const HeddlePlan *plan, gint64 n)
{
  const HeddleKernel *kernel = g_ptr_array_index (plan->derivation->kernels, 0);

  return (double) ((const HeddleLevelCost *) g_ptr_array_index (kernel->levels, 0))->transfer_bytes;
}

static double
amount_of_product (const HeddlePlan *plan, gint64 n)
{
  return 2. * (double) n * (double) n * (double) n;
}

/* Returns the bytes of shared memory: for each step of the sum a warp reads a row of 32 words of B, a bank
 * each, and one word of A for all its lanes. */
static double
amount_of_shared (const HeddlePlan *plan, gint64 n)
{
  return 4. * (1. + 1. / 32.) * (double) n * (double) n * (double) n;
}

static double
amount_of_exponentials (const HeddlePlan *plan, gint64 n)
{
  return (double) EXPONENTIALS * (double) n;
}

/* Returns the floating-point operations: a fused multiply-add is two. */
static double
amount_of_additions (const HeddlePlan *plan, gint64 n)
{
  return 2. * (double) ADDITIONS * (double) n;
}

/* --- where rates are ------------------------------------------------------------------- */

static HeddleLevel *
level_of (const HeddleMachine *machine, const char *name)
{
  return g_ptr_array_index (machine->levels, (guint) heddle_machine_find_level (machine, name));
}

#define LEVEL_RATE(name)                                                                                     \
  static double get_##name (const HeddleMachine *machine)                                                    \
  {                                                                                                          \
    return level_of (machine, #name)->bandwidth;                                                             \
  }                                                                                                          \
  static void set_##name (HeddleMachine *machine, double rate)                                               \
  {                                                                                                          \
    level_of (machine, #name)->bandwidth = rate;                                                             \
  }

LEVEL_RATE (gmem)
LEVEL_RATE (l2)
LEVEL_RATE (smem)

#define TENSOR_RATE(name, type)                                                                              \
  static double get_##name (const HeddleMachine *machine)                                                    \
  {                                                                                                          \
    return machine->tensor_flops[type];                                                                      \
  }                                                                                                          \
  static void set_##name (HeddleMachine *machine, double rate)                                               \
  {                                                                                                          \
    machine->tensor_flops[type] = rate;                                                                      \
  }

TENSOR_RATE (f16, HEDDLE_DTYPE_F16)
TENSOR_RATE (bf16, HEDDLE_DTYPE_BF16)
TENSOR_RATE (e4m3, HEDDLE_DTYPE_E4M3)
TENSOR_RATE (tf32, HEDDLE_DTYPE_TF32)

/* Returns the operations per clock and processor, by the clock that the file has. */
static double
get_special (const HeddleMachine *machine)
{
  return machine->special_per_clock * machine->sms * machine->clock;
}

static void
set_special (HeddleMachine *machine, double rate)
{
  machine->special_per_clock = rate / (machine->sms * machine->clock);
}

static double
get_fp32 (const HeddleMachine *machine)
{
  return machine->fp32_flops;
}

static void
set_fp32 (HeddleMachine *machine, double rate)
{
  machine->fp32_flops = rate;
}

static double
get_fp64 (const HeddleMachine *machine)
{
  return machine->fp64_flops;
}

static void
set_fp64 (HeddleMachine *machine, double rate)
{
  machine->fp64_flops = rate;
}

/* --- the probes ------------------------------------------------------------------------ */

/* A product of two matrices of the type. Those of f64 and e5m2 are not among them: no kernel here has the
 * tensor core make them. */
#define TENSOR_PROBE(id, title, type, dtype, get, set)                                                       \
  {                                                                                                          \
    id, title, "FLOP", "A : " type "[i, k]\nB : " type "[k, j]\n", "C[i,j] = A[i,k] B[k,j]", NULL, 0,        \
        { NULL }, dtype, FALSE, "2 * n^3 FLOP (a product of n x n matrices)", size_of_product,               \
        amount_of_product, get, set, "Tensor/" type                                                          \
  }

static const HeddleProbe probes[] = {
  { "dram", N_ ("Global memory"), "bytes", "X : f32[n]\n", "Y[n] = X[n] + 1", NULL, 0,
      { "n:group@smem=1024" }, HEDDLE_DTYPE_F32, FALSE,
      "2 * 4 * n bytes (n values of f32 read and written once, past the L2)", size_of_stream,
      amount_of_stream, get_gmem, set_gmem, "Level gmem/Bandwidth" },
  { "l2", N_ ("L2"), "bytes", "A : f16[i, k]\nB : f16[k, j]\n", "C[i,j] = A[i,k] B[k,j]", NULL, 0,
      { "i:group@smem=64", "j:group@smem=64", "k:stream@smem=64" }, HEDDLE_DTYPE_F16, TRUE,
      "2 * (n^2 + 2 * n^3 / 64) bytes (what tiles of 64 x 64 of a product of n x n matrices of f16 read "
      "again; all "
      "three are half of the L2)",
      size_of_cached, amount_of_cached, get_l2, set_l2, "Level l2/Bandwidth" },
  { "smem", N_ ("Shared memory"), "bytes", "A : f32[i, k]\nB : f32[k, j]\n", "C[i,j] = A[i,k] B[k,j]", NULL,
      0, { "i:group@smem=32", "j:group@smem=32", "k:stream@smem=64" }, HEDDLE_DTYPE_F32, TRUE,
      "4 * (1 + 1/32) * n^3 bytes (a product of n x n matrices of f32 by plain arithmetic: a warp reads 32 "
      "words "
      "of one factor and one of the other for each step)",
      size_of_shared, amount_of_shared, get_smem, set_smem, "Level smem/Bandwidth" },
  TENSOR_PROBE ("tensor-f16", N_ ("Tensor cores, f16"), "f16", HEDDLE_DTYPE_F16, get_f16, set_f16),
  TENSOR_PROBE ("tensor-bf16", N_ ("Tensor cores, bf16"), "bf16", HEDDLE_DTYPE_BF16, get_bf16, set_bf16),
  TENSOR_PROBE ("tensor-e4m3", N_ ("Tensor cores, e4m3"), "e4m3", HEDDLE_DTYPE_E4M3, get_e4m3, set_e4m3),
  TENSOR_PROBE ("tensor-tf32", N_ ("Tensor cores, tf32"), "tf32", HEDDLE_DTYPE_TF32, get_tf32, set_tf32),
  { "special", N_ ("Special functions"), "operations", "X : f32[n]\n", "Y[n] = %s", "exp(-%s)", EXPONENTIALS,
      { "n:group@smem=1024" }, HEDDLE_DTYPE_F32, FALSE,
      "32 * n operations (32 exponentials one after the other, of n values)", size_of_chain,
      amount_of_exponentials, get_special, set_special, "Machine/SpecialPerClock" },
  { "fp32", N_ ("Arithmetic, f32"), "FLOP", "X : f32[n]\nA : f32[n]\nB : f32[n]\n", "Y[n] = %s",
      "(%s*A[n]+B[n])", ADDITIONS, { "n:group@smem=1024" }, HEDDLE_DTYPE_F32, FALSE,
      "2 * 128 * n FLOP (128 multiplications and additions one after the other, of n values)", size_of_chain,
      amount_of_additions, get_fp32, set_fp32, "Machine/FP32" },
  { "fp64", N_ ("Arithmetic, f64"), "FLOP", "X : f64[n]\nA : f64[n]\nB : f64[n]\n", "Y[n] = %s",
      "(%s*A[n]+B[n])", ADDITIONS, { "n:group@smem=1024" }, HEDDLE_DTYPE_F64, FALSE,
      "2 * 128 * n FLOP (128 multiplications and additions one after the other, of n values)", size_of_chain,
      amount_of_additions, get_fp64, set_fp64, "Machine/FP64" },
};

const HeddleProbe *
heddle_probes (guint *n)
{
  *n = G_N_ELEMENTS (probes);
  return probes;
}

/* --- plans ----------------------------------------------------------------------------- */

/* Returns @link, which has one %s, with @inside in its place. */
static char *
wrap (const char *link, const char *inside)
{
  g_auto (GStrv) parts = g_strsplit (link, "%s", 2);

  return g_strconcat (parts[0], inside, parts[1], NULL);
}

static char *
equations_of (const HeddleProbe *self)
{
  g_autofree char *right = g_strdup ("X[n]"), *statement = NULL;

  for (guint i = 0; self->link != NULL && i < self->links; i++)
    {
      char *longer = wrap (self->link, right);

      g_free (right);
      right = longer;
    }
  statement = self->link != NULL ? wrap (self->result, right) : g_strdup (self->result);
  return g_strconcat (self->arrays, statement, "\n", NULL);
}

static HeddleSchedule *
schedule_of (
    const HeddleProbe *self, const HeddleDiagram *diagram, const HeddleMachine *machine, GError **error)
{
  HeddleSchedule *schedule
      = heddle_schedule_fuse (diagram, NULL, self->labels[0] != NULL ? "all" : "none", error);

  for (guint i = 0; schedule != NULL && self->labels[i] != NULL; i++)
    if (!heddle_schedule_add_label_text (schedule, diagram, machine, self->labels[i], error))
      g_clear_pointer (&schedule, heddle_schedule_free);
  return schedule;
}

HeddlePlan *
heddle_probe_plan (
    const HeddleProbe *self, const HeddleMachine *machine, GCancellable *cancellable, GError **error)
{
  static const char *const axes[] = { "i", "j", "k", "n" };
  g_autoptr (GHashTable) sizes = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autofree char *equations = equations_of (self);
  g_autoptr (HeddleSnapshot) snapshot = heddle_equations_read (equations, -1, self->id, problems);
  HeddleDiagram *diagram = snapshot != NULL ? heddle_snapshot_get_diagram (snapshot, NULL) : NULL;
  gint64 size = self->size (machine);
  HeddleSchedule *schedule;
  HeddlePlan *plan;

  g_assert (diagram != NULL);
  for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
    if (heddle_diagram_find_axis (diagram, axes[i]) != NULL)
      g_hash_table_insert (sizes, (gpointer) axes[i], &size);
  schedule = schedule_of (self, diagram, machine, error);
  if (schedule == NULL)
    return NULL;
  plan = heddle_plan_new_on (
      diagram, schedule, machine, self->dtype, HEDDLE_FAMILY_AUTO, sizes, cancellable, error);
  heddle_schedule_free (schedule);
  return plan;
}

gsize
heddle_probe_bytes (const HeddlePlan *plan)
{
  gsize bytes = 0;

  for (guint i = 0; i < plan->diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (plan->diagram->values, i);

      bytes += (gsize) heddle_sizes_elements (plan->sizes, value)
               * heddle_dtype_bytes (heddle_diagram_dtype (plan->diagram, value->id, plan->dtype));
    }
  return bytes;
}
