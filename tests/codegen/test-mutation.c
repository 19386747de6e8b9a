/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "case.h"
#include "codegen/base/codegen.h"
#include "codegen/verify/plan.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"

/* Verification is worth what it catches: a kernel damaged in one place has to fail. */

typedef struct
{
  const char *name;
  const char *from, *to; /* in the kernel's text */
  guint at; /* which occurrence, from 0 */
  const char *says; /* in the report; NULL: anything */
} Mutation;

static const Mutation mutations[] = {
  { "no-barrier-after-load", "  __syncthreads ();\n", "", 0, "no barrier" },
  { "no-barrier-after-scores", "  __syncthreads ();\n", "", 1, "no barrier" },
  { "no-barrier-after-maximum", "  __syncthreads ();\n", "", 2, "no barrier" },
  { "no-barrier-after-weights", "  __syncthreads ();\n", "", 3, "no barrier" },
  { "no-barrier-at-the-end-of-a-step", "  __syncthreads ();\n", "", 4, "no barrier" },
  { "row-guard-off-by-one", "at < n_y * k; at += THREADS", "at < (n_y + 1) * k; at += THREADS", 0, NULL },
  { "rows-left-out", "at < n_y * k; at += THREADS", "at < (n_y - 1) * k; at += THREADS", 0, NULL },
  { "output-rows-left-out",
      "at < n_y * k; at += THREADS)\n    {\n      const int i_y = at / k;\n      const int i_k",
      "at < (n_y - 1) * k; at += THREADS)\n    {\n      const int i_y = at / k;\n      const int i_k", 1,
      NULL },
  { "column-left-out", "if (i_x >= n_x)", "if (i_x + 1 >= n_x)", 0, NULL },
  { "sum-beyond-the-chunk", "i_x < n_x; ++i_x", "i_x < CHUNK_x; ++i_x", 1, NULL },
  { "wrong-index", "K_tile[i_x * k + i_k]", "K_tile[i_k * k + i_x]", 0, NULL },
  { "wrong-row", "(x_0 + i_x) * k + i_k", "i_x * k + i_k", 1, NULL },
  { "wrong-factor", "coarse_exp (delta[i_y] - m[i_y])", "coarse_exp (m[i_y] - delta[i_y])", 0, NULL },
  { "no-rescaling-of-the-sum", "delta[i_y] * l[i_y] + acc", "l[i_y] + acc", 0, NULL },
  { "no-rescaling-of-the-output", "delta[i_y] * o[at] + acc", "o[at] + acc", 0, NULL },
  { "wrong-scale", "rsqrtf (float (k))", "1.02f * rsqrtf (float (k))", 0, NULL },
  { "wrong-normalisation", "coarse_quotient (o[at], l[i_y])", "coarse_quotient (o[at], l[i_y] + 0.5f)", 0,
      NULL },
  { "one-element", "store (&O[(y_0 + i_y) * k + i_k], o[at]);",
      "store (&O[(y_0 + i_y) * k + i_k], i_y == 7 && i_k == 5 && y_0 == 0 ? o[at] + 0.5f : o[at]);", 0,
      NULL },
  { "one-row-slightly", "store (&O[(y_0 + i_y) * k + i_k], o[at]);",
      "store (&O[(y_0 + i_y) * k + i_k], i_y == 3 && y_0 == 0 ? 1.02f * o[at] : o[at]);", 0, NULL },
};

/* Of a softmax whose rows the lanes of warps share out. */
static const Mutation of_lanes[] = {
  { "lanes-join-too-few", "int step = 16", "int step = 8", 1, NULL },
  { "lanes-leave-terms-out", "i_x += 32", "i_x += 64", 1, NULL },
  { "lanes-overlap", "i_x += 32", "i_x += 16", 1, NULL },
  { "warps-leave-rows-out", "threadIdx.x / 32; i_n < n_n; i_n += THREADS / 32",
      "threadIdx.x / 32; i_n < n_n - 1; i_n += THREADS / 32", 0, NULL },
  { "no-barrier-before-lanes", "  __syncthreads ();\n", "", 0, "no barrier" },
  { "no-barrier-after-the-maximum-of-lanes", "  __syncthreads ();\n", "", 1, "no barrier" },
  { "no-barrier-after-the-sum-of-lanes", "  __syncthreads ();\n", "", 3, "no barrier" },
};

