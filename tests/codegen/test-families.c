/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "case.h"
#include "codegen/base/codegen.h"
#include "codegen/emit/emit.h"
#include "derive/kernel/derived-kernel.h"

/* What family the products of each form are of: the table of codegen/README.md. */

#define HEADS(h, y, x) "Q : f16[" h "y=" y ", k=128]\nK : f16[" h "x=" x ", k]\nV : f16[" h "x, k]\n"
#define ATTEND(h, score) "P[" h "y,x] = softmax[x](" score ")\nO[" h "y,k] = P[" h "y,x] V[" h "x,k]\n"
#define PLAIN "Q[h,y,k] K[h,x,k] * k^-0.5"
#define IMAGES "X : f16[b=32, h=56, w=56, c=64]\nF : f16[p=3, q=3, c, n=64]\n"

typedef struct
{
  const char *name;
  const char *text;
  HeddleFamily a100, h100; /* of the kernels with products */
  guint products; /* kernels with products */
  const char *why; /* GENERAL: in the reason */
} Form;

#define FAST HEDDLE_FAMILY_SM80, HEDDLE_FAMILY_SM90
#define BY_WARPS HEDDLE_FAMILY_SM80, HEDDLE_FAMILY_SM80
#define IN_ROWS HEDDLE_FAMILY_ROWS, HEDDLE_FAMILY_ROWS
#define SLOW HEDDLE_FAMILY_GENERAL, HEDDLE_FAMILY_GENERAL

