/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/diagram-private.h"
#include "diagram/error.h"
#include "diagram/evaluate-private.h"
#include "diagram/reindex.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* How many points may pass before the cancellable is looked at. */
#define WORK_BETWEEN_LOOKS (1 << 18)

gboolean
heddle_evaluation_work (HeddleEvaluation *self, gint64 points, GError **error)
{
  self->work += points;
  if (self->work < WORK_BETWEEN_LOOKS)
    return TRUE;
  self->work = 0;
  return !g_cancellable_set_error_if_cancelled (self->cancellable, error);
}

/* --- arrays -------------------------------------------------------------------------- */

static HeddleArray *
array_for (const HeddleSizes *sizes, const HeddleValue *value, HeddleDtype dtype, GError **error)
{
  g_autofree gint64 *shape = g_new (gint64, value->axes->len);

  for (guint i = 0; i < value->axes->len; i++)
    shape[i] = heddle_sizes_get (sizes, heddle_ids_index (value->axes, i));
  return heddle_array_new (dtype, value->axes->len, shape, error);
}

static char *
describe_shape (const HeddleArray *array)
{
  GString *text = g_string_new ("[");

  for (guint i = 0; i < array->n_dims; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "", array->shape[i]);
  return g_string_free (g_string_append_c (text, ']'), FALSE);
}

static char *
describe_axes (const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleValue *value)
{
  GString *text = g_string_new ("[");

  for (guint i = 0; i < value->axes->len; i++)
    {
      const char *id = heddle_ids_index (value->axes, i);
      const HeddleAxis *axis = heddle_diagram_get_axis (diagram, id);

      g_string_append_printf (text, "%s%s=%" G_GINT64_FORMAT, i > 0 ? ", " : "",
          axis != NULL ? axis->name : id, heddle_sizes_get (sizes, id));
    }
  return g_string_free (g_string_append_c (text, ']'), FALSE);
}

static gboolean
has_shape_of (const HeddleArray *array, const HeddleSizes *sizes, const HeddleValue *value)
{
  if (array->n_dims != value->axes->len)
    return FALSE;
  for (guint i = 0; i < array->n_dims; i++)
    if (array->shape[i] != heddle_sizes_get (sizes, heddle_ids_index (value->axes, i)))
      return FALSE;
  return TRUE;
}

/* A copy of an input as it is stored in @dtype. */
static HeddleArray *
round_input (const HeddleArray *input, HeddleDtype dtype, GError **error)
{
  HeddleArray *copy = heddle_array_new (dtype, input->n_dims, input->shape, error);

  if (copy == NULL)
    return NULL;
  for (gint64 i = 0; i < input->n_elements; i++)
    copy->data[i] = input->data[i];
  heddle_array_round (copy, dtype);
  return copy;
}

static gboolean
take_input (HeddleEvaluation *self, const HeddleValue *value, GHashTable *inputs, HeddlePrecision precision,
    GError **error)
{
  g_autofree char *label = heddle_diagram_value_label (self->diagram, value->id);
  g_autofree char *expected = describe_axes (self->diagram, self->sizes, value);
  g_autofree char *found = NULL;
  HeddleArray *input = g_hash_table_lookup (inputs, label);

  if (input == NULL)
    {
      g_set_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INPUT,
          _ ("input “%s” of shape %s is missing"), label, expected);
      return FALSE;
    }
  if (!has_shape_of (input, self->sizes, value))
    {
      found = describe_shape (input);
      g_set_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INPUT,
          _ ("input “%s” has shape %s, not %s"), label, found, expected);
      return FALSE;
    }
  if (precision == HEDDLE_PRECISION_DECLARED)
    input = round_input (input, heddle_diagram_dtype (self->diagram, value->id, HEDDLE_DTYPE_F64), error);
  else
    heddle_array_ref (input);
  if (input != NULL)
    g_hash_table_insert (self->arrays, (gpointer) value->id, input);
  return input != NULL;
}

/* --- operations ---------------------------------------------------------------------- */

