/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "case.h"
#include "codegen/base/codegen.h"
#include "codegen/verify/compare.h"
#include "codegen/verify/inputs.h"
#include "codegen/verify/plan.h"
#include "codegen/verify/sizes.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* Kernels of many diagrams, run as loop programs and as interpreted PTX, against the evaluator. */

typedef struct
{
  const char *name;
  const char *text;
  const char *fuse, *labels;
  HeddleDtype dtype;
  const char *made_for, *sizes; /* what the kernels are made for, and what they run at (NULL: the same) */
  guint kernels; /* how many; 0: any number */
} Row;

#define TILED "y:group@smem=32 x:stream@smem=16"
#define CAUSAL                                                                                               \
  "Q : [y=70, k=24]\nK : [x=70, k]\nV : [x, k]\n"                                                            \
  "S[y,x] = Q[y,k] K[x,k]\n"                                                                                 \
  "M[y,x] = where(index(x) <= index(y), S[y,x] * k^-0.5, -inf)\n"                                            \
  "P[y,x] = softmax[x](M[y,x])\n"                                                                            \
  "O[y,k] = P[y,x] V[x,k]\n"
/* Rows 0 to 9 see nothing at all. */
#define BLIND                                                                                                \
  "Q : [y=45, k=8]\nK : [x=50, k]\nV : [x, k]\n"                                                             \
  "S[y,x] = Q[y,k] K[x,k]\n"                                                                                 \
  "P[y,x] = softmax[x](where(index(y) >= 10 and index(x) != 3, S[y,x], -inf))\n"                             \
  "O[y,k] = P[y,x] V[x,k]\n"
#define SLIDING                                                                                              \
  "Q : [y=90, k=24]\nK : [x=90, k]\nV : [x, k]\n"                                                            \
  "P[y,x] = softmax[x](where(x <= y and x > y - 20, Q[y,k] K[x,k] * k^-0.5, -inf))\nO[y,k] = P[y,x] "        \
  "V[x,k]\n"
#define MATMUL "A : [i=70, k=50]\nB : [k, j=45]\nC[i,j] = A[i,k] B[k,j]\n"
#define MLP                                                                                                  \
  "X : [b=37, m=24]\nparam W : [m, f=50]\nparam U : [f, m]\n"                                                \
  "H[b,f] = X[b,m] W[m,f]\nG[b,f] = gelu(H[b,f])\nY[b,n=24] = G[b,f] U[f,n]\n"
#define SELF                                                                                                 \
  "X : [y=45, m=20]\n"                                                                                       \
  "S[y,x=45] = X[y,m] X[x,m]\nP[y,x] = softmax[x](S[y,x] * m^-0.5)\nO[y,m] = P[y,x] X[x,m]\n"
#define CHAIN                                                                                                \
  "A : [i=33, j=29]\nB : [j]\n"                                                                              \
  "C[i,j] = where(A[i,j] > 0 and not B[j] < -0.5, exp(-abs(A[i,j])) + B[j]^2, "                              \
  "max(A[i,j], B[j]) / (1 + sigmoid(A[i,j])) - min(A[i,j], 0.25) * tanh(B[j]))\n"                            \
  "D[i,j] = silu(C[i,j]) - relu(A[i,j]) + sqrt(abs(B[j])) * cos(A[i,j]) + mod(A[i,j], 0.75)\n"

#define MIXED                                                                                                \
  "A : bf16[h=2, i=33, j=29]\nB : f64[j]\nn : i32[i]\nmask : bool[i,j]\n"                                    \
  "C[h,i,j] = where(mask[i,j] and index(i) > n[i], gelu(A[h,i,j]) + B[j]^2, mod(A[h,i,j], 0.75))\n"          \
  "D[h,i] = logsumexp[j](C[h,i,j])\n"                                                                        \
  "E[o=33,j] = max(A[0,o - 1,j], A[1,o + 1,j])\n"

/* Convolutions one after the other, the result of the first held as tile and halo. */
#define HALO                                                                                                 \
  "X : [t=40, c=3]\nparam U : [i=3, c, f=5]\nparam W : [j=5, f, g=4]\nC[t,f] = X[t+i-1,c] U[i,c,f]\n"        \
  "A[t,f] = relu(C[t,f])\nY[t,g] = A[t+j-2,f] W[j,f,g]\n"
#define RESIDUAL                                                                                             \
  "X : [t=40]\nparam U : [i=3]\nparam W : [j=3]\nC[t] = X[t+i-1] U[i]\nA[t] = relu(C[t])\n"                  \
  "D[t] = A[t+j-1] W[j]\nY[t] = D[t] + A[t] + X[t]\n"
#define POOLED                                                                                               \
  "X : [y=20, x=18]\nparam U : [i=3, j=3]\nC[y,x] = X[y+i-1,x+j-1] U[i,j]\nA[y,x] = relu(C[y,x])\n"          \
  "axis k = 2\naxis l = 2\nP[v=10,w=9] = max[k,l](A[2*v+k,2*w+l])\n"
