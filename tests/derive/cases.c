/* SPDX-License-Identifier: MIT */
#include "cases.h"

#define NORMED "X : [n=8, m=12]\nW : [m, k=6]\n"

const Case cases[] = {
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
  /* Chains of what reads neighbours, in which the middle is held as tile and halo. */
  { "chain-of-convolutions",
      "X : [t=12, c=3]\nU : [i=3, c, f=4]\nW : [j=5, f, g=4]\nC[t,f] = X[t+i-1,c] U[i,c,f]\n"
      "A[t,f] = relu(C[t,f])\nY[t,g] = A[t+j-2,f] W[j,f,g]\n",
      "all", "t g", "t f j", "t c f g i j" },
  { "chain-of-one-name",
      "X : [t=12, c=3]\nU : [i=3, c]\nV : [i]\nC[t] = X[t+i-1,c] U[i,c]\nA[t] = tanh(C[t])\nB[t] = A[t+i-2] "
      "V[i]\n"
      "D[t] = relu(B[t])\nY[t] = D[t+2*i] V[i]\n",
      "all", "t", "t", "t c i" },
  { "chain-pooled",
      "X : [t=12, c=3]\nU : [i=3, c, f=4]\nC[t,f] = X[t+i-1,c] U[i,c,f]\nA[t,f] = relu(C[t,f])\n"
      "axis k = 2\nP[y=6,f] = max[k](A[2*y+k,f])\n",
      "all", "y f", "y k f", "t y c f i k" },
  { "chain-strided",
      "X : [t=20, c=3]\nU : [i=3, c]\nC[y=9] = X[2*y+i-1,c] U[i,c]\nB : [y]\nA[y] = relu(C[y] + B[y])\n"
      "W : [j=3]\nZ[z=4] = A[2*z-j] W[j]\n",
      "all", "z", "z j", "t y z c i j" },
  { "chain-dilated",
      "X : [t=20]\nU : [i=3]\nC[t] = X[t+2*i] U[i]\nA[t] = relu(C[t])\nW : [j=3]\nY[t] = A[t-3*j+1] W[j]\n",
      "all", "t", "t j", "t i j" },
  { "chain-of-planes",
      "X : [y=6, x=7]\nU : [i=3, j=2]\nC[y,x] = X[y+i-1,x+j] U[i,j]\nA[y,x] = relu(C[y,x])\n"
      "W : [k=2, l=3]\nY[y,x] = A[y+k,x+l-1] W[k,l]\n",
      "all", "y x", "y x k l", "y x i j k l" },
  { "chain-residual",
      "X : [t=12]\nU : [i=3]\nC[t] = X[t+i-1] U[i]\nA[t] = relu(C[t])\nW : [j=3]\nD[t] = A[t+j-1] W[j]\n"
      "Y[t] = D[t] + A[t] + X[t]\n",
      "all", "t", "t", "t i j" },
  { "chain-of-weights",
      "X : [t=12, c=3]\nN[t,c] = softmax[c](X[t,c])\nW : [j=3, c]\nY[t] = N[t+j-1,c] W[j,c]\n", "all", "t",
      "t j", "t c j" },
  { "chain-turned",
      "X : [t=12]\nU : [i=3]\nC[t] = X[t+i-1] U[i]\nA[t] = relu(C[t])\nW : [j=3]\nY[t] = A[size(t)-1-t+j] "
      "W[j]\n",
      "all", "t", "t j", "t i j" },
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
  { "product-of-sums",
      "X : [a=3, c=6]\nV[a] = sum[c](X[a,c])\nP = prod[a](V[a])\nY[a] = sum[c](V[a] * (P - X[a,c]))\n-> Y\n",
      "all", "", "c", "a c" },
  { "negated", "S : [q=8, x=9]\nV : [x, d=3]\nO[q,d] = -softmax[x](S[q,x]) V[x,d]\n", "all", "q d", "x q d",
      "q x d" },
  /* arrays that are joined, each repeated along an axis or with its axes in another order */
  { "joined-repeats",
      "A : f64[b=3, u=4]\nB : f64[b, u]\naxis s = 2\naxis t = size(s) + size(s)\nP[s,u,b] = A[b,u]\n"
      "Q[s,b,u] = B[b,u]\nY[t,b,u] = concat[t](P[s,u,b], Q[s,b,u])\nZ[b,u] = A[b,u] * 2\n-> Y, Z\n",
      "all", "b u", "", "b u" },
};

const guint n_cases = G_N_ELEMENTS (cases);
