/* SPDX-License-Identifier: MIT */
#include "cases.h"
#include "draw.h"
#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/legality/refusal.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/flatten/flatten.h"
#include "diagram/graph/operation.h"
#include "diagram/graph/diagram.h"
#include "files/exchange/load.h"

/* Random legal schedules over every shipped example, and over small diagrams made for the purpose: which statements are fused, how axes are labelled and how large they are is drawn; what
 * the executor computes, moves and holds is what the evaluator and the cost say. */

#define MAX_REPEAT 3
#define LARGE 60 /* operations */

/* Schedules run, and refused; kernels run, those of them with labels, axes that stream within their groups,
 * and labels at registers; kernels that cannot be. */
static guint n_schedules, n_refused, n_run, n_labelled, n_split, n_inner, n_opaque;

/* --- the check ------------------------------------------------------------------------------------- */

static void
check (Draw *self, guint round)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleMachine) machine = round % 2 == 0 ? heddle_machine_find ("two-level", 1000000, &error)
                                                     : heddle_machine_find ("h100", 0, &error);
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  g_autoptr (GHashTable) reference = NULL;
  HeddleColumns columns = round % 3 != 1 ? HEDDLE_COLUMNS_ALL : HEDDLE_COLUMNS_OPERANDS;
  HeddleDeriveOptions options
      = { machine, HEDDLE_DTYPE_F64, columns, HEDDLE_OBJECTIVE_TRANSFERS, 1 + round % 3, FALSE };
  g_autoptr (HeddleDerivation) derivation = NULL;

  g_assert_true (heddle_evaluate_fill_inputs (self->diagram, self->sizes, inputs, round, &error));
  reference = heddle_evaluate (self->diagram, self->sizes, inputs, HEDDLE_PRECISION_F64, NULL, &error);
  g_assert_no_error (error);
  derivation = heddle_derive (self->diagram, self->schedule, self->sizes, &options, NULL, &error);
  if (g_error_matches (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_REGION)
      || g_error_matches (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_PROGRAM))
    {
      n_refused++; /* regions that wait for one another, or fused with what no loop program says */
      return;
    }
  g_assert_no_error (error);
  n_schedules++;
  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = fixture_kernel (derivation, i);
      g_autofree char *what = g_strdup_printf ("%s, round %u, kernel %u", self->name, round, i);

      if (kernel->refusals->len > 0)
        g_error ("%s: %s", what, ((HeddleRefusal *) g_ptr_array_index (kernel->refusals, 0))->reason);
      if (kernel->opaque_reason != NULL
          && strstr (kernel->opaque_reason, "another kernel read outside") == NULL)
        g_error ("%s: %s", what, kernel->opaque_reason);
      n_opaque += kernel->opaque_reason != NULL ? 1 : 0;
      if (kernel->opaque_reason != NULL)
        continue;
      fixture_check_kernel (self->sizes, what, kernel, reference, columns);
      n_run++;
      n_labelled += kernel->labels->len > 0 ? 1 : 0;
    }
}

static gboolean
collect_sizes (const HeddleExpr *node, gpointer names)
{
  if (heddle_expr_get_kind (node) == HEDDLE_EXPR_SIZE)
    g_ptr_array_add (names, (gpointer) heddle_expr_get_symbol (node));
  return TRUE;
}

/* How often a block is repeated or scanned, drawn: two or three times show what thirty do. */
static GHashTable *
draw_repetitions (Draw *self)
{
  GHashTable *overrides = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr (GPtrArray) axes = g_ptr_array_new ();

  for (guint i = 0; i < self->diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->diagram->operations, i);

      if (operation->repeat != NULL)
        heddle_expr_walk (operation->repeat, collect_sizes, axes);
      if (heddle_call_scan_axis (operation) != NULL)
        g_ptr_array_add (axes, (gpointer) heddle_call_scan_axis (operation));
    }
  for (guint i = 0; i < axes->len; i++)
    {
      const HeddleAxis *axis = heddle_diagram_get_axis (self->diagram, g_ptr_array_index (axes, i));
      gint64 size = 1 + (gint64) draw_number (self, MAX_REPEAT);

      g_hash_table_insert (overrides, axis->name, g_memdup2 (&size, sizeof size));
    }
  return overrides;
}

