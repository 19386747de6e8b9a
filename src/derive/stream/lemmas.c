/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/stream/lemmas.h"

#include <glib/gi18n-lib.h>

#define INPUTS "X : [q=4, x=8]\nV : [x]\n"

/* A factor that is 1 if the maximum has not moved: both may be -inf, whose difference is no number. */
#define RESCALE(old, now) "where(" old " == " now ", 1, exp(" old " - " now "))"
#define WEIGHT(x, m) "where(" x " == -inf, 0, exp(" x " - " m "))"
#define NOW "max(m, x)"
#define BOTH "max(m, m2)"

/* The first value stays. */
#define CENTRE(next) "where(k == 0, " next ", c)"

#define MAXIMUM                                                                                              \
  {                                                                                                          \
    "m", "-inf", NOW, BOTH                                                                                   \
  }

/* The state after the last point. */
#define LAST "Y[q] = sum[x](where(x == size(x) - 1, H[q,x], 0))\n-> Y\n"

/* The order of two parts: the largest of the right one comes first; and then its second one before the left
 * one's first. */
#define RIGHT_LEADS "m2 > m or i < 0"
#define RIGHT_SECOND "b2 > m or i < 0"
#define PLACE(i) "where(" i " < 0, " i ", " i " + k)"

#define MEAN "c + (x - c)/(k + 1)"

/* The lemmas. Sources: Milakov & Gimelshein, arXiv 1805.02867, for the rescaled sums; Dao et al., arXiv
 * 2205.14135, for the contraction on top; Chan, Golub & LeVeque 1983 for sums about a centre; Welford 1962
 * for a mean that moves. */