/* What is merged out of every second place: windows that are as far apart as ever, of quotients. */
#define MERGED                                                                                               \
  "T : [y=16, m=8]\nC[y,m] = relu(T[y,m])\naxis s = 32\n"                                                    \
  "A[s,m] = C[2*floor(s/4)+1,m]\nB[s,m] = C[2*floor(s/4),m]\nD[s,m] = A[s,m] - 2*B[s,m]\n"
/* W is read by two kernels. */
#define OUTER                                                                                                \
  "A : [i=33]\nB : [j=29]\nV : [j, k=6]\nW[i,j] = A[i] * B[j]\nR[i] = sum[j](exp(W[i,j]))\n"                 \
  "Z[i,k] = W[i,j] V[j,k]\n"
#define NORMED                                                                                               \
  "X : [i=33, j=40]\nparam U : [j, k=12]\nparam V : [j, l=10]\nN[i,j] = rmsnorm[j, eps=1e-6](X[i,j])\n"      \
  "Y[i,k] = N[i,j] U[j,k]\nZ[i,l] = N[i,j] V[j,l]\n"

/* Products in registers: rows that vectors divide and rows that they do not, both factors in both ways, several of a batch, windows beyond the
 * array on all sides, and a sum that is rescaled. */
#define TILE_PRODUCT "A : [a=130, k=33]\nB : [k, b=71]\nC[a,b] = A[a,k] B[k,b]\n"
#define TILE_TRANSPOSED "A : [k=36, a=132]\nB : [b=76, k]\nC[a,b] = A[k,a] B[b,k]\n"
#define TILE_MAPPED                                                                                          \
  "A : [a=68, k=40]\nB : [k, b=72]\ng : [b]\nD[a,b] = A[a,k] B[k,b]\nC[a,b] = relu(D[a,b] + g[b])\n"
#define TILE_BATCHED "A : [h=3, a=70, k=20]\nB : [h, k, b=68]\nC[h,a,b] = A[h,a,k] B[h,k,b]\n"
#define TILE_WINDOW                                                                                          \
  "X : [b=2, u=19, v=17, c=8]\nW : [i=3, j=3, c, f=20]\naxis y = 9\naxis x = 8\n"                            \
  "Y[b,y,x,f] = X[b,2*y+i-1,2*x+j-1,c] W[i,j,c,f]\n"

