/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include <string.h>

/* Where values are, column by column: read again within a kernel, kept in a cache, put above global memory, or worked out again. */

#define NORM                                                                                                 \
  "X : f16[t=24, m=20]\nW : f16[n=12, m]\n"                                                                  \
  "s[t] = mean[m](X[t,m]^2)\nY[t,m] = X[t,m] * rsqrt(s[t] + 1e-5)\nZ[t,n] = Y[t,m] W[n,m]\n"

#define CAUSAL                                                                                               \
  "Q : f16[q=40, d=8]\nK : f16[x=40, d]\nV : f16[x, d]\nS[q,x] = Q[q,d] K[x,d]\n"                            \
  "P[q,x] = softmax[x](where(x <= q, S[q,x] * d^-0.5, -inf))\nO[q,d] = P[q,x] V[x,d]\n"

#define MLP                                                                                                  \
  "X : f16[n=30, m=14]\nU : f16[f=22, m]\nD : f16[m, f]\nH[n,f] = gelu(X[n,m] U[f,m])\nY[n,m] = H[n,f] "     \
  "D[m,f]\n"

typedef struct
{
  Fixture fixture;
  HeddleMachine *machine;
  HeddleSchedule *schedule;
  GHashTable *reference;
} Case;

static void
case_init (Case *self, const char *text, const char *sizes, const char *gpu, const char *fuse)
{
  g_autoptr (GError) error = NULL;

  *self = (Case){ 0 };
  fixture_init (&self->fixture, text, sizes);
  self->machine = heddle_machine_find (gpu, 0, &error);
  g_assert_no_error (error);
  self->schedule = heddle_schedule_fuse (self->fixture.diagram, NULL, fuse, &error);
  g_assert_no_error (error);
}

static void
case_clear (Case *self)
{
  fixture_clear (&self->fixture);
  heddle_machine_free (self->machine);
  heddle_schedule_free (self->schedule);
  g_clear_pointer (&self->reference, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static void
label (Case *self, const char *labels)
{
  g_auto (GStrv) parts = g_strsplit (labels, " ", -1);
  g_autoptr (GError) error = NULL;

  for (char **part = parts; *part != NULL; part++)
    if (**part != '\0')
      heddle_schedule_add_label_text (self->schedule, self->fixture.diagram, self->machine, *part, &error);
  g_assert_no_error (error);
}

static void
place (Case *self, const char *text)
{
  g_autoptr (GError) error = NULL;

  heddle_schedule_add_place_text (self->schedule, self->fixture.diagram, self->machine, text, &error);
  g_assert_no_error (error);
}

static HeddleDerivation *
derive (Case *self, GError **error)
{
  HeddleDeriveOptions options
      = { self->machine, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL, HEDDLE_OBJECTIVE_TRANSFERS, 2, FALSE };

  return heddle_derive (self->fixture.diagram, self->schedule, self->fixture.sizes, &options, NULL, error);
}

/* Every value by the evaluator: id -> array. */
static GHashTable *
evaluate (Case *self)
{
  g_autoptr (GError) error = NULL;

  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);

  if (self->reference != NULL)
    return self->reference;
  g_assert_true (heddle_evaluate_fill_inputs (self->fixture.diagram, self->fixture.sizes, inputs, 3, &error));
  self->reference = heddle_evaluate (
      self->fixture.diagram, self->fixture.sizes, inputs, HEDDLE_PRECISION_F64, NULL, &error);
  g_assert_no_error (error);
  return self->reference;
}

static void
run (Case *self, const HeddleDerivation *derivation, const char *what)
{
  for (guint i = 0; i < derivation->kernels->len; i++)
    fixture_check_kernel (
        self->fixture.sizes, what, fixture_kernel (derivation, i), evaluate (self), HEDDLE_COLUMNS_ALL);
}

static const HeddleLevelCost *
level_of (const HeddleDerivation *derivation, guint i)
{
  return g_ptr_array_index (fixture_kernel (derivation, 0)->levels, i);
}

/* --- read again ---------------------------------------------------------------------------------- */

static const struct
{
  const char *text, *labels;
} programs[] = {
  { ATTENTION, "q:group=7 x:stream=5" },
  { ATTENTION, "q:group=7 x:stream=5 q:group@registers=1 x:stream@registers=5" },
  { ATTENTION, "q:group=6 x:stream=6 q:group@registers=2 x:stream@registers=3" },
  { ATTENTION, "" },
  { CAUSAL, "q:group=7 x:stream=6" },
  { CAUSAL, "q:group=16 x:stream=8 q:group@registers=8 x:stream@registers=4" },
  { NORM, "t:group=5 m:stream=3" },
  { NORM, "t:group=5 n:group=4" },
  { NORM, "t:group=4 m:stream=6 t:group@registers=2 m:stream@registers=3 n:group@registers=5" },
  { MLP, "n:group=8 f:stream=5" },
  { MLP, "n:group=8 f:stream=6 n:group@registers=4 f:stream@registers=3" },
};

/* One column, and then all of those so far. */
static void
check_columns (const char *text, const char *labels, const char *level, guint *n_run)
{
  g_auto (Case) all = { 0 };
  const HeddleDiagram *diagram;

  case_init (&all, text, text == (const char *) ATTENTION ? "q=17 x=23 d=4" : NULL, "h100", "all");
  label (&all, labels);
  diagram = all.fixture.diagram;
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      for (guint k = 0; k < operation->operands->len; k++)
        {
          const char *value = heddle_ids_index (operation->operands, k);
          g_autoptr (HeddleDerivation) derivation = NULL;
          g_autoptr (GError) error = NULL;

          heddle_schedule_set_residency (all.schedule, value, operation->id, level);
          derivation = derive (&all, &error);
          if (derivation == NULL)
            {
              g_assert_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL);
              heddle_schedule_set_residency (all.schedule, value, operation->id, NULL);
              continue;
            }
          g_assert_cmpuint (derivation->kernels->len, ==, 1);
          run (&all, derivation, labels);
          (*n_run)++;
        }
    }
}

