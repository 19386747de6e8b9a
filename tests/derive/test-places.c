/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>
#include "derive/cost/level-cost.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/place-text.h"
#include "derive/derivation/schedule-text.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/kernel/divisors-machine.h"
#include "derive/kernel/divisors.h"
#include "derive/legality/refusal.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/file.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "derive/program/pseudocode.h"
#include "derive/suggest/recompute-search.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/print.h"
#include "diagram/graph/diagram.h"

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
    { "P:O@host", "P cannot be placed at host where O reads it: it is made in the same kernel, and that "
                  "reaches no memory "
                  "beyond GMEM while it runs; unfuse what reads it" },
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
      g_assert_cmpfloat_with_epsilon (kernel->dram_s * 3.03e12, rows[i].dram * cache + ends, 1.);
      g_assert_cmpstr (kernel->bound, ==, rows[i].bound);
      g_assert_cmpint (derivation->held_bytes, ==, rows[i].held * (gint64) cache + (gint64) ends);
    }
}

/* Beside global memory a host's, and beyond that a disk. */
static HeddleMachine *
chained_machine (void)
{
  static const char text[]
      = "[Machine]\nName=chained\nTitle=Chained\nSource=this "
        "test\nArch=sm_80\nSMs=100\nClock=1e9\nFP32=1e13\n"
        "SpecialPerClock=16\nMaxThreadsPerBlock=1024\nMaxThreadsPerSM=2048\nMaxBlocksPerSM=32\nWarpSize=32\n"
        "[Tensor]\nf16=1e14\n[Level gmem]\nTitle=GMEM\nCount=1\nCapacity=80000000000\nBandwidth=1e12\n"
        "[Level smem]\nTitle=SMEM\nParent=gmem\nCount=100\nCapacity=160000\nBandwidth=1e13\nLabels=true\n"
        "[Level host]\nTitle=Host\nAbove=gmem\nCount=1\nBandwidth=5e10\n"
        "[Level disk]\nTitle=Disk\nAbove=host\nCount=1\nBandwidth=1e9\n";
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  int fd = g_file_open_tmp ("heddle-XXXXXX.machine", &path, &error);
  HeddleMachine *machine;

  g_assert_no_error (error);
  close (fd);
  g_assert_true (g_file_set_contents (path, text, -1, &error));
  machine = heddle_machine_load_file (path, &error);
  g_assert_no_error (error);
  g_unlink (path);
  return machine;
}

static const HeddleLevelCost *
above_of (const HeddleKernel *kernel, const char *level)
{
  for (guint i = 0; i < kernel->above->len; i++)
    if (g_str_equal (((HeddleLevelCost *) g_ptr_array_index (kernel->above, i))->level, level))
      return g_ptr_array_index (kernel->above, i);
  return NULL;
}

static char *
symbol_of (const Case *self, const HeddleExpr *expr)
{
  const HeddleDiagram *diagram = self->fixture.diagram;
  GString *text = g_string_new (NULL);
  g_autofree char *plain = heddle_expr_to_string (expr, NULL, NULL);

  for (const char *p = plain; *p != '\0'; p++)
    g_string_append_c (text, *p);
  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);

      g_string_replace (text, axis->id, axis->name, 0);
    }
  return g_string_free (text, FALSE);
}

/* Attention of 17 queries and 23 keys of 4 in f16. What it makes goes as far up as is asked: O, 68 values, over the link to the host and, where
 * it goes to the disk, over that one, too; K, 92, comes the same way. Each crosses a link whole and once, and global memory once more. */
