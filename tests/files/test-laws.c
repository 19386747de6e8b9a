/* SPDX-License-Identifier: MIT */

/* Laws that hold for every diagram, on all examples at small sizes and on diagrams made at random: rewrites keep values, derivatives are
 * what finite differences say, text and documents come back as they were, and undoing everything gives the first bytes. With
 * "--long" as its argument it tries many more of the latter. */

#include <locale.h>
#include <math.h>
#include <string.h>

#include "../diagram/differentiate-case.h"
#include "../diagram/random-diagram.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/base/problem.h"
#include "diagram/check/check.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/delete.h"
#include "diagram/edit/edit.h"
#include "diagram/edit/insert.h"
#include "diagram/edit/replace.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/flatten/flatten.h"
#include "diagram/graph/diagram-compare.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "diagram/rewrite/rewrite.h"
#include "files/equations/write.h"
#include "files/ncd/read.h"
#include "files/ncd/write.h"
#include "equations-case.h"

/* Of operations: differences by each parameter of a tower take minutes; along a few directions they are soon made. */
#define MOST_DIFFERENTIATED 90

static guint n_random = 60;

/* --- examples at small sizes ------------------------------------------------------------ */

static HeddleSnapshot *
load (const char *path)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (GError) error = NULL;
  g_autofree char *data = NULL;
  gsize length;
  HeddleSnapshot *snapshot;

  g_file_get_contents (path, &data, &length, &error);
  g_assert_no_error (error);
  snapshot = heddle_ncd_read (data, length, path, problems);
  g_assert_nonnull (snapshot);
  return snapshot;
}

static int
compare_sizes (gconstpointer a, gconstpointer b)
{
  double difference = *(const double *) a - *(const double *) b;

  return (difference > 0.) - (difference < 0.);
}

static GArray *
list_sizes (const HeddleDiagram *diagram)
{
  GArray *sizes = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);
      double size;

      if (axis->size == NULL || heddle_expr_get_kind (axis->size) != HEDDLE_EXPR_NUMBER)
        continue;
      size = heddle_expr_get_number (axis->size);
      g_array_append_val (sizes, size);
    }
  g_array_sort (sizes, compare_sizes);
  return sizes;
}

/* A few for each number, equal ones alike: 2 for the least, up to 5; twice as many for what is twice another one, as windows two apart need. */
static double
small_size (const GArray *sizes, double size)
{
  guint rank = 0;
  gboolean is_double = FALSE;

  for (guint i = 1; i < sizes->len && g_array_index (sizes, double, i) <= size; i++)
    rank += g_array_index (sizes, double, i) > g_array_index (sizes, double, i - 1);
  for (guint i = 0; i < sizes->len; i++)
    is_double |= g_array_index (sizes, double, i) * 2. == size;
  if (is_double && small_size (sizes, size / 2.) <= 4.)
    return 2. * small_size (sizes, size / 2.);
  return MIN (size, 2. + MIN (rank, 3));
}

/* Returns the least size of an axis that is read at the greatest number of all: gates of a cell, one after the other. */
static double
least_read (const HeddleSnapshot *snapshot)
{
  double least = 0.;

  for (guint i = 0; i < snapshot->diagrams->len; i++)
    {
      const HeddleDiagram *diagram = g_ptr_array_index (snapshot->diagrams, i);

      for (guint j = 0; j < diagram->operations->len; j++)
        {
          const HeddleOperation *operation = g_ptr_array_index (diagram->operations, j);

          for (guint k = 0; operation->indices != NULL && k < operation->indices->len; k++)
            if (heddle_expr_get_kind (operation->indices->pdata[k]) == HEDDLE_EXPR_NUMBER)
              least = MAX (least, heddle_expr_get_number (operation->indices->pdata[k]) + 1.);
        }
    }
  return least;
}

