/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "case.h"
#include "codegen/base/codegen.h"
#include "codegen/base/kernel-audit.h"
#include "codegen/compile/audit.h"
#include "codegen/compile/compile.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* What the compiler makes of kernels for the tensor core, read from the cubin: slow code is noticed without a GPU. Limits are those of
 * one toolkit; others may do better or worse. */

#define TOOLKIT "13.0"

typedef struct
{
  const char *name, *text, *labels;
  guint products; /* in the main loop: what the tiles come to */
  double most; /* instructions for each of them */
  enum
  {
    BY_WARPS,
    BY_BOXES, /* by warpgroups, of tiles that the copy hardware brings */
    BY_COPIES, /* by warpgroups, of tiles that threads copy */
    BY_BYTES, /* by warps, on a machine that multiplies elements of 8 bits */
  } how;
} Limit;

#define CAUSAL_AT(n, k)                                                                                      \
  "Q : [y=" #n ", k=" #k "]\nK : [x=" #n ", k]\nV : [x, k]\nS[y,x] = Q[y,k] K[x,k]\n"                        \
  "M[y,x] = where(x <= y, S[y,x] * k^-0.5, -inf)\nP[y,x] = softmax[x](M[y,x])\nO[y,k] = P[y,x] V[x,k]\n"
#define PRODUCT "A : [a=4096, k=4096]\nB : [k, b=4096]\nC[a,b] = A[a,k] B[k,b]\n"

#define BYTES "A : e4m3[a=4096, k=4096]\nB : e4m3[b=4096, k]\nC : f16[a, b]\nC[a,b] = A[a,k] B[b,k]\n"
#define BYTE_ATTENTION "Q : e4m3[y=4096, k=128]\nK : e4m3[x=4096, k]\nV : f16[x, k]\n" ATTENTION_EQUATIONS

/* Attention, for each warp of 16 rows: 128 columns / 8 * 128 / 16 products for the scores, as many for the output. A product of tiles:
 * 64 rows / 16 * 64 columns / 8 * 64 / 16. */
static const Limit limits[] = {
  { "attention-128", ATTENTION_AT (4096, 4096, 128), "y:group@smem=64 x:stream@smem=128", 256, 4.6 },
  { "attention-128-wide", ATTENTION_AT (4096, 4096, 128), "y:group@smem=128 x:stream@smem=128", 256, 4.6 },
  { "attention-64", ATTENTION_AT (4096, 4096, 64), "y:group@smem=128 x:stream@smem=128", 128, 6.6 },
  { "product", PRODUCT, "a:group@smem=128 b:group@smem=256 k:stream@smem=64", 128, 2.6 },
  /* 192 sums a thread, beside tiles that one warp copies; and beside tiles that may not be aligned. Keys and values read the
   * same rows: they come side by side, whatever the names */
  { "projections",
      "N : [x=128, m=512]\nA : [m, k=64, h=8]\nB : [m, k, h]\nC : [m, k, h]\n"
      "Q[x,k,h] = N[x,m] A[m,k,h]\nK[y,k,h] = N[y,m] B[m,k,h]\nV[y,k,h] = N[y,m] C[m,k,h]\n",
      "k:group@smem=1 m:stream@smem=128", 384, 2.5 },
  { "heads",
      "Q : [y=8192, r=4, k=128, g=8]\nK : [x=8192, k, g]\nV : [x, k, g]\nS[y,r,x,g] = Q[y,r,k,g] K[x,k,g]\n"
      "P[y,r,x,g] = softmax[x](S[y,r,x,g] * k^-0.5)\nO[y,r,k,g] = P[y,r,x,g] V[x,k,g]\n",
      "y:group@smem=64 g:group@smem=1 x:stream@smem=64", 256, 4.6 },
  /* the same where rows choose the matrix */
  { "experts", "X : [t=4096, m=4096]\nI : i64[t]\nW : [e=8, m, f=4096]\nY[t,f] = X[t,m] W[I[t],m,f]\n",
      "t:group@smem=128 f:group@smem=128 m:stream@smem=64", 128, 3.3 },
  /* of 64 rows, 16 deep: for the scores 128 / 16, for the output as many; of tiles 64 / 16 */
  { "warpgroups/attention-128", ATTENTION_AT (4096, 4096, 128), "y:group@smem=128 x:stream@smem=128", 16, 46,
      BY_BOXES },
  { "warpgroups/attention-64", ATTENTION_AT (4096, 4096, 64), "y:group@smem=128 x:stream@smem=128", 12, 54,
      BY_BOXES },
  { "warpgroups/causal-128", CAUSAL_AT (4096, 128), "y:group@smem=128 x:stream@smem=128", 16, 64, BY_BOXES },
  { "warpgroups/product", PRODUCT, "a:group@smem=128 b:group@smem=256 k:stream@smem=64", 4, 24, BY_BOXES },
  /* and of what the mean and the bias are multiplied by 2 * 2 of 16 rows, 16 deep; a third of the instructions is for the first step and for the last */
  { "warpgroups/centred-norm-and-product",
      "X : [x=2048, m=4096]\ng : [m]\nb : [m]\nW : [m, n=4096]\n"
      "Y[x,n] = (layernorm[m](X[x,m]) * g[m] + b[m]) W[m,n]\n",
      "x:group@smem=128 n:group@smem=256 m:stream@smem=64", 20, 36, BY_BOXES },
  { "copies/attention-128", ATTENTION_AT (4096, 4096, 128), "y:group@smem=128 x:stream@smem=128", 16, 53,
      BY_COPIES },
  { "copies/product", PRODUCT, "a:group@smem=128 b:group@smem=256 k:stream@smem=64", 4, 62, BY_COPIES },
  /* of e4m3, 32 deep: for the scores 128 / 32 in place of 128 / 16, by warps half as many */
  { "warpgroups/product-of-e4m3", BYTES, "a:group@smem=128 b:group@smem=128 k:stream@smem=128", 4, 37,
      BY_BOXES },
  { "warpgroups/attention-of-e4m3", BYTE_ATTENTION, "y:group@smem=128 x:stream@smem=128", 12, 58, BY_BOXES },
  { "product-of-e4m3", BYTES, "a:group@smem=256 b:group@smem=128 k:stream@smem=128", 128, 3.5, BY_BYTES },
  { "attention-of-e4m3", BYTE_ATTENTION, "y:group@smem=64 x:stream@smem=128", 192, 5.7, BY_BYTES },
};