/* Of a product whose results threads have in registers. */
static const Mutation of_tiles[] = {
  { "copies-not-waited-for", "wait_for_copies<0> ();", "", 0, NULL },
  { "no-barrier-after-copies", "  __syncthreads ();\n", "", 0, NULL },
  { "no-barrier-before-copies", "  __syncthreads ();\n", "", 1, NULL },
  { "terms-left-out", "i_k += 4)", "i_k += 8)", 0, NULL },
  { "terms-in-disorder", "left[down][step] * right", "left[down][3 - step] * right", 0, NULL },
  { "rows-of-another-thread", "= (row + down * 16) *", "= (row + down * 15) *", 0, NULL },
  { "columns-of-another-thread", "const int i_b = (column", "const int i_b = (column ^ 1", 0, NULL },
  { "rows-not-guarded", "i_a < n_a && ", "", 0, NULL },
};

static gboolean
is_of_lanes (const Mutation *mutation)
{
  return mutation >= of_lanes && mutation < of_lanes + G_N_ELEMENTS (of_lanes);
}

static gboolean
is_of_tiles (const Mutation *mutation)
{
  return mutation >= of_tiles && mutation < of_tiles + G_N_ELEMENTS (of_tiles);
}

static char *
mutated (const char *text, const Mutation *mutation)
{
  const char *found = text;

  for (guint n = 0;; n++, found += strlen (mutation->from))
    {
      found = strstr (found, mutation->from);
      if (found == NULL)
        g_error ("%s: “%s” is not in the kernel", mutation->name, mutation->from);
      if (n == mutation->at)
        break;
    }
  return g_strdup_printf (
      "%.*s%s%s", (int) (found - text), text, mutation->to, found + strlen (mutation->from));
}

static void
init (Case *self)
{
  case_init (self, &(CaseOptions){ .text = ATTENTION_AT (45, 50, 24),
                       .fuse = "all",
                       .labels = "y:group@smem=32 x:stream@smem=16",
                       .dtype = HEDDLE_DTYPE_F16 });
}

static void
init_rows (Case *self)
{
  case_init (self, &(CaseOptions){ .text = "X : f32[n=11, x=100]\nP[n,x] = softmax[x](X[n,x])\n" });
}

static void
init_tiles (Case *self)
{
  case_init (self, &(CaseOptions){ .text = "A : f32[a=68, k=40]\nB : f32[k, b=72]\nC[a,b] = A[a,k] B[k,b]\n",
                       .fuse = "all",
                       .labels = "a:group@smem=64 b:group@smem=64 k:stream@smem=32" });
}

/* Keys are so much work that few of them are checked: attention goes through all of them in one step there. */
static void
init_behind_a_product (Case *self)
{
  case_init (self,
      &(CaseOptions){ .text
                      = "Q : [h=16, y=45, k=32]\nB : [x=50, m=512]\nparam W : [m, o=512]\nV : [h, x, k]\n"
                        "R[x,o] = B[x,m] W[m,o]\nK[h,x,k] = R[x,(h k)]\nS[h,y,x] = Q[h,y,k] K[h,x,k]\n"
                        "P[h,y,x] = softmax[x](S[h,y,x] * k^-0.5)\nO[h,y,k] = P[h,y,x] V[h,x,k]\n",
          .fuse = "S,P,O",
          .labels = "h:group@smem=1 y:group@smem=32 x:stream@smem=32",
          .dtype = HEDDLE_DTYPE_F16 });
}