static HeddleDiagram *
shrink (const HeddleDiagram *diagram, double least)
{
  HeddleDiagram *small = heddle_diagram_copy (diagram);
  g_autoptr (GArray) sizes = list_sizes (diagram);

  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);
      double size;

      if (axis->size == NULL || heddle_expr_get_kind (axis->size) != HEDDLE_EXPR_NUMBER)
        continue;
      size = small_size (sizes, heddle_expr_get_number (axis->size));
      if (heddle_expr_get_number (axis->size) == least)
        size = least;
      HeddleAxis *changed = heddle_diagram_edit_axis (small, axis->id);
      heddle_expr_unref (changed->size);
      changed->size = heddle_expr_number (size);
    }
  return small;
}

/* The first diagram at small sizes, and then without calls: as many layers as are left. */
static HeddleSnapshot *
load_small (const char *path)
{
  g_autoptr (HeddleSnapshot) snapshot = load (path);
  g_autoptr (HeddleSnapshot) small = heddle_snapshot_new ();
  g_autoptr (GError) error = NULL;
  HeddleSnapshot *flat;

  for (guint i = 0; i < snapshot->diagrams->len; i++)
    heddle_snapshot_add_diagram (small, shrink (snapshot->diagrams->pdata[i], least_read (snapshot)));
  flat = heddle_snapshot_flatten (small, heddle_snapshot_get_diagram (small, NULL), NULL, NULL, &error);
  g_assert_no_error (error);
  return flat;
}

/* --- rewrites keep values ---------------------------------------------------------------- */

static gboolean
is_close (const HeddleArray *a, const HeddleArray *b)
{
  for (gint64 i = 0; i < a->n_elements; i++)
    if (!(a->data[i] == b->data[i] || (isnan (a->data[i]) && isnan (b->data[i]))
            || fabs (a->data[i] - b->data[i]) <= 1e-9 * (1. + fabs (a->data[i]))))
      return FALSE;
  return a->n_elements == b->n_elements;
}

/* On the same random inputs, all that has a name in both. */
static void
assert_same_values (const HeddleDiagram *a, const HeddleDiagram *b, const char *what)
{
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (a, NULL, NULL), others = heddle_sizes_new (b, NULL, NULL);
  g_autoptr (GHashTable) before = NULL;
  g_autoptr (GHashTable) after = NULL;
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (a),
                     rewritten_outputs = heddle_diagram_get_outputs (b);
  g_autoptr (GPtrArray) problems = heddle_check_diagram (b);
  guint n = 0;

  if (heddle_problems_have_errors (problems))
    g_error ("%s makes errors", what);
  heddle_evaluate_fill_inputs (a, sizes, inputs, 7, NULL);
  before = heddle_evaluate (a, sizes, inputs, HEDDLE_PRECISION_F64, NULL, NULL);
  after = heddle_evaluate (b, others, inputs, HEDDLE_PRECISION_F64, NULL, NULL);
  g_assert_true (before != NULL && after != NULL);
  for (guint i = 0; i < a->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (a->values, i);
      const HeddleValue *other = value->name != NULL ? heddle_diagram_find_value (b, value->name) : NULL;

      if (other == NULL)
        continue;
      g_assert_true (heddle_ids_equal (value->axes, other->axes));
      if (!is_close (g_hash_table_lookup (before, value->id), g_hash_table_lookup (after, other->id)))
        {
          g_autofree char *was = heddle_equations_write (a), *is = heddle_equations_write (b);

          g_error ("%s changes %s of\n%sto\n%s", what, value->name, was, is);
        }
      n += heddle_ids_contain (outputs, value->id);
    }
  g_assert_cmpuint (n, ==, outputs->len);
  g_assert_cmpuint (rewritten_outputs->len, ==, outputs->len);
}

