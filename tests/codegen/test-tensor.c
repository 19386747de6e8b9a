/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "case.h"
#include "codegen/base/codegen.h"
#include "codegen/compile/compile.h"
#include "codegen/plan/plan.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* Kernels for the tensor core: right at ragged sizes, and as their text has to be. */

typedef struct
{
  const char *name, *text, *labels;
  HeddleDtype dtype;
  const char *sizes[3]; /* one has its contiguous axes in pieces of 16 bytes, another has not */
} Form;

#define MASKED(condition)                                                                                    \
  "S[y,x] = Q[y,k] K[x,k]\nM[y,x] = where(" condition ", S[y,x] * k^-0.5, -inf)\n"                           \
  "P[y,x] = softmax[x](M[y,x])\nO[y,k] = P[y,x] V[x,k]\n"
#define OPERANDS(k) "Q : [y=80, k=" #k "]\nK : [x=90, k]\nV : [x, k]\n"

#define CENTRED_NORM(value)                                                                                  \
  "X : [x=100, m=200]\ng : [m]\nb : [m]\nW : [m, n=100]\nc : [n]\n"                                          \
  "Y[x,n] = (layernorm[m, eps=1e-5](" value ") * g[m] + b[m]) W[m,n] + c[n]\n"

static const Form forms[] = {
  { "attention-64", OPERANDS (64) ATTENTION_EQUATIONS, "y:group@smem=32 x:stream@smem=32", HEDDLE_DTYPE_F16,
      { "y=33 x=63", "y=65 x=7" } },
  { "attention-128", OPERANDS (128) ATTENTION_EQUATIONS, "y:group@smem=32 x:stream@smem=32",
      HEDDLE_DTYPE_BF16, { "y=7 x=65", "y=1 x=1" } },
  { "attention-odd-head", OPERANDS (20) ATTENTION_EQUATIONS, "y:group@smem=32 x:stream@smem=32",
      HEDDLE_DTYPE_F16, { "y=33 x=63" } },
  { "causal", OPERANDS (64) MASKED ("x <= y"), "y:group@smem=32 x:stream@smem=16", HEDDLE_DTYPE_F16,
      { "y=63 x=63", "y=65 x=40", "y=20 x=65" } },
  { "window", OPERANDS (32) MASKED ("x <= y and y - x < 20"), "y:group@smem=32 x:stream@smem=16",
      HEDDLE_DTYPE_F16, { "y=80 x=80" } },
  { "grouped-queries",
      "Q : [g=2, y=64, r=4, k=32]\nK : [g, x=64, k]\nV : [g, x, k]\nS[g,y,r,x] = Q[g,y,r,k] K[g,x,k]\n"
      "P[g,y,r,x] = softmax[x](S[g,y,r,x] * 0.2)\nO[g,y,r,k] = P[g,y,r,x] V[g,x,k]\n",
      "g:group@smem=1 y:group@smem=8 x:stream@smem=32", HEDDLE_DTYPE_F16, { "y=17 x=41" } },
  { "heads-behind",
      "Q : [y=64, k=32, h=2]\nK : [x=64, k, h]\nV : [x, k, h]\nS[y,x,h] = Q[y,k,h] K[x,k,h]\n"
      "P[y,x,h] = softmax[x](S[y,x,h] * k^-0.5)\nO[y,k,h] = P[y,x,h] V[x,k,h]\n",
      "y:group@smem=16 h:group@smem=1 x:stream@smem=16", HEDDLE_DTYPE_F16, { "y=17 x=41" } },
  { "spherical", OPERANDS (32) "S[y,x] = Q[y,k] K[x,k]\nP[y,x] = l2norm[x](S[y,x])\nO[y,k] = P[y,x] V[x,k]\n",
      "y:group@smem=16 x:stream@smem=32", HEDDLE_DTYPE_F16, { "y=33 x=47" } },
  { "product", "A : [a=200, k=200]\nB : [k, b=200]\nC[a,b] = A[a,k] B[k,b]\n",
      "a:group@smem=64 b:group@smem=64 k:stream@smem=32", HEDDLE_DTYPE_F16,
      { "a=65 k=63 b=129", "a=63 k=72 b=72", "a=1 k=7 b=1" } },
  { "product-large-tiles", "A : [a=200, k=200]\nB : [b=200, k]\nC[a,b] = A[a,k] B[b,k]\n",
      "a:group@smem=128 b:group@smem=128 k:stream@smem=64", HEDDLE_DTYPE_BF16, { "a=130 k=72 b=131" } },
  { "product-transposed", "A : [k=200, a=200]\nB : [b=200, k]\nC[a,b] = A[k,a] B[b,k]\n",
      "a:group@smem=64 b:group@smem=64 k:stream@smem=32", HEDDLE_DTYPE_BF16,
      { "a=65 k=63 b=129", "a=72 k=64 b=40" } },
  { "product-with-maps",
      "A : [a=200, k=200]\nB : [k, b=200]\nc : f32[b]\nR : [a, b]\nC[a,b] = gelu(A[a,k] B[k,b] + c[b]) + "
      "R[a,b]\n",
      "a:group@smem=64 b:group@smem=64 k:stream@smem=32", HEDDLE_DTYPE_F16,
      { "a=65 k=63 b=129", "a=8 k=40 b=24" } },
  { "gate-in-one-line",
      "A : [a=100, k=100]\nB : [k, b=100]\nC : [k, b]\nY[a,b] = silu(sum[k](A[a,k] B[k,b])) * sum[k](A[a,k] "
      "C[k,b])\n",
      "a:group@smem=64 b:group@smem=32 k:stream@smem=32", HEDDLE_DTYPE_F16, { "a=65 k=63 b=37" } },
  { "norm-and-product",
      "X : [x=100, m=200]\ng : [m]\nW : [m, n=100]\nY[x,n] = (rmsnorm[m](X[x,m]) * g[m]) W[m,n]\n",
      "x:group@smem=32 n:group@smem=64 m:stream@smem=32", HEDDLE_DTYPE_F16,
      { "x=33 m=63 n=65", "x=40 m=48 n=72" } },
  { "centred-norm-and-product", CENTRED_NORM ("X[x,m]"), "x:group@smem=32 n:group@smem=64 m:stream@smem=32",
      HEDDLE_DTYPE_F16, { "x=33 m=63 n=65", "x=40 m=48 n=72" } },
  { "centred-norm-with-weights-transposed",
      "X : [x=100, m=200]\ng : [m]\nb : [m]\nW : [n=100, m]\n"
      "Y[x,n] = (layernorm[m, eps=1e-5](X[x,m]) * g[m] + b[m]) W[n,m]\n",
      "x:group@smem=64 n:group@smem=128 m:stream@smem=32", HEDDLE_DTYPE_BF16, { "x=33 m=47 n=100" } },
  /* what would be lost, if not the deviations were multiplied but the values; or deviations from a value far off */
  { "norm-of-far-rows", CENTRED_NORM ("X[x,m] + 100"), "x:group@smem=32 n:group@smem=64 m:stream@smem=32",
      HEDDLE_DTYPE_F16, { "x=33 m=63 n=65" } },
  { "norm-of-outliers", CENTRED_NORM ("where(m == 0, 60, X[x,m])"),
      "x:group@smem=32 n:group@smem=64 m:stream@smem=32", HEDDLE_DTYPE_F16, { "x=33 m=200 n=65" } },
  { "perceptron",
      "X : [x=100, m=64]\nW : [m, f=128]\nb : [f]\nU : [f, n=64]\nH[x,f] = relu(X[x,m] W[m,f] + b[f])\n"
      "Y[x,n] = H[x,f] U[f,n] + X[x,n]\n",
      "x:group@smem=32 n:group@smem=64 f:stream@smem=32", HEDDLE_DTYPE_F16, { "x=33 f=63", "x=65 f=72" } },
  { "perceptron-of-long-rows",
      "X : [x=100, m=320]\nW : [m, f=128]\nU : [f, n=32]\nH[x,f] = relu(X[x,m] W[m,f])\nY[x,n] = H[x,f] "
      "U[f,n]\n",
      "x:group@smem=32 n:group@smem=32 f:stream@smem=32", HEDDLE_DTYPE_F16, { "x=33 f=72" } },
  { "gated",
      "X : [x=100, m=32]\nW : [m, f=128]\nV : [m, f]\nU : [f, n=32]\nG[x,f] = X[x,m] W[m,f]\nH[x,f] = X[x,m] "
      "V[m,f]\n"
      "Y[x,n] = (silu(G[x,f]) * H[x,f]) U[f,n]\n",
      "x:group@smem=32 n:group@smem=32 f:stream@smem=16", HEDDLE_DTYPE_F16, { "x=33 f=63" } },
  { "split", OPERANDS (32) ATTENTION_EQUATIONS, "y:group@smem=32 x:group@smem=32 x:stream@smem=16",
      HEDDLE_DTYPE_F16, { "y=33 x=79" } },
  { "split-causal", OPERANDS (32) MASKED ("x <= y"), "y:group@smem=32 x:group@smem=32 x:stream@smem=16",
      HEDDLE_DTYPE_F16, { "y=65 x=65" } },
  { "rows-out", "A : [a=100, k=64]\nB : [x=100, k]\nm[a] = max[x](A[a,k] B[x,k])\n",
      "a:group@smem=32 x:stream@smem=32", HEDDLE_DTYPE_F16, { "a=33 x=63" } },
  { "dots-of-rows",
      "A : [a=100, k=64]\nB : [x=100, k]\nP : [a, x]\nD[a,x] = A[a,k] B[x,k]\ne[a] = P[a,x] D[a,x]\n",
      "a:group@smem=32 x:stream@smem=32", HEDDLE_DTYPE_F16, { "a=33 x=63", "a=40 x=136" } },
  { "logarithms-out", "A : [a=100, k=64]\nB : [x=100, k]\nz[a] = logsumexp[x](A[a,k] B[x,k])\n",
      "a:group@smem=32 x:stream@smem=32", HEDDLE_DTYPE_F16, { "a=33 x=63" } },
  { "logarithms-split", "A : [a=100, k=64]\nB : [x=200, k]\nz[a] = logsumexp[x](A[a,k] B[x,k])\n",
      "a:group@smem=32 x:group@smem=64 x:stream@smem=32", HEDDLE_DTYPE_F16, { "a=33 x=127" } },
  /* a product of what the stream has summed up: nothing waits for it but itself */
  { "product-after-the-stream",
      "X : [b=200, d=64]\nW : [f=100, b]\nU : [e=40, d]\nT[f,d] = X[b,d] W[f,b]\nS[f,d] = sigmoid(T[f,d]) + "
      "T[f,d]\nY[f,e] = S[f,d] U[e,d]\n",
      "f:group@smem=64 b:stream@smem=32", HEDDLE_DTYPE_F16, { "f=65 b=95 e=40", "f=40 b=64 e=40" } },
  /* tiles of 28, the second of which begins at no whole 16 bytes; made for sizes that labels are larger than */
  { "labels-larger-than-axes", "A : [k=200, a=28]\nB : [k, b=20]\nC[a,b] = A[k,a] B[k,b]\n",
      "a:group@smem=32 b:group@smem=32 k:stream@smem=32", HEDDLE_DTYPE_BF16,
      { "a=64 k=40 b=40", "a=28 k=33 b=20" } },
};

