/* SPDX-License-Identifier: MIT */

/* What the reference evaluator takes: products, functions and norms against the plain loop over all points, in the same run; and a decoder
 * of six layers, with one thread and with all. */

#include <math.h>
#include <stdio.h>

#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/evaluate/share.h"
#include "diagram/graph/diagram.h"
#include "files/equations/document.h"

typedef struct
{
  HeddleSnapshot *snapshot;
  HeddleDiagram *diagram;
  HeddleSizes *sizes;
  GHashTable *inputs;
} Bench;

static double
now (void)
{
  return g_get_monotonic_time () / 1e6;
}

static void
bench_init (Bench *self, const char *text)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (GError) error = NULL;

  self->snapshot = heddle_equations_read (text, -1, "bench", problems);
  g_assert_nonnull (self->snapshot);
  self->diagram = heddle_snapshot_get_diagram (self->snapshot, NULL);
  self->sizes = heddle_sizes_new (self->diagram, NULL, &error);
  g_assert_no_error (error);
  self->inputs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  heddle_evaluate_fill_inputs (self->diagram, self->sizes, self->inputs, 1, &error);
  g_assert_no_error (error);
}

static void
bench_clear (Bench *self)
{
  g_hash_table_unref (self->inputs);
  heddle_sizes_unref (self->sizes);
  heddle_snapshot_unref (self->snapshot);
}

static double
time_evaluation (const Bench *self, HeddlePrecision precision)
{
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (self->diagram);
  g_autoptr (GError) error = NULL;
  double start = now ();
  g_autoptr (GHashTable) values
      = heddle_evaluate_wanted (self->diagram, self->sizes, self->inputs, outputs, precision, NULL, &error);

  g_assert_no_error (error);
  return now () - start;
}

/* --- the plain loops ------------------------------------------------------------------ */

#define SIDE 512

static const double *
input (const Bench *self, const char *name)
{
  return ((const HeddleArray *) g_hash_table_lookup (self->inputs, name))->data;
}

static void
loop_product (const Bench *self, double *out)
{
  const double *a = input (self, "A"), *b = input (self, "B");

  for (guint i = 0; i < SIDE; i++)
    for (guint j = 0; j < SIDE; j++)
      {
        double sum = 0.;

        for (guint k = 0; k < SIDE; k++)
          sum += a[i * SIDE + k] * b[k * SIDE + j];
        out[i * SIDE + j] = sum;
      }
}

static void
loop_map (const Bench *self, double *out)
{
  const double *a = input (self, "A"), *b = input (self, "B");

  for (guint i = 0; i < SIDE * SIDE; i++)
    out[i] = a[i] * b[i] + tanh (a[i]);
}

static void
loop_softmax (const Bench *self, double *out)
{
  const double *a = input (self, "A");

  for (guint i = 0; i < SIDE; i++)
    {
      double most = -INFINITY, sum = 0.;

      for (guint j = 0; j < SIDE; j++)
        most = fmax (most, a[i * SIDE + j]);
      for (guint j = 0; j < SIDE; j++)
        sum += exp (a[i * SIDE + j] - most);
      for (guint j = 0; j < SIDE; j++)
        out[i * SIDE + j] = exp (a[i * SIDE + j] - most) / sum;
    }
}

static void
compare (const char *what, const char *statement, void (*loop) (const Bench *, double *))
{
  g_autofree char *text = g_strconcat ("A : f64[i=512, k=512]\nB : f64[k, j=512]\n", statement, "\n", NULL);
  g_autofree double *out = g_new (double, SIDE *SIDE);
  double loops = INFINITY, one = INFINITY, all = INFINITY;
  Bench bench;

  bench_init (&bench, text);
  for (guint i = 0; i < 3; i++)
    {
      double start = now ();

      loop (&bench, out);
      loops = fmin (loops, now () - start);
      heddle_evaluate_set_threads (1);
      one = fmin (one, time_evaluation (&bench, HEDDLE_PRECISION_F64));
      heddle_evaluate_set_threads (0);
      all = fmin (all, time_evaluation (&bench, HEDDLE_PRECISION_F64));
    }
  printf ("%-26s %9.1f ms  %8.3f  %8.3f\n", what, loops * 1e3, one / loops, all / loops);
  bench_clear (&bench);
}