/* Each rule wherever it goes, at its last place alone, and all one after the other. */
static guint
check_rewrites (const HeddleDiagram *diagram)
{
  g_autoptr (HeddleDiagram) all = heddle_diagram_copy (diagram);
  guint n_rules, n = 0;
  const HeddleRewriteRule *rules = heddle_rewrite_table (&n_rules);

  for (guint i = 0; i < n_rules; i++)
    {
      g_autoptr (HeddleDiagram) rewritten = heddle_diagram_copy (diagram);
      g_autoptr (HeddleDiagram) once = heddle_diagram_copy (diagram);
      g_autoptr (GArray) places = heddle_diagram_rewrite_places (diagram, &rules[i], NULL);

      g_assert_true ((heddle_diagram_rewrite (rewritten, &rules[i]) > 0) == (places->len > 0));
      if (heddle_diagram_rewrite (all, &rules[i]) > 0)
        assert_same_values (diagram, all, rules[i].name);
      if (places->len == 0)
        continue;
      n++;
      assert_same_values (diagram, rewritten, rules[i].name);
      g_assert_true (heddle_diagram_rewrite_at (once, &rules[i], heddle_ids_index (places, places->len - 1)));
      assert_same_values (diagram, once, rules[i].name);
    }
  return n;
}

static void
test_example_rewrites (gconstpointer path)
{
  g_autoptr (HeddleSnapshot) snapshot = load_small (path);

  check_rewrites (heddle_snapshot_get_diagram (snapshot, NULL));
}

static void
test_random_rewrites (void)
{
  guint n = 0;

  for (guint i = 0; i < n_random; i++)
    {
      g_autoptr (HeddleDiagram) diagram = random_diagram (RANDOM_DIAGRAM_SMOOTH, i);

      g_test_message ("seed %u", i);
      n += check_rewrites (diagram);
    }
  g_assert_cmpuint (n, >, n_random);
}

/* What is written out is found again. */
static void
test_expand_and_collapse (void)
{
  static const char *const texts[] = { "X : f64[t=3, m=5]\nY[t,m] = softmax[m](X[t,m] * 2)\n",
    "X : f64[t=3, m=5]\nY[t] = logsumexp[m](X[t,m])\n", "X : f64[t=3, m=5]\nY[t,m] = rmsnorm[m](X[t,m])\n",
    "X : f64[t=3, m=5]\nY[t,m] = rmsnorm[m, eps=1e-06](X[t,m])\n",
    "X : f64[t=3, m=5]\nY[t,m] = layernorm[m, eps=0.001](X[t,m])\n",
    "X : f64[t=3, m=5, n=2]\nY[t,m,n] = layernorm[m,n](X[t,m,n])\n",
    "X : f64[t=3, m=5]\nY[t,m] = l2norm[m](X[t,m])\n" };
  static const char *const rules[]
      = { "expand-softmax", "expand-norms", "collapse-softmax", "collapse-norms" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (HeddleSnapshot) snapshot = equations_read (texts[i]);
      const HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);
      g_autoptr (HeddleDiagram) copy = heddle_diagram_copy (diagram);
      g_autofree char *text = NULL, *why = NULL;
      guint n = 0;

      for (guint j = 0; j < 2; j++)
        n += heddle_diagram_rewrite (copy, heddle_rewrite_rule (rules[j]));
      g_assert_cmpuint (n, ==, 1);
      /* Read back from text, where a sum of squares is a contraction. */
      text = heddle_equations_write (copy);
      g_autoptr (HeddleSnapshot) again = equations_read (text);
      g_autoptr (HeddleDiagram) back = heddle_diagram_copy (heddle_snapshot_get_diagram (again, NULL));
      heddle_diagram_rewrite (back, heddle_rewrite_rule ("common-subexpressions"));
      for (guint j = 2; j < 4; j++)
        heddle_diagram_rewrite (back, heddle_rewrite_rule (rules[j]));
      if (!heddle_diagram_isomorphic (diagram, back, &why))
        g_error ("%s: %s", text, why);
    }
}

/* --- derivatives ------------------------------------------------------------------------- */