/* Whether the forms are run in the sm_90a family: products by warpgroups; of tiles that threads copy. */
static gboolean by_groups, by_copies;

static void
init (Case *self, const Form *form)
{
  case_init (self, &(CaseOptions){ .text = form->text,
                       .fuse = "all",
                       .labels = form->labels,
                       .dtype = form->dtype,
                       .gpu = by_groups ? "h100-sxm" : "a100-80-sxm",
                       .warpgroups = by_groups,
                       .copies = by_copies,
                       .tensor = TRUE });
}

static void
test_right (gconstpointer data)
{
  const Form *form = data;
  g_auto (Case) self = { 0 };

  if (!case_has_cuda ())
    return;
  init (&self, form);
  for (guint i = 0; i < G_N_ELEMENTS (form->sizes) && form->sizes[i] != NULL; i++)
    {
      g_autoptr (HeddleSizes) sizes = case_sizes (&self, form->sizes[i]);

      case_assert_right (self.plan, sizes, 1);
    }
}

static void
test_thoroughly (gconstpointer data)
{
  g_auto (Case) self = { 0 };

  if (!case_has_cuda ())
    return;
  init (&self, data);
  case_assert_right_throughout (self.plan, self.plan->sizes);
}

/* --- the text --- */

static void
assert_has (const char *text, const char *part)
{
  if (strstr (text, part) == NULL)
    g_error ("“%s” is not in:\n%s", part, text);
}

