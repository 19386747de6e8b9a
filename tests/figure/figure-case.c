/* SPDX-License-Identifier: MIT */
#include "figure-case.h"

#include <string.h>
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "figure/layout/figure-spec.h"
#include "figure/page/figure.h"
#include "figure/scene/scene.h"
#include "files/equations/document.h"

const FigureCase figure_cases[] = {
  { "attention", "Q : f16[y=4096, k=128]\n"
                 "K : f16[x=4096, k]\n"
                 "V : f16[x, k]\n"
                 "S[y,x] = Q[y,k] K[x,k]\n"
                 "P[y,x] = softmax[x](S[y,x] * k^-0.5)\n"
                 "O[y,k] = P[y,x] V[x,k]\n" },
  { "masked", "Q : f16[y=64, k=128]\n"
              "K : f16[x=64, k]\n"
              "V : f16[x, k]\n"
              "S[y,x] = Q[y,k] K[x,k] * k^-0.5\n"
              "M[y,x] = where(x <= y, S[y,x], -inf)\n"
              "P[y,x] = softmax[x](M[y,x])\n"
              "O[y,k] = P[y,x] V[x,k]\n" },
  { "heads", "Q : f16[y=64, k=128, h=8]\n"
             "K : f16[x=64, k, h]\n"
             "V : f16[x, k, h]\n"
             "param W_O : f16[k, h, m=512]\n"
             "P[y,x,h] = softmax[x](Q[y,k,h] K[x,k,h] * k^-0.5)\n"
             "A[y,k,h] = P[y,x,h] V[x,k,h]\n"
             "O[y,m] = A[y,k,h] W_O[k,h,m]\n" },
  { "self-attention", "X : f16[x=64, m=512]\n"
                      "param W_Q : f16[m, h=8, k=64]\n"
                      "param W_K : f16[m, h, k]\n"
                      "param W_V : f16[m, h, k]\n"
                      "param W_O : f16[h, k, m]\n"
                      "axis y = 64\n"
                      "Q[y,h,k] = X[y,m] W_Q[m,h,k]\n"
                      "K[x,h,k] = X[x,m] W_K[m,h,k]\n"
                      "V[x,h,k] = X[x,m] W_V[m,h,k]\n"
                      "S[h,y,x] = Q[y,h,k] K[x,h,k] * k^-0.5\n"
                      "P[h,y,x] = softmax[x](S[h,y,x])\n"
                      "O[y,h,k] = P[h,y,x] V[x,h,k]\n"
                      "Z[y,m] = X[y,m] + O[y,h,k] W_O[h,k,m]\n" },
  { "mlp", "X : f32[b=64, n=784]\n"
           "param W1 : f32[n, m=512]\n"
           "param b1 : f32[m]\n"
           "param W2 : f32[m, c=10]\n"
           "param b2 : f32[c]\n"
           "H[b,m] = relu(X[b,n] W1[n,m] + b1[m])\n"
           "Y[b,c] = softmax[c](H[b,m] W2[m,c] + b2[c])\n" },
  { "layernorm", "X : f32[b=64, m=512]\n"
                 "param g : f32[m]\n"
                 "param W : f32[m, f=2048]\n"
                 "N[b,m] = layernorm[m](X[b,m]) * g[m]\n"
                 "Y[b,f] = N[b,m] W[m,f]\n" },
  { "swiglu", "X : f32[b=64, m=512]\n"
              "param g : f32[m]\n"
              "param W1 : f32[m, f=2048]\n"
              "param W2 : f32[m, f]\n"
              "param W3 : f32[f, m]\n"
              "N[b,m] = rmsnorm[m](X[b,m]) * g[m]\n"
              "G[b,f] = silu(N[b,m] W1[m,f])\n"
              "U[b,f] = N[b,m] W2[m,f]\n"
              "Y[b,m] = X[b,m] + (G[b,f] * U[b,f]) W3[f,m]\n" },
  { "three-way", "A : f32[i=8, k=16]\n"
                 "B : f32[j=8, k]\n"
                 "C : f32[l=8, k]\n"
                 "T[i,j,l] = A[i,k] B[j,k] C[l,k]\n" },
  { "chain", "A : f32[a=8, b=16]\n"
             "B : f32[b, c=4]\n"
             "C : f32[c, d=4]\n"
             "D : f32[d, e=4]\n"
             "R[a,c] = A[a,b] B[b,c]\n"
             "S[a,d] = R[a,c] C[c,d]\n"
             "T[a,e] = S[a,d] D[d,e]\n" },
  { "nested", "A : f32[i=4, j=5, k=6]\n"
              "B : f32[k, j, l=7]\n"
              "u : f32[l]\n"
              "C[i,l] = A[i,j,k] B[k,j,l]\n"
              "D[i,l] = C[i,l] * u[l] + 1\n"
              "s = sum[i,l](D[i,l])\n"
              "E[i,l] = exp(C[i,l]) / s\n"
              "-> E, C\n" },
  { "reductions", "A : f32[i=8, j=16, k=4]\n"
                  "B : f32[i, j]\n"
                  "M[i] = max[j](sum[k](A[i,j,k]))\n"
                  "D = sum[i](mean[j](B[i,j]) * M[i])\n"
                  "E[i] = exp(M[i])\n"
                  "L[i] = logsumexp[j](B[i,j]) + prod[j](B[i,j]) - min[j](B[i,j])\n" },
  { "reindexing", "A : f32[i=8, j=8]\n"
                  "B : f32[n=30, c=3]\n"
                  "U : f32[q=5]\n"
                  "D[i] = A[i,i]\n"
                  "C[x=14, w=3, c] = B[2*x+w, c]\n"
                  "T[j,i] = A[i,j]\n"
                  "R[p=4,q] = U[q]\n"
                  "F[c] = B[7, c]\n" },
  { "norms", "X : f32[b=4, m=8]\n"
             "A[b,m] = l2norm[m](X[b,m])\n"
             "B[b,m] = rmsnorm[m](A[b,m])\n"
             "C[b,m] = layernorm[b](B[b,m])\n" },
  { "outputs", "X : f32[b=4, m=8]\n"
               "Y : f32[b, m]\n"
               "Unread : f32[z=3]\n"
               "S[b,m] = X[b,m] + Y[b,m]\n"
               "T[b,m] = X[b,m] - Y[b,m]\n"
               "P[b,m] = S[b,m] * T[b,m]\n"
               "-> P, S, T\n" },
  { "names", "\\bar X : f32[\\bar x=4, c_{i+1}=8]\n"
             "K' : f32[c_{i+1}, \\alpha=3]\n"
             "Y_ff[\\bar x,\\alpha] = \\bar X[\\bar x,c_{i+1}] K'[c_{i+1},\\alpha]\n" },
  { "outer", "a : f32[i=4]\n"
             "b : f32[j=5]\n"
             "c : f32[]\n"
             "O[i,j] = a[i] b[j]\n"
             "Z[i,j] = a[i] + b[j] * c\n" },
  { "long-labels", "X : f32[batch=16, x=64]\n"
                   "Y : f32[batch, x]\n"
                   "Z[batch,x] = where(X[batch,x] > 0, 1.702 * exp(X[batch,x]) - 1, X[batch,x] * "
                   "sigmoid(X[batch,x]) + 3)\n"
                   "W[batch,x] = where(Z[batch,x] > Y[batch,x], Z[batch,x] * exp(Y[batch,x]) - Y[batch,x]^2, "
                   "Y[batch,x]) + 1\n"
                   "s = sum[batch,x](W[batch,x] * Y[batch,x])\n" },
  { "depthwise", "X : f32[c=16, x=64]\n"
                 "W : f32[c, w=3]\n"
                 "Y[c,y=62] = sum[w](X[c,y+w] W[c,w])\n" },
  { "targets", "L : f32[n=64, v=1000]\n"
               "T : f32[n, v]\n"
               "O = mean[n](logsumexp[v](L[n,v]) - L[n,v] T[n,v])\n" },
  { "inner", "a : f32[k=8]\n"
             "b : f32[k]\n"
             "s = a[k] b[k]\n" },
  { NULL, NULL },
};

const FigureCase *
figure_case_find (const char *name)
{
  for (const FigureCase *figure_case = figure_cases; figure_case->name != NULL; figure_case++)
    if (g_str_equal (figure_case->name, name))
      return figure_case;
  g_assert_not_reached ();
}

HeddleSnapshot *
figure_case_read (const FigureCase *figure_case)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  HeddleSnapshot *snapshot
      = heddle_equations_read (figure_case->text, strlen (figure_case->text), figure_case->name, problems);

  for (guint i = 0; i < problems->len; i++)
    g_test_message ("%s", ((HeddleProblem *) problems->pdata[i])->message);
  g_assert_nonnull (snapshot);
  return snapshot;
}

HeddleScene *
figure_case_render (const FigureCase *figure_case)
{
  g_autoptr (HeddleSnapshot) snapshot = figure_case_read (figure_case);
  const HeddleFigure figure = { .diagram = heddle_snapshot_get_diagram (snapshot, NULL) };

  return heddle_figure_render (&figure);
}
