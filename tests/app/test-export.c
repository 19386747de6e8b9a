/* SPDX-License-Identifier: MIT */

/* Exporting in a worker thread, as the window does it. */

#include <glib/gstdio.h>

#include "app/export/job.h"
#include "derive/machine/find.h"
#include "diagram/base/dtype.h"
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram-compare.h"
#include "files/base/files.h"
#include "files/equations/document.h"
#include "files/equations/write.h"
#include "files/exchange/load.h"

static HeddleSnapshot *
load_attention (void)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (heddle_data_directory (), "examples", "attention.ncd", NULL);
  HeddleSnapshot *snapshot = heddle_file_load (path, problems, &error);

  g_assert_no_error (error);
  return snapshot;
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer data)
{
  GAsyncResult **kept = data;

  *kept = g_object_ref (result);
}

static gboolean
export_with (HeddleSnapshot *snapshot, const char *path, gboolean overlay, GError **error)
{
  const HeddleExportOptions options = { .gpu = "h100-sxm", .dtype = HEDDLE_DTYPE_F16, .overlay = overlay };
  GAsyncResult *result = NULL;
  gboolean done;

  heddle_export_async (snapshot, path, &options, NULL, keep_result, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  done = heddle_export_finish (result, error);
  g_object_unref (result);
  return done;
}

static gboolean
export_to (HeddleSnapshot *snapshot, const char *path, GError **error)
{
  return export_with (snapshot, path, FALSE, error);
}

static char *
temporary (const char *suffix)
{
  return g_strdup_printf ("%s/heddle-export-%d%s", g_get_tmp_dir (), (int) getpid (), suffix);
}

static void
test_svg (void)
{
  g_autoptr (HeddleSnapshot) snapshot = load_attention ();
  g_autoptr (HeddleSnapshot) again = NULL;
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = temporary (".svg");
  g_autofree char *why = NULL;

  g_assert_true (export_to (snapshot, path, &error));
  g_assert_no_error (error);
  again = heddle_file_load (path, problems, &error);
  g_assert_no_error (error);
  g_assert_true (heddle_diagram_isomorphic (
      heddle_snapshot_get_diagram (snapshot, NULL), heddle_snapshot_get_diagram (again, NULL), &why));
  g_unlink (path);
}

/* A PDF whose letters TeX sets comes with a file that does so and names it. */
static void
test_overlay (void)
{
  g_autoptr (HeddleSnapshot) snapshot = load_attention ();
  g_autoptr (GError) error = NULL;
  g_autofree char *path = temporary (".pdf");
  g_autofree char *overlay = g_strconcat (path, "_tex", NULL);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *art = g_strdup_printf ("\\heddleart{%s}\n", name);
  g_autofree char *text = NULL;

  g_assert_true (export_with (snapshot, path, TRUE, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_get_contents (overlay, &text, NULL, &error));
  g_assert_nonnull (strstr (text, art));
  g_assert_nonnull (strstr (text, "{$\\ast k^{-1/2}$}\n"));
  g_unlink (overlay);
  g_unlink (path);
}

static void
test_equations (void)
{
  g_autoptr (HeddleSnapshot) snapshot = load_attention ();
  g_autoptr (GError) error = NULL;
  g_autofree char *path = temporary (".eq");
  g_autofree char *text = NULL;
  g_autofree char *expected = heddle_equations_write (heddle_snapshot_get_diagram (snapshot, NULL));

  g_assert_true (export_to (snapshot, path, &error));
  g_assert_true (g_file_get_contents (path, &text, NULL, &error));
  g_assert_cmpstr (text, ==, expected);
  g_unlink (path);
}

static void
test_failures (void)
{
  g_autoptr (HeddleSnapshot) snapshot = load_attention ();
  g_autoptr (GError) error = NULL;
  g_autofree char *odd = temporary (".doc");

  g_assert_false (export_to (snapshot, odd, &error));
  g_assert_nonnull (error);
  g_assert_false (g_file_test (odd, G_FILE_TEST_EXISTS));
  g_clear_error (&error);
  g_assert_false (export_to (snapshot, "/proc/no-such-folder/attention.svg", &error));
  g_assert_nonnull (error);
}

/* There are no kernels of a diagram without operations, and the window says so. */
static void
test_nothing (void)
{
  static const char *const suffixes[] = { ".cu", ".h", ".ptx", ".cubin", ".py" };
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (HeddleSnapshot) snapshot
      = heddle_equations_read ("A : f32[a=4]\n-> A\n", -1, "input.eq", problems);

  g_assert_nonnull (snapshot);
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *path = temporary (suffixes[i]);

      g_assert_false (export_to (snapshot, path, &error));
      g_assert_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_EMPTY);
      g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/export/svg", test_svg);
  g_test_add_func ("/export/overlay", test_overlay);
  g_test_add_func ("/export/equations", test_equations);
  g_test_add_func ("/export/failures", test_failures);
  g_test_add_func ("/export/nothing", test_nothing);
  return g_test_run ();
}
