/* SPDX-License-Identifier: MIT */
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/presentation.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "files/base/files.h"
#include "files/difference/difference.h"
#include "files/equations/document.h"

#include <string.h>

static const char attention[] = "Q : f16[y=4096, k=128]\n"
                                "K : f16[x=4096, k]\n"
                                "S[y,x] = Q[y,k] K[x,k]\n"
                                "P[y,x] = softmax[x](S[y,x] * k^-0.5)\n";

static HeddleSnapshot *
read_text (const char *text)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  HeddleSnapshot *snapshot = heddle_equations_read (text, -1, "difference", problems);

  g_assert_nonnull (snapshot);
  return snapshot;
}

/* `kind: text`, one a line. */
static void
assert_difference (const HeddleSnapshot *a, const HeddleSnapshot *b, const char *expected)
{
  g_autoptr (GPtrArray) found = heddle_snapshot_difference (a, b, NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < found->len; i++)
    {
      const HeddleDifference *difference = found->pdata[i];
      g_string_append_printf (text, "%s: %s\n", difference->kind, difference->text);
    }
  g_assert_cmpstr (text->str, ==, expected);
}

static void
assert_text_difference (const char *other, const char *expected)
{
  g_autoptr (HeddleSnapshot) a = read_text (attention), b = read_text (other);

  assert_difference (a, b, expected);
}

/* The order of inputs and how a product is written are not the meaning. */
static void
test_equal (void)
{
  assert_text_difference (attention, "");
  assert_text_difference ("K : f16[x=4096, k=128]\n"
                          "Q : f16[y=4096, k]\n"
                          "S[y,x] = sum[k](Q[y,k] * K[x,k])\n"
                          "P[y,x] = softmax[x](S[y,x] * k^-0.5)\n",
      "");
}

static void
test_meaning (void)
{
  assert_text_difference ("Q : f16[y=2048, k=128]\n"
                          "K : bf16[x=y*2, k]\n"
                          "S[y,x] = Q[y,k] K[x,k]\n"
                          "P[y,x] = softmax[x](S[y,x])\n",
      "size: the size of y: 4096 → 2048\n"
      "size: the size of x: 4096 → y*2\n"
      "dtype: the data type of K: f16 → bf16\n"
      "operation: P: P[y,x] = softmax[x](S[y,x] * k^-0.5) → P[y,x] = softmax[x](S[y,x])\n");
  assert_text_difference ("Q : f16[y=4096, k=128]\n"
                          "param K : f16[x=4096, k]\n"
                          "S[y,x] = Q[y,k] K[x,k]\n"
                          "R[y] = max[x](S[y,x])\n",
      "operation: K: K : [x, k] → param K : [x, k]\n"
      "value: P removed: P[y,x] = softmax[x](S[y,x] * k^-0.5)\n"
      "value: R added: R[y] = max[x](S[y,x])\n"
      "output: outputs: P → R\n");
  assert_text_difference ("Q : f16[y=4096, k=128]\n"
                          "K : f16[x=4096, k]\n"
                          "S[y,x] = Q[y,k] K[x,k] # scores\n"
                          "P[y,x] = softmax[x](S[y,x] * k^-0.5)\n",
      "comment: the comment of S changed\n");
}

/* The same thing under another name is one difference, wherever the name is written. */
static void
test_renamed (void)
{
  g_autoptr (HeddleSnapshot) a = read_text (attention), b = heddle_snapshot_copy (a);
  HeddleDiagram *diagram = heddle_snapshot_get_diagram (b, NULL);
  const char *axis = heddle_diagram_find_axis (diagram, "x")->id;
  const char *value = heddle_diagram_find_value (diagram, "S")->id;

  HeddleAxis *renamed = heddle_diagram_edit_axis (diagram, axis);
  g_free (renamed->name);
  renamed->name = g_strdup ("z");
  HeddleValue *scores = heddle_diagram_edit_value (diagram, value);
  g_free (scores->name);
  scores->name = g_strdup ("A");
  assert_difference (a, b, "axis: x is now called z\nvalue: S is now called A\n");
}

static void
test_schedule (void)
{
  g_autoptr (HeddleSnapshot) a = read_text (attention), b = NULL, c = NULL;
  HeddleSchedule *schedule;
  HeddleRegion *region = heddle_region_new ("r.1");

  b = heddle_snapshot_copy (a);
  schedule = heddle_snapshot_get_schedule (b, heddle_snapshot_get_diagram (b, NULL));
  schedule->gpu = g_strdup ("h100-sxm");
  heddle_ids_append (region->operations, g_intern_string ("o.S"));
  heddle_ids_append (region->operations, g_intern_string ("o.P"));
  g_ptr_array_add (
      region->labels, heddle_label_new (g_intern_string ("a.x"), "smem", HEDDLE_LABEL_STREAM, 64));
  g_ptr_array_add (schedule->regions, region);
  g_ptr_array_add (schedule->residency, heddle_residency_new (g_intern_string ("v.S"), NULL, "smem"));
  assert_difference (a, b,
      "target: machine added: h100-sxm\n"
      "region: kernel r.1 added: S, P\n"
      "label: label x:stream@smem of kernel r.1 added: 64\n"
      "place: place of S added: smem\n");
  c = heddle_snapshot_copy (b);
  schedule = heddle_snapshot_get_schedule (c, heddle_snapshot_get_diagram (c, NULL));
  ((HeddleLabel *) ((HeddleRegion *) schedule->regions->pdata[0])->labels->pdata[0])->size = 32;
  g_ptr_array_set_size (schedule->residency, 0);
  assert_difference (b, c,
      "label: label x:stream@smem of kernel r.1: 64 → 32\n"
      "place: place of S removed: smem\n");
}

static void
test_presentation (void)
{
  g_autoptr (HeddleSnapshot) a = read_text (attention), b = heddle_snapshot_copy (a), c = NULL;
  HeddlePresentation *drawing = heddle_snapshot_get_presentation (b, heddle_snapshot_get_diagram (b, NULL));

  drawing->title = g_strdup ("Scores");
  heddle_presentation_set_nudge (drawing, g_intern_string ("o.S"), 10., 2.5);
  assert_difference (a, b, "title: title added: Scores\nnudge: nudge of S added: (10, 2.5)\n");
  c = heddle_snapshot_copy (b);
  drawing = heddle_snapshot_get_presentation (c, heddle_snapshot_get_diagram (c, NULL));
  heddle_presentation_set_nudge (drawing, g_intern_string ("o.S"), 10., 0.);
  assert_difference (b, c, "nudge: nudge of S: (10, 2.5) → (10, 0)\n");
}

/* Several diagrams are matched by name. */
static void
test_diagrams (void)
{
  g_autoptr (HeddleSnapshot) a = read_text (attention), b = heddle_snapshot_copy (a),
                             other = read_text (attention);
  HeddleDiagram *added
      = heddle_snapshot_add_diagram (b, heddle_diagram_copy (heddle_snapshot_get_diagram (other, NULL)));

  g_free (added->name);
  added->name = g_strdup ("second");
  assert_difference (a, b, "diagram: diagram second added\n");
  assert_difference (b, a, "diagram: diagram second removed\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/difference/equal", test_equal);
  g_test_add_func ("/difference/meaning", test_meaning);
  g_test_add_func ("/difference/renamed", test_renamed);
  g_test_add_func ("/difference/schedule", test_schedule);
  g_test_add_func ("/difference/presentation", test_presentation);
  g_test_add_func ("/difference/diagrams", test_diagrams);
  return g_test_run ();
}
