/* SPDX-License-Identifier: MIT */

/* What is typed into a label: of an axis, of a function, of an array. */

#include <string.h>

#include "app/editor/editor.h"
#include "app/edits/label.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
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

static const char *
axis_id (HeddleEditor *editor, const char *name)
{
  return heddle_diagram_find_axis (heddle_editor_get_diagram (editor), name)->id;
}

static void
test_label_text (void)
{
  g_autoptr (HeddleEditor) editor = new_editor (attention);
  g_autoptr (GError) error = NULL;
  const char *x = axis_id (editor, "x");

  g_assert_true (heddle_edits_apply_label (editor, x, " x = 64*2 ", &error));
  g_assert_no_error (error);
  g_assert_cmpint (heddle_sizes_get (heddle_editor_get_sizes (editor), x), ==, 128);
  g_assert_cmpstr (heddle_document_get_undo_name (heddle_editor_get_document (editor)), ==, "Set x = 64*2");
  g_assert_true (heddle_edits_apply_label (editor, x, "x", &error)); /* nothing to do */
  g_assert_cmpstr (heddle_document_get_undo_name (heddle_editor_get_document (editor)), ==, "Set x = 64*2");
  g_assert_false (heddle_edits_apply_label (editor, x, "z = 0", &error));
  g_assert_nonnull (error);
  g_assert_null (heddle_diagram_find_axis (heddle_editor_get_diagram (editor), "z"));
}

static const char *
value_id (HeddleEditor *editor, const char *name)
{
  return heddle_diagram_find_value (heddle_editor_get_diagram (editor), name)->id;
}

static char *
text_of (HeddleEditor *editor)
{
  return heddle_equations_write (heddle_editor_get_diagram (editor));
}

static void
test_function_text (void)
{
  g_autoptr (HeddleEditor) editor
      = new_editor ("X : [n=64, d=32]\nS[n,d] = X[n,d] * 2\nR[n] = sum[d](S[n,d])\n");
  HeddleDocument *document = heddle_editor_get_document (editor);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const char *map = heddle_diagram_get_producer (diagram, heddle_diagram_find_value (diagram, "S")->id)->id;
  g_autofree char *both = NULL, *named = NULL, *formula = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (heddle_edits_apply_function (editor, map, " T = $0 * d^-0.5 ", &error));
  g_assert_no_error (error);
  both = text_of (editor);
  g_assert_nonnull (strstr (both, "T[n,d] = X[n,d] * d^-0.5\nR[n] = sum[d](T[n,d])"));
  heddle_document_undo (document); /* one step */
  g_assert_null (heddle_document_get_undo_name (document));

  g_assert_true (heddle_edits_apply_function (editor, map, "U", &error));
  g_assert_cmpstr (heddle_document_get_undo_name (document), ==, "Rename S to U");
  named = text_of (editor);
  g_assert_nonnull (strstr (named, "U[n,d] = X[n,d] * 2\n"));

  g_assert_true (heddle_edits_apply_function (editor, map, "where($0 >= 0, $0, 0)", &error));
  formula = text_of (editor);
  g_assert_nonnull (strstr (formula, "U[n,d] = where(X[n,d] >= 0, X[n,d], 0)\n"));
  heddle_document_undo (document);
  g_assert_true (heddle_edits_apply_function (editor, map, "\\bar x", &error));
  g_assert_cmpstr (heddle_document_get_undo_name (document), ==, "Rename U to \\bar x");
  heddle_document_undo (document);
  g_assert_true (heddle_edits_apply_function (editor, map, "U = $0*2", &error)); /* as it is */
  g_assert_cmpstr (heddle_document_get_undo_name (document), ==, "Rename S to U");
  g_assert_false (
      heddle_edits_apply_function (editor, map, "X = $0", &error)); /* taken: nothing of it is done */
  g_assert_nonnull (error);
  g_assert_cmpstr (heddle_document_get_undo_name (document), ==, "Rename S to U");
}

/* With their axes: those of one name are one. */
static void
test_array_text (void)
{
  g_autoptr (HeddleEditor) editor = new_editor ("A : [a=1024, b=1024]\nB : [c=1024, d=1024]\n");
  HeddleDocument *document = heddle_editor_get_document (editor);
  g_autofree char *named = NULL, *as_before = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (heddle_edits_apply_label (editor, value_id (editor, "A"), "Q[y=4096, k=128]", &error));
  g_assert_no_error (error);
  g_assert_true (heddle_edits_apply_label (editor, value_id (editor, "B"), "K[x=4096, k]", &error));
  g_assert_no_error (error);
  named = text_of (editor);
  g_assert_cmpstr (g_strchomp (named), ==, "Q : [y=4096, k=128]\nK : [x=4096, k]");
  g_assert_false (heddle_edits_apply_label (editor, value_id (editor, "K"), "V[x]", &error));
  g_assert_nonnull (strstr (error->message, "2 axes"));
  heddle_document_undo (document);
  heddle_document_undo (document); /* each is one step */
  as_before = text_of (editor);
  g_assert_cmpstr (g_strchomp (as_before), ==, "A : [a=1024, b=1024]\nB : [c=1024, d=1024]");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/labels/axis", test_label_text);
  g_test_add_func ("/labels/function", test_function_text);
  g_test_add_func ("/labels/array", test_array_text);
  return g_test_run ();
}