static const Row rows[] = {
  { "tile-product", TILE_PRODUCT, "all", "a:group@smem=64 b:group@smem=64 k:stream@smem=16", HEDDLE_DTYPE_F32,
      NULL, NULL, 1 },
  { "tile-transposed", TILE_TRANSPOSED, "all", "a:group@smem=64 b:group@smem=64 k:stream@smem=16",
      HEDDLE_DTYPE_F32, NULL, NULL, 1 },
  { "tile-mapped", TILE_MAPPED, "all", "a:group@smem=32 b:group@smem=64 k:stream@smem=16", HEDDLE_DTYPE_F32,
      NULL, NULL, 1 },
  { "tile-batched", TILE_BATCHED, "all", "h:group@smem=2 a:group@smem=32 b:group@smem=64", HEDDLE_DTYPE_F32,
      NULL, NULL, 1 },
  { "tile-window", TILE_WINDOW, "all", "b:group@smem=1 y:group@smem=8 x:group@smem=8 c:stream@smem=4",
      HEDDLE_DTYPE_F32, NULL, NULL, 1 },
  { "tile-attention", ATTENTION_AT (70, 90, 40), "all", "y:group@smem=32 x:stream@smem=64", HEDDLE_DTYPE_F32,
      NULL, NULL, 1 },
  { "halo", HALO, "all", "t:group@smem=7", HEDDLE_DTYPE_F32, NULL, NULL, 1 },
  { "halo-streamed", HALO, "all", "t:group@smem=16 j:stream@smem=2", HEDDLE_DTYPE_F16, NULL, NULL, 1 },
  { "halo-mapped", HALO, "all", "t:stream@smem=7", HEDDLE_DTYPE_F32, NULL, NULL, 1 },
  { "halo-other-sizes", HALO, "all", "t:group@smem=8 g:group@smem=2", HEDDLE_DTYPE_F32, NULL, "g=3", 1 },
  { "halo-residual", RESIDUAL, "all", "t:group@smem=7", HEDDLE_DTYPE_F32, NULL, NULL, 1 },
  { "halo-pooled", POOLED, "all", "v:group@smem=4 w:group@smem=3", HEDDLE_DTYPE_F32, NULL, NULL, 1 },
  { "halo-merged", MERGED, "all", "s:group@smem=4", HEDDLE_DTYPE_F32, NULL, NULL, 1 },
  { "again-chain", ATTENTION_AT (33, 30, 12), "none",
      "O/y:group@smem=16 O/x:stream@smem=8 again=P:O again=S:P", HEDDLE_DTYPE_F16, NULL, NULL, 1 },
  { "again-once", OUTER, "none", "again=W:Z", HEDDLE_DTYPE_F32, NULL, NULL, 3 },
  { "again-twice", OUTER, "none", "Z/i:group@smem=8 Z/j:stream@smem=8 again=W:Z again=W:R", HEDDLE_DTYPE_F32,
      NULL, NULL, 2 },
  { "again-norm", NORMED, "none", "Y/i:group@smem=8 again=N:Y again=N:Z", HEDDLE_DTYPE_F32, NULL, "i=21", 2 },
  { "again-norm-streamed", NORMED, "none", "Y/i:group@smem=8 Y/j:stream@smem=8 again=N:Y", HEDDLE_DTYPE_F32,
      NULL, NULL, 3 },
  { "again-split", ATTENTION_AT (21, 65, 12), "none",
      "O/x:group@smem=32 O/x:stream@smem=16 again=P:O again=S:P", HEDDLE_DTYPE_F32, NULL, NULL, 2 },
  { "read-again", ATTENTION_AT (33, 30, 12), "all", TILED " place=Q:S@gmem place=V:O@gmem", HEDDLE_DTYPE_F32,
      NULL, NULL, 1 },
  { "put-by", ATTENTION_AT (33, 30, 12), "all", TILED " place=S:P@gmem", HEDDLE_DTYPE_F32, NULL, NULL, 1 },
  { "too-small-for-f16", "A : f16[a=10]\nY = prod[a](A[a] * 0.01)\n", NULL, NULL, HEDDLE_DTYPE_F16, NULL,
      NULL, 1 },
  { "too-large-for-f16", "A : f16[a=10, b=3]\nY[b] = sum[a](A[a,b] * A[a,b] * 60000)\n", NULL, NULL,
      HEDDLE_DTYPE_F16, NULL, NULL, 1 },
  { "attention-f16", ATTENTION_AT (77, 129, 40), "all", TILED, HEDDLE_DTYPE_F16, NULL, NULL, 1 },
  { "attention-bf16", ATTENTION_AT (77, 129, 40), "all", TILED, HEDDLE_DTYPE_BF16, NULL, NULL, 1 },
  { "attention-f32", ATTENTION_AT (77, 129, 40), "all", TILED, HEDDLE_DTYPE_F32, NULL, NULL, 1 },
  { "attention-f64", ATTENTION_AT (77, 129, 40), "all", TILED, HEDDLE_DTYPE_F64, NULL, NULL, 1 },
  { "attention-tf32", ATTENTION_AT (33, 30, 12), "all", TILED, HEDDLE_DTYPE_TF32, NULL, NULL, 1 },
  { "attention-e4m3", ATTENTION_AT (33, 30, 12), "all", TILED, HEDDLE_DTYPE_E4M3, NULL, NULL, 1 },
  { "attention-e5m2", ATTENTION_AT (33, 30, 12), "all", TILED, HEDDLE_DTYPE_E5M2, NULL, NULL, 1 },
  { "attention-one-row", ATTENTION_AT (1, 129, 40), "all", TILED, HEDDLE_DTYPE_F16, NULL, NULL, 1 },
  { "attention-one-key", ATTENTION_AT (40, 1, 40), "all", TILED, HEDDLE_DTYPE_F16, NULL, NULL, 1 },
  { "attention-ones", ATTENTION_AT (1, 1, 1), "all", TILED, HEDDLE_DTYPE_F16, NULL, NULL, 1 },
  { "attention-suggested", ATTENTION_AT (77, 129, 40), NULL, NULL, HEDDLE_DTYPE_F16, NULL, NULL, 1 },
  { "attention-other-sizes", ATTENTION_AT (77, 129, 16), "all", TILED, HEDDLE_DTYPE_F16, NULL, "y=33 x=65",
      1 },
  { "attention-made-small", ATTENTION_AT (5, 3, 16), "all", TILED, HEDDLE_DTYPE_F16, NULL, "y=33 x=37", 1 },
  { "attention-apart", ATTENTION_AT (37, 49, 20), "none", "", HEDDLE_DTYPE_F16, NULL, NULL, 3 },
  { "attention-apart-f32", ATTENTION_AT (37, 49, 20), "none", "", HEDDLE_DTYPE_F32, NULL, NULL, 3 },
  { "causal", CAUSAL, "all", TILED, HEDDLE_DTYPE_F16, NULL, NULL, 1 },
  { "causal-f32", CAUSAL, "all", TILED, HEDDLE_DTYPE_F32, NULL, NULL, 1 },
  { "blind-rows", BLIND, "all", TILED, HEDDLE_DTYPE_F32, NULL, NULL, 1 },
  { "blind-tile", BLIND, "all", "y:group@smem=8 x:stream@smem=16", HEDDLE_DTYPE_F32, NULL, NULL, 1 },
  { "sliding", SLIDING, "all", TILED, HEDDLE_DTYPE_F16, NULL, NULL, 1 },
  { "sliding-other-sizes", SLIDING, "all", "y:group@smem=16 x:stream@smem=8", HEDDLE_DTYPE_F32, NULL,
      "y=41 x=67", 1 },
  { "layernorm-linear",
      "A : [i=33, j=70]\nparam W : [j, k=12]\nB[i,k] = layernorm[j, eps=1e-5](A[i,j]) W[j,k]\n", "all",
      "i:group@smem=8 j:stream@smem=16", HEDDLE_DTYPE_F32, NULL, NULL, 1 },
  { "self-attention", SELF, "all", TILED, HEDDLE_DTYPE_F32, NULL, NULL, 1 },
  { "matmul", MATMUL, "all", "i:group@smem=32 j:group@smem=16 k:stream@smem=8", HEDDLE_DTYPE_F16, NULL, NULL,
      1 },
  { "matmul-suggested", MATMUL, NULL, NULL, HEDDLE_DTYPE_F32, NULL, NULL, 1 },
  { "row-softmax", "A : [i=33, j=70]\nB[i,j] = softmax[j](A[i,j])\n", NULL, NULL, HEDDLE_DTYPE_F16, NULL,
      NULL, 1 },
  { "rmsnorm", "A : [i=33, j=70]\nparam g : [j]\nB[i,j] = rmsnorm[j, eps=1e-6](A[i,j]) * g[j]\n", NULL, NULL,
      HEDDLE_DTYPE_F16, NULL, NULL, 1 },
  { "layernorm", "A : [i=33, j=70]\nB[i,j] = layernorm[j, eps=1e-5](A[i,j])\n", NULL, NULL, HEDDLE_DTYPE_F32,
      NULL, NULL, 1 },
  { "l2norm", "A : [i=33, j=70]\nB[i,j] = l2norm[j](A[i,j])\n", NULL, NULL, HEDDLE_DTYPE_BF16, NULL, NULL,
      1 },
  { "mlp", MLP, "all", "b:group@smem=16 f:stream@smem=16", HEDDLE_DTYPE_F16, NULL, NULL, 1 },
  { "mlp-apart", MLP, "none", "", HEDDLE_DTYPE_F32, NULL, NULL, 0 },
  { "elementwise", CHAIN, NULL, NULL, HEDDLE_DTYPE_F32, NULL, NULL, 1 },
  { "elementwise-f64", CHAIN, NULL, NULL, HEDDLE_DTYPE_F64, NULL, NULL, 1 },
  { "sum", "A : [i=33, j=70]\nB[i] = sum[j](A[i,j])\n", NULL, NULL, HEDDLE_DTYPE_F32, NULL, NULL, 1 },
  { "max", "A : [i=33, j=70]\nB[i] = max[j](A[i,j])\n", "all", "i:group@smem=8 j:stream@smem=16",
      HEDDLE_DTYPE_F16, NULL, NULL, 1 },
  { "min", "A : [i=33, j=70]\nB[j] = min[i](A[i,j])\n", NULL, NULL, HEDDLE_DTYPE_F16, NULL, NULL, 1 },
  { "mean", "A : [i=33, j=70]\nB[i] = mean[j](A[i,j])\n", NULL, NULL, HEDDLE_DTYPE_F32, NULL, NULL, 1 },
  { "prod", "A : [i=33, j=9]\nB[i] = prod[j](A[i,j])\n", NULL, NULL, HEDDLE_DTYPE_F32, NULL, NULL, 1 },
  { "logsumexp", "A : [i=33, j=70]\nB[i] = logsumexp[j](A[i,j])\n", "all", "i:group@smem=8 j:stream@smem=16",
      HEDDLE_DTYPE_F32, NULL, NULL, 1 },
  { "scalar", "A : [i=33, j=29]\ns = sum[i,j](A[i,j] * A[i,j])\n", NULL, NULL, HEDDLE_DTYPE_F32, NULL, NULL,
      1 },
  { "scalar-streamed", "A : [i=333]\nB : [i]\ns = A[i] B[i]\n", "all", "i:stream@smem=64", HEDDLE_DTYPE_F32,
      NULL, "i=131", 1 },
  /* of decays and growths whose exponents add up over many steps */
  { "recurrence",
      "S : [t=600, d=6]\nparam A : [d, n=8]\nX : [t, d]\n"
      "H[t,d,n] = recurrence[t](exp(S[t,d] A[d,n]), X[t,d])\nY[t,d] = sum[n](H[t,d,n])\n",
      NULL, NULL, HEDDLE_DTYPE_F32, NULL, NULL, 0 },
  { "transpose", "A : [i=33, j=29]\nB[j,i] = 2 * A[i,j]\n", NULL, NULL, HEDDLE_DTYPE_F16, NULL, NULL, 1 },
  { "diagonal", "A : [i=33, j=33]\nB[k=33] = A[k,k] + 1\n", NULL, NULL, HEDDLE_DTYPE_F32, NULL, NULL, 0 },
  { "shift", "A : [i=33, j=5]\nB[o=33,j] = A[o - 1, j] + A[o + 1, j]\n", NULL, NULL, HEDDLE_DTYPE_F32, NULL,
      NULL, 0 },
  { "convolution", "A : [i=40]\nparam W : [w=5]\nB[o=40] = sum[w](A[o + w - 2] * W[w])\n", NULL, NULL,
      HEDDLE_DTYPE_F32, NULL, NULL, 0 },
  { "max-pooling", "A : [i=40]\naxis w = 3\nB[o=20] = max[w](A[2 * o + w - 1])\n", NULL, NULL,
      HEDDLE_DTYPE_F32, NULL, NULL, 0 },
  { "two-outputs", "A : [i=33, j=29]\nm[i] = max[j](A[i,j])\nE[i,j] = exp(A[i,j] - m[i])\n-> m, E\n", "all",
      "i:group@smem=16", HEDDLE_DTYPE_F32, NULL, NULL, 1 },
  { "heads",
      "Q : [h=3, y=21, k=8]\nK : [h, x=19, k]\nV : [h, x, k]\nS[h,y,x] = Q[h,y,k] K[h,x,k]\n"
      "P[h,y,x] = softmax[x](S[h,y,x] * k^-0.5)\nO[h,y,k] = P[h,y,x] V[h,x,k]\n",
      "all", "h:group@smem=1 y:group@smem=8 x:stream@smem=8", HEDDLE_DTYPE_F16, NULL, "h=2 y=20 x=19", 1 },
  { "split", ATTENTION_AT (37, 129, 24), "all", "y:group@smem=16 x:group@smem=32 x:stream@smem=16",
      HEDDLE_DTYPE_F16, NULL, NULL, 2 },
  { "split-one-row", ATTENTION_AT (1, 129, 24), "all", "x:group@smem=32", HEDDLE_DTYPE_BF16, NULL, NULL, 2 },
  { "split-causal", CAUSAL, "all", "y:group@smem=32 x:group@smem=32 x:stream@smem=16", HEDDLE_DTYPE_F32, NULL,
      NULL, 2 },
  { "split-other-sizes", ATTENTION_AT (20, 30, 16), "all", "y:group@smem=16 x:group@smem=16 x:stream@smem=8",
      HEDDLE_DTYPE_F32, NULL, "y=33 x=65", 2 },
  { "split-made-small", ATTENTION_AT (5, 33, 16), "all", "x:group@smem=16 x:stream@smem=8", HEDDLE_DTYPE_F16,
      NULL, "y=5 x=20", 2 },
  { "split-matmul", MATMUL, "all", "i:group@smem=32 j:group@smem=16 k:group@smem=16", HEDDLE_DTYPE_F64, NULL,
      NULL, 2 },
  { "split-scalar", "A : [i=333]\nB : [i]\ns = A[i] B[i]\n", "all", "i:group@smem=64 i:stream@smem=32",
      HEDDLE_DTYPE_F32, NULL, "i=131", 2 },
  { "split-mapped", "A : [i=33, j=29]\nE[i,j] = exp(A[i,j])\nm[i] = max[j](A[i,j])\n-> m, E\n", "all",
      "i:group@smem=16 j:group@smem=8", HEDDLE_DTYPE_F32, NULL, NULL, 2 },
  { "integers", "A : i32[i=33]\nB : bool[i]\nC[i] = where(B[i], A[i] * 3, -1)\n", NULL, NULL,
      HEDDLE_DTYPE_F32, NULL, NULL, 1 },
  { "mixed", MIXED, NULL, NULL, HEDDLE_DTYPE_F32, NULL, NULL, 0 },
  { "grouped-convolution",
      "A : [b=3, i=40, c=5]\nparam W : [w=3, c, f=7]\nB[b,o=40,f] = relu(sum[w,c](A[b,o + w - 1,c] * "
      "W[w,c,f]))\n",
      NULL, NULL, HEDDLE_DTYPE_F16, NULL, NULL, 0 },
  { "linear-attention",
      "Q : [y=37, k=9]\nK : [x=41, k]\nV : [x, d=11]\nM[k,d] = K[x,k] V[x,d]\nO[y,d] = Q[y,k] M[k,d]\n", NULL,
      NULL, HEDDLE_DTYPE_F32, NULL, NULL, 0 },
  { "swiglu",
      "X : [b=19, m=24]\nparam W : [m, f=33]\nparam U : [m, f]\nparam D : [f, m]\n"
      "G[b,f] = silu(X[b,m] W[m,f])\nH[b,f] = G[b,f] * (X[b,m] U[m,f])\nY[b,n=24] = H[b,f] D[f,n]\n",
      NULL, NULL, HEDDLE_DTYPE_F32, NULL, NULL, 0 },
  { "angles",
      "X : [x=2048, p=16]\nA[x,p] = index(x) * 10000^(-index(p)/16)\n"
      "Y[x,p] = X[x,p] * cos(A[x,p]) - X[x,p] * sin(A[x,p])\n",
      "all", "x:group@smem=64", HEDDLE_DTYPE_F32, NULL, NULL, 1 },
  { "names",
      "expf : [load=9, i=8]\n\\bar x : [load, i]\nstore[load,i] = expf[load,i] * \\bar x[load,i]\n"
      "acc[load] = sum[i](store[load,i])\n",
      NULL, NULL, HEDDLE_DTYPE_F32, NULL, NULL, 0 },
};

