/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/lemmas.h"

#include <glib/gi18n-lib.h>

#define INPUTS "X : [q=4, x=8]\nV : [x]\n"

/* 1 where the maximum has not moved: both may be -inf, whose difference is no number. */
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

/* Milakov & Gimelshein, arXiv 1805.02867, for the rescaled sums; Dao et al., arXiv 2205.14135, for the contraction on top;
 * Chan, Golub & LeVeque 1983 for sums about a centre. */
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
      INPUTS "H[q,x] = recurrence[x](X[q,x], V[x])\nY[q] = H[q,size(x)-1]\n" },
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