/* What is read again from global memory, or from SMEM into registers: values and counts are what the evaluator and the cost say, in every
 * column there is. */
static void
test_all_columns (void)
{
  guint n_run = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (programs); i++)
    {
      check_columns (programs[i].text, programs[i].labels, "gmem", &n_run);
      if (strstr (programs[i].labels, "registers") != NULL)
        check_columns (programs[i].text, programs[i].labels, "smem", &n_run);
    }
  g_test_message ("%u kernels", n_run);
  g_assert_cmpuint (n_run, >=, 60);
}

/* Attention of 17 queries and 23 keys, in tiles of 7 and chunks of 5: Q is read once for each of 5 chunks; the scores are written and
 * read; V is not held while the scores are made, so that K and it are not both there. */
static void
test_closed_forms (void)
{
  static const struct
  {
    const char *place;
    gint64 transfers, memory;
  } rows[] = {
    { NULL, 2 * 17 * 4 + 2 * 23 * 4 * 3, 2 * 7 * 4 + 2 * 2 * 5 * 4 + 7 * 5 + 2 * 7 },
    { "Q:S@gmem", 17 * 4 * 5 + 17 * 4 + 2 * 23 * 4 * 3, 7 * 4 + 7 * 4 + 2 * 2 * 5 * 4 + 7 * 5 + 2 * 7 },
    { "S:P@gmem", 2 * 17 * 4 + 2 * 23 * 4 * 3 + 2 * 17 * 23, 2 * 7 * 4 + 2 * 2 * 5 * 4 + 7 * 5 + 2 * 7 },
    { "V:O@gmem", 2 * 17 * 4 + 2 * 23 * 4 * 3, 2 * 7 * 4 + 2 * 5 * 4 + 5 * 4 + 7 * 5 + 2 * 7 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Case) attention = { 0 };
      g_autoptr (HeddleDerivation) derivation = NULL;
      g_autoptr (GError) error = NULL;

      case_init (&attention, ATTENTION, "q=17 x=23 d=4", "h100", "all");
      label (&attention, "q:group=7 x:stream=5");
      if (rows[i].place != NULL)
        place (&attention, rows[i].place);
      derivation = derive (&attention, &error);
      g_assert_no_error (error);
      g_assert_cmpint (level_of (derivation, 0)->transfer_elements, ==, rows[i].transfers);
      g_assert_cmpint (level_of (derivation, 0)->memory_elements, ==, rows[i].memory);
      run (&attention, derivation, "closed form");
    }
}