static void
check (const Row *row, HeddleVerifyOn on)
{
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleSizes) sizes = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) results = NULL;

  case_init (&self, &(CaseOptions){ row->text, row->fuse, row->labels, NULL, row->dtype, row->made_for });
  if (row->kernels > 0)
    g_assert_cmpuint (self.plan->texts->len, ==, row->kernels);
  sizes = row->sizes ? case_sizes (&self, row->sizes) : heddle_sizes_ref (self.plan->sizes);
  results = heddle_plan_verify (self.plan, sizes, on, 1, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (results->len, ==, self.plan->derivation->kernels->len);
  for (guint i = 0; i < results->len; i++)
    {
      const HeddleVerification *result = g_ptr_array_index (results, i);

      if (!result->passed)
        g_test_message ("%s: %s", result->kernel, result->detail);
      g_assert_true (result->passed);
      g_assert_cmpfloat (result->relative_error, <=, result->tolerance);
    }
}

/* --- what is let pass --- */

/* A table that is read at indices that no input changes, as of a bias by distance, stays as long as it is: a shorter one would be read outside. */
static void
test_table (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (GPtrArray) results = NULL;
  g_autoptr (HeddleSizes) small = NULL;
  g_autoptr (GError) error = NULL;

  case_init (&self,
      &(CaseOptions){ "A : f32[q=64, x=64]\nB : f32[n=256]\nC : f32[k=256]\nI : i64[q, x]\nT : i64[q, x]\n"
                      "T[q,x] = abs(index(x) - index(q)) * 4\nR[q,x] = B[T[q,x]]\nU[q,x] = C[I[q,x]]\n"
                      "Z[q,x] = A[q,x] + R[q,x] + U[q,x]\nP[q] = max[x](Z[q,x])\n",
          "all" });
  small = heddle_plan_small_sizes (self.plan);
  g_assert_cmpint (heddle_sizes_get (small, heddle_diagram_find_axis (self.plan->diagram, "n")->id), ==, 256);
  g_assert_cmpint (heddle_sizes_get (small, heddle_diagram_find_axis (self.plan->diagram, "k")->id), ==, 7);
  results = heddle_plan_verify (self.plan, small, HEDDLE_VERIFY_MODEL, 1, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < results->len; i++)
    g_assert_true (((const HeddleVerification *) g_ptr_array_index (results, i))->passed);
}

