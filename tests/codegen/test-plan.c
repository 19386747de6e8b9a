/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "case.h"
#include "codegen/base/codegen.h"
#include "codegen/plan/plan.h"
#include "codegen/verify/apart.h"
#include "codegen/verify/plan.h"
#include "codegen/verify/sizes.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/kernel/search-cache.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sign.h"
#include "diagram/analysis/sizes.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* What is planned where the person says nothing: as much as goes on the tensor core. */

static guint
count_bound (const Case *self)
{
  guint n = 0;

  for (guint i = 0; i < self->plan->texts->len; i++)
    n += case_kernel (self, i)->family != HEDDLE_FAMILY_GENERAL
         && case_kernel (self, i)->family != HEDDLE_FAMILY_ROWS;
  return n;
}

/* Heads that share keys are one of a block's axes each: its rows are the queries of one. Arrays that have the heads last are copied by rows before, since
 * a block would read them element by element. */
static void
test_heads (void)
{
  g_auto (Case) self = { 0 };

  case_init (&self,
      &(CaseOptions){ .text = "Q : f16[y=2048, r=4, k=128, g=8]\nK : f16[x=2048, k, g]\nV : f16[x, k, g]\n"
                              "S[y,r,x,g] = Q[y,r,k,g] K[x,k,g]\nP[y,r,x,g] = softmax[x](S[y,r,x,g])\n"
                              "O[y,r,k,g] = P[y,r,x,g] V[x,k,g]\n",
          .gpu = "a100",
          .automatic = TRUE });
  g_assert_cmpuint (self.plan->texts->len, ==, 4);
  g_assert_cmpuint (count_bound (&self), ==, 1);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (case_kernel (&self, i)->family, ==, HEDDLE_FAMILY_ROWS);
  g_assert_null (case_kernel (&self, 3)->family_reason);
}

/* Heads before the queries: nobody would group them by what moves, but rows over both are not evenly spaced. */
static void
test_heads_in_front (void)
{
  g_auto (Case) self = { 0 };
  const GPtrArray *tiles;
  gint64 queries = 0, heads = 0;

  case_init (&self,
      &(CaseOptions){ .text = "Q : f16[g=8, r=4, y=2048, k=128]\nK : f16[g, x=2048, k]\nV : f16[g, x, k]\n"
                              "S[g,r,y,x] = Q[g,r,y,k] K[g,x,k]\nP[g,r,y,x] = softmax[x](S[g,r,y,x])\n"
                              "O[g,r,y,k] = P[g,r,y,x] V[g,x,k]\n",
          .automatic = TRUE });
  g_assert_cmpuint (self.plan->texts->len, ==, 1);
  g_assert_cmpint (case_kernel (&self, 0)->family, ==, HEDDLE_FAMILY_SM90);
  tiles = case_kernel (&self, 0)->tiles;
  for (guint i = 0; i < tiles->len; i++)
    {
      const HeddleKernelTile *tile = g_ptr_array_index (tiles, i);
      const char *name = heddle_diagram_get_axis (self.diagram, tile->axis)->name;

      queries = g_str_equal (name, "y") ? tile->size : queries;
      heads = g_str_equal (name, "r") ? tile->size : heads;
    }
  g_assert_cmpint (heads, ==, 1);
  g_assert_cmpint (queries, >=, 64);
}

/* A block could have all 512 keys of its rows, but not on the tensor core beside the queries: steps along them let one kernel do both products. */
static void
test_short_rows (void)
{
  static const char *heads[] = { "b=2, h=4", "b=32, h=16" };

  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    {
      g_autofree char *text = g_strdup_printf (
          "Q : bf16[%s, s=512, k=64]\nK : bf16[b, h, t=512, k]\nV : bf16[b, h, t, k]\n"
          "S[b,h,s,t] = Q[b,h,s,k] K[b,h,t,k]\nP[b,h,s,t] = softmax[t](S[b,h,s,t] * k^-0.5)\n"
          "O[b,h,s,k] = P[b,h,s,t] V[b,h,t,k]\n",
          heads[i]);
      g_auto (Case) self = { 0 };

      case_init (&self, &(CaseOptions){ .text = text, .automatic = TRUE });
      g_assert_cmpuint (self.plan->texts->len, ==, 1);
      g_assert_cmpuint (count_bound (&self), ==, 1);
    }
}

