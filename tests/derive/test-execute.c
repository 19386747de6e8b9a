/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include <math.h>

/* Random legal schedules of several diagrams, executed: the values are the evaluator's to 1e-12, what crossed and what was held is what
 * the cost says, exactly. */

typedef struct
{
  const char *name, *text;
  const char *fuse;
  const char *groups; /* axes that may be grouped */
  const char *streams; /* axes that may stream */
  const char *axes; /* all, to be given random sizes */
} Case;

#define NORMED "X : [n=8, m=12]\nW : [m, k=6]\n"

static const Case cases[] = {
  { "matmul", "A : [a=8, b=9]\nB : [b, c=7]\nC[a,c] = A[a,b] B[b,c]\n", "all", "a c", "b a c", "a b c" },
  { "attention", ATTENTION, "all", "q", "x q", "q x d" },
  { "causal",
      "Q : [q=8, d=4]\nK : [x=8, d]\nV : [x, e=5]\n"
      "P[q,x] = softmax[x](where(x <= q, Q[q,d] K[x,d] * d^-0.5, -inf))\nO[q,e] = P[q,x] V[x,e]\n",
      "all", "q e", "x q", "q x d e" },
  { "masked", "S : [q=8, x=9]\nV : [x, d=3]\nO[q,d] = softmax[x](where(x < q - 2, S[q,x], -inf)) V[x,d]\n",
      "all", "q d", "x q d", "q x d" },
  { "sliding",
      "Q : [q=8, d=4]\nK : [x=8, d]\nV : [x, e=5]\n"
      "P[q,x] = softmax[x](where(x <= q and x > q - 3, Q[q,d] K[x,d] * d^-0.5, -inf))\nO[q,e] = P[q,x] "
      "V[x,e]\n",
      "all", "q e", "x q", "q x d e" },
  { "two-masks",
      "S : [q=8, x=9]\nB : [q, x]\nV : [x, d=3]\nM[q,x] = where(x <= q, S[q,x], -inf)\n"
      "N[q,x] = where(2*x + 3 < q, -inf, M[q,x] + B[q,x])\nO[q,d] = softmax[x](N[q,x]) V[x,d]\n-> O\n",
      "all", "q d", "x q d", "q x d" },
  { "prefix",
      "A : [a=8, b=9]\nB : [b, c=7]\nC[a,c] = sum[b](where(b < a or b + c < 4, A[a,b] * B[b,c], 0))\n", "all",
      "a c", "b a c", "a b c" },
  { "ends", "A : [a=8, b=9]\nC[a] = max[b](where(b == size(b) - 1 - a or not b != 0, A[a,b], -inf))\n", "all",
      "a", "b a", "a b" },
  { "softmax", "S : [q=8, x=9]\nP[q,x] = softmax[x](S[q,x])\n", "all", "q", "q", "q x" },
  { "heads",
      "Q : [h=3, q=8, d=4]\nK : [h, x=8, d]\nV : [h, x, d]\n"
      "P[h,q,x] = softmax[x](Q[h,q,d] K[h,x,d])\nO[h,q,d] = P[h,q,x] V[h,x,d]\n",
      "all", "h q", "x q h", "h q x d" },
  { "rmsnorm", "X : [n=8, m=9]\nY[n,m] = rmsnorm[m, eps=1e-6](X[n,m])\n", "all", "n", "n", "n m" },
  { "layernorm", "X : [n=8, m=9]\nY[n,m] = layernorm[m, eps=1e-6](X[n,m])\n", "all", "n", "n", "n m" },
  { "rmsnorm-linear", NORMED "Y[n,k] = rmsnorm[m, eps=1e-6](X[n,m]) W[m,k]\n", "all", "n k", "m n k",
      "n m k" },
  { "l2norm-linear", NORMED "Y[n,k] = l2norm[m, eps=1e-6](X[n,m]) W[m,k]\n", "all", "n k", "m n k", "n m k" },
  { "hand-made",
      "S : [q=8, x=9]\nV : [x, d=3]\nM[q] = max[x](S[q,x])\nE[q,x] = exp(S[q,x] - M[q])\nL[q] = "
      "sum[x](E[q,x])\n"
      "O[q,d] = (E[q,x] / L[q]) V[x,d]\n-> O\n",
      "all", "q d", "x q d", "q x d" },
  { "scaled-exponent",
      "S : [q=8, x=9]\nV : [x, d=3]\nM[q] = max[x](S[q,x])\nO[q,d] = exp((S[q,x] - M[q]) * 0.5) V[x,d]\n-> "
      "O\n",
      "all", "q d", "x q d", "q x d" },
  { "mlp",
      "X : [n=8, m=5]\nU : [m, f=9]\nW : [f, k=6]\nH[n,f] = gelu(X[n,m] U[m,f])\nY[n,k] = H[n,f] W[f,k]\n",
      "all", "n k", "f n k", "n m f k" },
  { "chain",
      "X : [a=8, b=9]\nB : [b]\nY[a,b] = exp(relu(X[a,b] + B[b]) * 2)\nZ[a,b] = tanh(Y[a,b]) - X[a,b]\n-> "
      "Z\n",
      "all", "a b", "a b", "a b" },
  { "sum", "X : [a=8, b=9, c=4]\nY[a] = sum[b,c](X[a,b,c])\n", "all", "a", "b c a", "a b c" },
  { "max", "X : [a=8, b=9]\nY[a] = max[b](X[a,b])\n", "all", "a", "b a", "a b" },
  { "min-prod", "X : [a=8, b=9]\nY[a] = min[b](X[a,b]) + prod[b](X[a,b])\n", "all", "a", "b a", "a b" },
  { "mean", "X : [a=8, b=9]\nY[a] = mean[b](X[a,b])\n", "all", "a", "b a", "a b" },
  { "logsumexp", "X : [a=8, b=9]\nY[a] = logsumexp[b](X[a,b])\n", "all", "a", "b a", "a b" },
  { "scalar", "X : [a=8]\nY = sum[a](X[a] * X[a])\n", "all", "", "a", "a" },
  { "two-outputs", "X : [a=8, b=9]\nY[a] = sum[b](X[a,b])\nZ[a] = max[b](X[a,b])\n", "all", "a", "b a",
      "a b" },
  { "renamed",
      "axis x = size(q)\nX : [q=8, d=4]\nP[q,x] = softmax[x](X[q,d] X[x,d])\nO[q,d] = P[q,x] X[x,d]\n", "all",
      "q", "x q", "q d" },
  { "diagonal", "A : [i=8, j=i]\nY[i] = A[i,i] * 2\n", "all", "i", "i", "i" },
  { "transposed", "A : [i=8, j=i]\nY[i,j] = A[j,i] + A[i,j]\n", "all", "", "", "i" },
  { "convolution", "X : [i=12, c=3]\nW : [k=3, c, o=4]\nY[y=12,o] = X[y+k-1,c] W[k,c,o]\n", "all", "y o",
      "c k y o", "i c k o y" },
  { "pooling", "X : [i=12, c=3]\naxis k = 3\nY[y=6,c] = max[k](X[2*y+k-1,c])\n", "all", "y c", "k y c",
      "i c k y" },
  { "shifted", "X : [i=12, c=3]\nY[y=9,c] = exp(X[y+2,c])\n", "all", "y c", "y c", "i c y" },
  { "mapped-window", "X : [i=12, c=3]\nH[i,c] = relu(X[i,c])\naxis k = 3\nY[y=6,c] = sum[k](H[y+k,c])\n",
      "all", "y c", "k y c", "i c k y" },
  { "squared", "S : [q=8, x=9]\nV : [x, d=3]\nP[q,x] = softmax[x](S[q,x])\nO[q,d] = (P[q,x]^2) V[x,d]\n",
      "all", "q d", "x q d", "q x d" },
  { "choice",
      "S : [q=8, x=9]\nV : [x, d=3]\nP[q,x] = softmax[x](S[q,x])\nR[q,x] = where(x < q, P[q,x] * 3, "
      "-P[q,x])\n"
      "O[q,d] = R[q,x] V[x,d]\n",
      "all", "q d", "x q d", "q x d" },
  { "sum-of-terms",
      "S : [q=8, x=9]\nV : [x, d=3]\nP[q,x] = softmax[x](S[q,x])\nR[q,x] = P[q,x] * S[q,x] + P[q,x]\n"
      "O[q,d] = R[q,x] V[x,d]\n",
      "all", "q d", "x q d", "q x d" },
  { "layernorm-linear", NORMED "Y[n,k] = layernorm[m, eps=1e-6](X[n,m]) W[m,k]\n", "all", "n k", "m n k",
      "n m k" },
  { "layernorm-affine",
      NORMED "G : [m]\nB : [m]\nN[n,m] = layernorm[m, eps=1e-6](X[n,m])\nH[n,m] = N[n,m] * G[m] + B[m]\n"
             "Y[n,k] = H[n,m] W[m,k]\n-> Y\n",
      "all", "n k", "m n k", "n m k" },
  { "variance", "X : [n=8, m=12]\nM[n] = mean[m](X[n,m])\nY[n] = mean[m]((X[n,m] - M[n])^2)\n-> Y\n", "all",
      "n", "m n", "n m" },
  { "third-moment", "X : [n=8, m=12]\nM[n] = mean[m](X[n,m])\nY[n] = sum[m]((X[n,m] - M[n])^3)\n-> Y\n",
      "all", "n", "m n", "n m" },
  { "covariance",
      "X : [n=8, m=12]\nZ : [m, k=5]\nM[n] = mean[m](X[n,m])\nC[k] = mean[m](Z[m,k])\n"
      "Y[n,k] = sum[m]((M[n] - X[n,m]) * (C[k] - Z[m,k]))\n-> Y\n",
      "all", "n k", "m n k", "n m k" },
  { "block-variance",
      "X : [n=8, m=6, p=4]\nM[n] = mean[m,p](X[n,m,p])\nY[n] = sum[m,p]((X[n,m,p] - M[n])^2)\n-> Y\n", "all",
      "n", "m p n", "n m p" },
  { "cross-entropy", "Z : [n=8, v=12]\nT : [n, v]\nL[n] = logsumexp[v](Z[n,v]) - sum[v](T[n,v] * Z[n,v])\n",
      "all", "n", "v n", "n v" },
  { "picked-cross-entropy",
      "H : [n=8, d=3]\nW : [d, v=12]\nT : [n]\nZ[n,v] = H[n,d] W[d,v]\n"
      "L[n] = logsumexp[v](Z[n,v]) - sum[v](where(index(v) == floor(6 + 5*T[n]), Z[n,v], 0))\n-> L\n",
      "all", "n", "v n", "n v d" },
  { "smoothed-cross-entropy",
      "Z : [n=8, v=12]\nT : [n, v]\nE[n] = logsumexp[v](Z[n,v])\nL[n] = sum[v](T[n,v] * (E[n] - Z[n,v]))\n"
      "-> L\n",
      "all", "n", "v n", "n v" },
  { "two-factors",
      "S : [q=8, x=9]\nV : [x, d=3]\nP[q,x] = softmax[x](S[q,x])\nN[q,x] = rmsnorm[x, eps=1e-6](S[q,x])\n"
      "R[q,x] = where(x < q, P[q,x], N[q,x] + P[q,x])\nO[q,d] = R[q,x] V[x,d]\n-> O\n",
      "all", "q d", "x q d", "q x d" },
  { "negated", "S : [q=8, x=9]\nV : [x, d=3]\nO[q,d] = -softmax[x](S[q,x]) V[x,d]\n", "all", "q d", "x q d",
      "q x d" },
};