static void
test_limit (gconstpointer data)
{
  const Limit *limit = data;
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleCompilation) compilation = NULL;
  g_autoptr (GError) error = NULL;
  double each;

  if (!case_has_cuda ())
    return;
  case_init (&self, &(CaseOptions){ .text = limit->text,
                        .labels = limit->labels,
                        .fuse = "all",
                        .dtype = HEDDLE_DTYPE_F16,
                        .gpu = limit->how == BY_WARPS   ? "a100-80-sxm"
                               : limit->how == BY_BYTES ? "l40s"
                                                        : "h100-sxm",
                        .tensor = limit->how == BY_WARPS || limit->how == BY_BYTES,
                        .warpgroups = limit->how == BY_BOXES,
                        .copies = limit->how == BY_COPIES });
  g_assert_cmpuint (case_kernel (&self, 0)->maps->len > 0, ==, limit->how == BY_BOXES);
  compilation = heddle_compile (case_kernel (&self, 0), NULL, &error);
  g_assert_no_error (error);
  g_assert_true (compilation->audited);
  g_assert_cmpuint (compilation->audit.loop_products, ==, limit->products);
  g_assert_cmpuint (compilation->audit.products, >=, limit->products);
  each = (double) compilation->audit.loop_instructions / compilation->audit.loop_products;
  g_test_message ("%s: %d registers, %.2f instructions for each product, %u spilled in the loop",
      compilation->compiler, compilation->registers, each, compilation->audit.loop_spills);
  if (strstr (compilation->compiler, TOOLKIT) == NULL)
    {
      g_test_skip ("the limits are those of another toolkit");
      return;
    }
  g_assert_cmpuint (compilation->audit.loop_spills, ==, 0);
  g_assert_cmpfloat (each, <=, limit->most);
}

/* Loops are told on every architecture: Blackwell closes them by another branch. */
static void
test_loops (gconstpointer gpu)
{
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleCompilation) compilation = NULL;
  g_autoptr (GError) error = NULL;

  if (!case_has_cuda ())
    return;
  case_init (&self, &(CaseOptions){ .text = PRODUCT,
                        .labels = "a:group@smem=128 b:group@smem=256 k:stream@smem=64",
                        .fuse = "all",
                        .dtype = HEDDLE_DTYPE_F16,
                        .gpu = gpu,
                        .tensor = TRUE });
  compilation = heddle_compile (case_kernel (&self, 0), NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (compilation->audit.loop_products, ==, 128);
  g_assert_cmpuint (compilation->audit.loop_instructions, <, compilation->audit.instructions);
}

/* A thread may have 32 registers, and sums up 64 numbers, which its loop adds to in local memory. */
static const char crowded[]
    = "extern \"C\" __global__ void __launch_bounds__ (1024, 2)\n"
      "crowded (const float *x, float *y, int n)\n{\n  float sums[64] = {};\n#pragma unroll 1\n"
      "  for (int i = 0; i < n; ++i)\n    {\n      const float at = x[i * 1024 + threadIdx.x];\n#pragma "
      "unroll\n"
      "      for (int k = 0; k < 64; ++k)\n        sums[k] = sums[k] * at + sums[(k + 1) % 64];\n    "
      "}\n#pragma unroll\n"
      "  for (int k = 0; k < 64; ++k)\n    y[k * 1024 + threadIdx.x] = sums[k];\n}\n";

