/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include <string.h>
#include "derive/derivation/derive.h"
#include "derive/derivation/schedule-text.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/legality/legality.h"
#include "derive/legality/refusal.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/find.h"
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/flatten/flatten.h"
#include "diagram/graph/diagram.h"
#include "files/exchange/load.h"

static const char *
operation_of (const Fixture *fixture, const char *value)
{
  return heddle_diagram_get_producer (
      fixture->diagram, heddle_diagram_find_value (fixture->diagram, value)->id)
      ->id;
}

static HeddleRefusal *
try_label (
    const Fixture *fixture, const char *fuse, const char *value, const char *axis, HeddleLabelKind kind)
{
  g_autoptr (GError) error = NULL;
  HeddleSchedule *schedule = heddle_schedule_fuse (fixture->diagram, NULL, fuse, &error);
  HeddleRefusal *refusal;

  g_assert_no_error (error);
  refusal = heddle_derive_try_label (
      fixture->diagram, schedule, operation_of (fixture, value), fixture_axis (fixture, axis), kind);
  heddle_schedule_free (schedule);
  return refusal;
}

static void
assert_contains (const char *text, const char *part)
{
  if (strstr (text, part) == NULL)
    g_error ("“%s” is not in “%s”", part, text);
}

/* Before softmax and the second contraction are fused, x can neither stream nor be grouped; fusing them helps. */
static void
test_before_fusion (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleRefusal) stream = NULL, group = NULL;
  g_autoptr (HeddleRefusal) rows = NULL;

  fixture_init (&fixture, ATTENTION, NULL);
  stream = try_label (&fixture, "file", "P", "x", HEDDLE_LABEL_STREAM);
  g_assert_nonnull (stream);
  g_assert_cmpstr (stream->operation, ==, operation_of (&fixture, "P"));
  assert_contains (stream->reason, "Softmax alone cannot stream x");
  assert_contains (stream->remedy, "Contraction O");
  g_assert_cmpint (stream->remedy_kind, ==, HEDDLE_REMEDY_FUSE);
  g_assert_true (heddle_ids_contain (stream->remedy_operations, operation_of (&fixture, "P")));
  g_assert_true (heddle_ids_contain (stream->remedy_operations, operation_of (&fixture, "O")));
  g_assert_false (heddle_ids_contain (stream->remedy_operations, operation_of (&fixture, "S")));

  group = try_label (&fixture, "file", "P", "x", HEDDLE_LABEL_GROUP);
  g_assert_nonnull (group);
  g_assert_cmpint (group->remedy_kind, ==, HEDDLE_REMEDY_FUSE);
  assert_contains (group->remedy, "split-K");
  rows = try_label (&fixture, "file", "P", "q", HEDDLE_LABEL_GROUP);
  g_assert_null (rows);
}

static void
test_after_fusion (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleRefusal) stream = NULL, group = NULL, core = NULL, centred = NULL;
  g_auto (Fixture) norm = { 0 }, made = { 0 };

  fixture_init (&fixture, ATTENTION, NULL);
  stream = try_label (&fixture, "P,O", "P", "x", HEDDLE_LABEL_STREAM);
  g_assert_null (stream);
  group = try_label (&fixture, "P,O", "P", "x", HEDDLE_LABEL_GROUP);
  g_assert_null (group);
  fixture_init (
      &norm, "X : [n=8, m=12]\nW : [m, k=6]\nY[n,k] = layernorm[m, eps=1e-6](X[n,m]) W[m,k]\n", NULL);
  g_assert_null (try_label (&norm, "all", "Y", "m", HEDDLE_LABEL_GROUP));
  /* What the sums are about would be a product that is not there before the loop. */
  fixture_init (&made,
      "X : [n=8, a=5]\nA : [a, m=12]\nW : [m, k=6]\nY[n,k] = layernorm[m, eps=1e-6](X[n,a] A[a,m]) W[m,k]\n",
      NULL);
  centred = try_label (&made, "all", "Y", "m", HEDDLE_LABEL_GROUP);
  g_assert_nonnull (centred);
  g_assert_cmpint (centred->remedy_kind, ==, HEDDLE_REMEDY_STREAM);
  assert_contains (centred->remedy, "cannot be merged");
  core = try_label (&fixture, "all", "O", "d", HEDDLE_LABEL_GROUP);
  g_assert_nonnull (core);
  g_assert_cmpstr (core->operation, ==, operation_of (&fixture, "S"));
}

