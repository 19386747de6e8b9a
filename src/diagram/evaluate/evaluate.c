/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/analysis/reindex.h"
#include "diagram/analysis/sign.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/base/error.h"
#include "diagram/evaluate/contract.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/evaluate/forms.h"
#include "diagram/evaluate/memory.h"
#include "diagram/evaluate/operation.h"
#include "diagram/evaluate/private.h"
#include "diagram/evaluate/reduce.h"
#include "diagram/evaluate/share.h"
#include "diagram/graph/calls.h"
#include "diagram/graph/operation-table.h"

#include <glib/gi18n-lib.h>
#include <math.h>

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

/* Returns a copy of an input as it is stored in @dtype. */
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
  switch (self->operation->kind->form)
    {
    case HEDDLE_FORM_MAP:
      return heddle_run_map (self, error);
    case HEDDLE_FORM_CONTRACT:
      return heddle_run_contract (self, error);
    case HEDDLE_FORM_REDUCE:
    case HEDDLE_FORM_NORMALISE:
      return heddle_run_reduce (self, error);
    case HEDDLE_FORM_REINDEX:
      return heddle_run_reindex (self, error);
    case HEDDLE_FORM_CONCAT:
      return heddle_run_concat (self, error);
    case HEDDLE_FORM_SCAN:
      return heddle_run_scan (self, error);
    case HEDDLE_FORM_SELECT:
      return heddle_run_select (self, error);
    case HEDDLE_FORM_CALL:
      break;
    }
  g_assert_not_reached ();
}

/* Finds the operands' arrays. Returns FALSE if one has not been made. */
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

typedef struct
{
  HeddleArray *array;
  HeddleDtype dtype;
} Rounding;

static gboolean
round_elements (gint64 begin, gint64 end, gpointer data, GError **error)
{
  const Rounding *self = data;

  for (gint64 i = begin; i < end; i++)
    self->array->data[i] = heddle_dtype_round (self->dtype, self->array->data[i]);
  return TRUE;
}

/* Rounds a result to the type that it is stored in. */
static gboolean
round_result (HeddleEvaluation *self, HeddleArray *array, const char *value_id, GError **error)
{
  Rounding rounding = { array, heddle_diagram_dtype (self->diagram, value_id, HEDDLE_DTYPE_F64) };

  array->dtype = rounding.dtype;
  return rounding.dtype == HEDDLE_DTYPE_F64
         || heddle_evaluation_share (
             self, array->n_elements, HEDDLE_POINTS_PER_PIECE, round_elements, &rounding, error);
}

/* Half a unit in the last place of an f32 number, relative to its first bit. */
#define HALF_UNIT 0x1p-24

typedef struct
{
  HeddleArray *array;
  double by; /* relative */
  double least; /* the size that an element has at least for that */
} Perturbing;

static gboolean
perturb_elements (gint64 begin, gint64 end, gpointer data, GError **error)
{
  const Perturbing *self = data;

  for (gint64 i = begin; i < end; i++)
    {
      gboolean up = ((guint64) (i + 1) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 63;

      self->array->data[i] += (up ? self->by : -self->by) * fmax (fabs (self->array->data[i]), self->least);
    }
  return TRUE;
}

/* Returns how far a result is perturbed. A sum of n terms is likely off by sqrt(n) half units (Higham and Mary,
 * SIAM J. Sci. Comput. 41(5), 2019), and who compares allows for 8 times what one perturbation does. */
static double
perturbation_of (const HeddleEvaluation *self, const HeddleOperation *operation)
{
  double terms = 1.;

  for (guint i = 0; i < operation->axes->len; i++)
    terms *= (double) heddle_sizes_get (self->sizes, heddle_ids_index (operation->axes, i));
  return HALF_UNIT * MAX (1., sqrt (terms) / 8.);
}

/* Returns the size that all elements of a result are off by: terms of a sum may cancel, and what they are off by
 * does not. */
static double
least_of (const HeddleOperation *operation, const HeddleArray *array)
{
  double sum = 0.;

  if (operation->kind->form != HEDDLE_FORM_CONTRACT && !g_str_equal (operation->kind->id, "sum")
      && !g_str_equal (operation->kind->id, "mean"))
    return 0.;
  for (gint64 i = 0; i < array->n_elements; i++)
    sum += array->data[i] * array->data[i];
  return isfinite (sum) ? sqrt (sum / (double) MAX (array->n_elements, 1)) : 0.;
}

/* Rounds a result as an unlucky f32 unit might have (Monte Carlo arithmetic: D. S. Parker, UCLA CSD-970002),
 * so that two results show how exact any can be. What is only moved is not rounded. */
static gboolean
perturb_result (HeddleEvaluation *self, const HeddleOperation *operation, HeddleArray *array, GError **error)
{
  Perturbing perturbing = { array, perturbation_of (self, operation), least_of (operation, array) };

  switch (operation->kind->form)
    {
    case HEDDLE_FORM_REINDEX:
    case HEDDLE_FORM_CONCAT:
    case HEDDLE_FORM_SELECT:
      return TRUE;
    default:
      return heddle_evaluation_share (
          self, array->n_elements, HEDDLE_POINTS_PER_PIECE, perturb_elements, &perturbing, error);
    }
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
  if (precision == HEDDLE_PRECISION_DECLARED && !round_result (evaluation, result, value->id, error))
    return FALSE;
  if (precision == HEDDLE_PRECISION_PERTURBED && !perturb_result (evaluation, operation, result, error))
    return FALSE;
  g_hash_table_insert (evaluation->arrays, (gpointer) value->id, g_steal_pointer (&result));
  return TRUE;
}

/* --- what is wanted ------------------------------------------------------------------ */

/* Maps each value id to the number of operand slots that still read it, plus one where it is wanted; a value
 * on which nothing wanted depends is absent. */
static GHashTable *
count_uses (const HeddleDiagram *diagram, const GArray *wanted)
{
  GHashTable *uses = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < wanted->len; i++)
    g_hash_table_insert (uses, (gpointer) heddle_ids_index (wanted, i), GUINT_TO_POINTER (1));
  for (guint i = diagram->operations->len; i-- > 0;)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      for (guint j = 0; g_hash_table_contains (uses, operation->result) && j < operation->operands->len; j++)
        {
          gpointer id = (gpointer) heddle_ids_index (operation->operands, j);
          guint n = GPOINTER_TO_UINT (g_hash_table_lookup (uses, id));

          g_hash_table_insert (uses, id, GUINT_TO_POINTER (n + 1));
        }
    }
  return uses;
}

