/* SPDX-License-Identifier: MIT */
#include <locale.h>
#include <math.h>
#include <string.h>
#include <sys/resource.h>

#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/base/problem.h"
#include "diagram/check/snapshot.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/flatten/flatten.h"
#include "diagram/graph/diagram.h"
#include "files/ncd/read.h"
#include "files/ncd/write.h"
#include "files/onnx/import.h"
#include "files/onnx/model.h"
#include "files/onnx/names.h"
#include "files/onnx/onnx.h"
#include "files/onnx/table.h"
#include "files/onnx/tensor-file.h"
#include "files/onnx/tensor.h"
#include "files/onnx/weights.h"

/* The models that Debian's libonnx-testdata has: all are imported; those whose operators are all understood are evaluated on the inputs that
 * come with them and compared with the outputs, within the tolerances of ONNX's own test runner (onnx/backend/test/runner). */

#define TESTDATA "/usr/share/libonnx-testdata/data"
#define RELATIVE 1e-3
#define ABSOLUTE 1e-7

typedef struct
{
  char *folder, *model;
  HeddleOnnxModel *parsed;
  GHashTable *constants;
  HeddleSnapshot *snapshot;
  HeddleOnnxReport report;
  char *failure; /* what went wrong; NULL: nothing */
} Case;

typedef struct
{
  guint n_models, n_refused, n_whole, n_listed, n_right, n_sets;
} Counts;