/* Q kept at SMEM and read into registers at each step, as kernels do: global memory has it once, SMEM holds its tile beside the chunks. */
static void
test_between_levels (void)
{
  g_auto (Case) attention = { 0 };
  g_autoptr (HeddleDerivation) before = NULL, after = NULL;
  g_autoptr (GError) error = NULL;

  case_init (&attention, ATTENTION, "q=16 x=24 d=4", "h100", "all");
  label (&attention, "q:group=8 x:stream=6 q:group@registers=4 x:stream@registers=6");
  before = derive (&attention, &error);
  g_assert_no_error (error);
  place (&attention, "Q:S@smem");
  after = derive (&attention, &error);
  g_assert_no_error (error);
  g_assert_cmpint (level_of (after, 0)->transfer_elements, ==, level_of (before, 0)->transfer_elements);
  g_assert_cmpint (level_of (after, 0)->memory_elements - level_of (before, 0)->memory_elements, ==, 8 * 4);
  g_assert_cmpint (level_of (after, 1)->transfer_elements - level_of (before, 1)->transfer_elements, ==,
      16 * 4 * (24 / 6 - 1));
  run (&attention, after, "Q at SMEM");
}

static void
test_refused (void)
{
  static const struct
  {
    const char *place, *message;
  } rows[] = {
    { "Q:O@gmem", "place “Q:O@gmem”: O does not read Q; a place is VALUE[:READER]@LEVEL" },
    { "Q@", "place “Q@”: it has no value or no level; a place is VALUE[:READER]@LEVEL" },
    { "N:S@gmem", "place “N:S@gmem”: there is no array “N:S”; a place is VALUE[:READER]@LEVEL" },
    { "Q:S@moon", "place “Q:S@moon”: H100 SXM has no memory level “moon”; a place is VALUE[:READER]@LEVEL" },
    { "Q@smem", "Q cannot be placed at smem: it is an input, and those are there before any kernel" },
    { "Q:S@registers",
        "Q cannot be placed at registers where S reads it: the axes of its kernel have no labels there" },
    { "P:O@l2", "P cannot be placed at l2 where O reads it: it is made in the same kernel" },
    { "P@host", "P cannot be placed at host: its kernel keeps it at smem; unfuse it to place it elsewhere" },
    { "S@gmem", "S cannot be placed at gmem: its kernel keeps it at smem; unfuse it to place it elsewhere" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Case) attention = { 0 };
      g_autoptr (HeddleDerivation) derivation = NULL;
      g_autoptr (GError) error = NULL;

      case_init (&attention, ATTENTION, NULL, "h100", "all");
      if (heddle_schedule_add_place_text (
              attention.schedule, attention.fixture.diagram, attention.machine, rows[i].place, &error))
        derivation = derive (&attention, &error);
      g_assert_null (derivation);
      g_assert_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL);
      if (i != 2)
        g_assert_cmpstr (error->message, ==, rows[i].message);
    }
}

/* --- above and beside global memory -------------------------------------------------------------- */

static const char decode[] = "Q : f16[h=32, d=128]\nK : f16[h, x=2048, d]\nV : f16[h, x, d]\n"
                             "P[h,x] = softmax[x](Q[h,d] K[h,x,d] * d^-0.5)\nO[h,d] = P[h,x] V[h,x,d]\n";

static HeddleDerivation *
derive_decode (const char *places)
{
  g_auto (Case) self = { 0 };
  g_auto (GStrv) parts = g_strsplit (places, " ", -1);
  g_autoptr (GError) error = NULL;
  HeddleDerivation *derivation;

  case_init (&self, decode, NULL, "h100", "all");
  label (&self, "h:group=1 x:stream=64");
  for (char **part = parts; *part != NULL; part++)
    if (**part != '\0')
      place (&self, *part);
  derivation = derive (&self, &error);
  g_assert_no_error (error);
  /* What is priced does not outlive its diagram: only numbers are looked at. */
  return derivation;
}

/* Keys and values of 2048 positions, 32 heads of 128: 16 MiB each. At the host's end of a link of 64 GB/s they take 0.524 ms to come, are
 * written to global memory and read from it; among other GPUs' memories at 450 GB/s, 75 µs; one of each, the longer of both. */