static void
test_example_gradient (gconstpointer path)
{
  g_autoptr (HeddleSnapshot) snapshot = load_small (path);

  const HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);

  if (diagram->operations->len > MOST_DIFFERENTIATED)
    g_assert_true (assert_directions_agree (diagram, 3));
  else
    g_assert_true (assert_differences_agree (diagram, 3));
}

/* --- text and documents ------------------------------------------------------------------ */

static char *
write_bytes (const HeddleSnapshot *snapshot)
{
  g_autoptr (GError) error = NULL;
  char *data = heddle_ncd_write (snapshot, NULL, &error);

  g_assert_no_error (error);
  return data;
}

static HeddleSnapshot *
snapshot_of (HeddleDiagram *diagram)
{
  HeddleSnapshot *snapshot = heddle_snapshot_new ();

  heddle_snapshot_add_diagram (snapshot, diagram);
  return snapshot;
}

static void
test_round_trips (void)
{
  for (guint i = 0; i < n_random; i++)
    {
      g_autoptr (HeddleSnapshot) snapshot = snapshot_of (random_diagram (RANDOM_DIAGRAM_ANY, 1000 + i));
      g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
      g_autofree char *bytes = write_bytes (snapshot);
      g_autoptr (HeddleSnapshot) read = heddle_ncd_read (bytes, strlen (bytes), "case.ncd", problems);
      g_autofree char *again = NULL;
      g_autofree char *why = NULL;

      g_assert_nonnull (read);
      again = write_bytes (read);
      g_assert_cmpstr (again, ==, bytes);
      if (!heddle_diagram_isomorphic (
              heddle_snapshot_get_diagram (snapshot, NULL), heddle_snapshot_get_diagram (read, NULL), &why))
        g_error ("%s, after\n%s", why, bytes);
      equations_assert_round_trip (heddle_snapshot_get_diagram (read, NULL));
    }
}

/* --- edits and undo ---------------------------------------------------------------------- */

typedef struct
{
  GRand *random;
  guint n_names;
} Editor;

static guint
below (Editor *self, guint n)
{
  return (guint) g_rand_int_range (self->random, 0, (gint32) n);
}

static const char *
any_of (Editor *self, const GPtrArray *objects)
{
  /* Axes, values and operations begin alike: a count, then the id. */
  return objects->len == 0
             ? "none"
             : ((const HeddleAxis *) g_ptr_array_index (objects, below (self, objects->len)))->id;
}

static void
edit_diagram (Editor *self, HeddleSnapshot *snapshot, HeddleDiagram *diagram, GError **error)
{
  const char *value = any_of (self, diagram->values), *axis = any_of (self, diagram->axes);
  g_autofree char *name = g_strdup_printf ("w_%u", ++self->n_names);
  g_autoptr (GArray) ids = heddle_ids_new ();
  const char *const axes[] = { "h", "new", NULL };
  guint n_rules;
  const HeddleRewriteRule *rules = heddle_rewrite_table (&n_rules);
  HeddleDiagram *rewritten;

  switch (below (self, 9))
    {
    case 0:
      heddle_edit_rename (snapshot, diagram, below (self, 2) ? value : axis, name, error);
      break;
    case 1:
      heddle_edit_set_size (snapshot, diagram, axis, below (self, 2) ? "5" : NULL, error);
      break;
    case 2:
      heddle_edit_set_dtype (snapshot, diagram, value, HEDDLE_DTYPE_BF16, error);
      break;
    case 3:
      heddle_edit_add_input (snapshot, diagram, name, HEDDLE_DTYPE_F32, axes, error);
      break;
    case 4:
      heddle_edit_insert_operation (
          snapshot, diagram, heddle_operation_kind ("map"), value, NULL, NULL, "tanh($0)", error);
      break;
    case 5:
      heddle_edit_insert_operation (
          snapshot, diagram, heddle_operation_kind ("softmax"), value, axis, NULL, NULL, error);
      break;
    case 6:
      heddle_ids_append (ids, below (self, 2) ? any_of (self, diagram->operations) : value);
      heddle_edit_delete (snapshot, diagram, ids, error);
      break;
    case 7:
      heddle_ids_append (ids, value);
      heddle_edit_nudge (snapshot, diagram, ids, 3., -2.);
      break;
    default:
      rewritten = heddle_diagram_copy (diagram);
      heddle_diagram_rewrite (rewritten, &rules[below (self, n_rules)]);
      heddle_edit_replace_diagram (snapshot, diagram, rewritten);
    }
}

