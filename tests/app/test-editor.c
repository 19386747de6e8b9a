/* SPDX-License-Identifier: MIT */

/* The editor's state without a window: selection, target, tried schedules. */

#include <string.h>

#include "app/editor/derive.h"
#include "app/editor/editor.h"
#include "app/editor/flat.h"
#include "app/editor/kernel-times.h"
#include "app/editor/label-trial.h"
#include "app/editor/level-totals.h"
#include "app/editor/preview.h"
#include "app/editor/selection.h"
#include "app/editor/shared-derivation.h"
#include "app/editor/target.h"
#include "app/edits/array.h"
#include "app/edits/edits.h"
#include "app/edits/label.h"
#include "app/edits/move.h"
#include "app/edits/pair.h"
#include "app/edits/place.h"
#include "derive/cost/level-cost.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/expand-oversized.h"
#include "derive/derivation/schedule-text.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/legality/legality.h"
#include "derive/legality/refusal.h"
#include "derive/report/symbols.h"
#include "diagram/base/dtype.h"
#include "diagram/base/error.h"
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "files/equations/document.h"
#include "files/equations/write.h"

static const char attention[] = "Q : f16[y=4096, k=128]\n"
                                "K : f16[x=4096, k]\n"
                                "V : f16[x, k]\n"
                                "S[y,x] = Q[y,k] K[x,k]\n"
                                "P[y,x] = softmax[x](S[y,x] * k^-0.5)\n"
                                "O[y,k] = P[y,x] V[x,k]\n";

static HeddleEditor *
new_editor (const char *text)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (HeddleSnapshot) snapshot = heddle_equations_read (text, -1, "test", problems);
  g_autoptr (HeddleDocument) document = NULL;

  g_assert_nonnull (snapshot);
  document = heddle_document_new_from_snapshot (snapshot);
  return heddle_editor_new (document);
}

/* Sizes that are still to be given are told in words, and are no mistake in the drawing. */
static void
test_open_sizes (void)
{
  g_autoptr (HeddleEditor) editor = new_editor ("Q : [y, k]\nK : [x, k]\nS[y,x] = Q[y,k] K[x,k]\n");
  GPtrArray *problems = heddle_editor_get_problems (editor);
  const char *why = NULL;

  g_assert_cmpuint (problems->len, ==, 3);
  for (guint i = 0; i < problems->len; i++)
    g_assert_false (heddle_editor_is_mistake (editor, g_ptr_array_index (problems, i)));
  g_assert_null (heddle_editor_get_derivation (editor, &why));
  g_assert_cmpstr (why, ==, "The size of y is not given");
  g_assert_cmpstr (heddle_editor_get_formulas (editor), ==, "y*k + x*k + y*x");
}

/* A diagram without sizes has formulas in place of prices; a kernel with labels also says how much it holds. */
static void
test_formulas (void)
{
  g_autoptr (HeddleEditor) editor
      = new_editor ("X : [x, m]\nU : [m, f]\nH[x,f] = X[x,m] U[m,f]\nY[x] = max[f](H[x,f])\n");
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  HeddleSchedule *schedule = heddle_schedule_new (diagram->id);
  g_autoptr (GArray) operations = heddle_ids_new ();
  HeddleDeriveOptions options;
  HeddleRegion *region = NULL;
  g_autofree char *formulas = NULL;
  const char *why = NULL;

  g_assert_null (heddle_editor_get_derivation (editor, &why));
  g_assert_cmpstr (why, ==, "The size of x is not given");
  g_assert_cmpstr (heddle_editor_get_formulas (editor), ==, "H: x*m + m*f + x*f\nY: x*f + x");

  for (guint i = 0; i < diagram->operations->len; i++)
    heddle_ids_append (
        operations, ((const HeddleOperation *) g_ptr_array_index (diagram->operations, i))->id);
  region = heddle_schedule_fuse_operations (schedule, diagram, operations);
  g_ptr_array_add (region->labels,
      heddle_label_new (heddle_diagram_find_axis (diagram, "x")->id, "smem", HEDDLE_LABEL_GROUP, 64));
  heddle_editor_get_derive_options (editor, &options);
  formulas = heddle_prices_symbolic (diagram, schedule, NULL, &options, 6);
  g_assert_cmpstr (formulas, ==, "x*m + x + m*f*ceil(x/g_x); held: g_x*m + m*f + g_x*f");
  heddle_schedule_free (schedule);
}