static void
case_clear (Case *self)
{
  g_free (self->folder);
  g_free (self->model);
  g_clear_pointer (&self->parsed, heddle_onnx_model_free);
  g_hash_table_unref (self->constants);
  g_clear_pointer (&self->snapshot, heddle_snapshot_unref);
  heddle_onnx_report_clear (&self->report);
  g_free (self->failure);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static HeddleArray *
load (const Case *self, const char *kind, guint set, guint i, GError **error)
{
  g_autofree char *path = g_strdup_printf ("%s/test_data_set_%u/%s_%u.pb", self->folder, set, kind, i);

  return heddle_onnx_tensor_load (path, error);
}

/* The inputs that are no initialisers, in order. */
static GPtrArray *
free_inputs (const Case *self)
{
  GPtrArray *names = g_ptr_array_new ();
  const HeddleOnnxGraph *graph = self->parsed->graph;

  for (guint i = 0; i < graph->inputs->len; i++)
    {
      const HeddleOnnxInfo *info = g_ptr_array_index (graph->inputs, i);
      gboolean given = FALSE;

      for (guint j = 0; j < graph->initializers->len; j++)
        given = given || g_str_equal (info->name, ((HeddleOnnxTensor *) graph->initializers->pdata[j])->name);
      if (!given)
        g_ptr_array_add (names, info->name);
    }
  return names;
}

/* The model on its own, or with what it wants to know taken from the first set of inputs. */
static gboolean
import (Case *self)
{
  g_autoptr (GPtrArray) names = free_inputs (self);
  g_autoptr (GError) error = NULL;
  gboolean more = TRUE;

  while (more)
    {
      g_clear_pointer (&self->snapshot, heddle_snapshot_unref);
      heddle_onnx_report_clear (&self->report);
      self->snapshot = heddle_onnx_import (self->model, self->constants, NULL, FALSE, &self->report, &error);
      if (self->snapshot == NULL)
        {
          self->failure = g_strdup (error->message);
          return FALSE;
        }
      more = FALSE;
      for (guint i = 0; i < self->report.wanted->len; i++)
        for (guint j = 0; j < names->len; j++)
          {
            HeddleArray *array;

            if (!g_str_equal (self->report.wanted->pdata[i], names->pdata[j])
                || g_hash_table_contains (self->constants, names->pdata[j])
                || (array = load (self, "input", 0, j, NULL)) == NULL)
              continue;
            g_hash_table_insert (self->constants, g_strdup (names->pdata[j]), array);
            more = TRUE;
          }
    }
  return TRUE;
}

static gboolean
is_close (double found, double wanted)
{
  return found == wanted || (isnan (found) && isnan (wanted))
         || fabs (found - wanted) <= ABSOLUTE + RELATIVE * fabs (wanted);
}

static gboolean
compare (Case *self, const char *name, const HeddleArray *found, const HeddleArray *wanted)
{
  gboolean same = found->n_dims == wanted->n_dims;

  for (guint i = 0; same && i < found->n_dims; i++)
    same = found->shape[i] == wanted->shape[i];
  if (!same)
    {
      self->failure = g_strdup_printf ("%s has another shape", name);
      return FALSE;
    }
  for (gint64 i = 0; i < found->n_elements; i++)
    if (!is_close (found->data[i], wanted->data[i]))
      {
        self->failure
            = g_strdup_printf ("%s: %g at %d, not %g", name, found->data[i], (int) i, wanted->data[i]);
        return FALSE;
      }
  return TRUE;
}

static gboolean
take_inputs (Case *self, const HeddleDiagram *diagram, guint set, GHashTable *inputs, GError **error)
{
  g_autoptr (GPtrArray) names = free_inputs (self);

  for (guint i = 0; i < names->len; i++)
    {
      const HeddleValue *value = heddle_onnx_find_value (diagram, names->pdata[i]);
      HeddleArray *array;

      if (value == NULL || value->role != HEDDLE_ROLE_INPUT)
        continue;
      array = load (self, "input", set, i, error);
      if (array == NULL)
        return FALSE;
      g_hash_table_insert (inputs, g_strdup (value->name), array);
    }
  return heddle_onnx_fill_parameters (self->model, diagram, inputs, error);
}

static GHashTable *
evaluate (Case *self, const HeddleDiagram *diagram, guint set, HeddlePrecision precision, GError **error)
{
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (diagram, NULL, error);

  if (sizes == NULL || !take_inputs (self, diagram, set, inputs, error))
    return NULL;
  return heddle_evaluate (diagram, sizes, inputs, precision, NULL, error);
}

/* The outputs by the model's names: one without elements is not in the diagram. */
static gboolean
has_outputs (Case *self, const HeddleDiagram *diagram, GHashTable *values, guint set)
{
  const GPtrArray *outputs = self->parsed->graph->outputs;

  for (guint i = 0; i < outputs->len; i++)
    {
      const HeddleOnnxInfo *info = g_ptr_array_index (outputs, i);
      const HeddleValue *value = heddle_onnx_find_value (diagram, info->name);
      g_autoptr (GError) error = NULL;
      g_autoptr (HeddleArray) wanted = load (self, "output", set, i, &error);

      if (wanted != NULL && wanted->n_elements == 0 && value == NULL)
        continue;
      if (wanted == NULL || value == NULL)
        self->failure = wanted == NULL ? g_strdup (error->message) : g_strdup_printf ("no %s", info->name);
      if (self->failure != NULL
          || !compare (self, value->id, g_hash_table_lookup (values, value->id), wanted))
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_right (Case *self, guint set, HeddlePrecision precision)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleSnapshot) flat = heddle_snapshot_flatten (
      self->snapshot, g_ptr_array_index (self->snapshot->diagrams, 0), NULL, NULL, &error);
  const HeddleDiagram *diagram = flat != NULL ? g_ptr_array_index (flat->diagrams, 0) : NULL;
  g_autoptr (GHashTable) values = flat != NULL ? evaluate (self, diagram, set, precision, &error) : NULL;

  if (values == NULL)
    {
      self->failure = g_strdup (error->message);
      return FALSE;
    }
  return has_outputs (self, diagram, values, set);
}

/* Where what is rounded to few numbers lies depends on the last bit of what comes before: then all is worked out in the types that are declared. */
static gboolean
is_quantised (const Case *self)
{
  for (guint i = 0; i < self->parsed->graph->outputs->len; i++)
    switch (((HeddleOnnxInfo *) self->parsed->graph->outputs->pdata[i])->type)
      {
      case HEDDLE_ONNX_UINT8:
      case HEDDLE_ONNX_INT8:
      case HEDDLE_ONNX_E4M3:
      case HEDDLE_ONNX_E5M2:
        return TRUE;
      default:
        break;
      }
  return FALSE;
}

static char *
first_problem (GPtrArray *problems)
{
  for (guint i = 0; i < problems->len; i++)
    if (((HeddleProblem *) problems->pdata[i])->severity == HEDDLE_SEVERITY_ERROR)
      return heddle_problem_to_string (problems->pdata[i]);
  return NULL;
}

/* What was imported has no errors, is written, read again, and is the same. */
static gboolean
is_whole_document (Case *self)
{
  g_autoptr (GPtrArray) problems = heddle_check_snapshot (self->snapshot);
  g_autofree char *data = NULL, *again = NULL;
  g_autoptr (HeddleSnapshot) read = NULL;
  gsize length, length_again;

  self->failure = first_problem (problems);
  if (self->failure != NULL)
    return FALSE;
  data = heddle_ncd_write (self->snapshot, &length, NULL);
  g_ptr_array_set_size (problems, 0);
  read = data != NULL ? heddle_ncd_read (data, length, "again.ncd", problems) : NULL;
  again = read != NULL ? heddle_ncd_write (read, &length_again, NULL) : NULL;
  if (again != NULL && length == length_again && memcmp (data, again, length) == 0)
    return TRUE;
  self->failure
      = read == NULL ? first_problem (problems) : g_strdup ("it is written otherwise the second time");
  return FALSE;
}

/* Texts are no numbers, and of bfloat16 the suite's files hold the bits as whole numbers. */
static gboolean
has_numbers (GPtrArray *infos)
{
  for (guint i = 0; i < infos->len; i++)
    {
      const HeddleOnnxInfo *info = g_ptr_array_index (infos, i);

      if (heddle_onnx_dtype (info->type) == HEDDLE_DTYPE_UNSET || info->type == HEDDLE_ONNX_BFLOAT16)
        return FALSE;
    }
  return TRUE;
}

static gboolean
has_listed_operators (const Case *self, GPtrArray *listed)
{
  if (!has_numbers (self->parsed->graph->inputs) || !has_numbers (self->parsed->graph->outputs))
    return FALSE;
  for (guint i = 0; i < self->parsed->graph->nodes->len; i++)
    {
      const HeddleOnnxNode *node = self->parsed->graph->nodes->pdata[i];

      if (*node->domain != '\0' || !g_ptr_array_find_with_equal_func (listed, node->op, g_str_equal, NULL))
        return FALSE;
    }
  return TRUE;
}

static void
tell (const Case *self, const char *what)
{
  g_autofree char *name = g_path_get_basename (self->folder);
  const HeddleOnnxOpaque *opaque = self->report.opaque != NULL && self->report.opaque->len > 0
                                       ? g_ptr_array_index (self->report.opaque, 0)
                                       : NULL;

  if (g_test_verbose ())
    g_test_message ("%s %s: %s%s%s", what, name, self->failure != NULL ? self->failure : "",
        opaque != NULL ? opaque->op : "", opaque != NULL ? opaque->why : "");
}

static void
try_model (const char *folder, GPtrArray *listed, Counts *counts)
{
  g_auto (Case) self = { .folder = g_strdup (folder),
    .model = g_build_filename (folder, "model.onnx", NULL),
    .constants
    = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref) };
  gboolean is_listed;

  self.parsed = heddle_onnx_model_load (self.model, NULL);
  g_assert_nonnull (self.parsed);
  counts->n_models++;
  is_listed = has_listed_operators (&self, listed);
  counts->n_listed += is_listed;
  if (!import (&self) || !is_whole_document (&self))
    {
      tell (&self, "REFUSED");
      counts->n_refused++;
      return;
    }
  if (self.report.opaque->len > 0)
    {
      tell (&self, is_listed ? "OPAQUE-LISTED" : "OPAQUE");
      return;
    }
  counts->n_whole++;
  if (is_right (&self, 0, is_quantised (&self) ? HEDDLE_PRECISION_DECLARED : HEDDLE_PRECISION_F64)
      && is_listed)
    counts->n_right++;
  else if (is_listed)
    tell (&self, "WRONG");
}

