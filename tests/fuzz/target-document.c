/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "target.h"

#include <string.h>

#include "codegen/base/codegen.h"
#include "codegen/plan/plan.h"
#include "codegen/verify/plan.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/problem.h"
#include "diagram/check/snapshot.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/paste.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "files/base/files.h"
#include "files/equations/document.h"
#include "files/equations/write.h"
#include "files/exchange/export.h"
#include "files/ncd/read.h"
#include "files/ncd/write.h"
#include "files/picture/svg-read.h"

/* Of what figures are drawn, and kernels made: larger ones show nothing that smaller ones do not, and take long. */
#define MOST_OPERATIONS 12
#define MOST_AXES 16

static GPtrArray *
problems_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
}

/* What is wrong can be said, and whether it is an error. */
static gboolean
have_errors (GPtrArray *problems)
{
  for (guint i = 0; i < problems->len; i++)
    {
      g_autofree char *text = heddle_problem_to_string (g_ptr_array_index (problems, i));

      if (!g_utf8_validate (text, -1, NULL))
        target_fail ("a message is UTF-8", text, NULL);
    }
  return heddle_problems_have_errors (problems);
}

static gboolean
is_sound (const HeddleSnapshot *snapshot)
{
  g_autoptr (GPtrArray) found = heddle_check_snapshot (snapshot);

  return !have_errors (found);
}

static const char *
first_message (GPtrArray *problems)
{
  return problems->len > 0 ? ((const HeddleProblem *) g_ptr_array_index (problems, 0))->message : NULL;
}

static HeddleSnapshot *
read_any (const char *data, gsize length)
{
  g_autoptr (GPtrArray) problems = problems_new ();
  HeddleSnapshot *snapshot;

  if (heddle_svg_is (data, length))
    snapshot = heddle_svg_read (data, length, "input", problems);
  else if (length > 0 && data[0] == '<')
    snapshot = heddle_ncd_read (data, length, "input", problems);
  else
    snapshot = heddle_equations_read (data, (gssize) length, "input", problems);
  if (have_errors (problems) == FALSE && snapshot == NULL && problems->len == 0)
    target_fail ("a document that is refused comes with a reason", data, NULL);
  return snapshot;
}

/* As a file: it opens again, passes the same check and has the same bytes. */
static void
check_file (const HeddleSnapshot *snapshot, gboolean sound)
{
  g_autoptr (GPtrArray) problems = problems_new ();
  g_autoptr (HeddleSnapshot) again = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *first = NULL, *second = NULL;
  gsize length;

  if (snapshot->read_only)
    return;
  first = heddle_ncd_write (snapshot, &length, &error);
  if (first == NULL)
    {
      if (sound)
        target_fail ("a sound document can be written", error->message, NULL);
      return;
    }
  again = heddle_ncd_read (first, length, "written", problems);
  if (again == NULL)
    target_fail ("a document that was written opens again", first, first_message (problems));
  if (sound && !is_sound (again))
    target_fail ("a document that was sound is so when it opens again", first, NULL);
  second = heddle_ncd_write (again, NULL, NULL);
  if (g_strcmp0 (first, second) != 0)
    target_fail ("the text of a document is a fixed point", first, second);
}

/* As equations: they can be read, and have the same text. */
static void
check_equations (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram)
{
  g_autofree char *first = heddle_equations_write_snapshot (snapshot, diagram), *second = NULL;
  g_autoptr (GPtrArray) problems = problems_new ();
  g_autoptr (HeddleSnapshot) again = heddle_equations_read (first, -1, "written", problems);
  const HeddleDiagram *same;

  if (again == NULL)
    target_fail ("equations that were written can be read", first, first_message (problems));
  same = heddle_snapshot_get_diagram (again, NULL);
  second = same != NULL ? heddle_equations_write_snapshot (again, same) : NULL;
  if (g_strcmp0 (first, second) != 0)
    target_fail ("the text of equations is a fixed point", first, second);
}

/* The document that the input is, held against all promises of writing; NULL: it is none, or none that is sound. */
static HeddleSnapshot *
run_sound (const char *data, gsize length)
{
  g_autoptr (HeddleSnapshot) snapshot = read_any (data, length);
  const HeddleDiagram *diagram;
  gboolean sound;

  if (snapshot == NULL)
    return NULL;
  sound = is_sound (snapshot);
  check_file (snapshot, sound);
  diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  if (!sound || diagram == NULL)
    return NULL;
  check_equations (snapshot, diagram);
  return g_steal_pointer (&snapshot);
}

static void
run_document (const char *data, gsize length, const char *path)
{
  g_autoptr (HeddleSnapshot) snapshot = run_sound (data, length);
}