static void
test_above (void)
{
  const double cache = 32. * 2048. * 128. * 2., ends = 2. * 32. * 128. * 2.;
  static const struct
  {
    const char *places;
    double above, seconds, dram; /* in caches of keys, seconds, caches */
    const char *bound;
    gint64 held; /* in caches */
  } rows[] = {
    { "", 0., 0., 2., "dram", 2 },
    { "K@host V@host", 2., 2. * 16777216. / 64e9, 4., "above", 2 },
    { "K@peers V@peers", 2., 2. * 16777216. / 450e9, 4., "above", 2 },
    { "K@host V@peers", 2., 16777216. / 64e9, 4., "above", 2 },
    { "K@host V@l2", 1., 16777216. / 64e9, 2., "above", 2 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (HeddleDerivation) derivation = derive_decode (rows[i].places);
      const HeddleKernel *kernel = fixture_kernel (derivation, 0);

      g_assert_cmpfloat (kernel->above_bytes, ==, rows[i].above * cache);
      g_assert_cmpfloat_with_epsilon (kernel->above_s, rows[i].seconds, 1e-12);
      g_assert_cmpfloat_with_epsilon (kernel->dram_s * 3.35e12, rows[i].dram * cache + ends, 1.);
      g_assert_cmpstr (kernel->bound, ==, rows[i].bound);
      g_assert_cmpint (derivation->held_bytes, ==, rows[i].held * (gint64) cache + (gint64) ends);
    }
}

/* S is read by two kernels. Brought into the cache where the first reads it, it is there for the second: it crosses global memory twice, written and
 * fetched. Said of where it is made, never. Read at global memory again after the cache: written back, and read. */
static void
test_path (void)
{
  static const char text[] = "A : f16[i=512, k=64]\nB : f16[j=512, k]\nS[i,j] = A[i,k] B[j,k]\n"
                             "E[i,j] = exp(S[i,j])\nF[i,j] = S[i,j] * S[i,j]\n";
  const double s = 512. * 512. * 2.;
  static const struct
  {
    const char *places;
    double e, f; /* what the kernels of E and F move of S */
    double made;
  } rows[] = {
    { "", 1., 1., 1. },
    { "S@l2", 0., 0., 0. },
    { "S:E@l2 S:F@l2", 1., 0., 1. },
    { "S@l2 S:F@gmem", 0., 2., 0. },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Case) self = { 0 };
      g_auto (GStrv) parts = g_strsplit (rows[i].places, " ", -1);
      g_autoptr (HeddleDerivation) derivation = NULL;
      g_autoptr (GError) error = NULL;

      case_init (&self, text, NULL, "h100", "none");
      label (&self, "i:group=64 j:group=64");
      for (char **part = parts; *part != NULL; part++)
        if (**part != '\0')
          place (&self, *part);
      derivation = derive (&self, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat_with_epsilon (
          fixture_kernel (derivation, 0)->dram_s * 3.35e12, 2. * 512. * 64. * 2. + rows[i].made * s, 1.);
      g_assert_cmpfloat_with_epsilon (
          fixture_kernel (derivation, 1)->dram_s * 3.35e12, rows[i].e * s + s, 1.);
      g_assert_cmpfloat_with_epsilon (
          fixture_kernel (derivation, 2)->dram_s * 3.35e12, rows[i].f * s + s, 1.);
    }
}

/* --- worked out again ---------------------------------------------------------------------------- */

#define OUTER                                                                                                \
  "a : f16[i=96]\nb : f16[j=80]\nV : f16[j, k=6]\nW[i,j] = a[i] b[j]\nR[i] = sum[j](exp(W[i,j]))\n"          \
  "Z[i,k] = W[i,j] V[j,k]\n"

static void
recompute (Case *self, const char *text)
{
  g_autoptr (GError) error = NULL;

  heddle_schedule_add_recompute_text (self->schedule, self->fixture.diagram, text, &error);
  g_assert_no_error (error);
}

/* W is i j values. Worked out again for Z only, it is still made for R; for both, nobody stores it and its kernel does not run. */
static void
test_recompute (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleDerivation) stored = NULL, once = NULL, never = NULL;
  g_autoptr (GError) error = NULL;
  const gint64 i = 96, j = 80, k = 6;

  case_init (&self, OUTER, NULL, "two-level", "none");
  stored = derive (&self, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (stored->kernels->len, ==, 3);
  g_assert_cmpint (stored->transfer_elements, ==, i + j + i * j + i * j + i + i * j + j * k + i * k);
  g_assert_cmpint (stored->held_bytes, ==, 2 * (i + j + j * k + i * j + i + i * k));
  run (&self, stored, "stored");
  recompute (&self, "W:Z");
  once = derive (&self, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (once->kernels->len, ==, 3);
  g_assert_cmpint (once->transfer_elements, ==, i + j + i * j + i * j + i + i + j + j * k + i * k);
  g_assert_cmpfloat (once->flops, ==, stored->flops);
  g_assert_cmpfloat (fixture_kernel (once, 2)->fp32_ops, ==, (double) (i * j));
  g_assert_cmpuint (fixture_kernel (once, 2)->again->len, ==, 1);
  run (&self, once, "once more");
  recompute (&self, "W:R");
  never = derive (&self, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (never->kernels->len, ==, 2);
  g_assert_cmpint (never->transfer_elements, ==, i + j + i + i + j + j * k + i * k);
  g_assert_cmpint (never->held_bytes, ==, 2 * (i + j + j * k + i + i * k));
  run (&self, never, "never stored");
}

/* P is made of S: both are worked out again from Q and K, and neither is stored. */
static void
test_chain (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;
  g_autoptr (GError) error = NULL;

  case_init (&self, ATTENTION, "q=17 x=23 d=4", "two-level", "none");
  recompute (&self, "P:O");
  recompute (&self, "S:P");
  label (&self, "O/x:stream=5");
  derivation = derive (&self, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (derivation->kernels->len, ==, 1);
  g_assert_cmpint (derivation->transfer_elements, ==, 2 * 17 * 4 + 2 * 23 * 4);
  run (&self, derivation, "chain");
}

/* Of 2656 bytes of inputs and outputs and 15360 of W, 4000 may be held: W goes from both its readers. Less than the first cannot be held. Where W
 * is small, nothing is gained by either. */
static void
test_budget (void)
{
  g_auto (Case) self = { 0 };
  HeddleSchedule *free_of_it, *bound, *impossible;
  g_autofree char *none = NULL, *some = NULL, *not_enough = NULL;
  g_autoptr (GError) error = NULL;
  HeddleDeriveOptions options
      = { NULL, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL, HEDDLE_OBJECTIVE_TRANSFERS, 1, TRUE };

  case_init (&self, OUTER, NULL, "two-level", "none");
  options.machine = self.machine;
  options.budget_bytes = 4000;
  bound = heddle_schedule_suggest_recomputed (
      self.fixture.diagram, self.schedule, self.fixture.sizes, &options, NULL, &some, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (bound->recomputed->len, ==, 2);
  g_assert_nonnull (strstr (some, "W is worked out again for Z"));
  options.budget_bytes = 2000;
  impossible = heddle_schedule_suggest_recomputed (
      self.fixture.diagram, self.schedule, self.fixture.sizes, &options, NULL, &not_enough, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (not_enough, "2656 bytes of global memory are held while"));
  heddle_sizes_unref (self.fixture.sizes);
  self.fixture.sizes = fixture_sizes (&self.fixture, "i=2 j=2 k=2");
  options.budget_bytes = 0;
  free_of_it = heddle_schedule_suggest_recomputed (
      self.fixture.diagram, self.schedule, self.fixture.sizes, &options, NULL, &none, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (free_of_it->recomputed->len, ==, 0);
  g_assert_null (none);
  heddle_schedule_free (bound);
  heddle_schedule_free (impossible);
  heddle_schedule_free (free_of_it);
}

static void
test_recompute_refused (void)
{
  static const struct
  {
    const char *text, *message;
  } rows[] = {
    { "W", "recompute “W”: it has no reader; what is worked out again is VALUE:READER" },
    { "W:Y", "recompute “W:Y”: there is no array “Y”; what is worked out again is VALUE:READER" },
    { "a:W",
        "recompute “a:W”: inputs are given, and not worked out; what is worked out again is VALUE:READER" },
  };
  g_auto (Case) self = { 0 };

  case_init (&self, OUTER, NULL, "two-level", "none");
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (
          heddle_schedule_add_recompute_text (self.schedule, self.fixture.diagram, rows[i].text, &error));
      g_assert_cmpstr (error->message, ==, rows[i].message);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/places/all-columns", test_all_columns);
  g_test_add_func ("/places/closed-forms", test_closed_forms);
  g_test_add_func ("/places/between-levels", test_between_levels);
  g_test_add_func ("/places/refused", test_refused);
  g_test_add_func ("/places/above", test_above);
  g_test_add_func ("/places/path", test_path);
  g_test_add_func ("/places/recompute", test_recompute);
  g_test_add_func ("/places/chain", test_chain);
  g_test_add_func ("/places/budget", test_budget);
  g_test_add_func ("/places/recompute-refused", test_recompute_refused);
  return g_test_run ();
}