static void
random_labels (GRand *random, const Case *self, const Fixture *fixture, GString *labels)
{
  g_auto (GStrv) groups = g_strsplit (self->groups, " ", -1), streams = g_strsplit (self->streams, " ", -1);
  guint n_streams = g_strv_length (streams);
  const char *stream = NULL;

  if (n_streams > 0 && g_rand_int_range (random, 0, 4) > 0)
    stream = streams[g_rand_int_range (random, 0, (gint32) n_streams)];
  if (stream != NULL)
    g_string_append_printf (labels, "%s:stream=%d ", stream, g_rand_int_range (random, 1, 12));
  for (char **group = groups; *group != NULL; group++)
    if (**group != '\0' && g_strcmp0 (stream, *group) != 0 && g_rand_boolean (random))
      g_string_append_printf (labels, "%s:group=%d ", *group, g_rand_int_range (random, 1, 12));
}

/* Ragged sizes; now and then 1. */
static char *
random_sizes (GRand *random, const Case *self)
{
  g_auto (GStrv) axes = g_strsplit (self->axes, " ", -1);
  GString *sizes = g_string_new (NULL);

  for (char **axis = axes; *axis != NULL; axis++)
    g_string_append_printf (
        sizes, "%s=%d ", *axis, g_rand_int_range (random, 0, 6) == 0 ? 1 : g_rand_int_range (random, 1, 20));
  return g_string_free (sizes, FALSE);
}

