/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "target.h"

#include <glib/gstdio.h>

#include "diagram/base/array.h"
#include "diagram/base/problem.h"
#include "diagram/check/snapshot.h"
#include "diagram/document/snapshot.h"
#include "files/base/npy.h"
#include "files/ncd/read.h"
#include "files/ncd/write.h"
#include "files/onnx/import.h"
#include "files/onnx/safetensors.h"
#include "files/onnx/tensor-file.h"
#include "files/onnx/weights.h"

static void
check_imported (const HeddleSnapshot *snapshot)
{
  g_autoptr (GPtrArray) found = heddle_check_snapshot (snapshot);
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (HeddleSnapshot) again = NULL;
  g_autofree char *text = NULL;
  gsize length;

  for (guint i = 0; i < found->len; i++)
    {
      const HeddleProblem *problem = g_ptr_array_index (found, i);

      if (problem->severity == HEDDLE_SEVERITY_ERROR)
        target_fail ("an imported model has no errors", problem->message, problem->object_id);
    }
  text = heddle_ncd_write (snapshot, &length, NULL);
  again = text != NULL ? heddle_ncd_read (text, length, "written", problems) : NULL;
  if (again == NULL)
    target_fail ("what was imported is written, and opens again", text, NULL);
}

static void
run_onnx (const char *data, gsize length, const char *path)
{
  g_auto (HeddleOnnxReport) report = { 0 };
  g_autoptr (HeddleSnapshot) snapshot = heddle_onnx_import (path, NULL, NULL, FALSE, &report, NULL);
  g_autoptr (GHashTable) arrays
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  HeddleDiagram *diagram;

  if (snapshot == NULL)
    return;
  check_imported (snapshot);
  diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  if (diagram != NULL)
    heddle_onnx_fill_parameters (path, diagram, arrays, NULL);
}

static void
run_safetensors (const char *data, gsize length, const char *path)
{
  g_autoptr (HeddleSafetensors) file = heddle_safetensors_load (path, NULL);
  g_autoptr (GList) names = file != NULL ? heddle_safetensors_get_names (file) : NULL;

  for (GList *at = names; at != NULL; at = at->next)
    {
      g_autoptr (HeddleArray) array = heddle_safetensors_read (file, at->data, NULL);
    }
}

/* An array, of .npy or .pb; as NumPy writes it, it is read again. */
static void
run_array (const char *data, gsize length, const char *path)
{
  g_autoptr (HeddleArray) array = heddle_array_load (path, NULL), again = NULL;
  g_autofree char *written = g_strconcat (path, ".npy", NULL);

  if (array == NULL || !heddle_npy_write (written, array, NULL))
    return;
  again = heddle_npy_read (written, NULL);
  g_remove (written);
  if (again == NULL)
    target_fail ("an array that was written is read again", NULL, NULL);
}

const FuzzTarget targets_model[] = {
  { "onnx", "onnx", run_onnx },
  { "safetensors", "safetensors", run_safetensors },
  { "npy", "npy", run_array },
  { "pb", "pb", run_array },
  { 0 },
};