/* PTX is in the building blocks alone; the head says of which family the kernel is, and what it was not. */
static void
test_text (void)
{
  g_auto (Case) self = { 0 };
  const HeddleKernelText *text;
  g_autofree char *module = NULL;

  init (&self, &forms[0]);
  text = case_kernel (&self, 0);
  g_assert_cmpint (text->family, ==, HEDDLE_FAMILY_SM80);
  g_assert_null (strstr (text->kernel, "asm"));
  assert_has (text->kernel, "recast_f16 (left, P[k16 / 8], P[k16 / 8 + 1]);");
  assert_has (text->comment, "family sm_80");
  assert_has (text->comment, "predicted, not measured");
  assert_has (text->tile_program, "acquire point 1");
  module = case_module (&self, NULL, NULL);
  assert_has (module, "(size_t) Q % 16");
  assert_has (module, "Q: f16[y, k=64], read, aligned to 16 bytes");
  assert_has (module, "O: f16[y, k=64], written, aligned to 4 bytes");
}

/* The copy hardware brings tiles: one thread asks for them, the others wait and say when they have read; the launcher makes tensor maps. */
static void
test_text_by_boxes (void)
{
  g_auto (Case) self = { 0 };
  const HeddleKernelText *text;
  const HeddleKernelMap *map;
  g_autofree char *module = NULL;

  init (&self, &forms[0]);
  text = case_kernel (&self, 0);
  g_assert_cmpint (text->family, ==, HEDDLE_FAMILY_SM90);
  g_assert_cmpuint (text->threads, ==, 256);
  g_assert_null (text->family_reason);
  g_assert_null (strstr (text->kernel, "asm"));
  g_assert_cmpuint (text->maps->len, ==, 3);
  map = g_ptr_array_index (text->maps, 1);
  g_assert_cmpstr (map->name, ==, "K_map");
  g_assert_cmpuint (map->n, ==, 2);
  g_assert_cmpint (map->box[0], ==, 32);
  g_assert_cmpint (map->box[1], ==, 64);
  assert_has (text->comment, "by the copy hardware (TMA)");
  assert_has (text->tile_program, "brought by 4 more warps");
  assert_has (text->kernel, "const __grid_constant__ TensorMap K_map");
  assert_has (text->kernel, "begin_barrier (empty_0 + 8 * slot, 4);");
  assert_has (text->kernel, "arrive_expecting (full_0 + 8 * slot, 4096);");
  assert_has (text->kernel, "copy_box (K_tile + slot * 4096, K_map, full_0 + 8 * slot, 0, (int) x_0);");
  assert_has (text->kernel, "wait_for_barrier (full_1 + 8 * behind, phase_behind);");
  assert_has (text->kernel, "wait_for_products<1> ();\n");
  assert_has (text->kernel, "release_slot (empty_1 + 8 * behind);");
  assert_has (text->kernel, "store_eights (&O[");
  g_assert_null (strstr (text->kernel, "by_boxes"));
  module = case_module (&self, NULL, NULL);
  assert_has (module, "make_tensor_map (&K_map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, K, { x, 64 }, { 32, 64 })");
  assert_has (module, "#include <cudaTypedefs.h>");
  assert_has (module, "if (y > 2147483647 || x > 2147483647)\n    return -8;");
  assert_has (module, "an axis of an array that the copy hardware brings is longer than 2147483647");
}

