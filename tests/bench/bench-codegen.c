/* SPDX-License-Identifier: MIT */

/* How long code generation takes on attention: planning with a search, printing, compiling, interpreting; each against printing, and how
 * interpreting grows with the work and with the orders of warps. */

#include <stdio.h>

#include "codegen/compiler.h"
#include "codegen/ptx/ptx.h"
#include "files/files.h"

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
  self->plan = heddle_plan_new (self->diagram, NULL, "h100-sxm", HEDDLE_DTYPE_F16, NULL, NULL, &error);
  g_assert_no_error (error);
}

static void
print (Bench *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) texts = heddle_codegen_emit_all (self->diagram, self->plan->derivation,
      self->plan->sizes, self->plan->machine, self->plan->dtype, NULL, &error);

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
  results = heddle_plan_verify (self->diagram, self->plan, at, HEDDLE_VERIFY_CPU, 1, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (((HeddleVerification *) g_ptr_array_index (results, 0))->passed);
  return now () - start;
}

static void
bench_compilers (Bench *self, double printing)
{
  static const char *const names[] = { "nvrtc", "nvcc" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (HeddleCompilation) first = NULL, compilation = NULL;

      g_setenv ("HEDDLE_COMPILER", names[i], TRUE);
      first = heddle_compile (g_ptr_array_index (self->plan->texts, 0), NULL, &error);
      if (first == NULL)
        {
          printf ("%s: %s\n", names[i], error->message);
          continue;
        }
      compilation = heddle_compile (g_ptr_array_index (self->plan->texts, 0), NULL, &error);
      g_assert_no_error (error);
      printf ("%s: %.0f ms, the first time %.0f ms; %.0f times as long as printing; %d registers\n",
          compilation->compiler, compilation->milliseconds, first->milliseconds,
          compilation->milliseconds / printing, compilation->registers);
    }
  g_unsetenv ("HEDDLE_COMPILER");
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
  bench_compilers (&self, printing);
  bench_verify (&self);
  heddle_plan_free (self.plan);
  heddle_snapshot_unref (self.snapshot);
  return 0;
}