/* The chain of kernels between a softmax and the contraction that takes it is fused too; where the softmax leaves the diagram, nothing helps. */
static void
test_remedies (void)
{
  g_auto (Fixture) chain = { 0 }, kept = { 0 }, norm = { 0 };
  g_autoptr (HeddleRefusal) refusal = NULL, hopeless = NULL, within = NULL;

  fixture_init (&chain,
      "S : [q=8, x=9]\nV : [x, d=3]\nP[q,x] = softmax[x](S[q,x])\nR[q,x] = P[q,x] * 2\nO[q,d] = R[q,x] "
      "V[x,d]\n",
      NULL);
  refusal = try_label (&chain, "file", "P", "x", HEDDLE_LABEL_STREAM);
  g_assert_cmpint (refusal->remedy_kind, ==, HEDDLE_REMEDY_FUSE);
  g_assert_cmpuint (refusal->remedy_operations->len, ==, 3);

  fixture_init (&kept,
      "S : [q=8, x=9]\nV : [x, d=3]\nP[q,x] = softmax[x](S[q,x])\nO[q,d] = P[q,x] V[x,d]\n-> P, O\n", NULL);
  hopeless = try_label (&kept, "file", "P", "x", HEDDLE_LABEL_STREAM);
  g_assert_cmpint (hopeless->remedy_kind, ==, HEDDLE_REMEDY_NONE);

  fixture_init (&norm, "X : [n=8, m=9]\nW : [m, k=3]\nY[n,k] = tanh(layernorm[m](X[n,m])) W[m,k]\n", NULL);
  within = try_label (&norm, "file", "Y", "m", HEDDLE_LABEL_STREAM);
  assert_contains (within->reason, "does not come out of it as factors of a sum");
}

/* LayerNorm on its own axis needs the mean and variance for each entry; the contraction after it takes it apart. */
static void
test_layernorm (void)
{
  g_auto (Fixture) alone = { 0 }, linear = { 0 };
  g_autoptr (HeddleRefusal) refusal = NULL, hopeless = NULL, fused = NULL;

  fixture_init (&alone, "X : [n=8, m=9]\nY[n,m] = layernorm[m](X[n,m])\n", NULL);
  hopeless = try_label (&alone, "file", "Y", "m", HEDDLE_LABEL_STREAM);
  assert_contains (hopeless->reason, "LayerNorm alone cannot stream m");
  g_assert_cmpint (hopeless->remedy_kind, ==, HEDDLE_REMEDY_NONE);
  fixture_init (&linear,
      "X : [n=8, m=9]\nW : [m, k=3]\nN[n,m] = layernorm[m](X[n,m])\nY[n,k] = N[n,m] W[m,k]\n-> Y\n", NULL);
  refusal = try_label (&linear, "file", "N", "m", HEDDLE_LABEL_STREAM);
  assert_contains (refusal->reason, "LayerNorm alone cannot stream m");
  assert_contains (refusal->remedy, "Contraction Y");
  g_assert_cmpint (refusal->remedy_kind, ==, HEDDLE_REMEDY_FUSE);
  g_assert_cmpuint (refusal->remedy_operations->len, ==, 2);
  fused = try_label (&linear, "N,Y", "Y", "m", HEDDLE_LABEL_STREAM);
  g_assert_null (fused);
}

/* Each square doubles the factors that wait: a long chain is refused, and soon. */
static void
test_squares (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GString) text = g_string_new ("S : [q=2, x=3]\nY_0[q,x] = softmax[x](S[q,x])\n");
  g_autoptr (HeddleRefusal) refusal = NULL;

  for (guint i = 1; i <= 40; i++)
    g_string_append_printf (text, "Y_%u[q,x] = Y_%u[q,x] * Y_%u[q,x]\n", i, i - 1, i - 1);
  g_string_append (text, "Z[q] = sum[x](Y_40[q,x])\n-> Z\n");
  fixture_init (&fixture, text->str, NULL);
  refusal = try_label (&fixture, "all", "Z", "x", HEDDLE_LABEL_STREAM);
  g_assert_nonnull (refusal);
  assert_contains (refusal->reason, "does not come out of it as factors of a sum");
}