/* A factor that a function is applied to goes through registers: what lanes have read, they put before what the copy hardware writes there next. */
static void
test_text_read_by_lanes (void)
{
  g_auto (Case) self = { 0 };
  const HeddleKernelText *text;

  case_init (
      &self, &(CaseOptions){ .text = "A : [a=256, k=256]\nB : [k, b=256]\nC[a,b] = relu(A[a,k]) B[k,b]\n",
                 .fuse = "all",
                 .labels = "a:group@smem=128 b:group@smem=128 k:stream@smem=64",
                 .dtype = HEDDLE_DTYPE_F16,
                 .gpu = "h100-sxm",
                 .warpgroups = TRUE });
  text = case_kernel (&self, 0);
  assert_has (text->comment, "by the copy hardware (TMA)");
  assert_has (text->kernel, "release_read_slot (empty_0 + 8 * ");
  assert_has (text->device,
      "asm volatile (\"fence.proxy.async.shared::cta;\" ::: \"memory\");\n  release_slot (barrier);");
}

/* Where the rows' length is an argument, those who bring tiles copy element by element when rows are not aligned; two groups that multiply
 * get registers from them. */
static void
test_text_by_either (void)
{
  g_auto (Case) self = { 0 };
  const HeddleKernelText *text;

  case_init (&self, &(CaseOptions){ .text = "A : [a=256, k=256]\nB : [k, b=256]\nC[a,b] = A[a,k] B[k,b]\n",
                        .fuse = "all",
                        .labels = "a:group@smem=128 b:group@smem=256 k:stream@smem=64",
                        .dtype = HEDDLE_DTYPE_F16,
                        .gpu = "h100-sxm",
                        .warpgroups = TRUE });
  text = case_kernel (&self, 0);
  g_assert_cmpuint (text->threads, ==, 384);
  assert_has (text->kernel, "const bool by_boxes = k % 8 == 0 && b % 8 == 0;");
  assert_has (text->kernel, "bring_elements<TILE_a, CHUNK_k, 128> (");
  assert_has (text->kernel, "arrive_expecting (full_0 + 8 * slot, 49152);");
  assert_has (text->kernel, "give_registers<40> ();");
  assert_has (text->kernel, "take_registers<232> ();");
  assert_has (text->kernel, "(int) b_0 + 64 * panel, (int) k_0);");
  assert_has (
      text->kernel, "// blocks that run at a time read what the L2 cache holds: 8 tiles of a at a time\n");
  g_assert_cmpint (text->swept, ==, 8);
}