/* As one kernel, each block of columns would work all of H out again: two products are faster, each by warpgroups. */
static void
test_perceptron (void)
{
  g_auto (Case) self = { 0 };

  case_init (&self,
      &(CaseOptions){ .text = "X : f16[x=4096, m=1024]\nparam U : f16[m, f=4096]\nparam W : f16[f, n=1024]\n"
                              "H[x,f] = gelu(X[x,m] U[m,f])\nY[x,n] = H[x,f] W[f,n]\n",
          .automatic = TRUE });
  g_assert_cmpuint (self.plan->texts->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint (case_kernel (&self, i)->family, ==, HEDDLE_FAMILY_SM90);
}

/* One value a block was the cheapest by what moves; a block has many threads. */
static void
test_elementwise (void)
{
  g_auto (Case) self = { 0 };
  const GPtrArray *tiles;
  gint64 values = 1;

  case_init (
      &self, &(CaseOptions){ .text = "X : f16[x=4096, m=4096]\nY[x,m] = X[x,m] + 1\n", .automatic = TRUE });
  tiles = case_kernel (&self, 0)->tiles;
  for (guint i = 0; i < tiles->len; i++)
    values *= ((HeddleKernelTile *) g_ptr_array_index (tiles, i))->size;
  g_assert_cmpint (values, ==, 4096);
}

/* A thread cannot hold rows of 4096: each product is a kernel of its own, with the maps around it. */
static void
test_apart (void)
{
  g_auto (Case) self = { 0 };
  guint products = 0;

  case_init (&self,
      &(CaseOptions){ .text
                      = "X : f16[x=2048, m=4096]\nW : f16[m, f=8192]\nU : f16[f, m]\n"
                        "H[x,f] = gelu(X[x,m] W[m,f])\nY[x,m] = H[x,f] U[f,m]\nZ[x,m] = Y[x,m] + X[x,m]\n",
          .gpu = "a100",
          .automatic = TRUE });
  for (guint i = 0; i < self.plan->derivation->kernels->len; i++)
    products += ((HeddleKernel *) g_ptr_array_index (self.plan->derivation->kernels, i))->tensor_flops > 0;
  g_assert_cmpuint (products, ==, 2);
  g_assert_cmpuint (count_bound (&self), ==, 2);
  g_assert_cmpuint (self.plan->texts->len, ==, 2);
}

/* What a region says is done, and why it is slow is said. */
static void
test_region (void)
{
  g_auto (Case) self = { 0 };

  case_init (&self, &(CaseOptions){ .text = "X : f16[x=64, m=4096]\nW : f16[m, f=512]\nU : f16[f, m]\n"
                                            "H[x,f] = gelu(X[x,m] W[m,f])\nY[x,m] = H[x,f] U[f,m]\n",
                        .gpu = "a100",
                        .fuse = "all",
                        .automatic = TRUE });
  g_assert_cmpuint (self.plan->texts->len, ==, 1);
  g_assert_cmpuint (count_bound (&self), ==, 0);
  g_assert_cmpuint (strlen (case_kernel (&self, 0)->family_reason), >, 10);
}

static void
assert_verified (const Case *self, HeddleVerifyOn on)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleSizes) sizes = heddle_plan_small_sizes (self->plan);
  g_autoptr (GPtrArray) results = heddle_plan_verify (self->plan, sizes, on, 1, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (results->len, ==, self->plan->derivation->kernels->len);
  for (guint i = 0; i < results->len; i++)
    {
      const HeddleVerification *result = g_ptr_array_index (results, i);
      const HeddleKernel *kernel = g_ptr_array_index (self->plan->derivation->kernels, i);

      g_assert_true (result->passed);
      g_assert_cmpstr (result->kernel, ==, kernel->program->name);
    }
}

/* A row of a million is longer than a block holds: it is gone through in pieces, for the largest, for the sum, and for the result. */
static void
test_long_rows (void)
{
  g_auto (Case) self = { 0 };

  case_init (&self,
      &(CaseOptions){ .text = "X : f32[n=8, x=1000000]\nP[n,x] = softmax[x](X[n,x])\n", .automatic = TRUE });
  g_assert_cmpuint (self.plan->texts->len, >=, 2);
  g_assert_cmpuint (self.plan->diagram->operations->len, >, self.diagram->operations->len);
  assert_verified (&self, HEDDLE_VERIFY_MODEL);
}