static void
test_spills (void)
{
  static const char *const archs[] = { "sm_80", "sm_90a", "sm_100a", "sm_120" };

  if (!case_has_cuda ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (archs); i++)
    {
      const HeddleKernelText text
          = { .device = (char *) crowded, .arch = (char *) archs[i], .entry = (char *) "crowded" };
      g_autoptr (GError) error = NULL;
      g_autoptr (HeddleCompilation) compilation = heddle_compile (&text, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpint (compilation->spill_bytes, >, 0);
      g_assert_cmpuint (compilation->audit.spills_in_loops, >=, 8);
      g_assert_cmpuint (compilation->audit.loop_products, ==, 0);
    }
}

/* A general kernel has no products; what is no cubin is told from one, wherever it is cut. */
static void
test_files (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleCompilation) compilation = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) nothing = g_bytes_new_static ("\177ELF\2\1", 6);
  const guint8 *data;
  gsize size;
  HeddleAudit audit;

  g_assert_false (heddle_audit_read (nothing, "k", &audit));
  if (!case_has_cuda ())
    return;
  case_init (&self, &(CaseOptions){ .text = "A : [i=9]\nB[i] = A[i] + 1\n", .gpu = "a100-80-sxm" });
  compilation = heddle_compile (case_kernel (&self, 0), NULL, &error);
  g_assert_no_error (error);
  g_assert_true (compilation->audited);
  g_assert_cmpuint (compilation->audit.products, ==, 0);
  g_assert_cmpuint (compilation->audit.instructions, >, 0);
  g_assert_false (heddle_audit_read (compilation->cubin, "another", &audit));
  data = g_bytes_get_data (compilation->cubin, &size);
  for (gsize cut = 0; cut < size; cut += 1 + size / 997)
    {
      g_autoptr (GBytes) part = g_bytes_new (data, cut);

      g_assert_false (
          heddle_audit_read (part, case_kernel (&self, 0)->entry, &audit) && audit.instructions == 0);
    }
}

/* --- tiles chosen --- */

static gint64
label_of (const HeddlePlan *plan, const HeddleDiagram *diagram, const char *axis, HeddleLabelKind kind)
{
  const HeddleKernel *kernel = g_ptr_array_index (plan->derivation->kernels, 0);

  for (guint i = 0; i < kernel->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (kernel->labels, i);

      if (label->kind == kind && g_str_equal (heddle_diagram_get_axis (diagram, label->axis)->name, axis))
        return label->size;
    }
  return 0;
}

/* Without labels a product gets tiles that no general kernel would have: 128 x 256, which four products a warp share; given ones stay. */
static void
test_choice (void)
{
  g_auto (Case) free_choice = { 0 }, given = { 0 };

  case_init (&free_choice,
      &(CaseOptions){
          .text = PRODUCT, .fuse = "all", .dtype = HEDDLE_DTYPE_F16, .gpu = "a100-80-sxm", .tensor = TRUE });
  g_assert_cmpint (label_of (free_choice.plan, free_choice.diagram, "a", HEDDLE_LABEL_GROUP)
                       * label_of (free_choice.plan, free_choice.diagram, "b", HEDDLE_LABEL_GROUP),
      ==, 128 * 256);
  case_init (&given, &(CaseOptions){ .text = PRODUCT,
                         .labels = "a:group@smem=32 k:stream@smem=32",
                         .fuse = "all",
                         .dtype = HEDDLE_DTYPE_F16,
                         .gpu = "a100-80-sxm",
                         .tensor = TRUE });
  g_assert_cmpint (label_of (given.plan, given.diagram, "a", HEDDLE_LABEL_GROUP), ==, 32);
  g_assert_cmpint (label_of (given.plan, given.diagram, "k", HEDDLE_LABEL_STREAM), ==, 32);
  g_assert_cmpint (label_of (given.plan, given.diagram, "b", HEDDLE_LABEL_GROUP), >=, 64);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      g_autofree char *path = g_strconcat ("/tensor-audit/", limits[i].name, NULL);

      g_test_add_data_func (path, &limits[i], test_limit);
    }
  g_test_add_data_func ("/tensor-audit/loops/a100", "a100-80-sxm", test_loops);
  g_test_add_data_func ("/tensor-audit/loops/h100", "h100-sxm", test_loops);
  g_test_add_data_func ("/tensor-audit/loops/b200", "b200", test_loops);
  g_test_add_data_func ("/tensor-audit/loops/rtx-5090", "rtx-5090", test_loops);
  g_test_add_func ("/tensor-audit/spills", test_spills);
  g_test_add_func ("/tensor-audit/files", test_files);
  g_test_add_func ("/tensor-audit/choice", test_choice);
  return g_test_run ();
}