static GPtrArray *
verify (const Case *self)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *results = heddle_plan_verify (self->plan, self->plan->sizes, HEDDLE_VERIFY_CPU, 1, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (results->len, ==, 1);
  return results;
}

/* As it is, it passes; and the line for its head comment says so. */
static void
test_sound (gconstpointer how)
{
  g_auto (Case) self = { 0 };
  g_autoptr (GPtrArray) results = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *line = NULL;

  if (!case_has_cuda ())
    return;
  ((void (*) (Case *)) how) (&self);
  results = verify (&self);
  g_assert_true (((HeddleVerification *) g_ptr_array_index (results, 0))->passed);
  line = heddle_plan_verify_line (self.plan, 1, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (line, "verified on the CPU"));
}

static void
test_mutation (gconstpointer data)
{
  const Mutation *mutation = data;
  g_auto (Case) self = { 0 };
  HeddleKernelText *text;
  g_autoptr (GPtrArray) results = NULL;
  g_autoptr (GError) error = NULL;
  const HeddleVerification *result;
  char *device;

  if (!case_has_cuda ())
    return;
  (is_of_lanes (mutation) ? init_rows : is_of_tiles (mutation) ? init_tiles : init) (&self);
  text = case_kernel (&self, 0);
  device = mutated (text->device, mutation);
  g_free (text->device);
  text->device = device;
  results = verify (&self);
  result = g_ptr_array_index (results, 0);
  g_assert_false (result->passed);
  g_assert_nonnull (result->detail);
  g_test_message ("%s: %s", mutation->name, result->detail);
  if (mutation->says != NULL)
    g_assert_nonnull (strstr (result->detail, mutation->says));
  g_assert_null (heddle_plan_verify_line (self.plan, 1, NULL, &error));
  g_assert_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_VERIFY);
}

/* A loop that goes round once where all kernels are checked together goes round by itself in a check of its own. */
static void
test_cut_short (void)
{
  static const Mutation mutation
      = { "no-rescaling-of-the-sum", "delta[at] * l[at] + acc", "l[at] + acc", 0, NULL };
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleSizes) small = NULL;
  g_autoptr (GPtrArray) results = NULL;
  g_autoptr (GError) error = NULL, wrong = NULL;
  g_autofree char *line = NULL;
  HeddleKernelText *text;
  char *device;

  if (!case_has_cuda ())
    return;
  init_behind_a_product (&self);
  g_assert_cmpuint (self.plan->texts->len, ==, 3);
  text = case_kernel (&self, 2);
  line = heddle_plan_verify_line (self.plan, 1, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (line, "verified on the CPU"));
  g_assert_nonnull (strstr (line, "; loops of several steps in kernels on their own"));
  device = mutated (text->device, &mutation);
  g_free (text->device);
  text->device = device;
  results = heddle_plan_verify_small (self.plan, HEDDLE_VERIFY_CPU, 1, &small, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < results->len; i++)
    g_assert_true (((const HeddleVerification *) g_ptr_array_index (results, i))->passed);
  g_assert_null (heddle_plan_verify_line (self.plan, 1, NULL, &error));
  g_assert_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_VERIFY);
  g_assert_true (
      heddle_plan_find_bad (self.plan, 1, NULL, &wrong) == self.plan->derivation->kernels->pdata[2]);
}

static void
add (const Mutation *list, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strconcat ("/mutation/", list[i].name, NULL);

      g_test_add_data_func (path, &list[i], test_mutation);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/mutation/none", init, test_sound);
  g_test_add_data_func ("/mutation/none-of-lanes", init_rows, test_sound);
  g_test_add_data_func ("/mutation/none-of-tiles", init_tiles, test_sound);
  g_test_add_func ("/mutation/cut-short", test_cut_short);
  add (mutations, G_N_ELEMENTS (mutations));
  add (of_lanes, G_N_ELEMENTS (of_lanes));
  add (of_tiles, G_N_ELEMENTS (of_tiles));
  return g_test_run ();
}