/* Lets go of the operands that nobody reads any more. */
static void
release_operands (HeddleEvaluation *self, const HeddleOperation *operation, GHashTable *uses)
{
  for (guint i = 0; i < operation->operands->len; i++)
    {
      gpointer id = (gpointer) heddle_ids_index (operation->operands, i);
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (uses, id)) - 1;

      g_hash_table_insert (uses, id, GUINT_TO_POINTER (n));
      if (n > 0)
        continue;
      g_hash_table_remove (self->arrays, id);
      g_hash_table_remove (self->outsides, id);
    }
}

/* Runs all operations whose results are in @uses, or all if it is %NULL. */
static gboolean
run_all (
    HeddleEvaluation *self, GHashTable *inputs, GHashTable *uses, HeddlePrecision precision, GError **error)
{
  g_autoptr (GArray) ids = heddle_diagram_get_inputs (self->diagram);

  for (guint i = 0; i < ids->len; i++)
    if (!take_input (self, heddle_diagram_get_value (self->diagram, heddle_ids_index (ids, i)), inputs,
            precision, error))
      return FALSE;
  for (guint i = 0; i < self->diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->diagram->operations, i);

      if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return FALSE;
      if (uses != NULL && !g_hash_table_contains (uses, operation->result))
        continue;
      if (!run_operation (self, operation, precision, error))
        return FALSE;
      if (uses != NULL)
        release_operands (self, operation, uses);
    }
  return TRUE;
}

static GHashTable *
evaluate (const HeddleDiagram *diagram, const HeddleSizes *sizes, GHashTable *inputs, GHashTable *uses,
    HeddlePrecision precision, GCancellable *cancellable, GError **error)
{
  g_autoptr (GHashTable) arrays = NULL;
  g_autoptr (GHashTable) outsides = NULL;
  HeddleEvaluation self = { diagram, sizes, cancellable, NULL, NULL };

  if (!heddle_diagram_is_flat (diagram, error)
      || !heddle_evaluate_check_memory (
          diagram, sizes, uses != NULL ? HEDDLE_HELD_SOME : HEDDLE_HELD_ALL, error))
    return NULL;
  self.arrays = arrays
      = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) heddle_array_unref);
  self.outsides = outsides
      = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_ptr_array_unref);
  return run_all (&self, inputs, uses, precision, error) ? g_steal_pointer (&arrays) : NULL;
}

GHashTable *
heddle_evaluate (const HeddleDiagram *diagram, const HeddleSizes *sizes, GHashTable *inputs,
    HeddlePrecision precision, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (diagram != NULL && sizes != NULL && inputs != NULL, NULL);

  return evaluate (diagram, sizes, inputs, NULL, precision, cancellable, error);
}

GHashTable *
heddle_evaluate_wanted (const HeddleDiagram *diagram, const HeddleSizes *sizes, GHashTable *inputs,
    const GArray *wanted, HeddlePrecision precision, GCancellable *cancellable, GError **error)
{
  g_autoptr (GHashTable) uses = NULL;

  g_return_val_if_fail (diagram != NULL && sizes != NULL && inputs != NULL && wanted != NULL, NULL);

  uses = count_uses (diagram, wanted);
  return evaluate (diagram, sizes, inputs, uses, precision, cancellable, error);
}

/* --- random inputs ------------------------------------------------------------------- */

/* Returns a seed for a name: FNV-1a with 64 bits, which unlike g_str_hash() never changes. */
static guint64
seed_for (guint64 seed, const char *name)
{
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325) ^ seed;

  for (const char *at = name; *at != '\0'; at++)
    hash = (hash ^ (guchar) *at) * G_GUINT64_CONSTANT (0x100000001b3);
  return hash;
}

/* Turns normal values into whole numbers below @limit, each about as frequent, by the place of the value in
 * its distribution. */
static void
spread (HeddleArray *array, gint64 limit)
{
  for (gint64 i = 0; i < array->n_elements; i++)
    {
      double place = 0.5 * (1. + erf (array->data[i] / sqrt (2.)));

      array->data[i] = MIN (floor (place * (double) limit), (double) limit - 1.);
    }
}

gboolean
heddle_evaluate_fill_inputs (
    const HeddleDiagram *diagram, const HeddleSizes *sizes, GHashTable *inputs, guint64 seed, GError **error)
{
  g_autoptr (GArray) ids = NULL;

  g_return_val_if_fail (diagram != NULL && sizes != NULL && inputs != NULL, FALSE);

  if (!heddle_evaluate_check_memory (diagram, sizes, HEDDLE_HELD_GIVEN, error))
    return FALSE;
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
      if (heddle_diagram_needs_no_sign (diagram, value->id))
        heddle_array_drop_signs (array);
      if (limit > 0)
        {
          spread (array, limit);
          array->dtype = value->dtype;
        }
      g_hash_table_insert (inputs, g_steal_pointer (&label), array);
    }
  return TRUE;
}
