/* SPDX-License-Identifier: MIT */

#include <string.h>

#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "files/base/files.h"
#include "files/equations/document.h"
#include "files/equations/write.h"
#include "files/exchange/export.h"
#include "files/picture/svg-read.h"

static GPtrArray *
new_problems (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
}

static const char equations[] = "A : f32[x=3]\nB[x] = exp(A[x])\n";

static HeddleSnapshot *
read_equations (void)
{
  g_autoptr (GPtrArray) problems = new_problems ();
  HeddleSnapshot *snapshot = heddle_equations_read (equations, -1, "test.eq", problems);

  g_assert_nonnull (snapshot);
  return snapshot;
}

static char *
write_svg (gboolean with_source)
{
  g_autoptr (HeddleSnapshot) snapshot = read_equations ();
  HeddleExportOptions options = { .no_source = !with_source };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = heddle_export (snapshot, "test.svg", &options, NULL, &error);

  g_assert_no_error (error);
  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

/* A picture opens as the document it was made from. */
static void
test_round_trip (void)
{
  g_autofree char *svg = write_svg (TRUE), *text = NULL;
  g_autoptr (GPtrArray) problems = new_problems ();
  g_autoptr (HeddleSnapshot) snapshot = heddle_svg_read (svg, strlen (svg), "test.svg", problems);

  g_assert_true (heddle_svg_is (svg, strlen (svg)));
  g_assert_nonnull (snapshot);
  g_assert_cmpuint (problems->len, ==, 0);
  text = heddle_equations_write (heddle_snapshot_get_diagram (snapshot, NULL));
  g_assert_cmpstr (text, ==, equations);
}

/* One that was changed since says so, and still opens. */
static void
test_changed_picture (void)
{
  g_autofree char *svg = write_svg (TRUE);
  g_autoptr (GPtrArray) problems = new_problems ();
  g_autoptr (HeddleSnapshot) snapshot = NULL;
  char *size = strstr (svg, "font-size=\"");

  g_assert_nonnull (size);
  size[strlen ("font-size=\"")] = '9';
  snapshot = heddle_svg_read (svg, strlen (svg), "test.svg", problems);
  g_assert_nonnull (snapshot);
  g_assert_cmpuint (problems->len, ==, 1);
  g_assert_cmpint (
      ((HeddleProblem *) g_ptr_array_index (problems, 0))->severity, ==, HEDDLE_SEVERITY_WARNING);
}

static void
test_without_source (void)
{
  g_autofree char *svg = write_svg (FALSE);
  g_autoptr (GPtrArray) problems = new_problems ();

  g_assert_null (heddle_svg_read (svg, strlen (svg), "test.svg", problems));
  g_assert_cmpuint (problems->len, ==, 1);
  g_assert_nonnull (
      strstr (((HeddleProblem *) g_ptr_array_index (problems, 0))->message, "holds no diagram"));
}

/* The embedded source is no more trusted than a file. */
static void
test_hostile (void)
{
  static const char *const pictures[] = {
    "<svg xmlns=\"http://www.w3.org/2000/svg\"><metadata><s:source xmlns:s=\"" HEDDLE_NCD_NAMESPACE
    "\">&lt;!DOCTYPE a [&lt;!ENTITY b 'c'&gt;]&gt;&lt;a/&gt;</s:source></metadata></svg>",
    "<!DOCTYPE svg [<!ENTITY b 'c'>]><svg xmlns=\"http://www.w3.org/2000/svg\">&b;</svg>",
    "<svg xmlns=\"http://www.w3.org/2000/svg\"><metadata><s:source xmlns:s=\"" HEDDLE_NCD_NAMESPACE
    "\">not a document</s:source></metadata></svg>",
    "<svg",
  };

  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++)
    {
      g_autoptr (GPtrArray) problems = new_problems ();

      g_assert_null (heddle_svg_read (pictures[i], strlen (pictures[i]), "test.svg", problems));
      g_assert_cmpuint (problems->len, >, 0);
    }
}

static void
test_kind (void)
{
  static const struct
  {
    const char *text;
    gboolean svg;
  } cases[] = { { "<?xml version=\"1.0\"?>\n<!-- <a> -->\n<svg/>", TRUE }, { "<heddle/>", FALSE },
    { "", FALSE }, { "<?xml", FALSE }, { "<svg", FALSE }, { "A : f32[x=3]", FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (heddle_svg_is (cases[i].text, strlen (cases[i].text)), ==, cases[i].svg);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/files/svg-read/round-trip", test_round_trip);
  g_test_add_func ("/files/svg-read/changed-picture", test_changed_picture);
  g_test_add_func ("/files/svg-read/without-source", test_without_source);
  g_test_add_func ("/files/svg-read/hostile", test_hostile);
  g_test_add_func ("/files/svg-read/kind", test_kind);
  return g_test_run ();
}
