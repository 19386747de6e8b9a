/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <sys/stat.h>

#include <glib/gstdio.h>

#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "files/base/files.h"
#include "files/base/json.h"
#include "files/base/npy.h"
#include "files/base/open.h"
#include "files/exchange/load.h"
#include "files/measure/bench-result.h"
#include "files/onnx/model.h"
#include "files/onnx/safetensors.h"
#include "files/onnx/tensor-file.h"
#include "files/picture/svg-read.h"

static GPtrArray *
problems_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
}

/* Each reader of files refuses what is no regular file, at once: a test that waits for a pipe does not end. */
static void
assert_refused (const char *path)
{
  g_autoptr (GPtrArray) problems = problems_new ();
  GError *errors[5] = { NULL };

  g_assert_null (heddle_file_load (path, problems, &errors[0]));
  g_assert_null (heddle_npy_read (path, &errors[1]));
  g_assert_null (heddle_onnx_model_load (path, &errors[2]));
  g_assert_null (heddle_onnx_tensor_load (path, &errors[3]));
  g_assert_null (heddle_safetensors_load (path, &errors[4]));
  for (guint i = 0; i < G_N_ELEMENTS (errors); i++)
    {
      g_assert_error (errors[i], HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_FORMAT);
      g_assert_nonnull (strstr (errors[i]->message, path));
      g_clear_error (&errors[i]);
    }
}

static void
test_special (void)
{
  g_autofree char *folder = g_dir_make_tmp ("heddle-open-XXXXXX", NULL);
  g_autofree char *pipe = g_build_filename (folder, "pipe", NULL);

  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  assert_refused (pipe);
  assert_refused ("/dev/zero");
  assert_refused (folder);
  g_unlink (pipe);
  g_rmdir (folder);
}

static void
test_bound (void)
{
  g_autofree char *folder = g_dir_make_tmp ("heddle-open-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.eq", NULL), *data = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  g_assert_true (g_file_set_contents (path, "0123456789", 10, NULL));
  g_assert_true (heddle_file_read (path, 10, &data, &length, &error));
  g_assert_cmpint (length, ==, 10);
  g_assert_cmpstr (data, ==, "0123456789");
  g_clear_pointer (&data, g_free);
  g_assert_false (heddle_file_read (path, 9, &data, &length, &error));
  g_assert_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_LIMIT);
  g_unlink (path);
  g_rmdir (folder);
}

/* Of an empty text no equations are read, and a document that lost all its bytes is told of. */
static void
test_emptied (void)
{
  static const char *const names[] = { "a.ncd", "a.svg", "a.eq" };
  g_autofree char *folder = g_dir_make_tmp ("heddle-open-XXXXXX", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);
      g_autoptr (GPtrArray) problems = problems_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (HeddleSnapshot) snapshot = NULL;

      g_assert_true (g_file_set_contents (path, i == 1 ? " \n" : "", -1, NULL));
      snapshot = heddle_file_load (path, problems, &error);
      if (i == 2)
        g_assert_nonnull (snapshot);
      else
        g_assert_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_FORMAT);
      g_unlink (path);
    }
  g_rmdir (folder);
}

/* 40,000 attributes took the parser seconds: it compares each with all. In comments and marked text there are none. */
static void
test_attributes (void)
{
  g_autofree char *folder = g_dir_make_tmp ("heddle-open-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.ncd", NULL);
  g_autoptr (GString) text = g_string_new ("<heddle xmlns=\"" HEDDLE_NCD_NAMESPACE "\" version=\"1.0\"");

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GPtrArray) problems = problems_new ();
      if (i == 0)
        g_string_append (text, "><!--");
      for (guint j = 0; j < 300; j++)
        g_string_append_printf (text, " a%u=\"%u\"", j, j);
      g_string_append (text, i == 0 ? "--><meaning/><schedule/><presentation/></heddle>" : "/>");
      g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
      g_assert_null (heddle_file_load (path, problems, NULL));
      g_assert_cmpuint (problems->len, ==, 1);
      g_assert_cmpstr (((HeddleProblem *) problems->pdata[0])->message, ==,
          i == 0 ? "the file holds no diagram" : "an element has more than 256 attributes");
      g_string_assign (text, "<heddle a=\"'>\" ");
    }
  g_unlink (path);
  g_rmdir (folder);
}

/* The parser copied all of the file for each of a hundred thousand errors. */
static void
test_many_errors (void)
{
  g_autofree char *folder = g_dir_make_tmp ("heddle-open-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.svg", NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GPtrArray) problems = problems_new ();

  for (guint i = 0; i < 100000; i++)
    g_string_append (text, "<!--");
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
  g_assert_null (heddle_file_load (path, problems, NULL));
  g_assert_cmpuint (problems->len, >, 0);
  g_assert_cmpuint (problems->len, <, 30);
  g_unlink (path);
  g_rmdir (folder);
}

/* What reads JSON calls itself for each level, until the stack is full. */
static void
test_deep_json (void)
{
  g_autofree char *folder = g_dir_make_tmp ("heddle-open-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.json", NULL);
  g_autofree char *text = g_strnfill (1000000, '[');
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_null (heddle_bench_result_read (path, &error));
  g_assert_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_FORMAT);
  g_assert_true (heddle_json_is_shallow ("[[\"[[[[\\\"[[\"], [[]]]", 19, 3));
  g_assert_false (heddle_json_is_shallow ("[[\"[[[[\\\"[[\"], [[]]]", 19, 2));
  g_unlink (path);
  g_rmdir (folder);
}

/* The bytes of a picture need not end with a 0: nothing after them is read. */
static void
test_svg_is (void)
{
  g_assert_true (heddle_svg_is ("<!--x--><svg>", 13));
  g_assert_false (heddle_svg_is ("<svg>", 3));
  g_assert_false (heddle_svg_is ("<!--><svg>", 3));
  g_assert_false (heddle_svg_is ("<!--x--><svg>", 11));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/open/special", test_special);
  g_test_add_func ("/open/bound", test_bound);
  g_test_add_func ("/open/emptied", test_emptied);
  g_test_add_func ("/open/attributes", test_attributes);
  g_test_add_func ("/open/many-errors", test_many_errors);
  g_test_add_func ("/open/deep-json", test_deep_json);
  g_test_add_func ("/open/svg-is", test_svg_is);
  return g_test_run ();
}