/* One edit; one that is refused must leave the document as it was. Returns whether it was done. */
static gboolean
edit (Editor *self, HeddleDocument *document)
{
  g_autofree char *before = write_bytes (heddle_document_get_snapshot (document));
  HeddleSnapshot *snapshot = heddle_document_begin (document);
  g_autoptr (GError) error = NULL;
  g_autofree char *after = NULL;

  edit_diagram (self, snapshot, heddle_snapshot_get_diagram (snapshot, NULL), &error);
  if (error != NULL)
    heddle_document_abort (document);
  else
    heddle_document_commit (document, "Edit", NULL);
  after = write_bytes (heddle_document_get_snapshot (document));
  if (error != NULL)
    g_assert_cmpstr (after, ==, before);
  return error == NULL;
}

static void
test_undo (void)
{
  guint n_done = 0;

  for (guint i = 0; i < n_random; i++)
    {
      g_autoptr (HeddleSnapshot) snapshot = snapshot_of (random_diagram (RANDOM_DIAGRAM_ANY, 5000 + i));
      g_autoptr (HeddleDocument) document = heddle_document_new_from_snapshot (snapshot);
      g_autofree char *first = write_bytes (snapshot);
      g_autofree char *last = NULL;
      g_autofree char *undone = NULL;
      g_autofree char *redone = NULL;
      g_autoptr (GRand) random = g_rand_new_with_seed (i);
      Editor editor = { random, 0 };

      g_test_message ("seed %u", i);
      for (guint j = 0; j < 12; j++)
        n_done += edit (&editor, document);
      last = write_bytes (heddle_document_get_snapshot (document));
      while (heddle_document_undo (document))
        ;
      undone = write_bytes (heddle_document_get_snapshot (document));
      g_assert_cmpstr (undone, ==, first);
      while (heddle_document_redo (document))
        ;
      redone = write_bytes (heddle_document_get_snapshot (document));
      g_assert_cmpstr (redone, ==, last);
    }
  g_assert_cmpuint (n_done, >, 3 * n_random);
}

/* --- all of it --------------------------------------------------------------------------- */

static void
add_examples (void)
{
  g_autofree char *folder = g_build_filename (g_getenv ("HEDDLE_DATADIR"), "examples", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *gradient = g_strdup_printf ("/laws/examples/gradient/%s", name);
      g_autofree char *rewrites = g_strdup_printf ("/laws/examples/rewrites/%s", name);

      if (!g_str_has_suffix (name, ".ncd"))
        continue;
      g_test_add_data_func_full (
          gradient, g_build_filename (folder, name, NULL), test_example_gradient, g_free);
      g_test_add_data_func_full (
          rewrites, g_build_filename (folder, name, NULL), test_example_rewrites, g_free);
    }
}

int
main (int argc, char **argv)
{
  gboolean is_long = argc > 1 && g_str_equal (argv[1], "--long");

  setlocale (LC_ALL, "");
  if (is_long)
    {
      n_random = 3000;
      argv[1] = argv[0];
      argc--;
      argv++;
    }
  g_test_init (&argc, &argv, NULL);
  if (!is_long)
    add_examples ();
  g_test_add_func ("/laws/rewrites/expand-and-collapse", test_expand_and_collapse);
  g_test_add_func ("/laws/random/rewrites", test_random_rewrites);
  g_test_add_func ("/laws/random/round-trips", test_round_trips);
  g_test_add_func ("/laws/random/undo", test_undo);
  return g_test_run ();
}