static void
try_all (const char *part, Counts *counts)
{
  g_autofree char *folder = g_build_filename (TESTDATA, part, NULL);
  g_autoptr (GPtrArray) listed = heddle_onnx_list_operators ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      try_model (path, listed, counts);
    }
}

typedef struct
{
  const char *part;
  guint n_models, n_right; /* at least */
} Part;

static const Part parts[] = {
  { "node", 932, 814 },
  { "pytorch-converted", 82, 82 },
  { "pytorch-operator", 35, 35 },
  { "simple", 23, 7 },
};

static void
test_part (gconstpointer data)
{
  const Part *part = data;
  Counts counts = { 0 };

  if (!g_file_test (TESTDATA, G_FILE_TEST_IS_DIR))
    {
      g_test_skip ("libonnx-testdata is not installed (./run deps installs it)");
      return;
    }
  try_all (part->part, &counts);
  g_test_message (
      "%s: %u models, %u not imported; %u of operators that are listed, %u without a box, %u right",
      part->part, counts.n_models, counts.n_refused, counts.n_listed, counts.n_whole, counts.n_right);
  g_assert_cmpuint (counts.n_models, >=, part->n_models);
  g_assert_cmpuint (counts.n_refused, ==, 0);
  g_assert_cmpuint (counts.n_right, >=, part->n_right);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *path = g_strconcat ("/onnx/", parts[i].part, NULL);

      g_test_add_data_func (path, &parts[i], test_part);
    }
  return g_test_run ();
}