static const HeddleLemma lemmas[] = {
  { "sum", N_ ("Sum"), HEDDLE_MONOID_SUM, HEDDLE_FACTOR_NONE, { { "s", "0", "s + x*v", "s + s2" } }, "s",
      INPUTS "Y[q] = X[q,x] V[x]\n" },
  { "prod", N_ ("Product"), HEDDLE_MONOID_PROD, HEDDLE_FACTOR_NONE, { { "p", "1", "p*x", "p*p2" } }, "p",
      INPUTS "Y[q] = prod[x](X[q,x])\n" },
  { "max", N_ ("Maximum"), HEDDLE_MONOID_MAX, HEDDLE_FACTOR_NONE, { MAXIMUM }, "m",
      INPUTS "Y[q] = max[x](X[q,x])\n" },
  { "min", N_ ("Minimum"), HEDDLE_MONOID_MIN, HEDDLE_FACTOR_NONE,
      { { "m", "inf", "min(m, x)", "min(m, m2)" } }, "m", INPUTS "Y[q] = min[x](X[q,x])\n" },
  { "rescaled-sum", N_ ("Sum of exponentials, rescaled as the maximum moves"), HEDDLE_MONOID_SUM,
      HEDDLE_FACTOR_RUNNING,
      { MAXIMUM, { "l", "0", RESCALE ("m", NOW) "*l + " WEIGHT ("x", NOW),
                     RESCALE ("m", BOTH) "*l + " RESCALE ("m2", BOTH) "*l2" } },
      "where(l == 0, -inf, m + log(l))", INPUTS "Y[q] = logsumexp[x](X[q,x])\n" },
  { "deferred-sum", N_ ("Sum of products with a factor that waits for the end"), HEDDLE_MONOID_SUM,
      HEDDLE_FACTOR_DEFERRED, { { "s", "0", "s + x*x", "s + s2" }, { "o", "0", "o + x*v", "o + o2" } },
      "o/sqrt(s/n)", INPUTS "Y[q] = rmsnorm[x](X[q,x]) V[x]\n" },
  { "normalised-sum", N_ ("Softmax and contraction, rescaled and divided at the end"), HEDDLE_MONOID_SUM,
      HEDDLE_FACTOR_RUNNING | HEDDLE_FACTOR_DEFERRED,
      { MAXIMUM,
          { "l", "0", RESCALE ("m", NOW) "*l + " WEIGHT ("x", NOW),
              RESCALE ("m", BOTH) "*l + " RESCALE ("m2", BOTH) "*l2" },
          { "o", "0", RESCALE ("m", NOW) "*o + " WEIGHT ("x", NOW) "*v",
              RESCALE ("m", BOTH) "*o + " RESCALE ("m2", BOTH) "*o2" } },
      "where(l == 0, 0, o/l)", INPUTS "Y[q] = softmax[x](X[q,x]) V[x]\n" },
  { "split-sum", N_ ("Sum of terms with factors of their own, each summed apart, about a centre"),
      HEDDLE_MONOID_SUM, HEDDLE_FACTOR_SPLIT,
      { { "k", "0", "k + 1", "k + k2" },
          { "s", "0", "s + x - " CENTRE ("x"), "s + s2 + (c2 - " CENTRE ("c2") ")*k2" },
          { "c", "0", CENTRE ("x"), CENTRE ("c2") },
          { "o", "0", "o + (x - " CENTRE ("x") ")*v", "o + o2 + (c2 - " CENTRE ("c2") ")*w2" },
          { "w", "0", "w + v", "w + w2" } },
      "o - s/n*w", INPUTS "Y[q] = sum[x]((X[q,x] - mean[x](X[q,x])) V[x])\n" },
  { "affine-scan", N_ ("Linear recurrence: a stretch of it is one factor and one term"), HEDDLE_MONOID_SUM,
      HEDDLE_FACTOR_SCAN, { { "a", "1", "x*a", "a*a2" }, { "b", "0", "x*b + v", "a2*b + b2" } }, "b",
      INPUTS "H[q,x] = recurrence[x](X[q,x], V[x])\n" LAST },
  { "cumulative-sum", N_ ("Cumulative sum: the state after each point"), HEDDLE_MONOID_SUM,
      HEDDLE_FACTOR_SCAN, { { "s", "0", "s + x", "s + s2" } }, "s",
      INPUTS "H[q,x] = cumsum[x](X[q,x])\n" LAST },
  { "largest-place", N_ ("Maximum, and the first place where it is"), HEDDLE_MONOID_MAX, HEDDLE_FACTOR_PLACES,
      { { "k", "0", "k + 1", "k + k2" }, MAXIMUM,
          { "i", "-1", "where(x > m or i < 0, k, i)", "where(m2 > m or i < 0, i2 + k, i)" } },
      "i", INPUTS "Y[q] = argmax[x](X[q,x])\n" },
  { "largest-in-order", N_ ("The largest in order and their places: here the first two"), HEDDLE_MONOID_MAX,
      HEDDLE_FACTOR_PLACES | HEDDLE_FACTOR_ORDER,
      { { "k", "0", "k + 1", "k + k2" }, MAXIMUM,
          { "i", "-1", "where(x > m or i < 0, k, i)", "where(" RIGHT_LEADS ", " PLACE ("i2") ", i)" },
          { "b", "-inf", "where(x > m or i < 0, m, max(b, x))",
              "where(" RIGHT_LEADS ", where(" RIGHT_SECOND ", b2, m), max(b, m2))" },
          { "j", "-1", "where(x > m or i < 0, i, where(x > b or j < 0, k, j))",
              "where(" RIGHT_LEADS ", where(" RIGHT_SECOND
              ", " PLACE ("j2") ", i), where(m2 > b or j < 0, " PLACE ("i2") ", j))" } },
      "64*i + j",
      INPUTS "axis s = 2\nI[q,s] = argtopk[x, k=s](X[q,x])\nY[q] = 64 * I[q,0] + I[q,1]\n-> Y\n" },
  { "variance", N_ ("Variance about a mean that moves"), HEDDLE_MONOID_SUM, HEDDLE_FACTOR_COMPOSED,
      { { "k", "0", "k + 1", "k + k2" }, { "c", "0", MEAN, "c + (c2 - c)*k2/(k + k2)" },
          { "s", "0", "s + (x - c)*(x - (" MEAN "))", "s + s2 + (c2 - c)*(c2 - c)*k*k2/(k + k2)" } },
      "s/k", INPUTS "A[q] = mean[x](X[q,x])\nY[q] = sum[x]((X[q,x] - A[q]) * (X[q,x] - A[q])) / x\n-> Y\n" },
  { "cross-entropy", N_ ("Cross-entropy of a softmax: its logarithm less the expected score"),
      HEDDLE_MONOID_SUM, HEDDLE_FACTOR_COMPOSED,
      { MAXIMUM,
          { "l", "0", RESCALE ("m", NOW) "*l + " WEIGHT ("x", NOW),
              RESCALE ("m", BOTH) "*l + " RESCALE ("m2", BOTH) "*l2" },
          { "t", "0", "t + x*v", "t + t2" } },
      "m + log(l) - t", INPUTS "Y[q] = logsumexp[x](X[q,x]) - X[q,x] V[x]\n" },
};

const HeddleLemma *
heddle_lemma_table (guint *n_rows)
{
  *n_rows = G_N_ELEMENTS (lemmas);
  return lemmas;
}

const HeddleLemma *
heddle_lemma_find (HeddleMonoid monoid, HeddleFactors factors)
{
  for (gsize i = 0; i < G_N_ELEMENTS (lemmas); i++)
    if (lemmas[i].monoid == monoid && lemmas[i].factors == factors)
      return &lemmas[i];
  return NULL;
}
