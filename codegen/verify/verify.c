/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "codegen/verify/compare.h"
#include "codegen/verify/gpu.h"
#include "codegen/verify/inputs.h"
#include "codegen/verify/ptx.h"
#include "codegen/verify/verify.h"
#include "derive/cost/cost.h"
#include "derive/execute/execute.h"
#include "derive/machine/derive-options.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/graph/diagram-part.h"
#include "diagram/graph/operation.h"

void
heddle_verification_free (HeddleVerification *self)
{
  if (self == NULL)
    return;
  g_free (self->kernel);
  g_free (self->detail);
  g_free (self->counts);
  g_free (self);
}

/* Returns the relative error, over a whole array, that a data type allows when sums are kept in f32 (f64 for
 * f64). */
static double
tolerance_of (HeddleDtype dtype)
{
  switch (dtype)
    {
    case HEDDLE_DTYPE_F64:
      return 1e-12;
    case HEDDLE_DTYPE_F32:
      return 1e-5;
    case HEDDLE_DTYPE_TF32:
      return 1e-3;
    case HEDDLE_DTYPE_F16:
      return 2e-3;
    case HEDDLE_DTYPE_BF16:
      return 1.2e-2;
    case HEDDLE_DTYPE_E4M3:
    case HEDDLE_DTYPE_E5M2:
      return 6e-2;
    default:
      return 1e-5;
    }
}

/* --- the run --- */

static const char *
value_name (const HeddleVerifyRun *run, const char *value)
{
  const HeddleValue *v = heddle_diagram_get_value (run->diagram, value);

  return v->name ? v->name : value;
}

/* --- what a kernel has to give: the diagram of its operations alone, evaluated on what the kernel gets --- */

/* Makes an input of the type that the operation gave it which is no longer there. */
static void
make_input (HeddleDiagram *diagram, const char *id, HeddleDtype dtype)
{
  g_autofree char *label = heddle_diagram_value_label (diagram, id);
  HeddleValue *value = heddle_diagram_edit_value (diagram, id);

  value->role = HEDDLE_ROLE_INPUT;
  value->dtype = dtype;
  if (value->name == NULL)
    value->name = g_steal_pointer (&label);
}

static void
append_once (GArray *ids, const char *id)
{
  if (!heddle_ids_contain (ids, id))
    heddle_ids_append (ids, id);
}

/* Returns the operations of the kernel that its outputs depend on. An operation whose result nobody reads is
 * not among them: the loop program leaves it out, with what it reads. */
static GArray *
find_live (const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  g_autoptr (GArray) values = heddle_ids_copy (kernel->program->outputs);
  GArray *live = heddle_ids_new ();

  for (guint i = 0; i < values->len; i++)
    {
      const HeddleOperation *producer = heddle_diagram_get_producer (diagram, heddle_ids_index (values, i));

      if (producer == NULL || !heddle_ids_contain (kernel->operations, producer->id))
        continue;
      append_once (live, producer->id);
      for (guint k = 0; k < producer->operands->len; k++)
        append_once (values, heddle_ids_index (producer->operands, k));
    }
  return live;
}

static gint
compare_places (gconstpointer a, gconstpointer b, gpointer diagram)
{
  const HeddleOperation *one = *(const HeddleOperation *const *) a,
                        *other = *(const HeddleOperation *const *) b;

  return heddle_diagram_index_of_operation (diagram, one->id)
         - heddle_diagram_index_of_operation (diagram, other->id);
}

/* Returns the operations @live in the order of the diagram. */
static GPtrArray *
list_operations (const HeddleDiagram *diagram, const GArray *live)
{
  GPtrArray *operations = g_ptr_array_new ();

  for (guint i = 0; i < live->len; i++)
    g_ptr_array_add (
        operations, (gpointer) heddle_diagram_get_operation (diagram, heddle_ids_index (live, i)));
  g_ptr_array_sort_with_data (operations, compare_places, (gpointer) diagram);
  return operations;
}

/* Returns the values that the kernel reads, and those that the operations make. */
static GPtrArray *
list_values (const HeddleDiagram *diagram, const HeddleKernel *kernel, const GPtrArray *operations)
{
  GPtrArray *values = g_ptr_array_new ();

  for (guint i = 0; i < kernel->program->inputs->len; i++)
    g_ptr_array_add (
        values, (gpointer) heddle_diagram_get_value (diagram, heddle_ids_index (kernel->program->inputs, i)));
  for (guint i = 0; i < operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (operations, i);

      for (guint k = 0; k < heddle_operation_n_results (operation); k++)
        g_ptr_array_add (values,
            (gpointer) heddle_diagram_get_value (diagram, heddle_operation_get_result (operation, k)));
    }
  return values;
}