#define N 64

static HeddleArray *
array_of (const double *data)
{
  const gint64 shape[] = { 2, N / 2 };
  HeddleArray *array = heddle_array_new (HEDDLE_DTYPE_F64, 2, shape, NULL);

  memcpy (array->data, data, N * sizeof *data);
  return array;
}

static gboolean
compare (const double *made, const double *reference, const double *perturbed)
{
  HeddleVerification result = { 0 };
  g_autoptr (HeddleArray) a = array_of (made), b = array_of (reference),
                          c = perturbed != NULL ? array_of (perturbed) : NULL;
  gboolean right = heddle_verify_compare (&result, "Y", a, b, c, HEDDLE_DTYPE_UNSET, 1e-5);

  g_assert_true (right == (result.detail == NULL));
  g_free (result.detail);
  return right;
}

/* Sines of angles of thousands: f32 has 1e-4 of such an angle, in the first row only. What is let pass there is 8 times as much, and no more;
 * the other row is held to what it was. */
static void
test_perturbed (void)
{
  double reference[N], perturbed[N], made[N];

  for (guint i = 0; i < N; i++)
    {
      reference[i] = sin (i + 1);
      perturbed[i] = reference[i] + (i < N / 2 ? 1e-4 * cos (3 * i) : 1e-8);
    }
  memcpy (made, reference, sizeof made);
  g_assert_true (compare (made, reference, NULL));
  made[3] += 7e-4;
  g_assert_false (compare (made, reference, NULL));
  g_assert_true (compare (made, reference, perturbed));
  made[3] += 2e-4;
  g_assert_false (compare (made, reference, perturbed));
  made[3] = NAN;
  g_assert_false (compare (made, reference, perturbed));
  memcpy (made, reference, sizeof made);
  made[N / 2 + 3] += 7e-4;
  g_assert_false (compare (made, reference, perturbed));
  /* what is beyond all numbers says nothing */
  perturbed[0] = INFINITY;
  made[N / 2 + 3] = reference[N / 2 + 3];
  made[3] += 7e-4;
  g_assert_false (compare (made, reference, perturbed));
}

