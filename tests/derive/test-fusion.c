/* SPDX-License-Identifier: MIT */
#include "fixture.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/place-text.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "derive/suggest/fusion.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Which operations are fused: against every partition of small diagrams, and what is known of larger ones. */

static HeddleSchedule *
suggest (const Fixture *fixture, const HeddleSchedule *given, const HeddleDeriveOptions *options,
    HeddleFusion *report)
{
  g_autoptr (GError) error = NULL;
  HeddleSchedule *schedule
      = heddle_schedule_suggest (fixture->diagram, given, fixture->sizes, options, NULL, report, &error);

  g_assert_no_error (error);
  return schedule;
}

static double
total (const Fixture *fixture, const HeddleSchedule *schedule, const HeddleDeriveOptions *options)
{
  HeddleDeriveOptions own = *options;
  g_autoptr (HeddleDerivation) derivation = NULL;

  own.suggest = TRUE;
  derivation = heddle_derive (fixture->diagram, schedule, fixture->sizes, &own, NULL, NULL);
  if (derivation == NULL)
    return G_MAXDOUBLE;
  for (guint i = 0; i < derivation->kernels->len; i++)
    if (!fixture_kernel (derivation, i)->fits)
      return G_MAXDOUBLE;
  if (heddle_machine_is_abstract (options->machine))
    return (double) derivation->transfer_elements;
  return derivation->expected_s;
}

/* --- against all partitions ---------------------------------------------------------------- */

typedef struct
{
  const Fixture *fixture;
  const HeddleDeriveOptions *options;
  const HeddleSchedule *given; /* places, or NULL */
  guint part[8]; /* of each operation */
  double best;
} Brute;

static void
price (Brute *self, guint n_parts)
{
  HeddleSchedule *schedule = self->given != NULL ? heddle_schedule_copy (self->given)
                                                 : heddle_schedule_new (self->fixture->diagram->id);

  for (guint p = 0; p < n_parts; p++)
    {
      HeddleRegion *region = heddle_schedule_add_region (schedule);

      for (guint i = 0; i < self->fixture->diagram->operations->len; i++)
        if (self->part[i] == p)
          heddle_ids_append (region->operations,
              ((HeddleOperation *) g_ptr_array_index (self->fixture->diagram->operations, i))->id);
    }
  self->best = MIN (self->best, total (self->fixture, schedule, self->options));
  heddle_schedule_free (schedule);
}

static void
try_parts (Brute *self, guint i, guint n_parts)
{
  if (i == self->fixture->diagram->operations->len)
    {
      price (self, n_parts);
      return;
    }
  for (self->part[i] = 0; self->part[i] <= n_parts; self->part[i]++)
    {
      guint kept = self->part[i];

      try_parts (self, i + 1, MAX (n_parts, kept + 1));
      self->part[i] = kept;
    }
}

typedef struct
{
  const char *name, *text;
} Case;

static const Case cases[] = {
  { "attention", "Q : [q=7, d=2]\nK : [x=6, d]\nV : [x, d]\nS[q,x] = Q[q,d] K[x,d]\nP[q,x] = "
                 "softmax[x](S[q,x])\nO[q,d] = P[q,x] V[x,d]\n" },
  { "branches", "X : [a=6, b=5]\nU : [b, c=4]\nA[a,c] = X[a,b] U[b,c]\nB[a,b] = relu(X[a,b])\nC[a] = "
                "sum[b](B[a,b])\nD[a,c] = A[a,c] * C[a]\n" },
  { "skip",
      "X : [a=6, b=5]\nY[a,b] = softmax[b](X[a,b])\nZ[a,b] = tanh(Y[a,b])\nR[a,b] = X[a,b] + Z[a,b]\n" },
  { "two-outputs", "X : [a=6, b=5]\nM[a] = max[b](X[a,b])\nE[a,b] = exp(X[a,b] - M[a])\nL[a] = "
                   "sum[b](E[a,b])\n-> E, L\n" },
  { "mlp",
      "X : [n=6, m=3]\nU : [m, f=5]\nW : [f, k=4]\nH[n,f] = X[n,m] U[m,f]\nG[n,f] = relu(H[n,f])\nY[n,k] "
      "= G[n,f] W[f,k]\n" },
};

