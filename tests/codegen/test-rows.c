/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "case.h"
#include "codegen/emit/emit.h"
#include "codegen/plan/plan.h"
#include "codegen/ptx/ptx.h"
#include "codegen/verify/run.h"
#include "diagram/analysis/sizes.h"

/* Kernels that hold rows in registers: that they are right, also where rows are odd, and how many instructions of PTX an
 * element they take and which sectors they touch. Counted with NVRTC 13.0, in threads' instructions. */

typedef struct
{
  const char *path, *text, *sizes;
  gint64 elements; /* of the largest array at @sizes */
  double most; /* instructions an element */
  double sectors; /* of global memory over the fewest */
} RowCase;

/* General kernels take 78, 101, 96 and 92 of the first four, and 23 of the last. */
static const RowCase cases[] = {
  { "/rows/rmsnorm-4096", "X : f16[x=16384, m=4096]\ng : f16[m]\nY[x,m] = rmsnorm[m](X[x,m]) * g[m]\n",
      "x=2 m=4096", 8192, 15, 1.0 },
  { "/rows/softmax-4096", "X : f16[x=16384, m=4096]\nY[x,m] = softmax[m](X[x,m])\n", "x=2 m=4096", 8192, 40,
      1.0 },
  { "/rows/softmax-32768", "X : f16[x=2048, m=32768]\nY[x,m] = softmax[m](X[x,m])\n", "x=1 m=32768", 32768,
      36, 1.0 },
  { "/rows/layernorm-4096",
      "X : f16[x=16384, m=4096]\ng : f16[m]\nb : f16[m]\nY[x,m] = layernorm[m](X[x,m]) * g[m] + b[m]\n",
      "x=2 m=4096", 8192, 24, 1.0 },
  { "/rows/gelu-bias", "X : f16[x=16384, m=4096]\nb : f16[m]\nY[x,m] = gelu(X[x,m] + b[m])\n", "x=2 m=4096",
      8192, 72, 1.0 },
  { "/rows/sum", "X : f16[x=16384, m=4096]\nY[x] = sum[m](X[x,m])\n", "x=2 m=4096", 8192, 9, 1.0 },
};

static void
test_counts (gconstpointer data)
{
  const RowCase *row = data;
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleSizes) sizes = NULL;
  g_autoptr (GPtrArray) results = NULL;
  g_autoptr (GError) error = NULL;
  const HeddleVerification *result;

  if (!case_has_cuda ())
    return;
  case_init (&self, &(CaseOptions){ .text = row->text, .dtype = HEDDLE_DTYPE_F16, .automatic = TRUE });
  g_assert_cmpint (case_kernel (&self, 0)->family, ==, HEDDLE_FAMILY_ROWS);
  sizes = case_sizes (&self, row->sizes);
  results = heddle_verify (self.plan->diagram, self.plan->derivation, sizes, self.plan->machine,
      HEDDLE_DTYPE_F16, HEDDLE_VERIFY_CPU, 1, NULL, &error);
  g_assert_no_error (error);
  result = g_ptr_array_index (results, 0);
  g_assert_true (result->passed);
  g_assert_cmpfloat ((double) result->counts->warp_instructions * 32, <=, row->most * (double) row->elements);
  g_assert_cmpfloat ((double) (result->counts->global_sectors_read + result->counts->global_sectors_written),
      <=, row->sectors * (double) result->counts->global_sectors_least);
}

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add_data_func (cases[i].path, &cases[i], test_counts);
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