static void
test_other_refusals (void)
{
  g_auto (Fixture) rows = { 0 }, window = { 0 }, absent = { 0 };
  g_autoptr (HeddleRefusal) written = NULL, indices = NULL, nothing = NULL, largest = NULL;

  fixture_init (&rows, "X : [a=8, b=9]\nV : [a]\nY[a,b] = exp(X[a,b])\nZ[a] = exp(V[a])\n", NULL);
  written = try_label (&rows, "all", "Y", "b", HEDDLE_LABEL_GROUP);
  g_assert_nonnull (written);
  fixture_init (&window, "X : [i=12]\nH[i] = relu(X[i])\naxis k = 3\nY[y=6] = sum[k](H[y+k])\n", NULL);
  indices = try_label (&window, "all", "Y", "i", HEDDLE_LABEL_STREAM);
  assert_contains (indices->reason, "at other indices");
  g_assert_cmpint (indices->remedy_kind, ==, HEDDLE_REMEDY_AXIS);
  g_assert_cmpstr (indices->remedy, ==, "Stream y instead, along which it works.");
  fixture_init (&absent, ATTENTION, NULL);
  nothing = try_label (&absent, "none", "S", "x", HEDDLE_LABEL_DIVISOR);
  g_assert_null (nothing);
  largest = try_label (&absent, "P", "O", "q", HEDDLE_LABEL_STREAM);
  g_assert_null (largest);
}

/* Refused labels come with the derivation, which has no program then. */
static void
test_derivation (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL, twice = NULL;
  const HeddleKernel *kernel;

  fixture_init (&fixture, ATTENTION, NULL);
  derivation = fixture_derive_abstract (&fixture, "none", "x:stream=64", 1000, HEDDLE_COLUMNS_ALL, FALSE);
  g_assert_true (derivation->illegal);
  g_assert_cmpuint (derivation->kernels->len, ==, 3);
  kernel = fixture_kernel (derivation, 1);
  g_assert_cmpuint (kernel->refusals->len, ==, 1);
  g_assert_null (kernel->program);
  g_assert_nonnull (fixture_kernel (derivation, 0)->program);
  g_assert_nonnull (fixture_kernel (derivation, 2)->program);

  twice
      = fixture_derive_abstract (&fixture, "all", "x:stream=64 q:stream=2", 1000, HEDDLE_COLUMNS_ALL, FALSE);
  g_assert_cmpuint (fixture_kernel (twice, 0)->refusals->len, ==, 1);
}

/* Where there is no remedy, why; a sum of sums streams. */
static void
test_no_remedy (void)
{
  static const struct
  {
    const char *text, *labels, *reason;
  } rows[] = {
    { "X : [a=8, b=9]\nY[a,b] = softmax[b](X[a,b])\n", "b:group=3", "Y forbids it by itself" },
    { "X : [a=8]\nS[a] = cumsum[a](X[a])\nY[a] = cumsum[a](S[a])\n", "a:group=3", NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Fixture) fixture = { 0 };
      g_autoptr (HeddleDerivation) derivation = NULL;
      const HeddleRefusal *refusal;

      fixture_init (&fixture, rows[i].text, NULL);
      derivation = fixture_derive_abstract (&fixture, "all", rows[i].labels, 1000, HEDDLE_COLUMNS_ALL, FALSE);
      g_assert_cmpuint (fixture_kernel (derivation, 0)->refusals->len, ==, 1);
      refusal = g_ptr_array_index (fixture_kernel (derivation, 0)->refusals, 0);
      g_test_message ("%s %s %s", refusal->reason, refusal->remedy, refusal->no_remedy);
      g_assert_cmpint (rows[i].reason != NULL, ==, refusal->remedy[0] == '\0');
      if (rows[i].reason != NULL)
        assert_contains (refusal->no_remedy, rows[i].reason);
      else
        g_assert_null (refusal->no_remedy);
    }
}

/* --- every refusal of every example ------------------------------------------------------------------------------ */

