/* SPDX-License-Identifier: MIT */

#include <math.h>

#include "codegen/verify/inputs.h"
#include "diagram/analysis/reindex.h"
#include "diagram/analysis/sign.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/graph/operation-table.h"
#include "diagram/rewrite/tools.h"

/* The values that kernels are verified on, of a size that sums and states stay near one at. */

double
heddle_verify_count_points (const HeddleOperation *operation, const HeddleSizes *sizes)
{
  double points = 1;

  for (guint k = 0; k < operation->axes->len; k++)
    points *= heddle_sizes_get (sizes, heddle_ids_index (operation->axes, k));
  return points;
}

/* Returns how many rates of a recurrence, which maps make of @value, are multiplied with each other: an
 * exponential's exponents add up over them. */
static double
count_steps (const HeddleDiagram *diagram, const HeddleSizes *sizes, const char *value)
{
  g_autoptr (GArray) made = heddle_ids_new (); /* by maps, of the value or of each other */
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  double most = 1;

  for (guint next = 0; next <= made->len; next++)
    {
      const char *at = next == 0 ? value : heddle_ids_index (made, next - 1);
      g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, at);

      for (guint i = 0; i < readers->len; i++)
        {
          const HeddleOperation *reader = g_ptr_array_index (readers, i);

          if (reader->kind->form == HEDDLE_FORM_MAP && g_hash_table_add (seen, (gpointer) reader->result))
            heddle_ids_append (made, reader->result);
          else if (next > 0 && reader->kind->form == HEDDLE_FORM_SCAN && reader->operands->len > 1
                   && g_str_equal (heddle_ids_index (reader->operands, 0), at))
            most = MAX (most, heddle_verify_count_points (reader, sizes));
        }
    }
  return most;
}

/* Returns whether the operation gives what it reads, at fixed indices or in another order in memory. */
static gboolean
is_same (const HeddleOperation *operation)
{
  return (operation->kind->form == HEDDLE_FORM_REINDEX && operation->operands->len == 1)
         || heddle_rewrite_is_view (operation);
}

/* Returns the most terms that a product sums whose factor the value is, or what is read of it at fixed indices: the
 * weights of a convolution of single points are a matrix. */
static double
count_terms (const HeddleDiagram *diagram, const HeddleSizes *sizes, const char *value)
{
  g_autoptr (GArray) read = heddle_ids_new (); /* the value, and what is read of it */
  double most = 1;

  heddle_ids_append (read, value);
  for (guint next = 0; next < read->len; next++)
    {
      g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, heddle_ids_index (read, next));

      for (guint i = 0; i < readers->len; i++)
        {
          const HeddleOperation *reader = g_ptr_array_index (readers, i);

          if (reader->kind->form == HEDDLE_FORM_CONTRACT)
            most = MAX (most, heddle_verify_count_points (reader, sizes));
          else if (is_same (reader) && !heddle_ids_contain (read, reader->result))
            heddle_ids_append (read, reader->result);
        }
    }
  return most;
}

double
heddle_verify_scale (const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleValue *value)
{
  double most = count_steps (diagram, sizes, value->id);

  if (value->role == HEDDLE_ROLE_PARAMETER)
    most = MAX (most, count_terms (diagram, sizes, value->id));
  return 1 / sqrt (most);
}

static void
scale_array (HeddleArray *array, double factor)
{
  for (gint64 i = 0; factor != 1 && i < array->n_elements; i++)
    array->data[i] *= factor;
}

/* The least value of an input whose root or logarithm is taken, such as a variance. Each layer of a model multiplies by
 * the reciprocal of such a root, and f16 ends at 65,504. */
#define LEAST_VARIANCE 0.25

static void
keep_from_zero (HeddleArray *array)
{
  for (gint64 i = 0; i < array->n_elements; i++)
    array->data[i] = LEAST_VARIANCE + (1 - LEAST_VARIANCE) * array->data[i];
}

/* Makes whole numbers that the rest of the program takes as indices be such: a kernel that reads them, as to know
 * what another one read outside, may not show how far they go. */
static void
keep_inside (const HeddleVerifyRun *run, const char *id, HeddleArray *array)
{
  gint64 limit = run->maker != NULL && heddle_diagram_get_value (run->maker, id) != NULL
                         && heddle_reindex_limit (run->diagram, run->sizes, id) == 0
                     ? heddle_reindex_limit (run->maker, run->sizes, id)
                     : 0;

  for (gint64 i = 0; limit > 0 && i < array->n_elements; i++)
    array->data[i] = fmod (fabs (array->data[i]) + (double) i, (double) limit);
}

/* Makes inputs that the data types hold exactly, so that the reference gets what the kernel gets. */
gboolean
heddle_verify_make_inputs (HeddleVerifyRun *run, GError **error)
{
  g_autoptr (GArray) ids = heddle_diagram_get_inputs (run->diagram);
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);

  if (!heddle_evaluate_fill_inputs (run->diagram, run->sizes, inputs, run->seed, error))
    return FALSE;
  for (guint i = 0; i < ids->len; i++)
    {
      const char *id = heddle_ids_index (ids, i);
      g_autofree char *label = heddle_diagram_value_label (run->diagram, id);
      HeddleArray *array = g_hash_table_lookup (inputs, label);
      HeddleDtype dtype = heddle_diagram_dtype (run->diagram, id, run->dtype);

      scale_array (
          array, heddle_verify_scale (run->diagram, run->sizes, heddle_diagram_get_value (run->diagram, id)));
      if (run->maker != NULL && heddle_diagram_has_no_sign (run->maker, id))
        heddle_array_drop_signs (array);
      keep_inside (run, id, array);
      if (heddle_dtype_is_real (dtype) && heddle_diagram_needs_no_sign (run->diagram, id))
        keep_from_zero (array);
      heddle_array_round (array, dtype);
      g_hash_table_insert (run->arrays, (gpointer) id, heddle_array_ref (array));
    }
  return TRUE;
}
