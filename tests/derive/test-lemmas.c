/* SPDX-License-Identifier: MIT */
#include "derive/lemmas.h"
#include "fixture.h"

#include <math.h>

/* The law of every lemma, step (step (s, x), y) = step (s, x ++ y), on random chunkings: elements folded one by one, chunks folded apart and
 * merged in random order of association, the evaluator, and the region that the derivation makes of the same equations all agree. */

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

static void
assert_close (double a, double b)
{
  g_assert_true (a == b || fabs (a - b) <= 1e-12 * MAX (1., fabs (b)));
}

static void
check_law (const HeddleLemma *lemma, GRand *random, guint round)
{
  g_autoptr (GError) error = NULL;
  g_auto (Fixture) fixture = { 0 };
  guint n = (guint) g_rand_int_range (random, (lemma->factors & HEDDLE_FACTOR_ORDER) != 0 ? 2 : 1, 20);
  gboolean masked = round % 4 == 3 && (lemma->factors & HEDDLE_FACTOR_RUNNING) != 0;
  g_autofree char *sizes = g_strdup_printf ("x=%u", n);
  g_autoptr (GHashTable) inputs = NULL, reference = NULL;
  g_autoptr (HeddleArray) derived = NULL;
  const HeddleArray *x, *v, *y;

  fixture_init (&fixture, lemma->equations, sizes);
  inputs = inputs_of (&fixture, round, masked);
  reference = heddle_evaluate (fixture.diagram, fixture.sizes, inputs, HEDDLE_PRECISION_F64, NULL, &error);
  g_assert_no_error (error);
  x = g_hash_table_lookup (inputs, "X");
  v = g_hash_table_lookup (inputs, "V");
  y = g_hash_table_lookup (reference, heddle_diagram_find_value (fixture.diagram, "Y")->id);
  derived = execute (&fixture, reference, (guint) g_rand_int_range (random, 1, 10));
  for (gint64 q = 0; q < y->n_elements; q++)
    {
      Scope scope = { .lemma = lemma, .n = n };

      fold (&scope, random, x->data + q * x->shape[1], v->data, 0, n);
      assert_close (run (&scope, lemma->tail), y->data[q]);
      assert_close (derived->data[q], y->data[q]);
    }
}

static void
test_law (gconstpointer data)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (guint i = 0, n = g_test_thorough () ? 1300 : 40; i < n; i++)
    check_law (data, random, i);
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
  g_test_add_func ("/lemmas/unknown", test_unknown);
  return g_test_run ();
}
