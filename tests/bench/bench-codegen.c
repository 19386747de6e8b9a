/* SPDX-License-Identifier: MIT */

/* How long code generation takes on attention: planning with a search, printing, compiling, interpreting; each against printing, and how
 * interpreting grows with the work and with the orders of warps. */

#include <stdio.h>

#include "codegen/base/codegen.h"
#include "codegen/compile/compile.h"
#include "codegen/emit/emit.h"
#include "codegen/plan/plan.h"
#include "codegen/verify/plan.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "files/equations/document.h"

#define ATTENTION                                                                                            \
  "Q : f16[y=4096, k=128]\nK : f16[x=4096, k]\nV : f16[x, k]\nS[y,x] = Q[y,k] K[x,k]\n"                      \
  "P[y,x] = softmax[x](S[y,x] * k^-0.5)\nO[y,k] = P[y,x] V[x,k]\n"

typedef struct
{
  HeddleSnapshot *snapshot;
  HeddleDiagram *diagram;
  HeddlePlan *plan;
} Bench;

static double
now (void)
{
  return g_get_monotonic_time () / 1e3;
}

static void
plan (Bench *self)
{
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->plan, heddle_plan_free);
  self->plan = heddle_plan_new (
      self->diagram, NULL, "h100-sxm", HEDDLE_DTYPE_F16, HEDDLE_FAMILY_AUTO, NULL, NULL, &error);
  g_assert_no_error (error);
}

static void
print (Bench *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) texts = heddle_codegen_emit_all (self->plan->diagram, self->plan->derivation,
      self->plan->sizes, self->plan->machine, self->plan->dtype, self->plan->family, NULL, &error);

  g_assert_no_error (error);
}

static double
median_of (Bench *self, void (*step) (Bench *), guint n)
{
  g_autofree double *times = g_new (double, n);

  for (guint i = 0; i < n; i++)
    {
      double start = now ();
      guint k = i;

      step (self);
      start = now () - start;
      for (; k > 0 && times[k - 1] > start; k--)
        times[k] = times[k - 1];
      times[k] = start;
    }
  return times[n / 2];
}

static double
verify_at (Bench *self, gint64 y, gint64 x)
{
  g_autoptr (GHashTable) sizes = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (HeddleSizes) at = NULL;
  g_autoptr (GPtrArray) results = NULL;
  g_autoptr (GError) error = NULL;
  double start;

  g_hash_table_insert (sizes, (gpointer) "y", &y);
  g_hash_table_insert (sizes, (gpointer) "x", &x);
  at = heddle_sizes_new (self->diagram, sizes, &error);
  g_assert_no_error (error);
  start = now ();
  results = heddle_plan_verify (self->plan, at, HEDDLE_VERIFY_CPU, 1, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (((HeddleVerification *) g_ptr_array_index (results, 0))->passed);
  return now () - start;
}

static void
bench_nvrtc (const HeddleKernelText *text, double printing)
{
  for (guint i = 0; i < 2 && heddle_nvrtc_is_available (); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (HeddleCompilation) compilation
          = heddle_nvrtc_compile (text->device, text->arch, NULL, &error);

      g_assert_no_error (error);
      printf ("%s, %s: %.0f ms, %.0f times printing; %d registers\n", compilation->compiler,
          i == 0 ? "the first time" : "again", compilation->milliseconds,
          compilation->milliseconds / printing, compilation->registers);
    }
}

static void
bench_nvcc (const HeddleKernelText *text, double printing)
{
  g_autofree char *nvcc = heddle_nvcc_find ();
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleCompilation) compilation
      = nvcc ? heddle_nvcc_compile (text->device, text->arch, NULL, &error) : NULL;

  if (compilation != NULL)
    printf ("%s: %.0f ms, %.0f times printing; %d registers\n", compilation->compiler,
        compilation->milliseconds, compilation->milliseconds / printing, compilation->registers);
}

static void
bench_verify (Bench *self)
{
  static const gint64 sizes[][2] = { { 16, 64 }, { 64, 64 }, { 64, 256 }, { 128, 256 } };
  double before = 0;

  if (!heddle_compile_is_available (NULL))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      double time = verify_at (self, sizes[i][0], sizes[i][1]);
      double terms = 2. * sizes[i][0] * sizes[i][1] * 128;

      printf ("verify y=%d x=%d: %.0f ms, %.2g products a second%s", (int) sizes[i][0], (int) sizes[i][1],
          time, terms / time * 1e3, i == 0 ? "\n" : "");
      if (i > 0)
        printf (", %.2f times the one before\n", time / before);
      before = time;
    }
}

int
main (void)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  Bench self = { .snapshot = heddle_equations_read (ATTENTION, -1, "attention.eq", problems) };
  double planning, printing;

  g_assert_nonnull (self.snapshot);
  self.diagram = heddle_snapshot_get_diagram (self.snapshot, NULL);
  planning = median_of (&self, plan, 21);
  printing = median_of (&self, print, 101);
  printf ("plan with a search: %.2f ms, %.1f times printing\n", planning, planning / printing);
  printf ("print the kernel: %.3f ms\n", printing);
  bench_nvrtc (g_ptr_array_index (self.plan->texts, 0), printing);
  bench_nvcc (g_ptr_array_index (self.plan->texts, 0), printing);
  bench_verify (&self);
  heddle_plan_free (self.plan);
  heddle_snapshot_unref (self.snapshot);
  return 0;
}
