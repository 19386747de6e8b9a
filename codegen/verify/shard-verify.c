/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/plan/plan.h"
#include "codegen/verify/inputs.h"
#include "codegen/verify/shard-verify.h"
#include "codegen/verify/verify.h"
#include "derive/execute/shard-execute.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/base/array.h"
#include "diagram/evaluate/evaluate.h"

/* This file interprets the kernels of every GPU's program one after the other, on the pieces that it has and
 * what the others passed to it, and compares the result with the whole. */

typedef struct
{
  const HeddleSharding *sharding;
  const HeddleMachine *machine;
  HeddleDtype dtype;
  HeddleFamily family;
  guint64 seed;
  GHashTable *plans; /* HeddleShardSegment -> HeddlePlan */
  GPtrArray *results; /* of HeddleVerification: the worst of each kernel over GPUs */
  gboolean failed;
} Work;

static const HeddlePlan *
plan_of (Work *self, const HeddleShardSegment *segment, GError **error)
{
  HeddlePlan *plan = g_hash_table_lookup (self->plans, segment);

  if (plan != NULL)
    return plan;
  plan = heddle_plan_new_on (
      segment->diagram, segment->schedule, self->machine, self->dtype, self->family, NULL, NULL, error);
  if (plan != NULL)
    g_hash_table_insert (self->plans, (gpointer) segment, plan);
  return plan;
}

/* Takes what came of a kernel on one GPU. */
static void
add_result (Work *self, HeddleVerification *result)
{
  self->failed = self->failed || !result->passed;
  for (guint i = 0; i < self->results->len; i++)
    {
      HeddleVerification *other = g_ptr_array_index (self->results, i);

      if (g_strcmp0 (other->kernel, result->kernel) != 0)
        continue;
      if (other->passed && (!result->passed || result->relative_error > other->relative_error))
        self->results->pdata[i] = g_steal_pointer (&result);
      heddle_verification_free (result != NULL ? result : other);
      return;
    }
  g_ptr_array_add (self->results, result);
}

/* Runs the kernels on the inputs, in order, each on what the one before it made. */
static gboolean
run_kernels (Work *self, HeddleVerifyRun *run, const HeddlePlan *plan, GError **error)
{
  for (guint i = 0; i < plan->derivation->kernels->len && !self->failed; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (plan->derivation->kernels, i);
      HeddleVerification *result = NULL;

      run->reference = heddle_verify_reference (run, kernel, HEDDLE_PRECISION_F64, error);
      if (run->reference != NULL)
        result = heddle_verify_one (run, kernel, HEDDLE_VERIFY_CPU, error);
      g_clear_pointer (&run->reference, g_hash_table_unref);
      if (result == NULL)
        return FALSE;
      add_result (self, result);
    }
  return TRUE;
}

static GHashTable *
run_segment (const HeddleShardSegment *segment, GHashTable *inputs, gpointer data, GError **error)
{
  Work *self = data;
  const HeddlePlan *plan = plan_of (self, segment, error);
  g_autoptr (GHashTable) arrays
      = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) heddle_array_unref);
  GHashTableIter iter;
  gpointer name, array;

  if (plan == NULL)
    return NULL;
  HeddleVerifyRun run = { .diagram = plan->diagram,
    .sizes = plan->sizes,
    .texts = plan->texts,
    .dtype = plan->dtype,
    .seed = self->seed,
    .arrays = arrays };
  g_hash_table_iter_init (&iter, inputs);
  while (g_hash_table_iter_next (&iter, &name, &array))
    g_hash_table_insert (
        arrays, (gpointer) heddle_diagram_find_value (segment->diagram, name)->id, heddle_array_ref (array));
  if (!run_kernels (self, &run, plan, error))
    return NULL;
  if (self->failed)
    {
      g_set_error_literal (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_VERIFY, _ ("a kernel is wrong"));
      return NULL;
    }
  return g_steal_pointer (&arrays);
}

/* --- the whole ------------------------------------------------------------------------- */

/* Returns the tolerance: the errors of kernels one after the other add up. */
static double
tolerance_of (const Work *self)
{
  double sum = 0.;

  for (guint i = 0; i < self->results->len; i++)
    sum += ((const HeddleVerification *) g_ptr_array_index (self->results, i))->tolerance;
  return sum;
}

static void
compare (Work *self, const HeddleDiagram *diagram, const char *value, const HeddleArray *array,
    const HeddleArray *whole, double tolerance)
{
  HeddleVerification *result = g_new0 (HeddleVerification, 1);

  result->kernel = heddle_diagram_value_label (diagram, value);
  result->on = "cpu";
  result->method = "shards";
  result->tolerance = tolerance;
  result->relative_error = heddle_array_relative_error (array, whole, &result->max_abs_error);
  result->passed = result->relative_error <= tolerance;
  result->detail = g_strdup_printf (_ ("%u simulated GPUs, compared with the whole"), self->sharding->gpus);
  g_ptr_array_add (self->results, result);
}

/* Returns the inputs by name, as the evaluator takes them. */
static GHashTable *
make_inputs (const Work *self, const HeddleDiagram *diagram, GError **error)
{
  HeddleVerifyRun run = { .diagram = diagram,
    .sizes = self->sharding->sizes,
    .dtype = self->dtype,
    .seed = self->seed,
    .arrays = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) heddle_array_unref) };
  GHashTable *inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  gboolean good = heddle_verify_make_inputs (&run, error);
  GHashTableIter iter;
  gpointer value, array;

  g_hash_table_iter_init (&iter, run.arrays);
  while (good && g_hash_table_iter_next (&iter, &value, &array))
    g_hash_table_insert (inputs, heddle_diagram_value_label (diagram, value), heddle_array_ref (array));
  g_hash_table_unref (run.arrays);
  if (!good)
    g_clear_pointer (&inputs, g_hash_table_unref);
  return inputs;
}

static gboolean
run_all (Work *self, const HeddleDiagram *diagram, GError **error)
{
  g_autoptr (GHashTable) inputs = make_inputs (self, diagram, error), whole = NULL, made = NULL;
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (diagram);
  g_autoptr (GError) wrong = NULL;
  double tolerance;

  if (inputs == NULL)
    return FALSE;
  whole = heddle_evaluate (diagram, self->sharding->sizes, inputs, HEDDLE_PRECISION_F64, NULL, error);
  if (whole == NULL)
    return FALSE;
  made = heddle_sharding_execute_by (
      self->sharding, inputs, run_segment, self, NULL, self->failed ? NULL : &wrong);
  if (made == NULL && !self->failed)
    g_propagate_error (error, g_steal_pointer (&wrong));
  tolerance = tolerance_of (self);
  for (guint i = 0; made != NULL && i < outputs->len; i++)
    {
      const char *value = heddle_ids_index (outputs, i);

      if (g_hash_table_contains (made, value))
        compare (self, diagram, value, g_hash_table_lookup (made, value), g_hash_table_lookup (whole, value),
            tolerance);
    }
  return made != NULL || self->failed;
}

GPtrArray *
heddle_sharding_verify (const HeddleDiagram *diagram, const HeddleSharding *sharding,
    const HeddleMachine *machine, HeddleDtype dtype, HeddleFamily family, guint64 seed, GError **error)
{
  Work self = { sharding, machine, dtype, family, seed,
    g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) heddle_plan_free),
    g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_verification_free), FALSE };

  if (!run_all (&self, diagram, error))
    g_clear_pointer (&self.results, g_ptr_array_unref);
  g_hash_table_unref (self.plans);
  return self.results;
}