/* The same kernel of several layers is one row, with the time of them all. */
static void
test_layers (void)
{
  g_autoptr (HeddleEditor) editor
      = new_editor ("def layer(X[x,m]) -> Y[x,m]:\n  N[x,m] = softmax[m](X[x,m])\n"
                    "  Y[x,m] = N[x,m] * X[x,m]\n\n"
                    "X : f16[x=64, m=64]\nZ[x,m] = layer^3(X)\nS[x] = max[m](Z[x,m])\n");
  const HeddleDerivation *derivation = heddle_editor_get_derivation (editor, NULL);
  g_autoptr (HeddleKernelTimes) times = heddle_kernel_times_new (derivation);
  double seconds = 0;
  guint n = 0;

  g_assert_cmpuint (derivation->kernels->len, ==, 7);
  g_assert_cmpuint (times->n, ==, 7);
  g_assert_cmpuint (times->longest->len, ==, 4);
  for (guint i = 0; i < times->longest->len; i++)
    {
      const HeddleKernelTime *time = times->longest->pdata[i];

      /* the last layer makes Z itself */
      g_assert_cmpuint (time->n, ==,
          g_str_equal (time->title, "Z.1.N")   ? 3
          : g_str_equal (time->title, "Z.1.Y") ? 2
                                               : 1);
      g_assert_cmpuint (time->operations->len, ==, time->n);
      n += time->n;
      seconds += time->seconds;
    }
  g_assert_cmpuint (n, ==, 7);
  g_assert_cmpfloat_with_epsilon (seconds, times->seconds, 1e-12);
}

static void
fuse_and_group (HeddleSchedule *schedule, const HeddleDiagram *diagram, guint operation, const char *axis)
{
  g_autoptr (GArray) operations = heddle_ids_new ();
  HeddleRegion *region = NULL;

  heddle_ids_append (
      operations, ((const HeddleOperation *) g_ptr_array_index (diagram->operations, operation))->id);
  region = heddle_schedule_fuse_operations (schedule, diagram, operations);
  g_ptr_array_add (region->labels,
      heddle_label_new (heddle_diagram_find_axis (diagram, axis)->id, "smem", HEDDLE_LABEL_GROUP, 64));
}

/* An axis over which a definition is called has no place in its labels. What a document holds of a schedule has a tile of
 * it all the same, as it has when it is derived. */
static void
test_woven (void)
{
  g_autoptr (HeddleEditor) editor
      = new_editor ("def norm(X[m]) -> Y[m]:\n  Y[m] = layernorm[m](X[m])\n\n"
                    "X : f16[x=4096, m=1024]\nZ[x,m] = norm(X)\nS[x] = max[m](Z[x,m])\n");
  const HeddleDiagram *flat = heddle_editor_get_flat_diagram (editor);
  HeddleSchedule *schedule = heddle_schedule_new (flat->id), *stored = NULL;
  g_autoptr (HeddleDerivation) derivation = NULL;
  HeddleDeriveOptions options;

  g_assert_cmpuint (flat->operations->len, ==, 2);
  fuse_and_group (schedule, flat, 0, "x");
  fuse_and_group (schedule, flat, 1, "x");
  stored = heddle_editor_dup_stored_schedule (editor, schedule, HEDDLE_FLAT_CALLS_TOGETHER);
  heddle_editor_get_derive_options (editor, &options);
  derivation = heddle_derive (flat, stored, heddle_editor_get_flat_sizes (editor), &options, NULL, NULL);
  g_assert_cmpuint (derivation->kernels->len, ==, 2);
  g_assert_true (heddle_derivation_fits (derivation));
  heddle_schedule_free (schedule);
  heddle_schedule_free (stored);
}

