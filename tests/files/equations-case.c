/* SPDX-License-Identifier: MIT */
#include "equations-case.h"

#include <string.h>
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram-compare.h"
#include "diagram/graph/diagram.h"
#include "files/equations/document.h"
#include "files/equations/write.h"
#include "files/ncd/read.h"
#include "files/ncd/write.h"

static GPtrArray *
problems_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
}

static void
append_problem (GString *text, const HeddleProblem *problem)
{
  if (problem->severity == HEDDLE_SEVERITY_WARNING && problem->object_id != NULL)
    return;
  g_string_append_printf (text, "%s%u:%u %s\n",
      problem->severity == HEDDLE_SEVERITY_WARNING ? "warning " : "", problem->line, problem->column,
      problem->message);
}

char *
equations_problems (const char *text)
{
  g_autoptr (GPtrArray) problems = problems_new ();
  g_autoptr (HeddleSnapshot) snapshot = heddle_equations_read (text, -1, "case.eq", problems);
  GString *lines = g_string_new (NULL);

  g_assert_true (heddle_problems_have_errors (problems) == (snapshot == NULL));
  for (guint i = 0; i < problems->len; i++)
    append_problem (lines, g_ptr_array_index (problems, i));
  return g_string_free (lines, FALSE);
}

HeddleSnapshot *
equations_read (const char *text)
{
  g_autoptr (GPtrArray) problems = problems_new ();
  HeddleSnapshot *snapshot = heddle_equations_read (text, -1, "case.eq", problems);

  if (snapshot == NULL)
    {
      g_autofree char *lines = equations_problems (text);
      g_error ("cannot read\n%s\n%s", text, lines);
    }
  return snapshot;
}

char *
equations_canonical (const char *text)
{
  g_autoptr (HeddleSnapshot) snapshot = equations_read (text);

  return heddle_equations_write (heddle_snapshot_get_diagram (snapshot, NULL));
}

void
equations_assert_round_trip (const HeddleDiagram *diagram)
{
  g_autofree char *text = heddle_equations_write (diagram), *why = NULL, *again = NULL;
  g_autoptr (HeddleSnapshot) snapshot = equations_read (text);
  const HeddleDiagram *read = heddle_snapshot_get_diagram (snapshot, NULL);

  if (!heddle_diagram_isomorphic (diagram, read, &why))
    g_error ("%s, after\n%s", why, text);
  again = heddle_equations_write (read);
  g_assert_cmpstr (again, ==, text);
}

void
equations_assert_stays (const char *text)
{
  g_autoptr (HeddleSnapshot) snapshot = equations_read (text);
  g_autofree char *written
      = heddle_equations_write_snapshot (snapshot, heddle_snapshot_get_diagram (snapshot, NULL));
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (GError) error = NULL;
  gsize length;
  g_autofree char *file = NULL, *again = NULL;
  g_autoptr (HeddleSnapshot) read = NULL;

  g_assert_cmpstr (written, ==, text);
  file = heddle_ncd_write (snapshot, &length, &error);
  g_assert_no_error (error);
  read = heddle_ncd_read (file, length, "case.ncd", problems);
  g_assert_nonnull (read);
  again = heddle_ncd_write (read, &length, &error);
  g_assert_cmpstr (again, ==, file);
  for (guint i = 0; i < read->diagrams->len; i++)
    g_assert_true (heddle_diagram_isomorphic (
        g_ptr_array_index (read->diagrams, i), g_ptr_array_index (snapshot->diagrams, i), NULL));
}
