/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "case.h"
#include "codegen/base/codegen.h"
#include "codegen/emit/emit.h"
#include "codegen/plan/plan.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "diagram/analysis/sizes.h"

/* Kernels that hold rows in registers are right, also where rows are odd, hold nothing but minus infinity, or are asked for by name. How good they are
 * is told by test-static. */

/* Rows that no vector divides, of a few elements, more in a block than a warp has lanes, and of one column. */
static void
test_odd_rows (gconstpointer data)
{
  g_autofree char *text = g_strdup_printf (
      "X : f16[x=37, m=%s]\ng : f32[m]\nS[x] = sum[m](X[x,m])\nY[x,m] = softmax[m](X[x,m] * g[m]) / S[x]\n",
      (const char *) data);
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleSizes) sizes = NULL;

  if (!case_has_cuda ())
    return;
  case_init (
      &self, &(CaseOptions){ .text = text, .dtype = HEDDLE_DTYPE_F16, .automatic = TRUE, .fuse = "none" });
  for (guint i = 0; i < self.plan->texts->len; i++)
    g_assert_cmpint (case_kernel (&self, i)->family, ==, HEDDLE_FAMILY_ROWS);
  sizes = case_sizes (&self, NULL);
  case_assert_right (self.plan, sizes, 1);
}

/* Maps whose columns are an argument, at lengths that end among the elements of a vector; and where a label gives a tile that no vector divides. */
static void
test_odd_columns (gconstpointer data)
{
  g_auto (Case) self = { 0 };

  if (!case_has_cuda ())
    return;
  case_init (&self,
      &(CaseOptions){ .text = "X : f16[b=4, x=300, m=4096]\ng : f16[m]\nY[b,x,m] = silu(X[b,x,m] + g[m])\n",
          .dtype = HEDDLE_DTYPE_F16,
          .automatic = TRUE,
          .fuse = data != NULL ? "all" : NULL,
          .labels = data });
  g_assert_cmpint (case_kernel (&self, 0)->family, ==, HEDDLE_FAMILY_ROWS);
  for (guint i = 0; i < 4; i++)
    {
      static const char *const sizes[] = { "b=4 x=3 m=4099", "b=4 x=5 m=4096", "b=4 x=2 m=7", "b=4 x=1 m=1" };
      g_autoptr (HeddleSizes) at = case_sizes (&self, sizes[i]);

      case_assert_right (self.plan, at, 1);
    }
}

/* Elements that are read one by one, from another place than where they are stored: a row may end among those of a thread. */
static void
test_reads_to_end (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleSizes) sizes = NULL;

  if (!case_has_cuda ())
    return;
  case_init (&self,
      &(CaseOptions){ .text = "T : f16[f=1024, e=128, a=3]\nU[f,a,e] = T[f,e,a]\nY[a,f,e] = U[f,a,e]\n",
          .dtype = HEDDLE_DTYPE_F16,
          .automatic = TRUE,
          .fuse = "all",
          .labels = "a:group@smem=1 f:group@smem=47 e:group@smem=64" });
  g_assert_cmpint (case_kernel (&self, 0)->family, ==, HEDDLE_FAMILY_ROWS);
  sizes = case_sizes (&self, "f=85 e=85 a=3");
  case_assert_right (self.plan, sizes, 1);
}

/* The softmax of rows that are masked in whole is 0, as it is where each element is guarded. */
static void
test_guards (void)
{
  static const char text[] = "X : f16[x=8, m=64]\n"
                             "M[x,m] = where(index(m) < 3 * index(x), X[x,m], -inf)\n"
                             "Y[x,m] = softmax[m](M[x,m])\n";
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleSizes) sizes = NULL;

  if (!case_has_cuda ())
    return;
  case_init (
      &self, &(CaseOptions){ .text = text, .dtype = HEDDLE_DTYPE_F16, .automatic = TRUE, .fuse = "all" });
  g_assert_cmpint (case_kernel (&self, 0)->family, ==, HEDDLE_FAMILY_ROWS);
  g_assert_null (strstr (case_kernel (&self, 0)->kernel, "[element] == -INF"));
  g_assert_nonnull (strstr (case_kernel (&self, 0)->kernel, " == -INF ? 0.0f"));
  sizes = case_sizes (&self, NULL);
  case_assert_right (self.plan, sizes, 1);
}

