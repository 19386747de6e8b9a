/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "target.h"

#include "derive/cost/published.h"
#include "derive/machine/file.h"
#include "derive/machine/write.h"
#include "derive/report/accounting.h"
#include "files/measure/bench-result.h"
#include "derive/report/roofline.h"

#include <string.h>

/* What is written of a machine is a machine, with the same text. */
static void
run_machine (const char *data, gsize length, const char *path)
{
  g_autoptr (HeddleMachine) machine = heddle_machine_load_file (path, NULL), again = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *first = NULL, *second = NULL;

  if (machine == NULL)
    return;
  first = heddle_machine_write (machine, NULL);
  g_file_set_contents (path, first, -1, NULL);
  again = heddle_machine_load_file (path, &error);
  if (again == NULL)
    target_fail ("a machine that was written is read again", first, error->message);
  second = heddle_machine_write (again, NULL);
  if (!g_str_equal (first, second))
    target_fail ("the text of a machine is a fixed point", first, second);
}

static void
run_accounting (const char *data, gsize length, const char *path)
{
  g_autoptr (HeddleAccounting) accounting = heddle_accounting_find (path, NULL);
}

static void
run_measured (const char *data, gsize length, const char *path)
{
  g_autoptr (GPtrArray) points = heddle_published_load_file (path, NULL);
}

static void
run_bench (const char *data, gsize length, const char *path)
{
  HeddleBenchResult *result = heddle_bench_result_read (path, NULL);

  if (result != NULL)
    heddle_bench_result_free (result);
}

const FuzzTarget targets_table[] = {
  { "machine", "machine", run_machine },
  { "accounting", "accounting", run_accounting },
  { "measured", "measured", run_measured },
  { "bench", "json", run_bench },
  { 0 },
};