static GHashTable *
evaluate (const Fixture *fixture, guint64 seed, GHashTable *inputs)
{
  g_autoptr (GError) error = NULL;
  GHashTable *reference;

  g_assert_true (heddle_evaluate_fill_inputs (fixture->diagram, fixture->sizes, inputs, seed, &error));
  g_assert_no_error (error);
  reference = heddle_evaluate (fixture->diagram, fixture->sizes, inputs, HEDDLE_PRECISION_F64, NULL, &error);
  g_assert_no_error (error);
  return reference;
}

static void
check_schedule (const Case *self, const Fixture *fixture, const char *sizes, const char *labels, guint64 seed)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("two-level", 1000000, &error);
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  g_autoptr (GHashTable) reference = evaluate (fixture, seed, inputs);
  g_autofree char *what = g_strdup_printf ("%s at %s with %s", self->name, sizes, labels);

  for (int columns = HEDDLE_COLUMNS_ALL; columns <= HEDDLE_COLUMNS_OPERANDS; columns++)
    {
      HeddleDeriveOptions options = { machine, HEDDLE_DTYPE_F64, (HeddleColumns) columns,
        HEDDLE_OBJECTIVE_TRANSFERS, 1 + (guint) seed % 3, FALSE };
      g_autoptr (HeddleDerivation) derivation = fixture_derive (fixture, self->fuse, labels, &options);

      for (guint i = 0; i < derivation->kernels->len; i++)
        {
          const HeddleKernel *kernel = fixture_kernel (derivation, i);

          if (kernel->refusals->len > 0)
            g_error ("%s: %s", what, ((HeddleRefusal *) g_ptr_array_index (kernel->refusals, 0))->reason);
          fixture_check_kernel (fixture->sizes, what, kernel, reference, (HeddleColumns) columns);
        }
    }
}

static void
test_case (gconstpointer data)
{
  const Case *self = data;
  guint n_rounds = g_test_thorough () ? 220 : 40;
  g_autoptr (GRand) random = g_rand_new_with_seed (20261120);

  for (guint i = 0; i < n_rounds; i++)
    {
      g_autofree char *sizes = random_sizes (random, self);
      g_autoptr (GString) labels = g_string_new (NULL);
      g_auto (Fixture) fixture = { 0 };

      fixture_init (&fixture, self->text, sizes);
      random_labels (random, self, &fixture, labels);
      check_schedule (self, &fixture, sizes, labels->str, i);
    }
}

/* The sizes that are no multiple of anything, one row, and 1 x 1. */
static void
test_ragged (void)
{
  static const char *const sizes[] = { "q=77 x=129 d=40", "q=1 x=129 d=40", "q=1 x=1 d=1" };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_auto (Fixture) fixture = { 0 };

      fixture_init (&fixture, ATTENTION, sizes[i]);
      check_schedule (&cases[1], &fixture, sizes[i], "q:group=32 x:stream=64", i);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/execute/%s", cases[i].name);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/execute/ragged", test_ragged);
  return g_test_run ();
}