/* Any other error is one, and no warning is. */
static void
test_mistakes (void)
{
  g_autoptr (HeddleEditor) editor = new_editor ("Q : [y=8, k]\nS[y] = max[k](Q[y,k])\n");
  g_autoptr (HeddleProblem) problem
      = heddle_problem_new (HEDDLE_SEVERITY_ERROR, heddle_editor_get_diagram (editor)->id, "wrong");
  g_autoptr (HeddleProblem) warning
      = heddle_problem_new (HEDDLE_SEVERITY_WARNING, heddle_editor_get_diagram (editor)->id, "odd");

  g_assert_true (heddle_editor_is_mistake (editor, problem));
  g_assert_false (heddle_editor_is_mistake (editor, warning));
}

static const char *
axis_id (HeddleEditor *editor, const char *name)
{
  return heddle_diagram_find_axis (heddle_editor_get_diagram (editor), name)->id;
}

static void
count (HeddleEditor *editor, guint *counter)
{
  (*counter)++;
}

static void
test_selection (void)
{
  g_autoptr (HeddleEditor) editor = new_editor (attention);
  const char *x = axis_id (editor, "x"), *y = axis_id (editor, "y");
  const char *s = heddle_diagram_find_value (heddle_editor_get_diagram (editor), "S")->id;
  guint changes = 0;

  g_signal_connect (editor, "selection-changed", G_CALLBACK (count), &changes);
  heddle_editor_select_wire (editor, s, x);
  heddle_editor_toggle_selected (editor, y);
  g_assert_cmpuint (heddle_editor_get_selection (editor)->len, ==, 2);
  g_assert_null (heddle_editor_get_selected (editor));
  g_assert_false (heddle_editor_get_wire (editor, NULL, NULL));
  heddle_editor_toggle_selected (editor, x);
  g_assert_cmpstr (heddle_editor_get_selected (editor), ==, y);
  g_assert_cmpuint (changes, ==, 3);
  heddle_editor_select (editor, y); /* already */
  g_assert_cmpuint (changes, ==, 3);
}

static void
test_selection_follows_deletion (void)
{
  g_autoptr (HeddleEditor) editor = new_editor (attention);
  const char *p = heddle_diagram_find_value (heddle_editor_get_diagram (editor), "P")->id;
  const HeddleOperation *softmax = heddle_diagram_get_producer (heddle_editor_get_diagram (editor), p);

  heddle_editor_select (editor, softmax->id);
  heddle_edits_delete_selection (editor);
  g_assert_cmpuint (heddle_editor_get_diagram (editor)->operations->len, ==, 3);
  g_assert_cmpuint (heddle_editor_get_selection (editor)->len, ==, 0);
}

static void
test_target (void)
{
  g_autoptr (HeddleEditor) editor = new_editor (attention);
  HeddleDocument *document = heddle_editor_get_document (editor);

  g_assert_false (heddle_document_get_modified (document));
  g_assert_cmpstr (heddle_editor_get_machine (editor)->name, ==, "h100-sxm");
  g_assert_cmpint (heddle_editor_get_dtype (editor), ==, HEDDLE_DTYPE_F16);
  heddle_editor_set_machine (editor, "a100-80-sxm");
  g_assert_cmpstr (heddle_editor_get_machine (editor)->name, ==, "a100-80-sxm");
  heddle_editor_set_dtype (editor, HEDDLE_DTYPE_F32);
  g_assert_cmpint (heddle_editor_get_dtype (editor), ==, HEDDLE_DTYPE_F32);
  heddle_document_undo (document);
  g_assert_cmpint (heddle_editor_get_dtype (editor), ==, HEDDLE_DTYPE_F16);
  heddle_document_undo (document);
  g_assert_cmpstr (heddle_editor_get_machine (editor)->name, ==, "h100-sxm");
  g_assert_false (heddle_document_undo (document));
}