/* The same of a norm over three axes of what a convolution with zeros around made: none of what it read outside reaches the norm. */
static void
test_norm_of_maps (void)
{
  g_auto (Case) self = { 0 };

  case_init (&self,
      &(CaseOptions){
          .text = "X : f32[b=64, c=16, y=32]\nF : f32[p=3, c, n=16]\nZ[b,n,y] = X[b,c,y+p-1] F[p,c,n]\n"
                  "A : f32[b, n, y, x=64]\nN[b,n,y,x] = batchnorm[b,y,x, eps=1e-05](A[b,n,y,x] + Z[b,n,y])\n",
          .automatic = TRUE });
  g_assert_cmpuint (self.plan->diagram->operations->len, >, self.diagram->operations->len);
  for (guint i = 0; i < self.plan->derivation->kernels->len; i++)
    g_assert_true (((HeddleKernel *) g_ptr_array_index (self.plan->derivation->kernels, i))->fits);
}

/* Of many layers each is fused as one alone would be. */
static void
test_many_layers (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (GString) text = g_string_new ("X0 : f16[x=4096, m0=4096]\n");

  for (int i = 0; i < 30; i++)
    g_string_append_printf (text,
        "W%d : f16[m%d, m%d=4096]\nA%d[x,m%d] = X%d[x,m%d] W%d[m%d,m%d]\nX%d[x,m%d] = relu(A%d[x,m%d])\n", i,
        i, i + 1, i, i + 1, i, i, i, i, i + 1, i + 1, i + 1, i, i + 1);
  case_init (&self, &(CaseOptions){ .text = text->str, .gpu = "a100", .automatic = TRUE });
  g_assert_cmpuint (self.plan->derivation->kernels->len, ==, 30);
  g_assert_cmpuint (count_bound (&self), ==, 30);
}

/* Heads and their components are summed over: a step takes a head, and the tensor core its components. */
static void
test_two_axes (void)
{
  g_auto (Case) self = { 0 };
  const HeddleNode *band;

  case_init (&self, &(CaseOptions){ .text = "O : f16[h=16, x=4096, v=128]\nW : f16[h, v, m=2048]\n"
                                            "Y[x,m] = O[h,x,v] W[h,v,m]\n",
                        .gpu = "a100",
                        .automatic = TRUE });
  g_assert_cmpuint (count_bound (&self), ==, 1);
  band = heddle_loop_program_get_band (
      case_kernel (&self, 0)->program, heddle_diagram_find_axis (self.diagram, "h")->id, HEDDLE_BAND_STREAM);
  g_assert_nonnull (band);
  g_assert_cmpint (band->size, ==, 1);
  if (case_has_cuda ())
    assert_verified (&self, HEDDLE_VERIFY_CPU);
}

/* A norm of 1536 columns would keep its product from the tensor core: each is a kernel. */
static void
test_statement_apart (void)
{
  g_auto (Case) self = { 0 };

  case_init (&self, &(CaseOptions){ .text = "X : f16[x=4096, m=4096]\nD : f16[m, a=1536]\n"
                                            "L[x,a] = rmsnorm[a, eps=1e-06](X[x,m] D[m,a])\n",
                        .gpu = "a100",
                        .automatic = TRUE });
  g_assert_cmpuint (self.plan->texts->len, ==, 2);
  g_assert_cmpuint (count_bound (&self), ==, 1);
}

/* A scaled product that is saved: the scale is not left to who reads it. */
static void
test_scaled_and_saved (void)
{
  g_auto (Case) self = { 0 };

  case_init (&self, &(CaseOptions){ .text = "Q : f16[y=256, k=64]\nK : f16[x=256, k]\n"
                                            "S[y,x] = Q[y,k] K[x,k] * k^-0.5\n",
                        .gpu = "a100",
                        .automatic = TRUE });
  g_assert_cmpuint (count_bound (&self), ==, 1);
  if (case_has_cuda ())
    assert_verified (&self, HEDDLE_VERIFY_CPU);
}