HeddleDiagram *
heddle_verify_isolate (const HeddleDiagram *diagram, const HeddleKernel *kernel, HeddleDtype dtype)
{
  g_autoptr (GArray) live = find_live (diagram, kernel);
  g_autoptr (GPtrArray) operations = list_operations (diagram, live);
  g_autoptr (GPtrArray) values = list_values (diagram, kernel, operations);
  HeddleDiagram *part = heddle_diagram_part (diagram, values, operations);

  for (guint i = 0; i < kernel->program->inputs->len; i++)
    {
      const char *id = heddle_ids_index (kernel->program->inputs, i);

      if (heddle_diagram_get_value (diagram, id)->role == HEDDLE_ROLE_INTERMEDIATE)
        make_input (part, id, heddle_diagram_dtype (diagram, id, dtype));
    }
  return part;
}

GHashTable *
heddle_verify_reference (
    const HeddleVerifyRun *run, const HeddleKernel *kernel, HeddlePrecision precision, GError **error)
{
  g_autoptr (HeddleDiagram) diagram = heddle_verify_isolate (run->diagram, kernel, run->dtype);
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);

  for (guint i = 0; i < kernel->program->inputs->len; i++)
    {
      const char *id = heddle_ids_index (kernel->program->inputs, i);

      g_hash_table_insert (inputs, heddle_diagram_value_label (diagram, id),
          heddle_array_ref (g_hash_table_lookup (run->arrays, id)));
    }
  return heddle_evaluate (diagram, run->sizes, inputs, precision, run->cancellable, error);
}

/* Returns the longest sum among the kernel's operations. */
static double
count_terms (const HeddleVerifyRun *run, const HeddleKernel *kernel)
{
  double most = 1;

  for (guint i = 0; i < kernel->operations->len; i++)
    {
      const HeddleOperation *operation
          = heddle_diagram_get_operation (run->diagram, heddle_ids_index (kernel->operations, i));

      most = MAX (most, heddle_verify_count_points (operation, run->sizes));
    }
  return most;
}

/* Returns the tolerance. The kernel is as exact as the output is stored, or as factors are that it rounds on
 * their way: those that it makes, and f32 beside a matrix of fewer bits; or as a sum of n terms kept in f32
 * is, which is likely off by sqrt(n) half units of the last place (N. J. Higham and T. Mary, A new approach
 * to probabilistic rounding error analysis, SIAM J. Sci. Comput. 41(5), 2019). The model computes in f64. */
static double
tolerance_at (const HeddleVerifyRun *run, const HeddleKernel *kernel, HeddleDtype output, gboolean model)
{
  double tolerance = tolerance_of (model ? HEDDLE_DTYPE_F64 : output);

  if (!model && output == HEDDLE_DTYPE_F32)
    tolerance = MAX (tolerance, ldexp (sqrt (count_terms (run, kernel)), -24));
  for (guint i = 0; !model && i < run->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (run->texts, i);

      if (text->program == kernel->program && text->rounded != HEDDLE_DTYPE_UNSET)
        tolerance = MAX (tolerance, tolerance_of (text->rounded));
    }
  return tolerance;
}

static gboolean
compare_output (HeddleVerifyRun *run, const HeddleKernel *kernel, const char *value, gboolean model,
    HeddleVerification *result, GError **error)
{
  HeddleDtype dtype = heddle_diagram_dtype (run->diagram, value, run->dtype);
  const HeddleArray *made = g_hash_table_lookup (run->arrays, value),
                    *reference = g_hash_table_lookup (run->reference, value);
  const HeddleDtype stored = model ? HEDDLE_DTYPE_UNSET : dtype;
  double tolerance = tolerance_at (run, kernel, dtype, model);
  HeddleVerification before = *result;
  g_autoptr (GHashTable) perturbed = NULL;

  if (heddle_verify_compare (result, value_name (run, value), made, reference, NULL, stored, tolerance))
    return TRUE;
  if (model || dtype == HEDDLE_DTYPE_F64 || !heddle_dtype_is_real (dtype))
    return FALSE;
  perturbed = heddle_verify_reference (run, kernel, HEDDLE_PRECISION_PERTURBED, error);
  if (perturbed == NULL)
    return FALSE;
  g_free (result->detail);
  *result = before;
  return heddle_verify_compare (result, value_name (run, value), made, reference,
      g_hash_table_lookup (perturbed, value), stored, tolerance);
}

/* Compares all outputs; @result says whether they are right. Returns %FALSE with @error if that could not be
 * found out. */
static gboolean
compare_outputs (HeddleVerifyRun *run, const HeddleKernel *kernel, gboolean model, HeddleVerification *result,
    GError **error)
{
  for (guint i = 0; i < kernel->program->outputs->len; i++)
    if (!compare_output (run, kernel, heddle_ids_index (kernel->program->outputs, i), model, result, error))
      return FALSE;
  return TRUE;
}