/* On a slow machine a worker thread makes it. */
static guint
count_kernels (HeddleEditor *editor)
{
  while (heddle_editor_get_derivation (editor, NULL) == NULL)
    g_main_context_iteration (NULL, TRUE);
  return heddle_editor_get_derivation (editor, NULL)->kernels->len;
}

static void
test_preview (void)
{
  g_autoptr (HeddleEditor) editor = new_editor (attention);
  g_autoptr (GError) error = NULL;
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  g_autoptr (GArray) all = heddle_ids_new ();
  HeddleSchedule *empty = heddle_schedule_new (diagram->id);
  HeddleSchedule *fused = heddle_schedule_fuse (diagram, empty, "all", &error);
  guint previews = 0;

  g_assert_no_error (error);
  heddle_schedule_free (empty);
  g_signal_connect (editor, "preview-changed", G_CALLBACK (count), &previews);
  g_assert_cmpuint (count_kernels (editor), ==, 3);

  heddle_editor_set_preview_schedule (editor, fused);
  g_assert_cmpuint (previews, ==, 1);
  g_assert_cmpuint (heddle_editor_get_shown_derivation (editor)->kernels->len, ==, 1);
  g_assert_cmpuint (count_kernels (editor), ==, 3);
  g_assert_null (heddle_editor_get_schedule (editor));

  g_assert_true (heddle_editor_commit_preview (editor, "Fuse all"));
  g_assert_null (heddle_editor_get_preview_schedule (editor));
  g_assert_cmpuint (count_kernels (editor), ==, 1);
  g_assert_cmpstr (heddle_document_get_undo_name (heddle_editor_get_document (editor)), ==, "Fuse all");
  heddle_document_undo (heddle_editor_get_document (editor));
  g_assert_cmpuint (count_kernels (editor), ==, 3);
  g_assert_false (heddle_editor_commit_preview (editor, "Nothing"));
}

/* The numbers of the kernels that the axis is in, as text. */
static char *
kernels_with (HeddleEditor *editor, const char *axis)
{
  const GArray *kernels = heddle_editor_find_kernels (editor, axis_id (editor, axis));
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < kernels->len; i++)
    g_string_append_printf (text, "%u ", g_array_index (kernels, guint, i));
  return g_string_free (text, FALSE);
}

/* A gather reads elsewhere along the axis of its table, which is no axis of it. */
static void
test_kernel_axes (void)
{
  g_autoptr (HeddleEditor) editor
      = new_editor ("T : f16[v=9, d=4]\nI : i32[i=5]\nW : f16[d, k=3]\nE[i,d] = T[I[i],d]\n"
                    "P[i,k] = E[i,d] W[d,k]\nO[i,k] = relu(P[i,k])\n-> O\n");
  static const char *const rows[][2] = { { "i", "0 1 2 " }, { "d", "0 1 " }, { "k", "1 2 " }, { "v", "" } };

  g_assert_cmpuint (count_kernels (editor), ==, 3);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *found = kernels_with (editor, rows[i][0]);

      g_assert_cmpstr (found, ==, rows[i][1]);
    }
}