/* Layers whose parameters are kept together: each is read where it lies, and one kernel runs for all of them. */
static void
test_layers (void)
{
  g_auto (Case) self = { 0 };
  g_autofree char *module = NULL;

  case_init (
      &self, &(CaseOptions){ .text = "X : f16[x=4096, m=4096]\nparam W : f16[l=3, n=4096, m]\n"
                                     "B[x,n] = relu(X[x,m] W[0,n,m])\n"
                                     "C[x,m] = relu(B[x,n] W[1,n,m])\n"
                                     "D[x,n] = tanh(C[x,m] W[2,n,m])\nE[x,m] = relu(D[x,n] W[0,n,m])\n",
                 .automatic = TRUE });
  module = case_module (&self, NULL, NULL);
  g_assert_cmpuint (self.plan->texts->len, ==, 4);
  g_assert_null (case_kernel (&self, 0)->duplicate_of);
  g_assert_null (case_kernel (&self, 1)->duplicate_of);
  g_assert_null (case_kernel (&self, 2)->duplicate_of);
  g_assert_true (case_kernel (&self, 3)->duplicate_of == case_kernel (&self, 1));
  g_assert_nonnull (strstr (module, "static_cast<const f16 *> (W) + (size_t) 0 * n * m;"));
  g_assert_nonnull (strstr (module, "static_cast<const f16 *> (W) + (size_t) 2 * n * m;"));
  /* the other function of the third kernel, and its other constants, make it another kernel */
  g_assert_nonnull (strstr (module, "tanh"));
}

/* An array that two products of a step read is not replaced by the next but one before the second has read it: the interpreter sees the race. */
static void
test_array_read_twice (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleSizes) sizes = NULL;
  g_autoptr (GPtrArray) results = NULL;
  g_autoptr (GError) error = NULL;

  if (!case_has_cuda ())
    return;
  case_init (
      &self, &(CaseOptions){ .text = "N : f16[y=64, m=400]\nparam U : f16[m, k=64]\nparam W : f16[m, k]\n"
                                     "K[y,k] = N[y,m] U[m,k]\nV[y,k] = N[y,m] W[m,k]\n",
                 .fuse = "K,V",
                 .labels = "y:group@smem=64 m:stream@smem=64 k:group@smem=64",
                 .gpu = "a100",
                 .automatic = TRUE });
  g_assert_cmpuint (self.plan->texts->len, ==, 1);
  g_assert_cmpint (case_kernel (&self, 0)->family, ==, HEDDLE_FAMILY_SM80);
  sizes = case_sizes (&self, "y=64 m=400 k=64");
  results = heddle_plan_verify (self.plan, sizes, HEDDLE_VERIFY_CPU, 1, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (((const HeddleVerification *) g_ptr_array_index (results, 0))->passed);
}

static void
assert_all_passed (GPtrArray *results, GError *error)
{
  g_assert_no_error (error);
  for (guint i = 0; i < results->len; i++)
    g_assert_true (((const HeddleVerification *) g_ptr_array_index (results, i))->passed);
}

/* One kernel for images of any size: what a tile reads of an image is as long wherever the image ends. */
static void
test_images (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleSizes) sizes = NULL;
  g_autoptr (GPtrArray) results = NULL;
  g_autoptr (GError) error = NULL;
  const HeddleKernelText *text;

  case_init (&self, &(CaseOptions){ .text = "X : f32[h=64, w=64, c=8]\nparam W : f32[u=3, v=3, c, f=16]\n"
                                            "Y[h,w,f] = X[h+u-1,w+v-1,c] W[u,v,c,f]\n",
                        .fuse = "all",
                        .labels = "h:group@smem=16 w:group@smem=16" });
  text = case_kernel (&self, 0);
  g_assert_nonnull (strstr (text->kernel, "long long h, long long w"));
  g_assert_null (strstr (text->kernel, "constexpr int h ="));
  g_assert_nonnull (strstr (text->kernel, "constexpr int WINDOW_X_tile_w = 18;"));
  if (!case_has_cuda ())
    return;
  sizes = case_sizes (&self, "h=21 w=35 c=8 f=16 u=3 v=3");
  results = heddle_plan_verify (self.plan, sizes, HEDDLE_VERIFY_CPU, 1, NULL, &error);
  assert_all_passed (results, error);
}

/* Of two layers alike one is interpreted; both are told of, and each kernel can be verified without the one before. */
static void
test_repeated (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleSizes) sizes = NULL;
  g_autoptr (GPtrArray) results = NULL, apart = NULL;
  g_autoptr (GError) error = NULL;

  if (!case_has_cuda ())
    return;
  case_init (
      &self, &(CaseOptions){ .text = "X : f16[y=32, m=32]\nparam U : f16[m, n=32]\nparam W : f16[n, k=32]\n"
                                     "H[y,n] = relu(X[y,m] U[m,n])\nY[y,k] = relu(H[y,n] W[n,k])\n",
                 .gpu = "a100",
                 .fuse = "none" });
  g_assert_cmpuint (self.plan->texts->len, ==, 2);
  results = heddle_plan_verify_small (self.plan, HEDDLE_VERIFY_CPU, 1, &sizes, &error);
  assert_all_passed (results, error);
  g_assert_cmpuint (results->len, ==, 2);
  g_assert_nonnull (
      strstr (((const HeddleVerification *) g_ptr_array_index (results, 1))->detail, "on other arrays"));
  apart = heddle_plan_verify_apart (self.plan, 1, NULL, &error);
  assert_all_passed (apart, error);
  g_assert_cmpuint (apart->len, ==, 2);
  g_assert_nonnull (
      strstr (((const HeddleVerification *) g_ptr_array_index (apart, 0))->detail, "on its own"));
}

