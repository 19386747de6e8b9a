/* SPDX-License-Identifier: MIT */
#include "derive/derivation/derive.h"
#include "derive/execute/execute.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/program/loop-program.h"
#include "derive/stream/lemmas.h"
#include "diagram/base/array.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/parse.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "fixture.h"

#include <math.h>

/* The law of every lemma, step (step (s, x), y) = step (s, x ++ y), on random chunkings: elements folded one by one, chunks folded apart and
 * merged in random order of association, the evaluator, and the region that the derivation makes of the same equations all agree. A law that is
 * told wrongly does not hold. */

/* Ways to cut a row into chunks that were tried. */
static guint n_chunkings;

typedef struct
{
  const HeddleLemma *lemma;
  double states[2 * HEDDLE_LEMMA_STATES]; /* of the left part, of the right part */
  double x, v, n;
} Scope;

static gboolean
look_up (const HeddleExpr *leaf, double *value, gpointer data)
{
  const Scope *scope = data;
  const char *name = heddle_expr_get_symbol (leaf);

  for (guint i = 0; i < HEDDLE_LEMMA_STATES && scope->lemma->states[i].name != NULL; i++)
    {
      g_autofree char *right = g_strconcat (scope->lemma->states[i].name, "2", NULL);

      *value = scope->states[i];
      if (g_str_equal (name, scope->lemma->states[i].name))
        return TRUE;
      *value = scope->states[HEDDLE_LEMMA_STATES + i];
      if (g_str_equal (name, right))
        return TRUE;
    }
  *value = name[0] == 'x' ? scope->x : name[0] == 'v' ? scope->v : scope->n;
  return name[1] == '\0' && strchr ("xvn", name[0]) != NULL;
}

static double
run (const Scope *scope, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleExpr) expr = heddle_expr_literal (text);
  double value;

  heddle_expr_evaluate (expr, look_up, (gpointer) scope, &value, &error);
  g_assert_no_error (error);
  return value;
}

/* Every state from the states as they were. */
static void
move (Scope *scope, gboolean merge)
{
  double now[HEDDLE_LEMMA_STATES] = { 0. };

  for (guint i = 0; i < HEDDLE_LEMMA_STATES && scope->lemma->states[i].name != NULL; i++)
    now[i] = run (scope, merge ? scope->lemma->states[i].merge : scope->lemma->states[i].step);
  memcpy (scope->states, now, sizeof now);
}

static void
start (Scope *scope)
{
  for (guint i = 0; i < HEDDLE_LEMMA_STATES && scope->lemma->states[i].name != NULL; i++)
    scope->states[i] = run (scope, scope->lemma->states[i].init);
}

/* Folds elements [@from, @to), split at random into parts that are folded apart and merged. */
static void
fold (Scope *scope, GRand *random, const double *x, const double *v, guint from, guint to)
{
  guint middle = from;
  Scope right = *scope;

  start (scope);
  if (to - from > 1 && g_rand_boolean (random))
    middle = (guint) g_rand_int_range (random, (gint32) from, (gint32) to + 1);
  if (middle > from && middle < to)
    {
      fold (scope, random, x, v, from, middle);
      fold (&right, random, x, v, middle, to);
      memcpy (scope->states + HEDDLE_LEMMA_STATES, right.states, sizeof right.states / 2);
      move (scope, TRUE);
      return;
    }
  for (guint i = from; i < to; i++)
    {
      scope->x = x[i];
      scope->v = v[i];
      move (scope, FALSE);
    }
}

static GHashTable *
inputs_of (const Fixture *fixture, guint64 seed, gboolean masked)
{
  g_autoptr (GError) error = NULL;
  GHashTable *inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  HeddleArray *x;

  g_assert_true (heddle_evaluate_fill_inputs (fixture->diagram, fixture->sizes, inputs, seed, &error));
  x = g_hash_table_lookup (inputs, "X");
  for (gint64 i = 0; masked && i < x->n_elements; i++)
    if (i % 3 != 0 || i < x->shape[1])
      x->data[i] = -INFINITY;
  return inputs;
}