/* What was found out of a label holds until there is another derivation, and no longer. */
static void
test_label_trial (void)
{
  g_autoptr (HeddleEditor) editor = new_editor (attention);
  HeddleDocument *document = heddle_editor_get_document (editor);
  const char *x = axis_id (editor, "x");
  const HeddleLabelTrial *trial = NULL;
  g_autoptr (HeddleRefusal) refusal = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (count_kernels (editor), ==, 3);
  trial = heddle_editor_try_label (editor, x, HEDDLE_LABEL_STREAM);
  refusal = heddle_label_trial_dup_refusal (trial);
  g_assert_cmpuint (trial->kernels->len, ==, 3);
  g_assert_nonnull (refusal); /* a softmax by itself cannot stream */
  g_assert_cmpint (refusal->remedy_kind, ==, HEDDLE_REMEDY_FUSE);
  g_assert_true (heddle_editor_try_label (editor, x, HEDDLE_LABEL_STREAM) == trial);
  g_assert_null (heddle_editor_try_label (editor, axis_id (editor, "y"), HEDDLE_LABEL_GROUP)->refusal);
  g_assert_true (heddle_editor_try_label (editor, x, HEDDLE_LABEL_STREAM) == trial);

  heddle_editor_set_preview_schedule (
      editor, heddle_schedule_fuse (heddle_editor_get_diagram (editor), NULL, "all", &error));
  g_assert_no_error (error);
  g_assert_true (heddle_editor_commit_preview (editor, "Fuse all"));
  g_assert_cmpuint (count_kernels (editor), ==, 1);
  trial = heddle_editor_try_label (editor, x, HEDDLE_LABEL_STREAM);
  g_assert_cmpuint (trial->kernels->len, ==, 1);
  g_assert_null (trial->refusal);
  heddle_document_undo (document);
  g_assert_cmpuint (count_kernels (editor), ==, 3);
  g_assert_nonnull (heddle_editor_try_label (editor, x, HEDDLE_LABEL_STREAM)->refusal);
}

static void
keep (HeddleEditor *editor, const char *text, char **kept)
{
  g_free (*kept);
  *kept = g_strdup (text);
}

static void
test_failure_is_said (void)
{
  g_autoptr (HeddleEditor) editor = new_editor (attention);
  g_autofree char *said = NULL;

  g_signal_connect (editor, "message", G_CALLBACK (keep), &said);
  g_assert_false (heddle_edits_rename (editor, axis_id (editor, "x"), "y", NULL));
  g_assert_nonnull (said);
  g_assert_nonnull (strstr (said, "y"));
  g_assert_false (heddle_document_get_modified (heddle_editor_get_document (editor)));
}

static void
test_contract_selected (void)
{
  g_autoptr (HeddleEditor) editor = new_editor (attention);
  g_autoptr (GError) error = NULL;
  const HeddleOperationKind *contract = heddle_operation_kind ("contract");
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const char *k = heddle_diagram_find_value (diagram, "K")->id,
             *v = heddle_diagram_find_value (diagram, "V")->id;
  const HeddleOperation *made = NULL;

  heddle_editor_select (editor, k);
  g_assert_false (heddle_edits_can_add (editor, contract, NULL, &error));
  g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID);
  g_clear_error (&error);
  heddle_editor_toggle_selected (editor, v);
  heddle_editor_toggle_selected (editor, axis_id (editor, "x"));
  g_assert_true (heddle_edits_add (editor, contract, NULL, &error));
  g_assert_no_error (error);
  made = heddle_diagram_get_operation (
      heddle_editor_get_diagram (editor), heddle_editor_get_selected (editor));
  g_assert_cmpuint (made->axes->len, ==, 1);
  g_assert_cmpstr (heddle_ids_index (made->axes, 0), ==, axis_id (editor, "x"));
}