static gboolean
run_form (HeddleRun *self, GError **error)
{
  g_autoptr (GPtrArray) taken = NULL;

  switch (self->operation->kind->form)
    {
    case HEDDLE_FORM_MAP:
      return heddle_run_map (self, error);
    case HEDDLE_FORM_CONTRACT:
      taken = heddle_run_taken_outsides (self);
      return taken->len > 0 ? heddle_run_reduce (self, error) : heddle_run_contract (self, error);
    case HEDDLE_FORM_REDUCE:
    case HEDDLE_FORM_NORMALISE:
      return heddle_run_reduce (self, error);
    case HEDDLE_FORM_REINDEX:
      return heddle_run_reindex (self, error);
    case HEDDLE_FORM_CALL:
      break;
    }
  g_assert_not_reached ();
}

/* Finds the operands' arrays. FALSE: one has not been made. */
static gboolean
find_operands (HeddleRun *self, GError **error)
{
  const GArray *operands = self->operation->operands;

  for (guint i = 0; i < operands->len; i++)
    {
      const char *id = heddle_ids_index (operands, i);
      const HeddleArray *array = g_hash_table_lookup (self->evaluation->arrays, id);

      if (array == NULL)
        {
          g_set_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID,
              _ ("operation “%s” reads “%s” before it is made"), self->operation->id, id);
          return FALSE;
        }
      self->data[i] = array->data;
      g_ptr_array_add (
          self->operand_values, (gpointer) heddle_diagram_get_value (self->evaluation->diagram, id));
    }
  return TRUE;
}

static gboolean
run_operation (
    HeddleEvaluation *evaluation, const HeddleOperation *operation, HeddlePrecision precision, GError **error)
{
  g_autoptr (GPtrArray) operand_values = g_ptr_array_new ();
  g_autofree const double **data = g_new0 (const double *, operation->operands->len);
  const HeddleValue *value = heddle_diagram_get_value (evaluation->diagram, operation->result);
  g_autoptr (HeddleArray) result = array_for (evaluation->sizes, value, HEDDLE_DTYPE_F64, error);
  HeddleRun run = { evaluation, operation, value, operand_values, data, result };

  if (result == NULL || !find_operands (&run, error) || !run_form (&run, error)
      || !heddle_run_mark (&run, error))
    return FALSE;
  if (precision == HEDDLE_PRECISION_DECLARED)
    heddle_array_round (result, heddle_diagram_dtype (evaluation->diagram, value->id, HEDDLE_DTYPE_F64));
  g_hash_table_insert (evaluation->arrays, (gpointer) value->id, g_steal_pointer (&result));
  return TRUE;
}

static gboolean
run_all (HeddleEvaluation *self, GHashTable *inputs, HeddlePrecision precision, GError **error)
{
  g_autoptr (GArray) ids = heddle_diagram_get_inputs (self->diagram);

  for (guint i = 0; i < ids->len; i++)
    if (!take_input (self, heddle_diagram_get_value (self->diagram, heddle_ids_index (ids, i)), inputs,
            precision, error))
      return FALSE;
  for (guint i = 0; i < self->diagram->operations->len; i++)
    if (g_cancellable_set_error_if_cancelled (self->cancellable, error)
        || !run_operation (self, g_ptr_array_index (self->diagram->operations, i), precision, error))
      return FALSE;
  return TRUE;
}

/**
 * heddle_evaluate:
 * @diagram: a diagram without problems and without calls
 * @sizes: the size of every axis
 * @inputs: (element-type utf8 HeddleArray): value name -> array, one for each input and parameter
 * @precision: whether stored values are rounded
 * @cancellable: (nullable): looked at every now and then
 * @error: return location for %HEDDLE_DIAGRAM_ERROR_INPUT (an input is missing or misshapen; its name and both shapes),
 *   %HEDDLE_DIAGRAM_ERROR_LIMIT or %G_IO_ERROR_CANCELLED
 *
 * The reference evaluator: the meaning of the diagram in f64, one operation after the other, sums in the order of their axes. Reads
 * outside an array are left out of the innermost reduction over an axis of the read, and are 0 where there is none. Any number
 * of evaluations may run at once. In %HEDDLE_PRECISION_F64 inputs are shared with the result, not copied.
 *
 * Returns: (transfer full) (nullable) (element-type utf8 HeddleArray): value id (interned) -> array, for every value
 */