/* The value of @name after the derived region has run, streamed over x by @chunk. */
static HeddleArray *
execute (const Fixture *fixture, GHashTable *reference, guint chunk)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *labels = g_strdup_printf ("x:stream=%u q:group=3", chunk);
  g_autoptr (HeddleDerivation) derivation
      = fixture_derive_abstract (fixture, "all", labels, 100000, HEDDLE_COLUMNS_ALL, FALSE);
  const HeddleLoopProgram *program = fixture_kernel (derivation, 0)->program;
  g_autoptr (GHashTable) arrays
      = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) heddle_array_unref);
  HeddleCounts counts;

  g_assert_nonnull (program);
  for (guint i = 0; i < program->inputs->len; i++)
    {
      const char *id = heddle_ids_index (program->inputs, i);

      g_hash_table_insert (arrays, (gpointer) id, heddle_array_ref (g_hash_table_lookup (reference, id)));
    }
  heddle_execute (program, fixture->sizes, arrays, &counts, NULL, &error);
  g_assert_no_error (error);
  return heddle_array_ref (g_hash_table_lookup (arrays, heddle_ids_index (program->outputs, 0)));
}

static gboolean
is_close (double a, double b)
{
  return a == b || fabs (a - b) <= 1e-12 * MAX (1., fabs (b));
}

/* Whether the lemma's own words give @y of random chunkings of the rows of X. */
static gboolean
holds (const HeddleLemma *lemma, GRand *random, GHashTable *inputs, const HeddleArray *y)
{
  const HeddleArray *x = g_hash_table_lookup (inputs, "X"), *v = g_hash_table_lookup (inputs, "V");
  guint n = (guint) x->shape[1];

  for (gint64 q = 0; q < y->n_elements; q++)
    {
      Scope scope = { .lemma = lemma, .n = n };

      fold (&scope, random, x->data + q * n, v->data, 0, n);
      n_chunkings++;
      if (!is_close (run (&scope, lemma->tail), y->data[q]))
        return FALSE;
    }
  return TRUE;
}

/* One random length, chunked at random. Returns whether @lemma, which may be another lemma told wrongly, held. */
static gboolean
check_law (const HeddleLemma *lemma, GRand *random, guint round)
{
  g_autoptr (GError) error = NULL;
  g_auto (Fixture) fixture = { 0 };
  guint n = (guint) g_rand_int_range (random, (lemma->factors & HEDDLE_FACTOR_ORDER) != 0 ? 2 : 1, 20);
  gboolean masked = round % 4 == 3 && (lemma->factors & HEDDLE_FACTOR_RUNNING) != 0;
  g_autofree char *sizes = g_strdup_printf ("x=%u", n);
  g_autoptr (GHashTable) inputs = NULL, reference = NULL;
  g_autoptr (HeddleArray) derived = NULL;
  const HeddleArray *y;

  fixture_init (&fixture, lemma->equations, sizes);
  inputs = inputs_of (&fixture, round, masked);
  reference = heddle_evaluate (fixture.diagram, fixture.sizes, inputs, HEDDLE_PRECISION_F64, NULL, &error);
  g_assert_no_error (error);
  y = g_hash_table_lookup (reference, heddle_diagram_find_value (fixture.diagram, "Y")->id);
  derived = execute (&fixture, reference, (guint) g_rand_int_range (random, 1, 10));
  n_chunkings++;
  for (gint64 q = 0; q < y->n_elements; q++)
    g_assert_true (is_close (derived->data[q], y->data[q]));
  return holds (lemma, random, inputs, y);
}

static void
test_law (gconstpointer data)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (guint i = 0, n = g_test_thorough () ? 2000 : 150; i < n; i++)
    g_assert_true (check_law (data, random, i));
}

static void
test_enough (void)
{
  g_test_message ("%u chunkings", n_chunkings);
  g_assert_cmpuint (n_chunkings, >=, 10000);
}

/* A word of a lemma and what somebody might have written for it. */
typedef struct
{
  const char *lemma, *from, *to;
} Slip;