static void
test_case (gconstpointer data)
{
  static const gint64 memories[] = { 9, 14, 20, 31, 47, 80, 200 };
  const Case *self = data;
  g_auto (Fixture) fixture = { 0 };

  fixture_init (&fixture, self->text, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (memories); i++)
    {
      g_autoptr (HeddleMachine) machine = heddle_machine_find ("two-level", memories[i], NULL);
      HeddleDeriveOptions options
          = { machine, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL, HEDDLE_OBJECTIVE_TRANSFERS, 1, FALSE };
      Brute brute = { &fixture, &options, NULL, { 0 }, G_MAXDOUBLE };
      HeddleFusion report;
      HeddleSchedule *schedule = suggest (&fixture, NULL, &options, &report);

      g_assert_true (report.exact);
      try_parts (&brute, 0, 0);
      g_assert_cmpfloat (total (&fixture, schedule, &options), ==, brute.best);
      if (brute.best < G_MAXDOUBLE)
        {
          g_assert_cmpfloat (report.cost, ==, brute.best);
          g_assert_cmpfloat (report.least, <=, brute.best);
          g_assert_cmpfloat (report.second_cost, >=, brute.best);
        }
      heddle_fusion_clear (&report);
      heddle_schedule_free (schedule);
    }
}

/* --- with places ------------------------------------------------------------------------------ */

#define MADE                                                                                                 \
  "A : f16[i=640, k=64]\nB : f16[j=512, k]\nS[i,j] = A[i,k] B[j,k]\nE[i,j] = exp(S[i,j])\n"                  \
  "L[i] = sum[j](E[i,j])\nF[i,j] = E[i,j] * S[i,j]\n-> L, F\n"

static const struct
{
  const char *text, *gpu, *places, *cut;
} placed[] = {
  /* What is to pass between kernels is not fused away, wherever it is to be; what is to be kept inside is. */
  { MADE, "h100-sxm", "", NULL },
  { MADE, "h100-sxm", "S@l2", NULL },
  { MADE, "h100-sxm", "S@host", NULL },
  { MADE, "h100-sxm", "E@l2 S@l2", NULL },
  { MADE, "h100-sxm", "S@smem E@smem", "S E L F" },
  { MADE, "h100-sxm", "S:E@gmem", NULL },
  { MADE, "h100-sxm", "A@host F@host", NULL },
  { "X : [a=6, b=5]\nY[a,b] = softmax[b](X[a,b])\nZ[a,b] = tanh(Y[a,b])\nR[a,b] = X[a,b] + Z[a,b]\n",
      "two-level", "X:R@gmem", NULL },
  { "X : [a=6, b=5]\nY[a,b] = softmax[b](X[a,b])\nZ[a,b] = tanh(Y[a,b])\nR[a,b] = X[a,b] + Z[a,b]\n",
      "two-level", "Y:Z@gmem", NULL },
};

static void
test_places (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (placed); i++)
    {
      g_autoptr (HeddleMachine) machine = heddle_machine_find (placed[i].gpu, 0, NULL);
      HeddleDeriveOptions options
          = { machine, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL, HEDDLE_OBJECTIVE_TIME, 1, FALSE };
      g_auto (Fixture) fixture = { 0 };
      g_auto (GStrv) parts = g_strsplit (placed[i].places, " ", -1);
      HeddleSchedule *given, *schedule;
      HeddleFusion report;
      Brute brute = { &fixture, &options, NULL, { 0 }, G_MAXDOUBLE };

      fixture_init (&fixture, placed[i].text, NULL);
      given = heddle_schedule_new (fixture.diagram->id);
      for (char **part = parts; *part != NULL; part++)
        if (**part != '\0')
          g_assert_true (heddle_schedule_add_place_text (given, fixture.diagram, machine, *part, NULL));
      brute.given = given;
      try_parts (&brute, 0, 0);
      schedule = suggest (&fixture, given, &options, &report);
      g_test_message ("%s: %s, %g", placed[i].places, report.chosen, report.cost);
      g_assert_cmpfloat (brute.best, <, G_MAXDOUBLE);
      g_assert_true (report.exact);
      g_assert_cmpuint (report.places, ==, given->residency->len);
      g_assert_cmpuint (schedule->residency->len, ==, given->residency->len);
      g_assert_cmpfloat_with_epsilon (total (&fixture, schedule, &options) / brute.best, 1., 1e-12);
      g_assert_cmpfloat_with_epsilon (report.cost / brute.best, 1., 1e-12);
      g_assert_cmpfloat (report.least, <=, brute.best);
      if (placed[i].cut != NULL)
        g_assert_cmpstr (report.chosen, ==, placed[i].cut);
      heddle_fusion_clear (&report);
      heddle_schedule_free (schedule);
      heddle_schedule_free (given);
    }
}

/* --- what is known ----------------------------------------------------------------------------- */