/* Keys and values of a head of 16,384 places take 8 MB: blocks take two heads at a time, and the longest blocks of those first. */
static void
test_text_sections (void)
{
  g_auto (Case) self = { 0 };
  const HeddleKernelText *text;

  case_init (&self,
      &(CaseOptions){
          .text
          = "Q : [h=16, y=16384, k=128]\nK : [h, x=16384, k]\nV : [h, x, k]\nS[h,y,x] = Q[h,y,k] K[h,x,k]\n"
            "M[h,y,x] = where(x <= y, S[h,y,x] * k^-0.5, -inf)\nP[h,y,x] = softmax[x](M[h,y,x])\n"
            "O[h,y,k] = P[h,y,x] V[h,x,k]\n",
          .fuse = "all",
          .labels = "h:group@smem=1 y:group@smem=128 x:stream@smem=128",
          .dtype = HEDDLE_DTYPE_F16,
          .gpu = "h100-sxm",
          .warpgroups = TRUE });
  text = case_kernel (&self, 0);
  assert_has (text->kernel, "2 tiles of h at a time, of which the longest blocks first");
  assert_has (text->kernel, "const long long y_0 = (long long) (tiles_across - 1 - within / side) * TILE_y;");
  g_assert_cmpint (text->swept, ==, 2);
  g_assert_true (((const HeddleKernelTile *) g_ptr_array_index (text->tiles, 1))->backwards);
}