static gboolean
compare_stored (const double *made, const double *reference, HeddleDtype stored)
{
  HeddleVerification result = { 0 };
  g_autoptr (HeddleArray) a = array_of (made), b = array_of (reference);
  gboolean right = heddle_verify_compare (&result, "Y", a, b, NULL, stored, 2e-3);

  g_free (result.detail);
  return right;
}

/* What a type cannot hold: f16 ends at 65504 and has nothing between 0 and 2^-24. A value that it can hold has to be there. */
static void
test_range (void)
{
  double reference[N], made[N];

  for (guint i = 0; i < N; i++)
    reference[i] = 0x1p-31 * (i + 1);
  memset (made, 0, sizeof made);
  g_assert_true (compare_stored (made, reference, HEDDLE_DTYPE_F16));
  g_assert_false (compare_stored (made, reference, HEDDLE_DTYPE_F32));
  for (guint i = 0; i < N; i++)
    reference[i] = made[i] = 100 + i;
  reference[1] = -70000;
  made[1] = -INFINITY;
  g_assert_true (compare_stored (made, reference, HEDDLE_DTYPE_F16));
  made[1] = INFINITY;
  g_assert_false (compare_stored (made, reference, HEDDLE_DTYPE_F16));
  made[1] = NAN;
  g_assert_false (compare_stored (made, reference, HEDDLE_DTYPE_F16));
  reference[1] = -60000;
  made[1] = -INFINITY;
  g_assert_false (compare_stored (made, reference, HEDDLE_DTYPE_F16));
}