/* What a kernel takes the root of is not random on its own: a sum of squares is never negative, and the mean may be. */
static void
test_signs (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (GPtrArray) apart = NULL;
  g_autoptr (GError) error = NULL;
  HeddleDiagram *diagram;

  case_init (
      &self, &(CaseOptions){ .text = "X : f16[b=40, c=24]\nM[c] = mean[b](X[b,c])\n"
                                     "D[b,c] = (X[b,c] - M[c])*(X[b,c] - M[c])\nV[c] = sum[b](D[b,c])\n"
                                     "W[c] = X[b,c] X[b,c]\nA[c] = max[b](exp(X[b,c]))\n"
                                     "Y[b,c] = (X[b,c] - M[c])/sqrt(V[c] + W[c]*A[c])\n",
                 .gpu = "a100",
                 .fuse = "none" });
  diagram = self.plan->diagram;
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);

      if (value->name != NULL)
        g_assert_cmpint (
            heddle_diagram_has_no_sign (diagram, value->id), ==, strchr ("DVWA", *value->name) != NULL);
    }
  if (!case_has_cuda ())
    return;
  apart = heddle_plan_verify_apart (self.plan, 1, NULL, &error);
  assert_all_passed (apart, error);
}

/* What a kernel reads has the type of what made it, also where that kernel is not there: values of bf16, and weights that declare nothing. */
static void
test_types_apart (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (GPtrArray) apart = NULL;
  g_autoptr (GError) error = NULL;

  if (!case_has_cuda ())
    return;
  case_init (&self,
      &(CaseOptions){ .text = "E : bf16[v=40, m=32]\nT : i64[y=32]\nparam U : [m, n=32]\n"
                              "X[y,m] = E[T[y],m]\nN[y,m] = X[y,m] * 2\nH[y,n] = N[y,m] U[m,n]\n-> X, H\n",
          .gpu = "a100",
          .fuse = "none" });
  apart = heddle_plan_verify_apart (self.plan, 1, NULL, &error);
  assert_all_passed (apart, error);
}

/* What is written before a product in its own line goes with the kernel before, not into each tile of the product. */
static void
test_gate_before_product (void)
{
  g_auto (Case) self = { 0 };
  const HeddleKernel *last;

  case_init (&self, &(CaseOptions){ .text = "X : f16[x=2048, m=4096]\nparam W : f16[m, f=11008]\n"
                                            "param V : f16[m, f]\nparam U : f16[f, m]\n"
                                            "G[x,f] = silu(X[x,m] W[m,f])\nH[x,f] = X[x,m] V[m,f]\n"
                                            "Y[x,m] = (G[x,f] H[x,f]) U[f,m]\n",
                        .gpu = "a100",
                        .automatic = TRUE });
  g_assert_cmpuint (self.plan->derivation->kernels->len, ==, 3);
  last = g_ptr_array_index (self.plan->derivation->kernels, 2);
  g_assert_cmpuint (last->operations->len, ==, 1);
  g_assert_cmpint (case_kernel (&self, 2)->family, ==, HEDDLE_FAMILY_SM80);
}

/* A kernel by rows has sizes of its own; what it is said to have is what it has. */
static void
test_labels_told (void)
{
  static const char *const texts[] = { "W : f16[n=8192, m=8192]\nx : f16[m]\nY[n] = W[n,m] x[m]\n",
    "X : f16[t=8192, m=8192]\nY[m,t] = X[t,m]\n", "X : f16[n=16384, k=1024]\nY[n,k] = softmax[k](X[n,k])\n",
    "X : f16[n=4096, v=131072]\nL[n] = logsumexp[v](X[n,v])\n" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_auto (Case) self = { 0 };
      const HeddleKernel *kernel;

      case_init (&self, &(CaseOptions){ .text = texts[i], .gpu = "h100", .automatic = TRUE });
      kernel = g_ptr_array_index (self.plan->derivation->kernels, 0);
      g_assert_cmpuint (kernel->labels->len, >, 0);
      for (guint k = 0; k < kernel->labels->len; k++)
        {
          const HeddleLabel *label = g_ptr_array_index (kernel->labels, k);
          const HeddleNode *band = heddle_loop_program_get_band (kernel->program, label->axis,
              label->kind == HEDDLE_LABEL_STREAM ? HEDDLE_BAND_STREAM : HEDDLE_BAND_GROUP);

          g_assert_nonnull (band);
          g_assert_cmpint (band->size, ==, label->size);
        }
    }
}