static void
assert_cut (const char *text, const char *sizes, HeddleColumns columns, const char *cut, double cost)
{
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("two-level", 116224, NULL);
  HeddleDeriveOptions options = { machine, HEDDLE_DTYPE_F16, columns, HEDDLE_OBJECTIVE_TRANSFERS, 1, FALSE };
  g_auto (Fixture) fixture = { 0 };
  HeddleFusion report;

  fixture_init (&fixture, text, sizes);
  heddle_schedule_free (suggest (&fixture, NULL, &options, &report));
  g_assert_cmpstr (report.chosen, ==, cut);
  if (cost > 0.)
    g_assert_cmpfloat (report.cost, ==, cost);
  g_assert_true (report.exact);
  heddle_fusion_clear (&report);
}

#define MLP                                                                                                  \
  "X : [n=4096, m=128]\nU : [m, f=512]\nW : [f, k=m]\nH[n,f] = relu(X[n,m] U[m,f])\nY[n,k] = H[n,f] "        \
  "W[f,k]\n"

/* FlashAttention; the MLP at m = 128 in one kernel (1,769,472 values), at 512 in two; RMSNorm with the linear layer after it. */
static void
test_known (void)
{
  assert_cut (ATTENTION, NULL, HEDDLE_COLUMNS_OPERANDS, "S P O", 11534336.);
  assert_cut (MLP, NULL, HEDDLE_COLUMNS_ALL, "H Y", 0.);
  assert_cut (MLP, "m=512 f=2048 k=512", HEDDLE_COLUMNS_ALL, "H | Y", 0.);
  assert_cut ("X : [n=4096, m=4096]\nW : [m, k=128]\nN[n,m] = rmsnorm[m](X[n,m])\nY[n,k] = N[n,m] W[m,k]\n",
      NULL, HEDDLE_COLUMNS_ALL, "N Y", 0.);
}

/* On a GPU: attention in one kernel, and the heads of grouped queries together. */
static void
test_gpu (void)
{
  static const char *const gqa
      = "Q : f16[g=4, r=4, q=1024, d=64]\nK : f16[g, x=1024, d]\nV : f16[g, x, d]\n"
        "S[g,r,q,x] = Q[g,r,q,d] K[g,x,d]\nP[g,r,q,x] = softmax[x](S[g,r,q,x] * d^-0.5)\n"
        "O[g,r,q,d] = P[g,r,q,x] V[g,x,d]\n";
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("h100-sxm", 0, NULL);
  HeddleDeriveOptions options
      = { machine, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL, HEDDLE_OBJECTIVE_TIME, 1, FALSE };
  static const char *const texts[] = { ATTENTION, gqa };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_auto (Fixture) fixture = { 0 };
      HeddleFusion report;

      fixture_init (&fixture, texts[i], NULL);
      heddle_schedule_free (suggest (&fixture, NULL, &options, &report));
      g_assert_cmpstr (report.chosen, ==, "S P O");
      g_assert_cmpfloat (report.second_cost, >, report.cost);
      g_assert_true (report.by_time);
      heddle_fusion_clear (&report);
    }
}

/* By time the least is what the products of a diagram take with the tensor cores busy all the while at the rate that they sustain, 2 n^3 each,
 * or what crosses DRAM once; one launch and the beginning of one block come to it. */
static void
test_bound (void)
{
  static const char *const texts[] = { "A : f16[a=8192, b=8192]\nB : f16[b, c=8192]\nC : f16[c, "
                                       "d=8192]\nD[a,c] = A[a,b] B[b,c]\nE[a,d] = D[a,c] C[c,d]\n",
    "A : f16[a=8192, b=8192]\nB : f16[a, b]\nC[a,b] = A[a,b] + B[a,b]\n" };
  const double least[] = { 4. * 0x1p39 / (.83 * 989.4e12), 6. * 0x1p26 / 3.03e12 };
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("h100-sxm", 0, NULL);
  HeddleDeriveOptions options
      = { machine, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL, HEDDLE_OBJECTIVE_TIME, 1, FALSE };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_auto (Fixture) fixture = { 0 };
      HeddleFusion report;

      fixture_init (&fixture, texts[i], NULL);
      heddle_schedule_free (suggest (&fixture, NULL, &options, &report));
      g_assert_cmpfloat_with_epsilon (
          report.least / (least[i] + 2.2e-6 + 335e-9 + 400. / machine->clock), 1., 1e-3);
      g_assert_cmpfloat (report.cost, >=, report.least);
      g_assert_cmpfloat (report.least / report.cost, >, i == 0 ? .3 : .8);
      heddle_fusion_clear (&report);
    }
}