/* --- a decoder ------------------------------------------------------------------------ */

static const char layer[] = "param g_@ : f32[m]\nparam e_@ : f32[m]\n"
                            "param Q_@ : f32[m, k=64, h=8]\nparam K_@ : f32[m, k, h]\n"
                            "param V_@ : f32[m, k, h]\nparam O_@ : f32[k, h, m]\n"
                            "param U_@ : f32[m, f=2048]\nparam D_@ : f32[f, m]\n"
                            "N_@[x,m] = rmsnorm[m, eps=1e-06](X_@[x,m]) g_@[m]\n"
                            "A_@[y,k,h] = N_@[y,m] Q_@[m,k,h]\n"
                            "B_@[x,k,h] = N_@[x,m] K_@[m,k,h]\n"
                            "C_@[x,k,h] = N_@[x,m] V_@[m,k,h]\n"
                            "S_@[h,y,x] = A_@[y,k,h] B_@[x,k,h]\n"
                            "P_@[h,y,x] = softmax[x](where(x <= y, S_@[h,y,x] * k^-0.5, -inf))\n"
                            "Z_@[y,k,h] = P_@[h,y,x] C_@[x,k,h]\n"
                            "R_@[y,m] = Z_@[y,k,h] O_@[k,h,m] + X_@[y,m]\n"
                            "M_@[y,m] = rmsnorm[m, eps=1e-06](R_@[y,m]) e_@[m]\n"
                            "F_@[y,f] = gelu(M_@[y,m] U_@[m,f])\n"
                            "X_#[y,m] = F_@[y,f] D_@[f,m] + R_@[y,m]\n";

static char *
decoder (guint n_layers)
{
  GString *text = g_string_new ("axis y = 128\nX_0 : f32[x=128, m=512]\n");

  for (guint i = 0; i < n_layers; i++)
    {
      g_autofree char *here = g_strdup_printf ("%u", i), *next = g_strdup_printf ("%u", i + 1);
      g_autoptr (GString) one = g_string_new (layer);

      g_string_replace (one, "@", here, 0);
      g_string_replace (one, "#", next, 0);
      g_string_append (text, one->str);
    }
  return g_string_free (text, FALSE);
}

static void
report_decoder (void)
{
  g_autofree char *text = decoder (6);
  double one, all, declared;
  Bench bench;

  bench_init (&bench, text);
  heddle_evaluate_set_threads (1);
  one = time_evaluation (&bench, HEDDLE_PRECISION_F64);
  heddle_evaluate_set_threads (0);
  all = time_evaluation (&bench, HEDDLE_PRECISION_F64);
  declared = time_evaluation (&bench, HEDDLE_PRECISION_DECLARED);
  printf ("\n%-26s %9s    %8s  %8s\n", "six layers, 128 tokens", "one", "all", "declared");
  printf ("%-26s %9.2f s  %8.2f  %8.2f\n", "m=512 f=2048 k=64 h=8", one, all / one, declared / one);
  bench_clear (&bench);
}

int
main (void)
{
  printf ("%-26s %12s  %8s  %8s\n", "512 x 512", "plain loop", "1 thread", "all");
  compare ("product", "C[i,j] = A[i,k] B[k,j]", loop_product);
  compare ("a b + tanh (a)", "C[i,k] = A[i,k] * B[i,k] + tanh(A[i,k])", loop_map);
  compare ("softmax", "C[i,k] = softmax[k](A[i,k])", loop_softmax);
  report_decoder ();
  return 0;
}