static void
test_results_above (void)
{
  static const struct
  {
    const char *places, *head, *tail;
    gint64 host, disk, host_held, disk_held;
  } rows[] = {
    { "O@host", "parfor q₀ in 0, 7 … 17\n", "O at host ← O at gmem\n", 68, 0, 68, 0 },
    { "O@disk", "parfor q₀ in 0, 7 … 17\n", "O at host ← O at gmem\nO at disk ← O at host\n", 68, 68, 68,
        68 },
    { "K@disk O@host", "K at host ← K at disk\nK at gmem ← K at host\nparfor", "O at host ← O at gmem\n", 160,
        92, 160, 92 },
    { "K@disk K:S@host", "K at host ← K at disk\nK at gmem ← K at host\nparfor", "", 92, 92, 92, 92 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Case) self = { 0 };
      g_auto (GStrv) parts = g_strsplit (rows[i].places, " ", -1);
      g_autoptr (HeddleDerivation) derivation = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *listing = NULL;
      const HeddleKernel *kernel;
      const HeddleLevelCost *host, *disk;

      case_init (&self, ATTENTION, "q=17 x=23 d=4", "h100", "all");
      heddle_machine_free (self.machine);
      self.machine = chained_machine ();
      label (&self, "q:group=7 x:stream=5");
      for (char **part = parts; *part != NULL; part++)
        place (&self, *part);
      derivation = derive (&self, &error);
      g_assert_no_error (error);
      kernel = fixture_kernel (derivation, 0);
      host = above_of (kernel, "host");
      disk = above_of (kernel, "disk");
      g_assert_cmpint (host->transfer_elements, ==, rows[i].host);
      g_assert_cmpint (host->transfer_bytes, ==, 2 * rows[i].host);
      g_assert_cmpint (host->memory_elements, ==, rows[i].host_held);
      g_assert_cmpint (disk != NULL ? disk->transfer_elements : 0, ==, rows[i].disk);
      g_assert_cmpint (disk != NULL ? disk->memory_elements : 0, ==, rows[i].disk_held);
      g_assert_cmpfloat_with_epsilon (
          kernel->above_s, MAX (2. * (double) rows[i].host / 5e10, 2. * (double) rows[i].disk / 1e9), 1e-18);
      g_assert_cmpfloat_with_epsilon (
          kernel->dram_s * .9e12, 2. * (double) (2 * 17 * 4 + 2 * 23 * 4 * 3 + rows[i].host), 1e-6);
      listing = heddle_loop_program_to_pseudocode (kernel->program, self.fixture.sizes, NULL);
      g_assert_true (g_str_has_prefix (listing, rows[i].head));
      g_assert_true (g_str_has_suffix (listing, rows[i].tail));
      run (&self, derivation, rows[i].places);
      if (i == 0)
        {
          g_autofree char *symbol = symbol_of (&self, host->transfer_symbolic);

          g_assert_cmpstr (symbol, ==, "q*d");
        }
    }
}

/* The scores, 17 x 23 in f16, put by and read again in a cache: that moves them into the kernel as from global memory, which they never
 * reach. */
static void
test_put_by_in_cache (void)
{
  g_autofree double *dram = g_new0 (double, 2);
  gint64 moved[2], kept[2];

  for (guint i = 0; i < 2; i++)
    {
      g_auto (Case) self = { 0 };
      g_autoptr (HeddleDerivation) derivation = NULL;
      g_autoptr (GError) error = NULL;

      case_init (&self, ATTENTION, "q=17 x=23 d=4", "h100", "all");
      label (&self, "q:group=7 x:stream=5");
      place (&self, i == 0 ? "S:P@gmem" : "S:P@l2");
      derivation = derive (&self, &error);
      g_assert_no_error (error);
      moved[i] = level_of (derivation, 0)->transfer_elements;
      dram[i] = fixture_kernel (derivation, 0)->dram_s * 3.03e12;
      kept[i] = fixture_kernel (derivation, 0)->kept_bytes;
      run (&self, derivation, "put by");
    }
  g_assert_cmpint (moved[0], ==, moved[1]);
  g_assert_cmpfloat_with_epsilon (dram[0] - dram[1], 2. * 2. * 17. * 23., 1e-6);
  g_assert_cmpint (kept[0], ==, 0);
  g_assert_cmpint (kept[1], ==, 2 * 17 * 23);
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
          fixture_kernel (derivation, 0)->dram_s * 3.03e12, 2. * 512. * 64. * 2. + rows[i].made * s, 1.);
      g_assert_cmpfloat_with_epsilon (
          fixture_kernel (derivation, 1)->dram_s * 3.03e12, rows[i].e * s + s, 1.);
      g_assert_cmpfloat_with_epsilon (
          fixture_kernel (derivation, 2)->dram_s * 3.03e12, rows[i].f * s + s, 1.);
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
  g_assert_nonnull (strstr (some, "W is recomputed for Z"));
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