static HeddlePlan *
plan_rows (const Case *self, GError **error)
{
  return heddle_plan_new (self->diagram, NULL, heddle_machine_reference (self->plan->machine),
      HEDDLE_DTYPE_F16, HEDDLE_FAMILY_ROWS, NULL, NULL, error);
}

/* Transposes go through tiles in shared memory, whatever the sizes and types, and with other axes before and between. */
static void
test_across (gconstpointer data)
{
  static const char *const sizes[] = { "t=70 m=133", "t=64 m=128", "t=3 m=8", "t=1 m=1" };
  g_auto (Case) self = { 0 };

  if (!case_has_cuda ())
    return;
  case_init (
      &self, &(CaseOptions){ .text = data, .dtype = HEDDLE_DTYPE_F16, .automatic = TRUE, .fuse = "all" });
  g_assert_cmpint (case_kernel (&self, 0)->family, ==, HEDDLE_FAMILY_ROWS);
  g_assert_nonnull (strstr (case_kernel (&self, 0)->kernel, "load_across"));
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (HeddleSizes) at = case_sizes (&self, sizes[i]);

      case_assert_right (self.plan, at, 1);
    }
}

/* Rows that are too long for registers are gone through in parts, by all warps: also where they end among the elements of a vector, and where a block's
 * last part is of one element. What is kept of such rows is made on a second way through. */
static void
test_parts (gconstpointer data)
{
  static const char *const sizes[] = { "n=3 v=20000", "n=2 v=8193", "n=1 v=16387", "n=2 v=7", "n=1 v=1" };
  g_auto (Case) self = { 0 };

  if (!case_has_cuda ())
    return;
  case_init (&self, &(CaseOptions){ .text = data, .dtype = HEDDLE_DTYPE_F16, .automatic = TRUE });
  g_assert_cmpint (case_kernel (&self, 0)->family, ==, HEDDLE_FAMILY_ROWS);
  g_assert_cmpuint (case_kernel (&self, 0)->threads, >=, 128);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (HeddleSizes) at = case_sizes (&self, sizes[i]);

      case_assert_right (self.plan, at, 1);
    }
}

/* The place of the largest of each row is found by all lanes: also where several are equal, and in rows of one column or that no vector divides. */
static void
test_places (void)
{
  static const char *const rows[] = { "1", "33", "1030", "8192" };

  for (guint i = 0; i < G_N_ELEMENTS (rows) && case_has_cuda (); i++)
    {
      g_autofree char *text
          = g_strdup_printf ("X : f16[n=5, v=%s]\nA[n] = argmax[v](floor(2 * X[n,v]))\n", rows[i]);
      g_auto (Case) self = { 0 };
      g_autoptr (HeddleSizes) at = NULL;

      case_init (
          &self, &(CaseOptions){ .text = text, .dtype = HEDDLE_DTYPE_F16, .automatic = TRUE, .fuse = "all" });
      g_assert_cmpint (case_kernel (&self, 0)->family, ==, HEDDLE_FAMILY_ROWS);
      at = case_sizes (&self, NULL);
      case_assert_right (self.plan, at, 1);
    }
}

/* Sums over other axes than the contiguous one: by columns and by places, of one axis and of several, in parts that a second kernel merges, and where
 * columns end among the elements of a vector. */
static void
test_sums (gconstpointer data)
{
  g_auto (GStrv) words = g_strsplit (data, "|", -1);
  g_auto (Case) self = { 0 };

  if (!case_has_cuda ())
    return;
  case_init (&self, &(CaseOptions){ .text = words[0], .dtype = HEDDLE_DTYPE_F16, .automatic = TRUE });
  g_assert_cmpint (case_kernel (&self, 0)->family, ==, HEDDLE_FAMILY_ROWS);
  g_assert_nonnull (strstr (case_kernel (&self, 0)->kernel, "own_"));
  for (guint i = 1; words[i] != NULL; i++)
    {
      g_autoptr (HeddleSizes) at = case_sizes (&self, words[i]);

      case_assert_right (self.plan, at, 1);
    }
}