static const Form forms[] = {
  { "product", "A : f16[m=4096, k=4096]\nB : f16[k, n=4096]\nC[m,n] = gelu(A[m,k] B[k,n])\n", FAST, 1, NULL },
  { "product-of-bf16",
      "A : bf16[m=4096, k=4096]\nB : bf16[k, n=4096]\nb : bf16[n]\nC[m,n] = relu(A[m,k] B[k,n] + b[n])\n",
      FAST, 1, NULL },
  { "map-before", "A : f16[m=4096, k=4096]\nB : f16[k, n=4096]\nC[m,n] = relu(A[m,k]) B[k,n]\n", FAST, 1,
      NULL },
  { "product-of-f32", "A : f32[m=4096, k=4096]\nB : f32[k, n=4096]\nC[m,n] = A[m,k] B[k,n]\n", SLOW, 1,
      "f16, bf16, tf32" },
  { "product-of-tf32", "A : tf32[m=4096, k=4096]\nB : tf32[k, n=4096]\nC[m,n] = A[m,k] B[k,n]\n", BY_WARPS, 1,
      NULL },
  { "product-of-e4m3",
      "A : e4m3[m=4096, k=4096]\nB : e4m3[n=4096, k]\nC : f16[m, n]\nC[m,n] = A[m,k] B[n,k]\n", FAST, 1,
      NULL },
  { "weights-of-e4m3",
      "A : bf16[m=4096, k=4096]\nB : e4m3[k, n=4096]\nC : bf16[m, n]\nC[m,n] = A[m,k] B[k,n]\n", FAST, 1,
      NULL },
  { "attention-of-e4m3",
      "Q : e4m3[h=16, y=4096, k=128]\nK : e4m3[h, x=4096, k]\nV : e4m3[h, x, k]\nO : f16[h, y, k]\n" ATTEND (
          "h,", PLAIN),
      FAST, 1, NULL },
  { "gate-in-one-line",
      "X : f16[t=2048, m=4096]\nG : f16[m, f=11008]\nU : f16[m, f]\n"
      "Y[t,f] = silu(sum[m](X[t,m] G[m,f])) * sum[m](X[t,m] U[m,f])\n",
      FAST, 1, NULL },
  { "batched", "A : f16[b=32, m=512, k=512]\nB : f16[b, k, n=512]\nC[b,m,n] = A[b,m,k] B[b,k,n]\n", FAST, 1,
      NULL },
  { "two-axes", "O : f16[h=16, x=4096, v=128]\nW : f16[h, v, m=2048]\nY[x,m] = O[h,x,v] W[h,v,m]\n", FAST, 1,
      NULL },
  { "gathered-rows",
      "X : f16[n=8192, m=1024]\nI : i64[t=4096]\nW : f16[m, f=2048]\nY[t,f] = X[I[t],m] W[m,f]\n", FAST, 1,
      NULL },
  { "gathered", "X : f16[t=4096, m=1024]\nI : i64[t]\nW : f16[e=8, m, f=2048]\nY[t,f] = X[t,m] W[I[t],m,f]\n",
      BY_WARPS, 1, NULL },
  { "convolution", IMAGES "Y[b,h,w,n] = X[b,h+p-1,w+q-1,c] F[p,q,c,n]\n", BY_WARPS, 1, NULL },
  { "strided-convolution",
      "X : f16[b=32, c=64, y=56, x=56]\nW : f16[p=3, q=3, c, d=64]\naxis v = 28\naxis w = 28\nY[b,d,v,w] = "
      "X[b,c,2*v+p-1,2*w+q-1] W[p,q,c,d]\n",
      BY_WARPS, 1, NULL },
  { "dilated-convolution",
      "X : bf16[x=1024, c=64]\nW : bf16[w=3, c, f=128]\naxis y = 1024\nY[y,f] = X[y+2*w-2,c] W[w,c,f]\n",
      BY_WARPS, 1, NULL },
  { "depthwise-convolution",
      "X : f16[x=1024, c=64]\nW : f16[w=3, c]\naxis y = 1024\nY[y,c] = X[y+w-1,c] W[w,c]\n", IN_ROWS, 1,
      NULL },
  { "attention", HEADS ("h=16, ", "4096", "4096") ATTEND ("h,", PLAIN), FAST, 1, NULL },
  { "causal", HEADS ("h=16, ", "4096", "4096") ATTEND ("h,", "where(x <= y, " PLAIN ", -inf)"), FAST, 1,
      NULL },
  { "window",
      HEADS ("h=16, ", "4096", "4096") ATTEND ("h,", "where(x <= y and y - x < 512, " PLAIN ", -inf)"), FAST,
      1, NULL },
  { "softcap", HEADS ("h=16, ", "4096", "4096") ATTEND ("h,", "30 * tanh(" PLAIN " / 30)"), FAST, 1, NULL },
  { "bias", HEADS ("h=16, ", "4096", "4096") "B : f16[h, y, x]\n" ATTEND ("h,", PLAIN " + B[h,y,x]"), FAST, 1,
      NULL },
  { "shared-keys",
      "Q : f16[g=8, r=4, y=4096, k=128]\nK : f16[g, x=4096, k]\nV : f16[g, x, k]\n"
      "P[g,r,y,x] = softmax[x](Q[g,r,y,k] K[g,x,k] * k^-0.5)\nO[g,r,y,k] = P[g,r,y,x] V[g,x,k]\n",
      FAST, 1, NULL },
  { "heads-behind",
      "Q : f16[b=4, y=512, h=16, k=64]\nK : f16[b, x=2000, h, k]\nV : f16[b, x, h, k]\n"
      "P[b,h,y,x] = softmax[x](Q[b,y,h,k] K[b,x,h,k] * k^-0.5)\nO[b,y,h,k] = P[b,h,y,x] V[b,x,h,k]\n",
      FAST, 1, NULL },
  { "decoding-with-shared-keys",
      "Q : f16[g=8, r=8, k=128]\nK : f16[g, x=65536, k]\nV : f16[g, x, k]\n"
      "P[g,r,x] = softmax[x](Q[g,r,k] K[g,x,k] * k^-0.5)\nO[g,r,k] = P[g,r,x] V[g,x,k]\n",
      BY_WARPS, 1, NULL },
  { "decoding",
      "Q : f16[h=32, k=128]\nK : f16[h, x=65536, k]\nV : f16[h, x, k]\n"
      "P[h,x] = softmax[x](Q[h,k] K[h,x,k] * k^-0.5)\nO[h,k] = P[h,x] V[h,x,k]\n",
      BY_WARPS, 1, NULL },
  { "norm-and-product",
      "X : f16[x=8192, m=4096]\ng : f16[m]\nW : f16[m, n=4096]\n"
      "Y[x,n] = rmsnorm[m, eps=1e-06](X[x,m]) g[m] W[m,n]\n",
      FAST, 1, NULL },
  { "centred-norm-and-product",
      "X : f16[x=8192, m=4096]\ng : f16[m]\nb : f16[m]\nW : f16[m, n=4096]\n"
      "Y[x,n] = (layernorm[m, eps=1e-05](X[x,m]) * g[m] + b[m]) W[m,n]\n",
      FAST, 1, NULL },
  { "gated",
      "X : f16[x=8192, m=4096]\nU : f16[m, f=11008]\nG : f16[m, f]\nD : f16[f, m]\n"
      "A[x,f] = X[x,m] G[m,f]\nB[x,f] = X[x,m] U[m,f]\nH[x,f] = silu(A[x,f]) B[x,f]\nY[x,m] = H[x,f] "
      "D[f,m]\n",
      FAST, 0, NULL },
};

static void
check (const Form *form, const char *gpu, HeddleFamily family)
{
  g_auto (Case) self = { 0 };
  guint products = 0;

  case_init (&self, &(CaseOptions){ .text = form->text, .gpu = gpu, .automatic = TRUE });
  for (guint i = 0; i < self.plan->texts->len; i++)
    {
      const HeddleKernelText *text = case_kernel (&self, i);

      for (guint k = 0; k < self.plan->derivation->kernels->len; k++)
        {
          const HeddleKernel *kernel = g_ptr_array_index (self.plan->derivation->kernels, k);

          if (kernel->program != text->program || kernel->tensor_flops == 0)
            continue;
          products++;
          g_assert_cmpstr (heddle_family_to_string (text->family), ==, heddle_family_to_string (family));
          if (form->why != NULL)
            g_assert_nonnull (strstr (text->family_reason, form->why));
        }
    }
  g_assert_cmpuint (products, >, 0);
  if (form->products > 0)
    g_assert_cmpuint (products, ==, form->products);
}

static void
test_form (gconstpointer data)
{
  const Form *form = data;

  check (form, "a100", form->a100);
  check (form, "h100", form->h100);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      g_autofree char *path = g_strconcat ("/families/", forms[i].name, NULL);

      g_test_add_data_func (path, &forms[i], test_form);
    }
  return g_test_run ();
}
