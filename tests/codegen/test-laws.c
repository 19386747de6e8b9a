/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "case.h"
#include "codegen/plan/suggestion.h"
#include "codegen/plan/tiles.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/expand-oversized.h"
#include "derive/derivation/schedule-text.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/kernel/search-cache.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/problem.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "files/equations/document.h"

/* No labels drawn at random take less time than what is called exact; where nothing is called so, none take less
 * than the least that is said. How near the suggestion comes to the best that was drawn is printed. */

/* The number of legal labellings of a program on a machine, in CI and with --long. */
#define FEW 300
#define MANY 10000
/* The number of drawn labellings for each legal one, beyond which the program has too few. */
#define MOST_DRAWN 60
/* How many times as long as the best drawn labels the suggested ones may take: 1.26 if they are not improved
 * step by step, of 10,000 labellings of a product. */
#define NEAR 1.2
/* Prices are sums, in whatever order. */
#define ROUNDING 1e-9

static guint n_labellings = FEW;

typedef struct
{
  const char *name, *text;
  const char *axes; /* that may be labelled, by name */
  const char *streams; /* those of them that may stream */
} Program;

static const Program programs[] = {
  { "product", "A : f16[a=1024, k=1024]\nB : f16[k, b=1024]\nC[a,b] = A[a,k] B[k,b]\n-> C\n", "a k b", "k" },
  { "product-f32", "A : f32[a=512, k=256]\nB : f32[k, b=512]\nC[a,b] = A[a,k] B[k,b]\n-> C\n", "a k b", "k" },
  { "three-axes", "P : f16[m=128, h=8, k=64]\nX : f16[y=32, m]\nQ[h,k,y] = P[m,h,k] X[y,m]\n-> Q\n",
      "h k y m", "m" },
  { "softmax", "X : f16[a=512, b=256]\nY[a,b] = softmax[b](X[a,b])\n-> Y\n", "a", "" },
  { "rows", "X : f16[a=256, b=128]\nY[a] = sum[b](X[a,b] X[a,b])\n-> Y\n", "a b", "b" },
  { "attention",
      "Q : f16[q=1024, d=64]\nK : f16[x=1024, d]\nV : f16[x, d]\nS[q,x] = Q[q,d] K[x,d] * d^-0.5\n"
      "P[q,x] = softmax[x](S[q,x])\nO[q,d] = P[q,x] V[x,d]\n-> O\n",
      "q x", "x" },
  { "mlp", "X : f16[n=512, m=256]\nW : f16[m, f=512]\nH[n,f] = gelu(X[n,m] W[m,f])\n-> H\n", "n f m", "m" },
};

static const char *const gpus[] = { "a100", "h100" };

typedef struct
{
  const Program *program;
  const char *gpu;
} Law;

typedef struct
{
  HeddleSnapshot *snapshot;
  const HeddleDiagram *diagram;
  HeddleSizes *sizes;
  HeddleMachine *machine;
  HeddleDeriveOptions options;
  GRand *draw;
} Trial;

static void
trial_init (Trial *self, const Law *law)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (GError) error = NULL;

  self->snapshot = heddle_equations_read (law->program->text, -1, "law.eq", problems);
  g_assert_nonnull (self->snapshot);
  self->diagram = heddle_snapshot_get_diagram (self->snapshot, NULL);
  self->sizes = heddle_sizes_new (self->diagram, NULL, &error);
  g_assert_no_error (error);
  self->machine = heddle_machine_find (law->gpu, 0, &error);
  g_assert_no_error (error);
  self->options = (HeddleDeriveOptions){ .machine = self->machine,
    .dtype = HEDDLE_DTYPE_F16,
    .objective = HEDDLE_OBJECTIVE_TIME,
    .stages = 1,
    .product_shares = heddle_plan_product_shares };
  self->draw = g_rand_new_with_seed (g_str_hash (law->program->name) ^ g_str_hash (law->gpu));
}

static void
trial_clear (Trial *self)
{
  heddle_snapshot_unref (self->snapshot);
  heddle_sizes_unref (self->sizes);
  heddle_machine_free (self->machine);
  g_rand_free (self->draw);
}

/* Returns a size from 1 to @n: any, @n halved some times, or a multiple of 16. */
static gint64
draw_size (GRand *draw, gint64 n)
{
  switch (g_rand_int_range (draw, 0, 3))
    {
    case 0:
      return g_rand_int_range (draw, 1, (gint32) n + 1);
    case 1:
      return MAX (1, n >> g_rand_int_range (draw, 0, 8));
    default:
      return MIN (n, 16 * g_rand_int_range (draw, 1, (gint32) MAX (2, n / 16 + 1)));
    }
}