/* A program that has no value somewhere, as 0 / 0 has none, is kept by a kernel that has none there either. What has no value anywhere shows nothing. */
static void
test_no_value (void)
{
  double reference[N], made[N];

  for (guint i = 0; i < N; i++)
    reference[i] = made[i] = 1 + i;
  reference[2] = made[2] = NAN;
  g_assert_true (compare (made, reference, NULL));
  made[2] = 0;
  g_assert_false (compare (made, reference, NULL));
  made[2] = NAN;
  made[3] = NAN;
  g_assert_false (compare (made, reference, NULL));
  reference[3] = NAN;
  made[4] += 1;
  g_assert_false (compare (made, reference, NULL));
  for (guint i = 0; i < N; i++)
    reference[i] = made[i] = NAN;
  g_assert_false (compare (made, reference, NULL));
}

/* Three elements of a row that cancel by chance are as far off as those of other rows; one that is wrong is seen. */
static void
test_short_rows (void)
{
  enum
  {
    ROWS = 100,
    SHORT = 3
  };
  const gint64 shape[] = { ROWS, SHORT };
  g_autoptr (HeddleArray) made = heddle_array_new (HEDDLE_DTYPE_F64, 2, shape, NULL),
                          reference = heddle_array_new (HEDDLE_DTYPE_F64, 2, shape, NULL);
  HeddleVerification result = { 0 };

  for (guint i = 0; i < ROWS * SHORT; i++)
    {
      reference->data[i] = i / SHORT == 50 ? 1e-2 : 100. + i % 7;
      made->data[i] = reference->data[i] + (i % 2 == 0 ? .1 : -.1);
    }
  g_assert_true (heddle_verify_compare (&result, "Y", made, reference, NULL, HEDDLE_DTYPE_BF16, 2e-3));
  made->data[50 * SHORT + 1] += 10.;
  g_assert_false (heddle_verify_compare (&result, "Y", made, reference, NULL, HEDDLE_DTYPE_BF16, 2e-3));
  g_free (result.detail);
}

/* What the reciprocal of an exponential loses that overflows in f32, and no more. */
static void
test_lost (void)
{
  double reference[N], made[N] = { 0 };

  for (guint i = 0; i < N; i++)
    reference[i] = 0x1p-124 * (i % 8);
  g_assert_true (compare_stored (made, reference, HEDDLE_DTYPE_F32));
  reference[3] = 0x1p-110;
  g_assert_false (compare_stored (made, reference, HEDDLE_DTYPE_F32));
}

/* A sum of many terms in f32 may be off by more, as many roundings are; a short one may not. */
static void
test_long_sum (void)
{
  static const struct
  {
    const char *text;
    double tolerance;
  } sums[] = { { "A : [i=400]\ns = sum[i](A[i] * A[i])\n", 1e-5 },
    { "A : [i=262144]\ns = sum[i](A[i] * A[i])\n", 0x1p-15 } };

  if (!case_has_cuda ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (sums); i++)
    {
      g_auto (Case) self = { 0 };
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) results = NULL;
      const HeddleVerification *result;

      case_init (&self, &(CaseOptions){ .text = sums[i].text,
                            .fuse = "all",
                            .labels = "i:stream@smem=256",
                            .dtype = HEDDLE_DTYPE_F32 });
      results = heddle_plan_verify (self.plan, self.plan->sizes, HEDDLE_VERIFY_CPU, 1, NULL, &error);
      g_assert_no_error (error);
      result = g_ptr_array_index (results, 0);
      g_assert_true (result->passed);
      g_assert_cmpfloat (result->tolerance, ==, sums[i].tolerance);
    }
}

/* What nobody reads is not computed, nor what it alone reads asked for; what is left is right. */
static void
test_unread (void)
{
  static const struct
  {
    const char *text, *fuse;
  } unread[] = {
    { "A : [a=64]\nB[a] = exp(A[a])\n-> A\n", "none" },
    { "A : [a=64]\nD : [a]\nB[a] = exp(D[a])\nC[a] = sin(A[a])\n-> C\n", "all" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (unread); i++)
    for (guint on = HEDDLE_VERIFY_MODEL; on <= HEDDLE_VERIFY_CPU; on++)
      {
        g_auto (Case) self = { 0 };
        g_autoptr (GError) error = NULL;
        g_autoptr (GPtrArray) results = NULL;

        if (on == HEDDLE_VERIFY_CPU && !case_has_cuda ())
          continue;
        case_init (&self,
            &(CaseOptions){ .text = unread[i].text, .fuse = unread[i].fuse, .dtype = HEDDLE_DTYPE_F32 });
        results = heddle_plan_verify (self.plan, self.plan->sizes, on, 1, NULL, &error);
        g_assert_no_error (error);
        for (guint k = 0; k < results->len; k++)
          g_assert_true (((HeddleVerification *) g_ptr_array_index (results, k))->passed);
      }
}

static void
test_model (gconstpointer data)
{
  check (data, HEDDLE_VERIFY_MODEL);
}

static void
init (Case *self, const Row *row)
{
  case_init (self, &(CaseOptions){ row->text, row->fuse, row->labels, NULL, row->dtype, row->made_for });
}

/* At the row's sizes, and at 23 of each axis that is an argument. */
static void
test_cpu (gconstpointer data)
{
  const Row *row = data;
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleSizes) sizes = NULL;

  if (!case_has_cuda ())
    return;
  check (row, HEDDLE_VERIFY_CPU);
  init (&self, row);
  sizes = case_sizes_at (self.plan, self.plan->sizes, 23, 0);
  case_assert_right (self.plan, sizes, 2);
}