GHashTable *
heddle_evaluate (const HeddleDiagram *diagram, const HeddleSizes *sizes, GHashTable *inputs,
    HeddlePrecision precision, GCancellable *cancellable, GError **error)
{
  g_autoptr (GHashTable) arrays = NULL;
  g_autoptr (GHashTable) outsides = NULL;
  HeddleEvaluation self = { diagram, sizes, cancellable };

  g_return_val_if_fail (diagram != NULL && sizes != NULL && inputs != NULL, NULL);

  if (heddle_diagram_has_calls (diagram))
    {
      g_set_error_literal (
          error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_UNSUPPORTED, heddle_calls_message ());
      return NULL;
    }
  self.arrays = arrays
      = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) heddle_array_unref);
  self.outsides = outsides
      = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_ptr_array_unref);
  return run_all (&self, inputs, precision, error) ? g_steal_pointer (&arrays) : NULL;
}

/* --- random inputs ------------------------------------------------------------------- */

/* FNV-1a, 64 bits: unlike g_str_hash() the same for ever. */
static guint64
seed_for (guint64 seed, const char *name)
{
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325) ^ seed;

  for (const char *at = name; *at != '\0'; at++)
    hash = (hash ^ (guchar) *at) * G_GUINT64_CONSTANT (0x100000001b3);
  return hash;
}

/* Whole numbers below @limit, each about as often: the place of a normal value among all of them. */
static void
spread (HeddleArray *array, gint64 limit)
{
  for (gint64 i = 0; i < array->n_elements; i++)
    {
      double place = 0.5 * (1. + erf (array->data[i] / sqrt (2.)));

      array->data[i] = MIN (floor (place * (double) limit), (double) limit - 1.);
    }
}

/**
 * heddle_evaluate_fill_inputs:
 * @diagram: a diagram
 * @sizes: the size of every axis
 * @inputs: (element-type utf8 HeddleArray): value name -> array; a table that frees its names by g_free() and its arrays by
 *   heddle_array_unref()
 * @seed: the same seed and name give the same values
 * @error: return location for %HEDDLE_DIAGRAM_ERROR_LIMIT
 *
 * Adds standard normal values, rounded to the data type where one is declared, for every input and parameter that @inputs lacks; for one that
 * holds indices into other arrays, whole numbers that are inside them.
 *
 * Returns: whether there was memory for them
 */
gboolean
heddle_evaluate_fill_inputs (
    const HeddleDiagram *diagram, const HeddleSizes *sizes, GHashTable *inputs, guint64 seed, GError **error)
{
  g_autoptr (GArray) ids = NULL;

  g_return_val_if_fail (diagram != NULL && sizes != NULL && inputs != NULL, FALSE);

  ids = heddle_diagram_get_inputs (diagram);
  for (guint i = 0; i < ids->len; i++)
    {
      const HeddleValue *value = heddle_diagram_get_value (diagram, heddle_ids_index (ids, i));
      g_autofree char *label = heddle_diagram_value_label (diagram, value->id);
      HeddleArray *array;

      if (g_hash_table_contains (inputs, label))
        continue;
      gint64 limit = heddle_reindex_limit (diagram, sizes, value->id);
      HeddleDtype dtype = value->dtype != HEDDLE_DTYPE_UNSET && limit == 0 ? value->dtype : HEDDLE_DTYPE_F64;

      array = array_for (sizes, value, dtype, error);
      if (array == NULL)
        return FALSE;
      heddle_array_fill_random (array, seed_for (seed, label));
      if (limit > 0)
        {
          spread (array, limit);
          array->dtype = value->dtype;
        }
      g_hash_table_insert (inputs, g_steal_pointer (&label), array);
    }
  return TRUE;
}