static const HeddleAxis *
find_axis (const HeddleDiagram *diagram, const char *name)
{
  for (guint i = 0; i < diagram->axes->len; i++)
    if (g_str_equal (((const HeddleAxis *) g_ptr_array_index (diagram->axes, i))->name, name))
      return g_ptr_array_index (diagram->axes, i);
  g_assert_not_reached ();
}

/* Returns everything in one kernel, with labels drawn at random. */
static HeddleSchedule *
draw_schedule (Trial *self, const Program *program)
{
  HeddleSchedule *schedule = heddle_schedule_fuse (self->diagram, NULL, "all", NULL);
  HeddleRegion *region = g_ptr_array_index (schedule->regions, 0);
  g_auto (GStrv) axes = g_strsplit (program->axes, " ", -1), streams = g_strsplit (program->streams, " ", -1);

  for (guint i = 0; axes[i] != NULL; i++)
    {
      const char *id = find_axis (self->diagram, axes[i])->id;
      gboolean may_stream = g_strv_contains ((const char *const *) streams, axes[i]);
      gint kind = g_rand_int_range (self->draw, 0, 3);
      gint64 size = draw_size (self->draw, heddle_sizes_get (self->sizes, id));

      if (kind > 0)
        g_ptr_array_add (
            region->labels, heddle_label_new (id, "smem",
                                kind == 2 && may_stream ? HEDDLE_LABEL_STREAM : HEDDLE_LABEL_GROUP, size));
    }
  return schedule;
}

/* Returns the seconds that the labels take; 0 if they are refused or do not fit. */
static double
price (Trial *self, const HeddleSchedule *schedule)
{
  g_autoptr (HeddleDerivation) derivation
      = heddle_derive (self->diagram, schedule, self->sizes, &self->options, NULL, NULL);

  return derivation != NULL && !derivation->illegal && heddle_derivation_fits (derivation)
             ? derivation->expected_s
             : 0;
}

static void
test_law (gconstpointer data)
{
  const Law *law = data;
  g_auto (HeddlePlanSuggestion) suggestion = { NULL };
  g_autoptr (HeddleSearchCache) search_cache = heddle_search_cache_new ();
  g_autoptr (GError) error = NULL;
  Trial self = { NULL };
  double least, best = 0;
  guint n = 0;

  trial_init (&self, law);
  self.options.search_cache = search_cache;
  heddle_plan_suggestion_init (&suggestion, self.diagram, NULL, self.sizes, &self.options, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (suggestion.derivation->exact || suggestion.derivation->unproved != NULL);
  least = suggestion.derivation->exact ? suggestion.derivation->expected_s : suggestion.fusion.least;
  self.options.search_cache = NULL;
  for (guint i = 0; i < MOST_DRAWN * n_labellings && n < n_labellings; i++)
    {
      HeddleSchedule *schedule = draw_schedule (&self, law->program);
      double seconds = price (&self, schedule);

      heddle_schedule_free (schedule);
      if (seconds <= 0)
        continue;
      n++;
      g_assert_cmpfloat (seconds, >=, least * (1 - ROUNDING));
      best = best == 0 ? seconds : MIN (best, seconds);
    }
  g_assert_cmpuint (n, ==, n_labellings);
  g_assert_cmpfloat (suggestion.derivation->expected_s, <=, NEAR * best);
  g_test_message ("%u labellings: suggested %.4g us, the best drawn %.4g us", n,
      suggestion.derivation->expected_s * 1e6, best * 1e6);
  trial_clear (&self);
}

int
main (int argc, char **argv)
{
  static Law laws[G_N_ELEMENTS (programs) * G_N_ELEMENTS (gpus)];

  g_test_init (&argc, &argv, NULL);
  if (argc > 1 && g_str_equal (argv[1], "--long"))
    n_labellings = MANY;
  for (guint i = 0; i < G_N_ELEMENTS (laws); i++)
    {
      g_autofree char *path = NULL;

      laws[i] = (Law){ &programs[i / G_N_ELEMENTS (gpus)], gpus[i % G_N_ELEMENTS (gpus)] };
      path = g_strdup_printf ("/laws/%s/%s", laws[i].program->name, laws[i].gpu);
      g_test_add_data_func (path, &laws[i], test_law);
    }
  return g_test_run ();
}
