/* SPDX-License-Identifier: MIT */
#include "fixture.h"
#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/legality/refusal.h"
#include "derive/machine/derive-options.h"
#include "diagram/base/array.h"
#include "diagram/evaluate/evaluate.h"

/* Every region that streams though no one reduction of it does by itself: cascades of reductions, on random lengths and random chunkings, as one
 * stream, as groups of the axis that run apart and are merged, and as groups that stream within. Values are the evaluator's to 1e-12, what
 * crosses and what is held is what the cost says. */

typedef struct
{
  const char *name, *text;
  const char *axis; /* that streams */
  const char *axes; /* all, to be given random sizes */
  const char *groups; /* axes that may be grouped besides */
  gboolean in_order; /* groups of the axis cannot run apart */
} Region;

#define ROWS "X : [n=8, m=12]\nW : [m, k=6]\n"

static const Region regions[] = {
  { "softmax-contraction", "S : [q=8, x=9]\nV : [x, d=3]\nO[q,d] = softmax[x](S[q,x]) V[x,d]\n", "x", "q x d",
      "q d" },
  { "attention",
      "Q : [h=2, q=8, d=4]\nK : [h, x=8, d]\nV : [h, x, e=5]\n"
      "P[h,q,x] = softmax[x](Q[h,q,d] K[h,x,d] * d^-0.5)\nO[h,q,e] = P[h,q,x] V[h,x,e]\n-> O\n",
      "x", "q x d e", "h q e" },
  { "causal-attention",
      "Q : [q=8, d=4]\nK : [x=8, d]\nV : [x, e=5]\n"
      "P[q,x] = softmax[x](where(x <= q, Q[q,d] K[x,d] * d^-0.5, -inf))\nO[q,e] = P[q,x] V[x,e]\n-> O\n",
      "x", "q x d e", "q e" },
  { "spherical-attention",
      "Q : [q=8, d=4]\nK : [x=8, d]\nV : [x, e=5]\nA[q,d] = l2norm[d, eps=1e-6](Q[q,d])\nB[x,d] = l2norm[d, "
      "eps=1e-6](K[x,d])\nP[q,x] = softmax[x](A[q,d] B[x,d] * 3)\nO[q,e] = P[q,x] V[x,e]\n-> O\n",
      "x", "q x d e", "q e" },
  { "normalised-along-the-context",
      "S : [q=8, x=9]\nV : [x, d=3]\nO[q,d] = l2norm[x, eps=1e-6](S[q,x]) V[x,d]\n", "x", "q x d", "q d" },
  { "rmsnorm-linear", ROWS "Y[n,k] = rmsnorm[m, eps=1e-6](X[n,m]) W[m,k]\n", "m", "n m k", "n k" },
  { "rmsnorm-gain-linear",
      ROWS "G : [m]\nY[n,k] = (rmsnorm[m, eps=1e-6](X[n,m]) * (1 + G[m])) W[m,k]\n-> Y\n", "m", "n m k",
      "n k" },
  { "layernorm-linear", ROWS "Y[n,k] = layernorm[m, eps=1e-6](X[n,m]) W[m,k]\n", "m", "n m k", "n k" },
  { "layernorm-affine-linear",
      ROWS "G : [m]\nB : [m]\nN[n,m] = layernorm[m, eps=1e-6](X[n,m])\nH[n,m] = N[n,m] * G[m] + B[m]\n"
           "Y[n,k] = H[n,m] W[m,k]\n-> Y\n",
      "m", "n m k", "n k" },
  { "residual-rmsnorm-linear",
      ROWS "Z : [n, m]\nY[n,k] = rmsnorm[m, eps=1e-6](X[n,m] + Z[n,m]) W[m,k]\n-> Y\n", "m", "n m k", "n k" },
  { "cross-entropy",
      "Z : [n=8, v=12]\nT : [n, v]\nL[n] = -sum[v](T[n,v] * (Z[n,v] - logsumexp[v](Z[n,v])))\n", "v", "n v",
      "n" },
  { "cross-entropy-of-a-linear",
      "H : [n=8, d=3]\nW : [d, v=12]\nT : [n]\nZ[n,v] = H[n,d] W[d,v]\n"
      "L[n] = logsumexp[v](Z[n,v]) - sum[v](where(index(v) == floor(3 + 2*T[n]), Z[n,v], 0))\n-> L\n",
      "v", "n v d", "n" },
  { "logsumexp", "X : [n=8, m=12]\nY[n] = logsumexp[m](X[n,m])\n", "m", "n m", "n" },
  { "variance", "X : [n=8, m=12]\nM[n] = mean[m](X[n,m])\nY[n] = mean[m]((X[n,m] - M[n])^2)\n", "m", "n m",
      "n" },
  { "covariance",
      "X : [n=8, m=12]\nZ : [m, k=5]\nM[n] = mean[m](X[n,m])\nC[k] = mean[m](Z[m,k])\n"
      "Y[n,k] = mean[m]((X[n,m] - M[n]) * (Z[m,k] - C[k]))\n-> Y\n",
      "m", "n m k", "n k" },
  { "top-k", "axis s = 2\nX : [n=8, m=12]\nV[n,s], I[n,s] = topk[m, k=s](X[n,m])\n", "m", "n m", "n" },
  { "top-k-places", "axis s = 2\nX : [n=8, m=12]\nI[n,s] = argtopk[m, k=s](X[n,m])\n", "m", "n m", "n" },
  { "argmax", "X : [n=8, m=12]\nI[n] = argmax[m](X[n,m])\n", "m", "n m", "n" },
  { "recurrence", "A : [n=8, t=12]\nB : [n, t]\nH[n,t] = recurrence[t](A[n,t], B[n,t])\n", "t", "n t", "n",
      TRUE },
  { "recurrence-read-out",
      "A : [n=8, t=12]\nB : [n, t]\nC : [n, t]\nY[t] = recurrence[t](A[n,t], B[n,t]) C[n,t]\n", "t", "n t",
      "", TRUE },
};