/* A residual block from the palette's entries alone: the same equations as somebody would write. */
static void
test_draw_residual (void)
{
  g_autoptr (HeddleEditor) editor = new_editor ("");
  g_autoptr (GError) error = NULL;
  const HeddleOperationKind *map = heddle_operation_kind ("map");
  g_autoptr (GArray) features = NULL, partners = NULL;
  g_autofree char *text = NULL;

  g_assert_false (heddle_edits_can_add_linear (editor, &error));
  g_clear_error (&error);
  g_assert_true (heddle_edits_add_array (editor, "X[n=64, d=32]", &error));
  g_assert_true (heddle_edits_add_linear (editor, NULL, &error));
  g_assert_true (heddle_edits_add (editor, map, "relu($0)", &error));
  features = heddle_edits_find_features (editor);
  g_assert_cmpuint (features->len, ==, 1);
  g_assert_cmpstr (heddle_ids_index (features, 0), ==, axis_id (editor, "d"));
  g_assert_true (heddle_edits_add_linear (editor, heddle_ids_index (features, 0), &error));
  g_assert_no_error (error);
  g_assert_false (heddle_edits_can_add (editor, map, "$0 + $1", &error)); /* with what? */
  g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID);
  g_clear_error (&error);
  partners = heddle_edits_find_partners (editor, map);
  g_assert_cmpuint (partners->len, ==, 1); /* what has other axes cannot be added */
  g_assert_true (heddle_edits_join_with (editor, map, "$0 + $1", heddle_ids_index (partners, 0), &error));
  g_assert_no_error (error);
  text = heddle_equations_write (heddle_editor_get_diagram (editor));
  g_assert_cmpstr (text, ==,
      "X : [n=64, d=32]\n"
      "param W : [d, f=32]\n"
      "param W_2 : [f, d]\n"
      "t4[n,d] = relu(sum[d](X[n,d] W[d,f])) W_2[f,d] + X[n,d]\n");
}

static void
test_param (void)
{
  g_autoptr (HeddleEditor) editor = new_editor ("");
  g_autoptr (GError) error = NULL;
  const HeddleValue *value = NULL;

  g_assert_true (heddle_edits_add_array (editor, "param b[d=32]", &error));
  g_assert_no_error (error);
  value = heddle_diagram_find_value (heddle_editor_get_diagram (editor), "b");
  g_assert_nonnull (value);
  g_assert_cmpint (value->role, ==, HEDDLE_ROLE_PARAMETER);
}

static void
test_add_after_selection (void)
{
  g_autoptr (HeddleEditor) editor = new_editor (attention);
  g_autoptr (GError) error = NULL;
  const char *s = heddle_diagram_find_value (heddle_editor_get_diagram (editor), "S")->id;
  const HeddleOperation *made = NULL;

  heddle_editor_select_wire (editor, s, axis_id (editor, "y"));
  g_assert_true (heddle_edits_add (editor, heddle_operation_kind ("softmax"), NULL, &error));
  g_assert_no_error (error);
  made = heddle_diagram_get_operation (
      heddle_editor_get_diagram (editor), heddle_editor_get_selected (editor));
  g_assert_cmpstr (heddle_ids_index (made->operands, 0), ==, s);
  g_assert_cmpstr (heddle_ids_index (made->axes, 0), ==, axis_id (editor, "y"));
}

/* A mask is put down on whatever two axes an array ends with. */
static void
test_mask (void)
{
  g_autoptr (HeddleEditor) editor = new_editor (attention);
  const HeddleOperationKind *map = heddle_operation_kind ("map");
  const char *mask = "where({row} >= {column}, $0, -inf)";
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  const char *s = heddle_diagram_find_value (heddle_editor_get_diagram (editor), "S")->id;

  g_assert_true (heddle_edits_insert (editor, map, mask, s, NULL, &error));
  g_assert_no_error (error);
  text = heddle_equations_write (heddle_editor_get_diagram (editor));
  g_assert_nonnull (strstr (text, "where(y >= x, S[y,x], -inf)"));
}

static void
test_mask_needs_two_axes (void)
{
  g_autoptr (HeddleEditor) editor = new_editor ("A : f32[x=4]\nB[x] = exp(A[x])\n");
  g_autoptr (GError) error = NULL;
  const char *a = heddle_diagram_find_value (heddle_editor_get_diagram (editor), "A")->id;

  g_assert_false (heddle_edits_insert (
      editor, heddle_operation_kind ("map"), "where({row} >= {column}, $0, -inf)", a, NULL, &error));
  g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_TYPE);
}

static const char products[] = "Q : f16[y=4096, k=128]\n"
                               "K : f16[x=4096, k]\n"
                               "V : f16[x, k]\n"
                               "S[y,x] = Q[y,k] K[x,k]\n"
                               "O[y,k] = S[y,x] V[x,k]\n";