/* Blocks of many layers take their time, and say little that a few of them do not. */
static guint
count_rounds (HeddleSnapshot *document)
{
  g_autoptr (HeddleSnapshot) flat
      = heddle_snapshot_flatten (document, heddle_snapshot_get_diagram (document, NULL), NULL, NULL, NULL);
  guint n = g_test_thorough () ? 200 : 18;

  g_assert_nonnull (flat);
  return heddle_snapshot_get_diagram (flat, NULL)->operations->len > LARGE ? n / 6 : n;
}

/* One schedule of one example. */
static void
check_round (Draw *self, HeddleSnapshot *document, guint round)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) overrides = NULL;
  g_autoptr (HeddleSnapshot) flat = NULL;

  self->diagram = heddle_snapshot_get_diagram (document, NULL);
  overrides = draw_repetitions (self);
  flat = heddle_snapshot_flatten (document, self->diagram, overrides, NULL, &error);
  g_assert_no_error (error);
  self->diagram = heddle_snapshot_get_diagram (flat, NULL);
  self->fixed = overrides;
  self->sizes = draw_sizes (self);
  g_assert_nonnull (self->sizes);
  draw_schedule (self);
  for (guint k = 0; k < self->schedule->regions->len; k++)
    {
      draw_labels (self, g_ptr_array_index (self->schedule->regions, k));
      if (round % 2 == 1)
        draw_inner_labels (self, g_ptr_array_index (self->schedule->regions, k));
    }
  check (self, round);
  heddle_schedule_free (self->schedule);
  heddle_sizes_unref (self->sizes);
}

static void
add_up (const Draw *self)
{
  n_split += self->n_split;
  n_inner += self->n_inner;
}

/* A file's schedules depend on its name alone: one file can be run by itself (-p /schedules/NAME). */
static void
test_example (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autofree char *path = g_build_filename (heddle_data_directory (), "examples", data, NULL);
  g_autoptr (HeddleSnapshot) document = heddle_file_load (path, problems, &error);
  g_autoptr (GRand) random = g_rand_new_with_seed (g_str_hash (data));
  Draw draw = { .name = data, .random = random };

  g_assert_no_error (error);
  for (guint i = 0, n = count_rounds (document); i < n; i++)
    check_round (&draw, document, i);
  add_up (&draw);
}

static void
test_case (gconstpointer data)
{
  const Case *self = data;
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GRand) random = g_rand_new_with_seed (g_str_hash (self->name));
  Draw draw = { .name = self->name, .random = random };

  fixture_init (&fixture, self->text, NULL);
  for (guint i = 0, n = g_test_thorough () ? 400 : 40; i < n; i++)
    check_round (&draw, fixture.snapshot, i);
  add_up (&draw);
}

/* Schedules without labels would prove little. */
static void
test_enough (void)
{
  g_test_message ("%u schedules, %u more refused: %u kernels, %u of them with labels; %u axes stream within "
                  "their groups; %u "
                  "labels at registers; %u kernels that are refused",
      n_schedules, n_refused, n_run, n_labelled, n_split, n_inner, n_opaque);
  g_assert_cmpuint (n_schedules, >=, g_test_thorough () ? 10000 : 1000);
  g_assert_cmpuint (3 * n_labelled, >=, 2 * n_run);
  g_assert_cmpuint (10 * n_split, >=, n_run);
  g_assert_cmpuint (4 * n_inner, >=, n_run);
  g_assert_cmpuint (50 * n_opaque, <=, n_run);
}

int
main (int argc, char **argv)
{
  g_autofree char *path = NULL;
  g_autoptr (GDir) directory = NULL;

  g_test_init (&argc, &argv, NULL);
  path = g_build_filename (heddle_data_directory (), "examples", NULL);
  directory = g_dir_open (path, 0, NULL);
  g_assert_nonnull (directory);
  for (const char *name = g_dir_read_name (directory); name != NULL; name = g_dir_read_name (directory))
    if (g_str_has_suffix (name, ".ncd"))
      {
        g_autofree char *test = g_strdup_printf ("/schedules/%s", name);

        g_test_add_data_func_full (test, g_strdup (name), test_example, g_free);
      }
  for (guint i = 0; i < n_cases; i++)
    {
      g_autofree char *test = g_strdup_printf ("/schedules/cases/%s", cases[i].name);

      g_test_add_data_func (test, &cases[i], test_case);
    }
  g_test_add_func ("/schedules/enough", test_enough);
  return g_test_run ();
}