/* Attention in f16: a row of S is 16 of the instruction, four warps make 64; K's rows are 8 of the first product and 16 of the second; d is
 * contiguous: 8 values are 16 bytes, 64 a line, and the first product sums 16 at a time. */
static void
test_divisors (void)
{
  static const struct
  {
    const char *which, *axis, *reasons;
    gint64 divisor;
  } rows[] = {
    { "mma", "q", "16: mma m16n8k16", 16 },
    { "mma,warps", "q", "16: mma m16n8k16; 64: 4 warps of 16 rows", 64 },
    { "mma", "x", "8: mma m16n8k16; 16: mma m16n8k16", 16 },
    { "mma,copies", "d", "16: mma m16n8k16; 8: mma m16n8k16; 8: 16-byte copies", 16 },
    { "copies,lines", "d", "8: 16-byte copies; 64: 128-byte lines", 64 },
    { "copies", "x", "", 1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Case) self = { 0 };
      g_autoptr (HeddleDerivation) derivation = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *reasons = NULL;
      HeddleDeriveOptions options
          = { NULL, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL, HEDDLE_OBJECTIVE_TIME, 1, TRUE };
      const HeddleKernel *kernel;

      case_init (&self, ATTENTION, NULL, "h100", "all");
      options.machine = self.machine;
      g_assert_true (heddle_divisors_from_string (rows[i].which, &options.divisors));
      derivation
          = heddle_derive (self.fixture.diagram, self.schedule, self.fixture.sizes, &options, NULL, &error);
      g_assert_no_error (error);
      kernel = fixture_kernel (derivation, 0);
      reasons = heddle_kernel_explain_divisor (kernel, fixture_axis (&self.fixture, rows[i].axis));
      g_assert_cmpstr (reasons, ==, rows[i].reasons);
      g_assert_cmpint (
          heddle_kernel_divisor (kernel, fixture_axis (&self.fixture, rows[i].axis)), ==, rows[i].divisor);
      for (guint k = 0; k < kernel->labels->len; k++)
        {
          const HeddleLabel *found = g_ptr_array_index (kernel->labels, k);

          g_assert_cmpint (found->size % heddle_kernel_divisor (kernel, found->axis), ==, 0);
        }
    }
}

/* A loop that is not there has no place among others; the abstract machine has nothing that asks for divisors. */
static void
test_idle_labels (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL, none = NULL;
  g_autoptr (GError) error = NULL;
  HeddleDeriveOptions options
      = { NULL, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL, HEDDLE_OBJECTIVE_TRANSFERS, 1, FALSE };
  const HeddleRefusal *refusal;

  case_init (&self, ATTENTION, "q=17 x=23 d=4", "two-level", "all");
  label (&self, "q:group=7 x:stream=5 d:order=1");
  derivation = derive (&self, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fixture_kernel (derivation, 0)->refusals->len, ==, 1);
  refusal = g_ptr_array_index (fixture_kernel (derivation, 0)->refusals, 0);
  g_assert_cmpstr (refusal->reason, ==, "d is not grouped at smem: there is no loop to put in an order.");
  g_assert_cmpstr (refusal->remedy, ==, "Group d at smem, or take its order off.");
  options.machine = self.machine;
  options.divisors = HEDDLE_DIVISORS_MMA;
  none = heddle_derive (self.fixture.diagram, self.schedule, self.fixture.sizes, &options, NULL, &error);
  g_assert_null (none);
  g_assert_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL);
}