/* A chain of maps between a softmax and what it becomes holds few arrays at a time, and is in registers. */
static void
test_chain (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleSizes) sizes = NULL;

  case_init (
      &self, &(CaseOptions){ .text = "A : f16[y=64, x=4096]\nD : f16[y, x]\nP[y,x] = softmax[x](A[y,x])\n"
                                     "E[y] = P[y,x] D[y,x]\nZ[y,x] = D[y,x] - E[y]\n"
                                     "S[y,x] = P[y,x] Z[y,x]\nU[y,x] = S[y,x] * 2\n"
                                     "T[y,x] = U[y,x] * x^-0.5\n-> P, T\n",
                 .fuse = "all",
                 .automatic = TRUE });
  g_assert_cmpint (case_kernel (&self, 0)->family, ==, HEDDLE_FAMILY_ROWS);
  if (!case_has_cuda ())
    return;
  sizes = case_sizes (&self, "y=3");
  case_assert_right (self.plan, sizes, 1);
}

/* What is loaded before the stream and has a reduced axis is read at each step of a thread. */
static void
test_loaded_before (gconstpointer data)
{
  g_auto (GStrv) words = g_strsplit (data, "|", -1);
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleSizes) sizes = NULL;

  case_init (
      &self, &(CaseOptions){
                 .text = words[0], .gpu = "a100", .fuse = "all", .labels = words[1], .automatic = TRUE });
  g_assert_cmpint (case_kernel (&self, 0)->family, ==, HEDDLE_FAMILY_ROWS);
  if (!case_has_cuda ())
    return;
  sizes = case_sizes (&self, NULL);
  case_assert_right (self.plan, sizes, 1);
}

/* Squares about a running centre: what the centre comes to is known to no thread in the loop, and the kernel is none of this form. */
static void
test_centre (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleSizes) sizes = NULL;

  case_init (&self, &(CaseOptions){ .text = "X : f32[b=128, s=64, c=64]\nM[c] = sum[b,s](X[b,s,c])\n"
                                            "D[b,s,c] = X[b,s,c] - M[c]/(b*s)\n"
                                            "V[c] = sum[b,s](D[b,s,c]*D[b,s,c])\n-> M, V\n",
                        .gpu = "a100",
                        .fuse = "all",
                        .labels = "c:group@smem=1 b:stream@smem=8",
                        .automatic = TRUE });
  g_assert_cmpint (case_kernel (&self, 0)->family, ==, HEDDLE_FAMILY_GENERAL);
  if (!case_has_cuda ())
    return;
  sizes = case_sizes (&self, "b=20 c=3");
  case_assert_right (self.plan, sizes, 1);
}

/* Running sums along rows, by lanes and by warps, also of rows that no vector divides. */
static void
test_scans (void)
{
  static const char *const rows[] = { "1", "7", "33", "520", "1030", "4097", "8192" };

  for (guint i = 0; i < G_N_ELEMENTS (rows) && case_has_cuda (); i++)
    {
      g_autofree char *text
          = g_strdup_printf ("X : f32[n=37, m=%s]\nY : f32[n, m]\nY[n,m] = cumsum[m](2 * X[n,m])\n", rows[i]);
      g_auto (Case) self = { 0 };
      g_autoptr (HeddleSizes) at = NULL;

      case_init (
          &self, &(CaseOptions){ .text = text, .dtype = HEDDLE_DTYPE_F16, .automatic = TRUE, .fuse = "all" });
      g_assert_cmpint (case_kernel (&self, 0)->family, ==, HEDDLE_FAMILY_ROWS);
      at = case_sizes (&self, NULL);
      case_assert_right (self.plan, at, 1);
    }
}

