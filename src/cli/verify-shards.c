/* SPDX-License-Identifier: MIT */
#include <glib/gi18n.h>

#include "cli/verify-shards.h"
#include "codegen/verify/shard-verify.h"
#include "codegen/verify/verify.h"
#include "derive/execute/shard-execute.h"
#include "derive/shard/shard.h"
#include "derive/shard/small.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/evaluate/evaluate.h"

/* The sizes of the evaluator's runs, and of kernels that are interpreted: elements of an axis that is grouped
 * on each GPU, and of others. */
#define MODEL_PIECE 2
#define MODEL_REST 5
#define KERNEL_PIECE 16
#define KERNEL_REST 32

/* The tolerance: in f64 nothing but the order of sums differs. */
#define TOLERANCE 1e-10

static HeddleVerification *
compare (
    const HeddleSharding *sharding, const char *value, const HeddleArray *array, const HeddleArray *whole)
{
  HeddleVerification *self = g_new0 (HeddleVerification, 1);

  self->kernel = heddle_diagram_value_label (sharding->diagram, value);
  self->on = "model";
  self->method = "shards";
  self->tolerance = TOLERANCE;
  self->relative_error = heddle_array_relative_error (array, whole, &self->max_abs_error);
  self->passed = self->relative_error <= TOLERANCE;
  self->detail = g_strdup_printf (_ ("%u simulated GPUs, compared with the whole"), sharding->gpus);
  return self;
}

static GPtrArray *
run_shards (const HeddleDiagram *diagram, const HeddleSharding *sharding, guint64 seed, GError **error)
{
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (diagram);
  g_autoptr (GHashTable) whole = NULL, made = NULL;
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_verification_free);

  if (!heddle_evaluate_fill_inputs (diagram, sharding->sizes, inputs, seed, error))
    return NULL;
  whole = heddle_evaluate (diagram, sharding->sizes, inputs, HEDDLE_PRECISION_F64, NULL, error);
  made = whole != NULL ? heddle_sharding_execute (sharding, inputs, NULL, error) : NULL;
  if (made == NULL)
    return NULL;
  for (guint i = 0; i < outputs->len; i++)
    {
      const char *value = heddle_ids_index (outputs, i);
      const HeddleArray *array = g_hash_table_lookup (made, value);

      if (array != NULL)
        g_ptr_array_add (found, compare (sharding, value, array, g_hash_table_lookup (whole, value)));
    }
  return g_steal_pointer (&found);
}

GPtrArray *
heddle_verify_shards (const HeddleInput *input, const HeddleSchedule *schedule, const HeddleMachine *machine,
    HeddleDtype dtype, gboolean as_given, gboolean kernels, HeddleFamily family, guint64 seed,
    HeddleSizes **sizes, GError **error)
{
  g_autoptr (HeddleSharding) sharding
      = as_given ? heddle_sharding_new (input->diagram, schedule, input->sizes, machine, dtype, error)
                 : heddle_sharding_new_small (input->diagram, schedule, input->sizes, machine, dtype,
                     kernels ? KERNEL_PIECE : MODEL_PIECE, kernels ? KERNEL_REST : MODEL_REST, error);

  if (sharding == NULL || !heddle_sharding_check (sharding, error))
    return NULL;
  *sizes = heddle_sizes_ref (sharding->sizes);
  if (kernels)
    return heddle_sharding_verify (input->diagram, sharding, machine, dtype, family, seed, error);
  return run_shards (input->diagram, sharding, seed, error);
}