/* A box has 256 rows at most: 320 come in two parts, 160 * 128 bytes apart. */
static void
test_text_in_parts (void)
{
  g_auto (Case) self = { 0 };
  guint i = 0;

  while (!g_str_equal (forms[i].name, "perceptron-of-long-rows"))
    i++;
  init (&self, &forms[i]);
  assert_has (case_kernel (&self, 0)->kernel, "for (int part = 0; part < 2; ++part)");
  assert_has (
      case_kernel (&self, 0)->kernel, " + part * 20480, W_map, full_0 + 8 * slot, (int) f_0, 160 * part);");
}

/* What the copy hardware cannot bring, threads copy; the head says why. */
static void
test_text_otherwise (void)
{
  static const struct
  {
    const char *text, *labels, *why;
  } rows[] = {
    { OPERANDS (20) ATTENTION_EQUATIONS, "y:group@smem=32 x:stream@smem=32",
        "rows of 20 elements of Q are not a multiple of 16 bytes" },
    { OPERANDS (32) ATTENTION_EQUATIONS, "y:group@smem=32 x:stream@smem=24", "a step takes 24" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Case) self = { 0 };
      const HeddleKernelText *text;

      case_init (&self, &(CaseOptions){ .text = rows[i].text,
                            .labels = rows[i].labels,
                            .fuse = "all",
                            .dtype = HEDDLE_DTYPE_F16,
                            .gpu = "h100-sxm",
                            .warpgroups = TRUE });
      text = case_kernel (&self, 0);
      g_assert_cmpuint (text->maps->len, ==, 0);
      assert_has (text->family_reason, rows[i].why);
      assert_has (text->comment, "slower than it could be: tiles are copied by threads (cp.async)");
    }
}

/* Products by warpgroups: what is begun is fenced before and waited for behind. */
static void
test_text_by_groups (void)
{
  g_auto (Case) self = { 0 };
  const HeddleKernelText *text;

  init (&self, &forms[0]);
  text = case_kernel (&self, 0);
  g_assert_cmpint (text->family, ==, HEDDLE_FAMILY_SM90);
  g_assert_cmpstr (text->arch, ==, "sm_90a");
  g_assert_cmpuint (text->threads, ==, 128);
  g_assert_null (strstr (text->kernel, "asm"));
  assert_has (text->comment, "family sm_90a");
  assert_has (text->kernel, "multiply_64x32_f16<0, 0> (");
  assert_has (text->kernel, "multiply_64x64_f16<1> (");
  assert_has (text->kernel, "      publish_writes ();\n      __syncthreads ();");
  assert_has (text->device, "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16");
}

/* No other generation has them. */
static void
test_elsewhere (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddlePlan) plan = NULL;

  init (&self, &forms[0]);
  plan = heddle_plan_new (
      self.diagram, NULL, "a100-80-sxm", HEDDLE_DTYPE_F16, HEDDLE_FAMILY_SM90, NULL, NULL, &error);
  g_assert_null (plan);
  g_assert_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_UNSUPPORTED);
  assert_has (error->message, "warpgroups");
}