/* Chunkings, and those of them that were split. */
static guint n_chunkings, n_split;

static guint
pick (GRand *random, guint n)
{
  return (guint) g_rand_int_range (random, 0, (gint32) n);
}

static char *
draw_sizes (const Region *self, GRand *random)
{
  g_auto (GStrv) axes = g_strsplit (self->axes, " ", -1);
  GString *sizes = g_string_new (NULL);

  for (char **axis = axes; *axis != NULL; axis++)
    g_string_append_printf (sizes, "%s=%u ", *axis,
        g_str_equal (*axis, self->axis) ? 2 + pick (random, 38) : 1 + pick (random, 5));
  return g_string_free (sizes, FALSE);
}

/* How the streamed axis is cut, and tiles of others. */
static char *
draw_labels (const Region *self, GRand *random)
{
  g_auto (GStrv) groups = g_strsplit (self->groups, " ", -1);
  GString *labels = g_string_new (NULL);
  guint chunk = 1 + pick (random, 13), how = self->in_order ? 0 : pick (random, 4);

  if (how != 1)
    g_string_append_printf (labels, "%s:stream=%u ", self->axis, chunk);
  if (how == 1 || how == 2)
    {
      g_string_append_printf (
          labels, "%s:group=%u ", self->axis, how == 1 ? chunk : chunk * (1 + pick (random, 3)));
      n_split++;
    }
  for (char **axis = groups; *axis != NULL; axis++)
    if (**axis != '\0' && pick (random, 2) == 0)
      g_string_append_printf (labels, "%s:group=%u ", *axis, 1 + pick (random, 5));
  return g_string_free (labels, FALSE);
}

static void
check_region (const Region *self, GRand *random, guint round)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *sizes = draw_sizes (self, random), *labels = draw_labels (self, random);
  g_autofree char *what = g_strdup_printf ("%s at %s with %s", self->name, sizes, labels);
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  g_autoptr (GHashTable) reference = NULL;
  g_autoptr (HeddleDerivation) derivation = NULL;
  const HeddleKernel *kernel;

  fixture_init (&fixture, self->text, sizes);
  g_assert_true (heddle_evaluate_fill_inputs (fixture.diagram, fixture.sizes, inputs, round, &error));
  reference = heddle_evaluate (fixture.diagram, fixture.sizes, inputs, HEDDLE_PRECISION_F64, NULL, &error);
  g_assert_no_error (error);
  derivation = fixture_derive_abstract (&fixture, "all", labels, 1000000, HEDDLE_COLUMNS_ALL, FALSE);
  g_assert_cmpuint (derivation->kernels->len, ==, 1);
  kernel = fixture_kernel (derivation, 0);
  if (kernel->refusals->len > 0 || kernel->program == NULL)
    g_error ("%s: %s", what,
        kernel->refusals->len > 0 ? ((HeddleRefusal *) g_ptr_array_index (kernel->refusals, 0))->reason
                                  : kernel->opaque_reason);
  fixture_check_kernel (fixture.sizes, what, kernel, reference, HEDDLE_COLUMNS_ALL);
  n_chunkings++;
}

static void
test_region (gconstpointer data)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (20261121);

  for (guint i = 0, n = g_test_thorough () ? 1000 : 100; i < n; i++)
    check_region (data, random, i);
}

static void
test_enough (void)
{
  g_test_message ("%u chunkings, %u of them in groups that are merged", n_chunkings, n_split);
  g_assert_cmpuint (n_chunkings, >=, g_test_thorough () ? 10000 : 1000);
  g_assert_cmpuint (3 * n_split, >=, n_chunkings);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (regions); i++)
    {
      g_autofree char *path = g_strdup_printf ("/regions/%s", regions[i].name);

      g_test_add_data_func (path, &regions[i], test_region);
    }
  g_test_add_func ("/regions/enough", test_enough);
  return g_test_run ();
}