/* Maps of what is read at indices, and sums of windows: where vectors are read, and where what is read is no vector, is outside, or ends among its
 * elements. */
static void
test_reads (gconstpointer data)
{
  g_auto (GStrv) words = g_strsplit (data, "|", -1);
  g_auto (Case) self = { 0 };

  if (!case_has_cuda ())
    return;
  case_init (
      &self, &(CaseOptions){ .text = words[0], .dtype = HEDDLE_DTYPE_F16, .automatic = TRUE, .fuse = "all" });
  g_assert_cmpint (case_kernel (&self, 0)->family, ==, HEDDLE_FAMILY_ROWS);
  for (guint i = 1; words[i] != NULL; i++)
    {
      g_autoptr (HeddleSizes) at = case_sizes (&self, words[i]);

      case_assert_right (self.plan, at, 1);
    }
}

/* Both numbers of a pair are read where either of them is: they come from the thread's own vector where all pairs lie in
 * one, and else one by one. */
static const struct
{
  const char *every, *labels;
  gboolean vector;
} pairs[] = {
  { "2", NULL, TRUE },
  { "4", NULL, TRUE },
  { "3", NULL, FALSE },
  { "2", "x:group@smem=8 d:group@smem=16", TRUE },
  { "2", "x:group@smem=8 d:group@smem=6", TRUE },
  { "2", "x:group@smem=8 d:group@smem=5", FALSE },
};

static void
test_pairs (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (pairs) && case_has_cuda (); i++)
    {
      g_autofree char *text = g_strdup_printf (
          "X : f16[x=4096, d=120]\naxis r = %s\nY[x,d] = X[x,d] + 2 X[x,floor(d/size(r))*size(r) + 1] - "
          "X[x,floor(d/size(r))*size(r)]\n",
          pairs[i].every);
      g_auto (Case) self = { 0 };
      g_autoptr (HeddleSizes) at = NULL;
      g_autofree char *element = g_strdup_printf ("[element / %s * %s + 1]", pairs[i].every, pairs[i].every);

      case_init (&self, &(CaseOptions){ .text = text,
                            .dtype = HEDDLE_DTYPE_F16,
                            .automatic = TRUE,
                            .fuse = "all",
                            .labels = pairs[i].labels });
      g_test_message ("every %s, %s", pairs[i].every, pairs[i].labels);
      g_assert_cmpint (case_kernel (&self, 0)->family, ==, HEDDLE_FAMILY_ROWS);
      g_assert_cmpint (strstr (case_kernel (&self, 0)->kernel, element) != NULL, ==, pairs[i].vector);
      at = case_sizes (&self, "x=37");
      case_assert_right (self.plan, at, 1);
    }
}