static const Slip slips[] = {
  { "sum", "s + s2", "s2" },
  { "sum", "s + x*v", "s*1 + x" },
  { "prod", "1", "0" },
  { "prod", "p*p2", "p + p2" },
  { "max", "-inf", "0" },
  { "min", "min(m, m2)", "max(m, m2)" },
  { "rescaled-sum", "max(m, m2)", "m" },
  { "rescaled-sum", "where(m == max(m, x), 1, exp(m - max(m, x)))*l", "l" },
  { "rescaled-sum", "where(m2 == max(m, m2), 1, exp(m2 - max(m, m2)))*l2", "l2" },
  { "rescaled-sum", "where(l == 0, -inf, m + log(l))", "m + l" },
  { "deferred-sum", "s + x*x", "s + x" },
  { "deferred-sum", "o/sqrt(s/n)", "o/sqrt(s)" },
  { "normalised-sum", "where(m == max(m, x), 1, exp(m - max(m, x)))*o", "o" },
  { "normalised-sum", "where(m == max(m, m2), 1, exp(m - max(m, m2)))*o", "o" },
  { "normalised-sum", "where(l == 0, 0, o/l)", "o" },
  { "split-sum", "w + w2", "w" },
  { "split-sum", "k + k2", "k2" },
  { "split-sum", "o - s/n*w", "o" },
  { "affine-scan", "a2*b + b2", "a*b2 + b" },
  { "affine-scan", "x*b + v", "x*b" },
  { "cumulative-sum", "s + s2", "s" },
  { "largest-place", "where(m2 > m or i < 0, i2 + k, i)", "where(m2 > m or i < 0, i2, i)" },
  { "largest-place", "where(x > m or i < 0, k, i)", "where(x < m or i < 0, k, i)" },
  { "largest-in-order", "where(x > m or i < 0, m, max(b, x))", "max(b, x)" },
  { "largest-in-order", "64*i + j", "64*j + i" },
  { "variance", "s + s2 + (c2 - c)*(c2 - c)*k*k2/(k + k2)", "s + s2" },
  { "variance", "c + (c2 - c)*k2/(k + k2)", "c" },
  { "cross-entropy", "t + t2", "t" },
  { "cross-entropy", "m + log(l) - t", "m + log(l) + t" },
};

static guint
put (const char **words, const Slip *slip)
{
  if (*words == NULL || strstr (*words, slip->from) == NULL)
    return 0;
  if (g_str_equal (*words, slip->from))
    *words = slip->to;
  else
    {
      g_auto (GStrv) parts = g_strsplit (*words, slip->from, 2);
      g_autofree char *text = g_strjoinv (slip->to, parts);

      *words = g_intern_string (text);
    }
  return 1;
}

/* @lemma with the slip in it, in one place. */
static HeddleLemma
tell_wrongly (const HeddleLemma *lemma, const Slip *slip)
{
  HeddleLemma wrong = *lemma;
  guint found = put (&wrong.tail, slip);

  for (guint i = 0; i < HEDDLE_LEMMA_STATES && wrong.states[i].name != NULL && found == 0; i++)
    {
      found += put (&wrong.states[i].merge, slip);
      found += found == 0 ? put (&wrong.states[i].step, slip) : 0;
      found += found == 0 ? put (&wrong.states[i].init, slip) : 0;
    }
  g_assert_cmpuint (found, ==, 1);
  return wrong;
}

/* The test sees a slip in any law. */
static void
test_slip (gconstpointer data)
{
  const Slip *slip = data;
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  guint n, broken = 0;
  const HeddleLemma *lemmas = heddle_lemma_table (&n), *lemma = NULL;
  HeddleLemma wrong;

  for (guint i = 0; i < n; i++)
    lemma = g_str_equal (lemmas[i].id, slip->lemma) ? &lemmas[i] : lemma;
  g_assert_nonnull (lemma);
  wrong = tell_wrongly (lemma, slip);
  for (guint i = 0; i < 20; i++)
    broken += check_law (&wrong, random, i) ? 0 : 1;
  g_assert_cmpuint (broken, >, 0);
}

/* A product of values that wait for a sum has no lemma, and is not admitted. */
static void
test_unknown (void)
{
  g_assert_null (heddle_lemma_find (HEDDLE_MONOID_PROD, HEDDLE_FACTOR_DEFERRED));
  g_assert_null (heddle_lemma_find (HEDDLE_MONOID_MAX, HEDDLE_FACTOR_RUNNING));
}

int
main (int argc, char **argv)
{
  guint n;
  const HeddleLemma *lemmas;

  g_test_init (&argc, &argv, NULL);
  lemmas = heddle_lemma_table (&n);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strdup_printf ("/lemmas/%s", lemmas[i].id);

      g_test_add_data_func (path, &lemmas[i], test_law);
    }
  g_test_add_func ("/lemmas/enough", test_enough);
  for (gsize i = 0; i < G_N_ELEMENTS (slips); i++)
    {
      g_autofree char *path = g_strdup_printf ("/lemmas/slips/%s/%u", slips[i].lemma, (guint) i + 1);

      g_test_add_data_func (path, &slips[i], test_slip);
    }
  g_test_add_func ("/lemmas/unknown", test_unknown);
  return g_test_run ();
}