/* Into itself, as one who presses Ctrl+C and Ctrl+V. */
static void
run_paste (const char *data, gsize length, const char *path)
{
  g_autoptr (HeddleSnapshot) clip = run_sound (data, length);
  g_autoptr (HeddleSnapshot) snapshot = clip != NULL ? heddle_snapshot_copy (clip) : NULL;
  g_autoptr (GArray) made = g_array_new (FALSE, FALSE, sizeof (char *));
  HeddleDiagram *diagram;

  if (snapshot == NULL)
    return;
  diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  if (heddle_edit_paste (snapshot, diagram, clip, made, NULL))
    check_file (snapshot, is_sound (snapshot));
}

static gboolean
is_small (const HeddleDiagram *diagram)
{
  return diagram->operations->len > 0 && diagram->operations->len <= MOST_OPERATIONS
         && diagram->axes->len <= MOST_AXES && diagram->values->len <= 3 * MOST_OPERATIONS;
}

/* A picture holds its source. */
static void
run_figure (const char *data, gsize length, const char *path)
{
  const HeddleExportOptions options = { .dtype = HEDDLE_DTYPE_F16 };
  g_autoptr (HeddleSnapshot) snapshot = run_sound (data, length), again = NULL;
  g_autoptr (GPtrArray) problems = problems_new ();
  g_autoptr (GBytes) picture = NULL, tex = NULL;

  if (snapshot == NULL || !is_small (heddle_snapshot_get_diagram (snapshot, NULL)))
    return;
  tex = heddle_export (snapshot, "figure.tex", &options, NULL, NULL);
  picture = heddle_export (snapshot, "figure.svg", &options, NULL, NULL);
  if (picture == NULL || snapshot->read_only)
    return;
  again = heddle_svg_read (
      g_bytes_get_data (picture, NULL), g_bytes_get_size (picture), "figure.svg", problems);
  if (again == NULL)
    target_fail ("a picture that was exported opens again", g_bytes_get_data (picture, NULL),
        first_message (problems));
}

/* Kernels that can be made give what the diagram means. */
static void
verify (const HeddlePlan *plan)
{
  g_autoptr (HeddleSizes) sizes = NULL;
  g_autoptr (GPtrArray) found = heddle_plan_verify_small (plan, HEDDLE_VERIFY_MODEL, 1, &sizes, NULL);

  for (guint i = 0; found != NULL && i < found->len; i++)
    {
      const HeddleVerification *verification = g_ptr_array_index (found, i);

      if (!verification->passed)
        target_fail ("the loop program of a kernel verifies", verification->kernel, verification->detail);
    }
}

/* Sizes at which the loop program takes no time: large axes are 7 to 9, for a name a size. */
static GHashTable *
make_small (const HeddleDiagram *diagram)
{
  GHashTable *sizes = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);

  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);
      const gint64 size = 7 + i % 3;

      if (axis->name != NULL && axis->size != NULL && heddle_expr_get_kind (axis->size) == HEDDLE_EXPR_NUMBER
          && heddle_expr_get_number (axis->size) > (double) size)
        g_hash_table_insert (sizes, (gpointer) axis->name, g_memdup2 (&size, sizeof size));
    }
  return sizes;
}

static void
run_kernel (const char *data, gsize length, const char *path)
{
  const HeddleExportOptions options = { .dtype = HEDDLE_DTYPE_F16, .no_verify = TRUE };
  g_autoptr (HeddleSnapshot) snapshot = run_sound (data, length);
  const HeddleDiagram *diagram = snapshot != NULL ? heddle_snapshot_get_diagram (snapshot, NULL) : NULL;
  g_autoptr (HeddlePlan) plan = NULL;
  g_autoptr (GHashTable) sizes = NULL;
  g_autoptr (GBytes) kernels = NULL;
  g_autoptr (GError) error = NULL;

  if (diagram == NULL || !is_small (diagram))
    return;
  kernels = heddle_export (snapshot, "kernel.cu", &options, NULL, &error);
  if (kernels == NULL)
    return;
  sizes = make_small (diagram);
  plan = heddle_plan_new (diagram, heddle_snapshot_find_schedule (snapshot, diagram), "h100-sxm",
      HEDDLE_DTYPE_F16, HEDDLE_FAMILY_AUTO, sizes, NULL, NULL);
  if (plan != NULL)
    verify (plan);
}

const FuzzTarget targets_document[] = {
  { "eq", NULL, run_document },
  { "ncd", NULL, run_document },
  { "svg", NULL, run_document },
  { "paste", NULL, run_paste },
  { "figure", NULL, run_figure },
  { "kernel", NULL, run_kernel },
  { 0 },
};