/* At sizes of all kinds, from three seeds. */
static void
test_throughout (gconstpointer data)
{
  g_auto (Case) self = { 0 };

  if (!case_has_cuda ())
    return;
  init (&self, data);
  case_assert_right_throughout (self.plan, self.plan->sizes);
}

/* Sizes and labels drawn at random: ragged, larger than the axes, 1. */
static void
test_random (void)
{
  static const char *const texts[] = { ATTENTION, CAUSAL };
  g_autoptr (GRand) rand = g_rand_new_with_seed (20);

  for (guint i = 0; i < 12; i++)
    {
      g_autofree char *sizes = g_strdup_printf ("y=%d x=%d k=%d", g_rand_int_range (rand, 1, 40),
          g_rand_int_range (rand, 1, 40), g_rand_int_range (rand, 1, 20));
      g_autofree char *labels = g_strdup_printf (
          "y:group@smem=%d x:stream@smem=%d", g_rand_int_range (rand, 1, 48), g_rand_int_range (rand, 1, 48));
      Row row = { sizes, texts[i % 2], "all", labels, i % 3 ? HEDDLE_DTYPE_F32 : HEDDLE_DTYPE_F16, sizes,
        NULL, 1 };

      g_test_message ("%s %s", sizes, labels);
      check (&row, HEDDLE_VERIFY_MODEL);
      if (case_has_cuda ())
        check (&row, HEDDLE_VERIFY_CPU);
    }
}

/* Weights are scaled by the terms that are summed, also where what is multiplied is read of them at fixed places;
 * rows that are looked up, and inputs, are as they are. */
static void
test_scale (void)
{
  static const struct
  {
    const char *text, *value;
    double scale;
  } scales[] = {
    { "X : f16[y=8, m=64]\nparam W : f16[m, k=4]\nY[y,k] = X[y,m] W[m,k]\n", "W", 1. / 8 },
    { "X : f16[y=8, m=64]\nparam W : f16[k=4, m, i=1, j=1]\nV[k,m] = W[k,m,0,0]\nY[y,k] = X[y,m] V[k,m]\n",
        "W", 1. / 8 },
    /* a copy that lies otherwise in memory */
    { "X : f16[y=8, m=64]\nparam W : f16[m, k=4]\nV[k,m] = W[m,k]\nY[y,k] = X[y,m] V[k,m]\n", "W", 1. / 8 },
    { "T : i64[y=8]\nparam E : f16[v=9, m=64]\nparam W : f16[m, k=4]\nX[y,m] = E[T[y],m]\nY[y,k] = X[y,m] "
      "W[m,k]\n",
        "E", 1 },
    { "X : f16[y=8, m=64]\nparam W : f16[m, k=4]\nY[y,k] = X[y,m] W[m,k]\n", "X", 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      g_auto (Case) self = { 0 };
      const HeddleValue *found = NULL;

      case_init (&self, &(CaseOptions){ .text = scales[i].text, .fuse = "none" });
      for (guint k = 0; k < self.diagram->values->len; k++)
        {
          const HeddleValue *value = g_ptr_array_index (self.diagram->values, k);

          if (g_strcmp0 (value->name, scales[i].value) == 0)
            found = value;
        }
      g_assert_nonnull (found);
      g_assert_cmpfloat_with_epsilon (
          heddle_verify_scale (self.diagram, self.plan->sizes, found), scales[i].scale, 1e-12);
    }
}

int
main (int argc, char **argv)
{
  gboolean thorough = case_is_long (&argc, argv);

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *model = g_strconcat ("/verify/model/", rows[i].name, NULL);
      g_autofree char *cpu = g_strconcat ("/verify/cpu/", rows[i].name, NULL);

      if (!thorough)
        g_test_add_data_func (model, &rows[i], test_model);
      g_test_add_data_func (cpu, &rows[i], thorough ? test_throughout : test_cpu);
    }
  if (thorough)
    return g_test_run ();
  g_test_add_func ("/verify/random", test_random);
  g_test_add_func ("/verify/unread", test_unread);
  g_test_add_func ("/verify/table", test_table);
  g_test_add_func ("/verify/perturbed", test_perturbed);
  g_test_add_func ("/verify/range", test_range);
  g_test_add_func ("/verify/no-value", test_no_value);
  g_test_add_func ("/verify/short-rows", test_short_rows);
  g_test_add_func ("/verify/lost", test_lost);
  g_test_add_func ("/verify/long-sum", test_long_sum);
  g_test_add_func ("/verify/scale", test_scale);
  return g_test_run ();
}