static gboolean
compare_level (
    const HeddleCost *cost, const char *level, const HeddleLevelCounts *counts, HeddleVerification *result)
{
  gint64 tiles[HEDDLE_MAX_GROUPS], chunk, crossed, held;

  heddle_cost_own_tiles (cost, tiles, &chunk);
  crossed = heddle_cost_transfers (cost, tiles, chunk, FALSE);
  held = heddle_cost_memory (cost, tiles, chunk, FALSE);
  if (counts->transfer_elements == crossed && counts->peak_elements == held)
    return TRUE;
  result->detail = g_strdup_printf (_ ("at %s %" PRId64 " values crossed where the model says %" PRId64
                                       ", and %" PRId64 " were held where it says %" PRId64),
      level, counts->transfer_elements, crossed, counts->peak_elements, held);
  return FALSE;
}

/* Compares what the executor counted at each level with what the cost model says for the current sizes. */
static gboolean
compare_counts (const HeddleVerifyRun *run, const HeddleKernel *kernel, const HeddleCounts *counts,
    HeddleVerification *result)
{
  const HeddleLoopProgram *program = kernel->program;
  g_autoptr (HeddleSizes) own = heddle_loop_program_own_sizes (program, run->sizes);
  g_autoptr (HeddleCost) cost = heddle_cost_new (program, own, HEDDLE_COLUMNS_ALL);
  gboolean same = TRUE;

  for (const HeddleCost *at = cost; same && at != NULL; at = at->inner)
    same = compare_level (
        at, heddle_ids_index (program->levels, at->depth), &counts->levels[at->depth], result);
  return same;
}

static HeddleVerification *
verify_model (HeddleVerifyRun *run, const HeddleKernel *kernel, GError **error)
{
  HeddleVerification *result = g_new0 (HeddleVerification, 1);
  HeddleCounts counts;

  result->kernel = g_strdup (kernel->program->name);
  result->on = "model";
  result->method = "loop-program";
  if (!heddle_execute (kernel->program, run->sizes, run->arrays, &counts, run->cancellable, error))
    {
      heddle_verification_free (result);
      return NULL;
    }
  result->passed
      = compare_counts (run, kernel, &counts, result) && compare_outputs (run, kernel, TRUE, result, NULL);
  if (result->passed)
    result->detail = g_strdup_printf (_ ("%" PRId64 " values crossed, %" PRId64 " held at most, as priced"),
        counts.transfer_elements, counts.peak_elements);
  result->transfer_elements = counts.transfer_elements;
  result->memory_elements = counts.peak_elements;
  return result;
}

gboolean
heddle_verify_is_of (const HeddleKernelText *text, const HeddleKernel *kernel)
{
  return text->program == kernel->program || text->program == kernel->program->combine;
}

/* Runs the kernel, and the one that merges its parts. */
static gboolean
run_kernel (HeddleVerifyRun *run, const HeddleKernel *kernel, HeddleVerification *result, char **summary,
    GError **error)
{
  gboolean (*run_text) (HeddleVerifyRun * run, const HeddleKernelText *text, HeddleVerification *result,
      char **summary, GError **error)
      = run->gpu != NULL ? heddle_verify_on_gpu : heddle_verify_interpret;

  for (guint i = 0; i < run->texts->len && result->detail == NULL; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (run->texts, i);

      if (!heddle_verify_is_of (text, kernel))
        continue;
      g_clear_pointer (summary, g_free);
      if (!run_text (run, text, result, summary, error))
        return FALSE;
    }
  return TRUE;
}

static HeddleVerification *
verify_kernel (HeddleVerifyRun *run, const HeddleKernel *kernel, GError **error)
{
  HeddleVerification *result = g_new0 (HeddleVerification, 1);
  g_autofree char *summary = NULL;
  g_autoptr (GError) problem = NULL;

  result->kernel = g_strdup (kernel->program->name);
  result->on = run->gpu != NULL ? "gpu" : "cpu";
  result->method = run->gpu != NULL ? "run" : "ptx";
  if (run_kernel (run, kernel, result, &summary, &problem) && result->detail == NULL)
    result->passed = compare_outputs (run, kernel, FALSE, result, &problem);
  if (problem != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      heddle_verification_free (result);
      return NULL;
    }
  if (result->detail == NULL)
    result->detail = g_steal_pointer (&summary);
  return result;
}

HeddleVerification *
heddle_verification_repeat (const HeddleVerification *before, const HeddleKernel *kernel)
{
  HeddleVerification *self = g_memdup2 (before, sizeof *before);

  self->counts = before->counts != NULL ? g_memdup2 (before->counts, sizeof *before->counts) : NULL;
  self->kernel = g_strdup (kernel->program->name);
  self->detail = g_strdup_printf (_ ("the kernel of %s, on other arrays"), before->kernel);
  return self;
}

HeddleVerification *
heddle_verify_one (HeddleVerifyRun *run, const HeddleKernel *kernel, HeddleVerifyOn on, GError **error)
{
  return on == HEDDLE_VERIFY_MODEL ? verify_model (run, kernel, error) : verify_kernel (run, kernel, error);
}