/* Each array that kernels read or write is stored once: four of y by k or x by k, and one of y by x. */
static void
test_level_totals (void)
{
  g_autoptr (HeddleEditor) editor = new_editor (products);
  const HeddleSharedDerivation *shared = heddle_editor_share_derivation (editor);
  const HeddleLevelTotal *smem = heddle_level_totals_find (shared->totals, "smem");
  const double values = 4 * 4096. * 128 + 4096. * 4096;
  double held = 0, moved = 0;

  g_assert_true (shared->derivation == heddle_editor_get_derivation (editor, NULL));
  g_assert_cmpfloat (shared->totals->stored.values, ==, values);
  g_assert_cmpfloat (shared->totals->stored.bytes, ==, 2 * values);
  g_assert_cmpuint (shared->derivation->kernels->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (shared->derivation->kernels, i);

      for (guint j = 0; j < kernel->levels->len; j++)
        {
          const HeddleLevelCost *cost = g_ptr_array_index (kernel->levels, j);

          if (!g_str_equal (cost->level, "smem"))
            continue;
          held = MAX (held, (double) cost->memory_bytes);
          moved += (double) cost->transfer_bytes;
        }
    }
  g_assert_nonnull (smem);
  g_assert_cmpfloat (moved, >, 0);
  g_assert_cmpfloat (smem->held.bytes, ==, held);
  g_assert_cmpfloat (smem->moved.bytes, ==, moved);
  g_assert_null (heddle_level_totals_find (shared->totals, "no such level"));
}

/* Whoever holds a derivation keeps it when the editor has the next. */
static void
test_shared_derivation (void)
{
  g_autoptr (HeddleEditor) editor = new_editor (products);
  HeddleSharedDerivation *held = heddle_shared_derivation_ref (heddle_editor_share_derivation (editor));

  /* Whatever the test before left as the default. */
  heddle_editor_set_dtype (
      editor, heddle_editor_get_dtype (editor) == HEDDLE_DTYPE_F32 ? HEDDLE_DTYPE_F16 : HEDDLE_DTYPE_F32);
  g_assert_true (heddle_editor_share_derivation (editor) != held);
  g_assert_cmpuint (held->derivation->kernels->len, ==, 2);
  g_assert_cmpfloat (
      heddle_editor_forecast (editor, heddle_editor_get_derivation (editor, NULL)).values, >, 0);
  heddle_shared_derivation_unref (held);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/editor/open-sizes", test_open_sizes);
  g_test_add_func ("/editor/formulas", test_formulas);
  g_test_add_func ("/editor/layers", test_layers);
  g_test_add_func ("/editor/woven", test_woven);
  g_test_add_func ("/editor/mistakes", test_mistakes);
  g_test_add_func ("/editor/mask", test_mask);
  g_test_add_func ("/editor/mask-needs-two-axes", test_mask_needs_two_axes);
  g_test_add_func ("/editor/selection", test_selection);
  g_test_add_func ("/editor/selection-follows-deletion", test_selection_follows_deletion);
  g_test_add_func ("/editor/target", test_target);
  g_test_add_func ("/editor/preview", test_preview);
  g_test_add_func ("/editor/label-trial", test_label_trial);
  g_test_add_func ("/editor/kernel-axes", test_kernel_axes);
  g_test_add_func ("/editor/failure-is-said", test_failure_is_said);
  g_test_add_func ("/editor/contract-selected", test_contract_selected);
  g_test_add_func ("/editor/draw-residual", test_draw_residual);
  g_test_add_func ("/editor/param", test_param);
  g_test_add_func ("/editor/add-after-selection", test_add_after_selection);
  g_test_add_func ("/editor/level-totals", test_level_totals);
  g_test_add_func ("/editor/shared-derivation", test_shared_derivation);
  return g_test_run ();
}