/* Returns the kernels of a thorough plan with their labels; @search_cache is used and filled. */
static char *
plan_thoroughly (const Case *self, HeddleSearchCache *search_cache)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddlePlan) plan = heddle_plan_new_thorough (
      self->diagram, "h100", HEDDLE_DTYPE_F16, HEDDLE_FAMILY_AUTO, search_cache, NULL, &error);
  GString *text = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < plan->derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (plan->derivation->kernels, i);

      g_string_append_printf (text, "%u:", kernel->operations->len);
      for (guint k = 0; k < kernel->labels->len; k++)
        {
          const HeddleLabel *label = g_ptr_array_index (kernel->labels, k);

          g_string_append_printf (
              text, " %s %d %" G_GINT64_FORMAT, label->axis + strlen ("a."), label->kind, label->size);
        }
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

#define GATED                                                                                                \
  "X : f16[n=512, m=1024]\nparam W : f16[f=4096, m]\nparam V : f16[f, m]\nH[n,f] = X[n,m] W[f,m]\n"          \
  "G[n,f] = silu(H[n,f])\nU[n,f] = X[n,m] V[f,m]\nY[n,f] = G[n,f] * U[n,f]\n-> Y\n"

/* A plan finds the same kernels where the prices of another plan's kernels are known already, of all of them or of some
 * under other names. */
static void
test_known_prices (void)
{
  g_auto (Case) self = { 0 }, other = { 0 };
  g_autoptr (HeddleSearchCache) fresh = heddle_search_cache_new (), again = heddle_search_cache_new ();
  g_autofree char *first = NULL, *second = NULL, *third = NULL;

  case_init (&self, &(CaseOptions){ .text = GATED, .gpu = "h100", .automatic = TRUE });
  case_init (&other, &(CaseOptions){ .text = "A : f16[p=512, q=1024]\nparam B : f16[r=4096, q]\n"
                                             "C[p,r] = A[p,q] B[r,q]\nD[p,r] = silu(C[p,r])\n",
                         .gpu = "h100",
                         .automatic = TRUE });
  first = plan_thoroughly (&self, fresh);
  second = plan_thoroughly (&self, fresh);
  g_assert_cmpstr (second, ==, first);
  g_free (plan_thoroughly (&other, again));
  third = plan_thoroughly (&self, again);
  g_assert_cmpstr (third, ==, first);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan/heads", test_heads);
  g_test_add_func ("/plan/heads-in-front", test_heads_in_front);
  g_test_add_func ("/plan/short-rows", test_short_rows);
  g_test_add_func ("/plan/perceptron", test_perceptron);
  g_test_add_func ("/plan/elementwise", test_elementwise);
  g_test_add_func ("/plan/apart", test_apart);
  g_test_add_func ("/plan/signs", test_signs);
  g_test_add_func ("/plan/region", test_region);
  g_test_add_func ("/plan/long-rows", test_long_rows);
  g_test_add_func ("/plan/norm-of-maps", test_norm_of_maps);
  g_test_add_func ("/plan/many-layers", test_many_layers);
  g_test_add_func ("/plan/two-axes", test_two_axes);
  g_test_add_func ("/plan/scaled-and-saved", test_scaled_and_saved);
  g_test_add_func ("/plan/layers", test_layers);
  g_test_add_func ("/plan/array-read-twice", test_array_read_twice);
  g_test_add_func ("/plan/gate-before-product", test_gate_before_product);
  g_test_add_func ("/plan/images", test_images);
  g_test_add_func ("/plan/repeated", test_repeated);
  g_test_add_func ("/plan/types-apart", test_types_apart);
  g_test_add_func ("/plan/labels-told", test_labels_told);
  g_test_add_func ("/plan/statement-apart", test_statement_apart);
  g_test_add_func ("/plan/known-prices", test_known_prices);
  return g_test_run ();
}