/* More operations than a kernel may have, and more side by side than can be gone through. */
static void
test_large (void)
{
  g_autoptr (GString) chain = g_string_new ("X_0 : [a=8]\n"), wide = g_string_new ("X : [a=8]\n");
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("two-level", 64, NULL);
  HeddleDeriveOptions options
      = { machine, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL, HEDDLE_OBJECTIVE_TRANSFERS, 1, FALSE };
  const GString *texts[] = { chain, wide };

  for (guint i = 1; i <= 30; i++)
    {
      g_string_append_printf (chain, "X_%u[a] = tanh(X_%u[a])\n", i, i - 1);
      g_string_append_printf (wide, "Y_%u[a] = tanh(X[a] * %u)\n", i, i);
    }
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_auto (Fixture) fixture = { 0 };
      HeddleFusion report;
      HeddleSchedule *schedule;

      fixture_init (&fixture, texts[i]->str, NULL);
      schedule = suggest (&fixture, NULL, &options, &report);
      g_assert_false (report.exact);
      g_assert_cmpuint (schedule->regions->len, ==, 3);
      g_assert_cmpfloat (report.cost, ==, i == 0 ? 3. * 16. : 3. * 8. + 30. * 8.);
      g_assert_cmpfloat (report.least, ==, i == 0 ? 16. : 31. * 8.);
      heddle_fusion_clear (&report);
      heddle_schedule_free (schedule);
    }
}

/* 70 operations, more than a set has bits: two windows of 35, each of three kernels. */
static void
test_windows (void)
{
  g_autoptr (GString) chain = g_string_new ("X_0 : [a=8]\n");
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("two-level", 64, NULL);
  HeddleDeriveOptions options
      = { machine, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL, HEDDLE_OBJECTIVE_TRANSFERS, 1, FALSE };
  g_auto (Fixture) fixture = { 0 };
  HeddleFusion report;
  HeddleSchedule *schedule;

  for (guint i = 1; i <= 70; i++)
    g_string_append_printf (chain, "X_%u[a] = tanh(X_%u[a])\n", i, i - 1);
  fixture_init (&fixture, chain->str, NULL);
  schedule = suggest (&fixture, NULL, &options, &report);
  g_assert_cmpuint (schedule->regions->len, ==, 6);
  g_assert_cmpfloat (report.cost, ==, 6. * 16.);
  g_assert_cmpfloat (report.least, ==, 16.);
  g_assert_false (report.exact);
  g_assert_true (g_str_has_prefix (report.chosen, "X_1 "));
  g_assert_true (g_str_has_suffix (report.chosen, " X_70"));
  heddle_fusion_clear (&report);
  heddle_schedule_free (schedule);
}

/* --- names ------------------------------------------------------------------------------------- */

/* Asserts what kernels of the first @n operations are called. */
static void
assert_names (const Fixture *fixture, guint n, const char *title, const char *values)
{
  g_autoptr (GArray) operations = heddle_ids_new ();
  g_autofree char *made = NULL, *called = NULL;

  for (guint i = 0; i < n; i++)
    heddle_ids_append (
        operations, ((const HeddleOperation *) g_ptr_array_index (fixture->diagram->operations, i))->id);
  made = heddle_kernel_values (fixture->diagram, operations, " ");
  called = heddle_kernel_title (fixture->diagram, operations);
  g_assert_cmpstr (made, ==, values);
  g_assert_cmpstr (called, ==, title);
}

/* A kernel is called after what its statements make; an array inside a statement only where it is what the kernel makes. */
static void
test_names (void)
{
  g_auto (Fixture) fixture = { 0 };

  fixture_init (&fixture,
      "X : [a=8, b=8]\nA[a,b] = exp(tanh(softmax[b](X[a,b])))\nB[a,b] = softmax[b](A[a,b])\n"
      "C[a,b] = softmax[b](B[a,b])\nD[a,b] = softmax[b](C[a,b])\nE[a,b] = softmax[b](D[a,b])\n"
      "F[a,b] = softmax[b](E[a,b])\n",
      NULL);
  g_assert_cmpuint (fixture.diagram->operations->len, ==, 7);
  assert_names (&fixture, 1, "t1", "t1");
  assert_names (&fixture, 2, "A", "A");
  assert_names (&fixture, 5, "A B C D", "A B C D");
  assert_names (&fixture, 6, "A B … E", "A B C D E");
  assert_names (&fixture, 7, fixture.diagram->name, "A B C D E F");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/fusion/%s", cases[i].name);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/fusion/places", test_places);
  g_test_add_func ("/fusion/known", test_known);
  g_test_add_func ("/fusion/gpu", test_gpu);
  g_test_add_func ("/fusion/bound", test_bound);
  g_test_add_func ("/fusion/large", test_large);
  g_test_add_func ("/fusion/windows", test_windows);
  g_test_add_func ("/fusion/names", test_names);
  return g_test_run ();
}