static guint n_refused, n_remedies;

/* A remedy is a step that can be taken: after it the label is legal. */
static void
check_remedy (const HeddleDiagram *diagram, const HeddleRefusal *refusal, const char *operation)
{
  HeddleSchedule *fused = heddle_schedule_new (diagram->id);
  HeddleRefusal *after;

  n_remedies++;
  if (refusal->remedy_kind == HEDDLE_REMEDY_FUSE)
    {
      HeddleRegion *region = heddle_schedule_add_region (fused);

      g_array_append_vals (
          region->operations, refusal->remedy_operations->data, refusal->remedy_operations->len);
      after = heddle_derive_try_label (
          diagram, fused, heddle_ids_index (region->operations, 0), refusal->axis, refusal->kind);
    }
  else if (refusal->remedy_kind == HEDDLE_REMEDY_AXIS)
    after = heddle_derive_try_label (diagram, NULL, operation, refusal->remedy_axis, refusal->kind);
  else
    after = heddle_derive_try_label (diagram, NULL, operation, refusal->axis, HEDDLE_LABEL_STREAM);
  if (after != NULL)
    g_error ("%s, but then: %s", refusal->remedy, after->reason);
  heddle_schedule_free (fused);
}

static void
check_label (const HeddleDiagram *diagram, const char *operation, const char *axis, HeddleLabelKind kind)
{
  g_autoptr (HeddleRefusal) refusal = heddle_derive_try_label (diagram, NULL, operation, axis, kind);

  if (refusal == NULL)
    return;
  n_refused++;
  g_assert_cmpstr (refusal->reason, !=, "");
  g_assert_true (refusal->operation != NULL || strstr (refusal->reason, "Nothing") != NULL);
  g_assert_cmpint (refusal->remedy_kind != HEDDLE_REMEDY_NONE, ==, refusal->remedy[0] != '\0');
  g_assert_cmpint (refusal->remedy_kind != HEDDLE_REMEDY_NONE, ==, refusal->no_remedy == NULL);
  if (refusal->remedy_kind != HEDDLE_REMEDY_NONE)
    check_remedy (diagram, refusal, operation);
}

static void
check_example (const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autofree char *path = g_build_filename (heddle_data_directory (), "examples", name, NULL);
  g_autoptr (HeddleSnapshot) document = heddle_file_load (path, problems, &error);
  g_autoptr (HeddleSnapshot) flat
      = heddle_snapshot_flatten (document, heddle_snapshot_get_diagram (document, NULL), NULL, NULL, &error);
  const HeddleDiagram *diagram = heddle_snapshot_get_diagram (flat, NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < MIN (diagram->operations->len, 60); i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      for (guint k = 0; k < diagram->axes->len; k++)
        {
          const char *axis = ((const HeddleAxis *) g_ptr_array_index (diagram->axes, k))->id;

          check_label (diagram, operation->id, axis, HEDDLE_LABEL_GROUP);
          check_label (diagram, operation->id, axis, HEDDLE_LABEL_STREAM);
        }
    }
}

static void
test_refusals (void)
{
  g_autofree char *path = g_build_filename (heddle_data_directory (), "examples", NULL);
  g_autoptr (GDir) directory = g_dir_open (path, 0, NULL);

  for (const char *name = g_dir_read_name (directory); name != NULL; name = g_dir_read_name (directory))
    if (g_str_has_suffix (name, ".ncd"))
      check_example (name);
  g_test_message ("%u refusals, %u of them with a remedy", n_refused, n_remedies);
  g_assert_cmpuint (n_remedies, >, 50);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/legality/before-fusion", test_before_fusion);
  g_test_add_func ("/legality/after-fusion", test_after_fusion);
  g_test_add_func ("/legality/remedies", test_remedies);
  g_test_add_func ("/legality/layernorm", test_layernorm);
  g_test_add_func ("/legality/squares", test_squares);
  g_test_add_func ("/legality/other", test_other_refusals);
  g_test_add_func ("/legality/derivation", test_derivation);
  g_test_add_func ("/legality/no-remedy", test_no_remedy);
  g_test_add_func ("/legality/refusals", test_refusals);
  return g_test_run ();
}
