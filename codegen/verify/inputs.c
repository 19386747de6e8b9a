/* SPDX-License-Identifier: MIT */

#include <math.h>

#include "codegen/verify/inputs.h"
#include "diagram/analysis/sign.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/graph/operation-table.h"

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

double
heddle_verify_scale (const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleValue *value)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, value->id);
  double most = count_steps (diagram, sizes, value->id);

  for (guint i = 0; value->role == HEDDLE_ROLE_PARAMETER && i < readers->len; i++)
    {
      const HeddleOperation *reader = g_ptr_array_index (readers, i);

      if (reader->kind->form == HEDDLE_FORM_CONTRACT)
        most = MAX (most, heddle_verify_count_points (reader, sizes));
    }
  return 1 / sqrt (most);
}

static void
scale_array (HeddleArray *array, double factor)
{
  for (gint64 i = 0; factor != 1 && i < array->n_elements; i++)
    array->data[i] *= factor;
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

      scale_array (
          array, heddle_verify_scale (run->diagram, run->sizes, heddle_diagram_get_value (run->diagram, id)));
      if (run->maker != NULL && heddle_diagram_has_no_sign (run->maker, id))
        heddle_array_drop_signs (array);
      heddle_array_round (array, heddle_diagram_dtype (run->diagram, id, run->dtype));
      g_hash_table_insert (run->arrays, (gpointer) id, heddle_array_ref (array));
    }
  return TRUE;
}