static void
test_no_divisors (void)
{
  guint flags;

  g_assert_false (heddle_divisors_from_string ("", &flags));
  g_assert_false (heddle_divisors_from_string ("mma,tiles", &flags));
}

static void
test_recompute_refused (void)
{
  static const struct
  {
    const char *text, *message;
  } rows[] = {
    { "W", "recompute “W”: it has no reader; a recomputed value is written VALUE:READER" },
    { "W:Y", "recompute “W:Y”: there is no array “Y”; a recomputed value is written VALUE:READER" },
    { "a:W", "recompute “a:W”: inputs are given, not computed; a recomputed value is written VALUE:READER" },
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

/* What changes nothing is refused, and not passed over; what is fused is no longer worked out again. */
static void
test_recompute_idle (void)
{
  static const struct
  {
    const char *fuse, *text, *message;
  } rows[] = {
    { "none", "Z:Z",
        "Z cannot be recomputed for Z: the kernel of Z makes it; unfuse the two, or recompute it for a "
        "kernel that reads it" },
    { "all", "W:R",
        "W cannot be recomputed for R: the kernel of R makes it; unfuse the two, or recompute it for a "
        "kernel that reads it" },
    { "none", "R:Z", "R cannot be recomputed for Z: the kernel of Z does not read it" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Case) self = { 0 };
      g_autoptr (HeddleDerivation) derivation = NULL;
      g_autoptr (GError) error = NULL;

      case_init (&self, OUTER, NULL, "two-level", rows[i].fuse);
      recompute (&self, rows[i].text);
      derivation = derive (&self, &error);
      g_assert_null (derivation);
      g_assert_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL);
      g_assert_cmpstr (error->message, ==, rows[i].message);
    }
}

static void
test_recompute_fused (void)
{
  g_auto (Case) self = { 0 };
  HeddleSchedule *fused;
  g_autoptr (GError) error = NULL;

  case_init (&self, OUTER, NULL, "two-level", "none");
  recompute (&self, "W:Z");
  recompute (&self, "W:R");
  fused = heddle_schedule_fuse (self.fixture.diagram, self.schedule, "W,Z", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fused->recomputed->len, ==, 1);
  heddle_schedule_free (fused);
}

/* A layer's part of a parameter is read where it lies: no kernel runs for it, and the whole parameter is held. Of an input it is copied. */
static void
test_views (void)
{
  static const struct
  {
    const char *text;
    guint kernels;
  } rows[] = {
    { "X : f16[x=128, m=512]\nparam W : f16[l=4, m, n=256]\nU[m,n] = W[2,m,n]\nY[x,n] = X[x,m] U[m,n]\n", 1 },
    { "X : f16[x=128, m=512]\nW : f16[l=4, m, n=256]\nU[m,n] = W[2,m,n]\nY[x,n] = X[x,m] U[m,n]\n", 2 },
    { "X : f16[x=128, m=512]\nparam W : f16[l=4, m, n=256]\nU[m,n] = W[2,m,n]\nY[x,n] = X[x,m] U[m,n]\n-> Y, "
      "U\n",
        2 },
    /* the same elements in the same order under other axes: of one two, of two one, and of a part of a part */
    { "X : f16[x=128, m=512]\nparam W : f16[l=4, m, n=256]\nU[m,h=4,k=64] = W[2,m,(h k)]\n"
      "Y[x,h,k] = X[x,m] U[m,h,k]\n",
        1 },
    { "X : f16[x=128, m=512]\nparam W : f16[l=4, h=4, k=128, n=256]\n"
      "U[m,n] = W[1,floor(m/128),mod(m, 128),n]\nY[x,n] = X[x,m] U[m,n]\n",
        1 },
    { "X : f16[x=128, m=512]\nparam W : f16[v=2048, n=256]\nU[m,n] = W[m+1024,n]\nY[x,n] = X[x,m] U[m,n]\n",
        1 },
    { "X : f16[x=128, m=512]\nparam W : f16[l=4, m, n=256]\nV[m,n] = W[3,m,n]\nU[m,h=4,k=64] = V[m,(h k)]\n"
      "Y[x,h,k] = X[x,m] U[m,h,k]\n",
        1 },
    /* an axis that has one index, as of a convolution of 1 x 1, and one that is new */
    { "X : f16[x=128, m=512]\nparam W : f16[l=4, m, n=256, u=1]\nU[m,n] = W[2,m,n,0]\nY[x,n] = X[x,m] "
      "U[m,n]\n",
        1 },
    { "X : f16[x=128, m=512]\nparam W : f16[l=4, m, n=256]\naxis u = 1\nU[u,m,n] = W[2,m,n]\nY[u,x,n] = "
      "X[x,m] U[u,m,n]\n",
        1 },
    /* not in order, not one behind the other, not all of an axis, and not inside */
    { "X : f16[x=128, m=512]\nparam W : f16[l=4, m, n=256]\nU[n,m] = W[2,m,n]\nY[x,n] = X[x,m] U[n,m]\n", 2 },
    { "X : f16[x=128, m=512]\nparam W : f16[m, n=1024]\nU[m,j=256] = W[m,j+256]\nY[x,j] = X[x,m] U[m,j]\n",
        2 },
    { "X : f16[x=128, m=512]\nparam W : f16[m, n=1024]\nU[m,h=4,k=64] = W[m,(h k)]\nY[x,h,k] = X[x,m] "
      "U[m,h,k]\n",
        2 },
    { "X : f16[x=128, m=512]\nparam W : f16[v=2048, n=256]\nU[m,n] = W[m+1600,n]\nY[x,n] = X[x,m] U[m,n]\n",
        2 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Case) self = { 0 };
      g_autoptr (GError) error = NULL;
      g_autoptr (HeddleDerivation) derivation = NULL;
      HeddleDeriveOptions options = { .objective = HEDDLE_OBJECTIVE_TIME, .stages = 1 };

      case_init (&self, rows[i].text, NULL, "h100", "file");
      options.machine = self.machine;
      derivation
          = heddle_derive (self.fixture.diagram, self.schedule, self.fixture.sizes, &options, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (derivation->kernels->len, ==, rows[i].kernels);
      if (rows[i].kernels == 1) /* X, W and Y */
        g_assert_cmpint (derivation->held_bytes, ==, 2 * (128 * 512 + 4 * 512 * 256 + 128 * 256));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/places/views", test_views);
  g_test_add_func ("/places/all-columns", test_all_columns);
  g_test_add_func ("/places/closed-forms", test_closed_forms);
  g_test_add_func ("/places/between-levels", test_between_levels);
  g_test_add_func ("/places/refused", test_refused);
  g_test_add_func ("/places/above", test_above);
  g_test_add_func ("/places/results-above", test_results_above);
  g_test_add_func ("/places/put-by-in-cache", test_put_by_in_cache);
  g_test_add_func ("/places/path", test_path);
  g_test_add_func ("/places/recompute", test_recompute);
  g_test_add_func ("/places/chain", test_chain);
  g_test_add_func ("/places/budget", test_budget);
  g_test_add_func ("/places/recompute-refused", test_recompute_refused);
  g_test_add_func ("/places/recompute-idle", test_recompute_idle);
  g_test_add_func ("/places/recompute-fused", test_recompute_fused);
  g_test_add_func ("/places/divisors", test_divisors);
  g_test_add_func ("/places/idle-labels", test_idle_labels);
  g_test_add_func ("/places/no-divisors", test_no_divisors);
  return g_test_run ();
}