/* The family can be asked for; what has no such kernel says why. */
static void
test_family (void)
{
  g_auto (Case) norm = { 0 }, product = { 0 };
  g_autoptr (HeddlePlan) plan = NULL;
  g_autoptr (GError) error = NULL;
  HeddleFamily family = HEDDLE_FAMILY_AUTO;

  g_assert_true (heddle_family_from_string ("rows", &family));
  g_assert_cmpint (family, ==, HEDDLE_FAMILY_ROWS);
  case_init (&norm, &(CaseOptions){ .text = "X : f16[x=64, m=512]\nY[x,m] = rmsnorm[m](X[x,m])\n",
                        .dtype = HEDDLE_DTYPE_F16 });
  plan = plan_rows (&norm, &error);
  g_assert_no_error (error);
  g_assert_cmpint (((HeddleKernelText *) g_ptr_array_index (plan->texts, 0))->family, ==, HEDDLE_FAMILY_ROWS);
  g_clear_pointer (&plan, heddle_plan_free);
  case_init (
      &product, &(CaseOptions){ .text = "A : f16[a=64, k=64]\nB : f16[k, b=64]\nC[a,b] = A[a,k] B[k,b]\n",
                    .dtype = HEDDLE_DTYPE_F16 });
  plan = plan_rows (&product, &error);
  g_assert_null (plan);
  g_assert_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "rows"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rows/guards", test_guards);
  g_test_add_func ("/rows/family", test_family);
  g_test_add_func ("/rows/reads/to-end", test_reads_to_end);
  g_test_add_func ("/rows/reads/pairs", test_pairs);
  g_test_add_func ("/rows/places", test_places);
  g_test_add_func ("/rows/scans", test_scans);
  g_test_add_data_func (
      "/rows/parts/logsumexp", "X : f16[n=4096, v=131072]\nL[n] = logsumexp[v](X[n,v])\n", test_parts);
  g_test_add_data_func ("/rows/parts/largest",
      "X : f32[n=4096, v=131072]\nL : f32[n]\nL[n] = max[v](abs(X[n,v]))\n", test_parts);
  g_test_add_data_func (
      "/rows/parts/softmax", "X : f16[n=4096, v=131072]\nP[n,v] = softmax[v](X[n,v])\n", test_parts);
  g_test_add_data_func (
      "/rows/across/f16", "X : f16[b=2, t=4096, m=4096]\nY[b,m,t] = X[b,t,m]\n", test_across);
  g_test_add_data_func ("/rows/across/f32",
      "X : f32[t=4096, b=2, m=4096]\nY : f32[m, b, t]\nY[m,b,t] = X[t,b,m]\n", test_across);
  g_test_add_data_func ("/rows/across/mixed",
      "X : f32[t=4096, m=4096]\nB : f16[m, t]\ng : f16[m]\nh : f16[t]\n"
      "Y[m,t] = silu(X[t,m] * g[m] + h[t]) + B[m,t]\n",
      test_across);
  g_test_add_data_func ("/rows/across/bytes",
      "X : e4m3[b=2, t=4096, m=4096]\nY : e4m3[b, m, t]\nY[b,m,t] = X[b,t,m]\n", test_across);
  g_test_add_func ("/rows/chain", test_chain);
  g_test_add_func ("/rows/sums/centre", test_centre);
  g_test_add_data_func ("/rows/sums/loaded-before/rows",
      "x : f32[a=3]\nw : f32[b=4]\nF : f32[a, b, c=5]\nT[b,a,c] = F[a,b,c]\n"
      "D[c] = w[b] x[a] T[b,a,c]\n-> D\n|c:group@smem=32 b:stream@smem=2",
      test_loaded_before);
  g_test_add_data_func ("/rows/sums/loaded-before/columns",
      "x : f32[a=8]\nF : f32[b=16, a]\nS = sum[b,a](F[b,a] x[a])\n-> S\n|b:stream@smem=2",
      test_loaded_before);
  g_test_add_data_func ("/rows/sums/columns",
      "X : f16[t=8192, m=8192]\nY[m] = sum[t](X[t,m])\n|t=4099 m=64|t=70 m=133|t=3 m=8|t=1 m=1", test_sums);
  g_test_add_data_func ("/rows/sums/largest",
      "X : f32[t=65536, m=40]\nY : f32[m]\nY[m] = max[t](abs(X[t,m]))\n|t=300 m=40|t=5 m=3|t=1 m=1",
      test_sums);
  g_test_add_data_func ("/rows/sums/heads",
      "X : bf16[h=16, t=100, k=120, m=128]\nY[h,m] = mean[t,k](X[h,t,k,m])\n|h=2 t=100 "
      "k=120 m=128|h=1 t=100 k=120 m=7",
      test_sums);
  g_test_add_data_func ("/rows/sums/places",
      "X : f32[b=32, c=64, h=7, w=9]\nY : f32[c]\nY[c] = sum[b,h,w](X[b,c,h,w]*X[b,c,h,w])\n|b=32 c=3 h=7 "
      "w=9|b=1 c=1 h=7 w=9",
      test_sums);
  g_test_add_data_func ("/rows/sums/channels-last",
      "X : f16[b=32, h=14, w=14, c=256]\nY : f32[c]\nY[c] = sum[b,h,w](abs(X[b,h,w,c]))\n|b=3 h=14 w=14 "
      "c=19|b=2 h=14 w=14 c=64",
      test_sums);
  g_test_add_data_func ("/rows/reads/rotary",
      "X : f16[x=4096, h=32, d=128]\nC : f16[x, d]\nY[x,h,d] = X[x,h,d] * C[x,d] + "
      "where(index(d) < 64, -X[x,h,d + 64], X[x,h,d - 64])\n"
      "|x=3 h=32 d=128|x=1 h=32 d=128",
      test_reads);
  g_test_add_data_func ("/rows/reads/odd-shift",
      "X : f16[x=4096, d=126]\nY[x,d] = where(index(d) < 63, 1 - X[x,d + 63], X[x,d - 63] + 1)\n"
      "|x=300 d=126|x=1 d=126",
      test_reads);
  g_test_add_data_func ("/rows/reads/embedding",
      "E : f16[v=50257, m=4096]\nP : f16[n=8192, m]\nT : i32[n]\nY[n,m] = E[T[n],m] * 2 + P[n,m]\n"
      "|n=5 v=9 m=4099|n=3 v=2 m=16|n=1 v=1 m=1",
      test_reads);
  g_test_add_data_func ("/rows/reads/wide-indices",
      "E : f32[v=50257, m=64]\nT : i64[b=16, n=512]\nY : f32[b, n, m]\nY[b,n,m] = E[T[b,n],m]\n"
      "|b=2 n=37 v=9 m=63|b=1 n=1 v=2 m=64",
      test_reads);
  g_test_add_data_func ("/rows/reads/depthwise",
      "X : f16[b=32, u=114, v=114, c=128]\nW : f16[i=3, j=3, c]\nY[b,y=112,x=112,c] = X[b,y + i,x + j,c] "
      "W[i,j,c]\n"
      "|b=2 u=5 v=39 c=40 y=3 x=37|b=1 u=4 v=5 c=13 y=2 x=3|b=1 u=3 v=3 c=1 y=1 x=1",
      test_reads);
  g_test_add_data_func ("/rows/reads/padded",
      "X : f16[b=8, u=112, v=1120, c=64]\nW : f16[i=3, j=5, c]\naxis y = 56\naxis x = 560\n"
      "Y[b,y,x,c] = X[b,2*y + i - 1,2*x + j - 2,c] W[i,j,c]\n"
      "|b=1 u=7 v=9 c=24 y=4 x=5|b=2 u=2 v=3 c=7 y=1 x=2",
      test_reads);
  g_test_add_data_func ("/rows/reads/pooling",
      "X : f32[c=64, u=1120, v=112]\naxis i = 2\naxis j = 2\naxis y = 560\naxis x = 56\nY : f32[c, y, x]\n"
      "Y[c,y,x] = max[i,j](X[c,2*y + i,2*x + j])\n"
      "|c=3 u=6 v=14 y=3 x=7|c=1 u=2 v=2 y=1 x=1",
      test_reads);
  g_test_add_data_func ("/rows/reads/causal",
      "X : bf16[t=4096, c=512]\nW : bf16[k=4, c]\nY[t,c] = X[t - k,c] W[k,c]\n|t=37 c=512|t=2 c=70|t=1 c=1",
      test_reads);
  g_test_add_data_func ("/rows/odd/1", "1", test_odd_rows);
  g_test_add_data_func ("/rows/odd/5", "5", test_odd_rows);
  g_test_add_data_func ("/rows/odd/33", "33", test_odd_rows);
  g_test_add_data_func ("/rows/odd/1026", "1026", test_odd_rows);
  g_test_add_data_func ("/rows/odd/4097", "4097", test_odd_rows);
  g_test_add_data_func ("/rows/columns", NULL, test_odd_columns);
  g_test_add_data_func (
      "/rows/columns/tile", "b:group@smem=1 x:group@smem=3 m:group@smem=12", test_odd_columns);
  return g_test_run ();
}