/* At the sizes of models: products are those of warpgroups, nothing spills, and the compiler serialises none. */
static void
test_audit_by_groups (void)
{
  static const char *const texts[] = { ATTENTION_AT (4096, 4096, 64), ATTENTION,
    "A : [a=4096, k=4096]\nB : [k, b=4096]\nC[a,b] = A[a,k] B[k,b]\n" };

  if (!case_has_cuda ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_auto (Case) self = { 0 };
      g_autoptr (GError) error = NULL;
      g_autoptr (HeddleCompilation) compilation = NULL;

      case_init (&self, &(CaseOptions){ .text = texts[i],
                            .fuse = "all",
                            .dtype = HEDDLE_DTYPE_F16,
                            .gpu = "h100-sxm",
                            .warpgroups = TRUE });
      compilation = heddle_compile (case_kernel (&self, 0), NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (compilation->audit.products, >=, 4);
      g_assert_cmpint (compilation->spill_bytes, ==, 0);
      g_assert_cmpint (compilation->local_bytes, ==, 0);
      g_assert_null (strstr (compilation->log, "C75"));
      g_test_message ("%u products, %u instructions, %d registers", compilation->audit.products,
          compilation->audit.instructions, compilation->registers);
    }
}

/* A kernel that is not for the tensor core is of another family, and says so; of one that is asked for by name, it is an error. */
static void
test_fallback (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddlePlan) plan = NULL, none = NULL;
  const HeddleKernelText *text;

  case_init (&self, &(CaseOptions){ .text = "X : [x=64, m=64]\nP[x,m] = softmax[m](X[x,m])\n" });
  plan = heddle_plan_new (
      self.diagram, NULL, "a100-80-sxm", HEDDLE_DTYPE_F16, HEDDLE_FAMILY_AUTO, NULL, NULL, &error);
  g_assert_no_error (error);
  text = g_ptr_array_index (plan->texts, 0);
  g_assert_cmpint (text->family, ==, HEDDLE_FAMILY_ROWS);
  assert_has (text->comment, "family rows: each row in registers, in one pass over memory");
  none = heddle_plan_new (
      self.diagram, NULL, "a100-80-sxm", HEDDLE_DTYPE_F16, HEDDLE_FAMILY_SM80, NULL, NULL, &error);
  g_assert_null (none);
  g_assert_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_UNSUPPORTED);
  assert_has (error->message, "no product");
}

/* Where the last axis is that of the heads, nothing can be copied by 16 bytes: the head says so. */
static void
test_slow_copies (void)
{
  g_auto (Case) self = { 0 };

  init (&self, &forms[6]);
  assert_has (case_kernel (&self, 0)->comment, "slower than it could be: copied element by element");
  assert_has (case_kernel (&self, 0)->comment, "none of the tile's: Q, K, V\n");
}

/* A guard's negation binds as C++ has it. */
static void
test_guard (void)
{
  g_auto (Case) self = { 0 };
  const char *text;

  init (&self, &forms[4]);
  text = case_kernel (&self, 0)->kernel;
  assert_has (text, "return x_0 <= (y_0 + n_y - 1) and y_0 - (x_0 + n_x - 1) < 20;");
  assert_has (text, "if ((x_0 + n_x - 1) > y_0 or (y_0 + n_y - 1) - x_0 >= 20)");
  g_assert_null (strstr (text, "not "));
}

int
main (int argc, char **argv)
{
  gboolean thorough = case_is_long (&argc, argv);

  by_copies = argc > 1 && g_str_equal (argv[argc - 1], "--copies");
  by_groups = by_copies || (argc > 1 && g_str_equal (argv[argc - 1], "--warpgroups"));
  argc -= by_groups;
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      g_autofree char *path = g_strconcat ("/tensor/right/", forms[i].name, NULL);

      g_test_add_data_func (path, &forms[i], thorough ? test_thoroughly : test_right);
    }
  if (by_copies)
    {
      g_test_add_func ("/tensor/warpgroups/text", test_text_by_groups);
      return g_test_run ();
    }
  if (by_groups)
    {
      g_test_add_func ("/tensor/warpgroups/boxes", test_text_by_boxes);
      g_test_add_func ("/tensor/warpgroups/read-by-lanes", test_text_read_by_lanes);
      g_test_add_func ("/tensor/warpgroups/boxes-or-elements", test_text_by_either);
      g_test_add_func ("/tensor/warpgroups/sections", test_text_sections);
      g_test_add_func ("/tensor/warpgroups/boxes-in-parts", test_text_in_parts);
      g_test_add_func ("/tensor/warpgroups/otherwise", test_text_otherwise);
      g_test_add_func ("/tensor/warpgroups/elsewhere", test_elsewhere);
      g_test_add_func ("/tensor/warpgroups/audit", test_audit_by_groups);
      return g_test_run ();
    }
  g_test_add_func ("/tensor/text", test_text);
  g_test_add_func ("/tensor/fallback", test_fallback);
  g_test_add_func ("/tensor/slow-copies", test_slow_copies);
  g_test_add_func ("/tensor/guard", test_guard);
  return g_test_run ();
}
