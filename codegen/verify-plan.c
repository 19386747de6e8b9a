/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/verify.h"

/* Whether a kernel of the plan has the axis' size as a constant. */
static gboolean
is_fixed (const HeddlePlan *plan, const char *axis)
{
  for (guint i = 0; i < plan->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (plan->texts, i);

      if (heddle_ids_contain (text->fixed_axes, axis))
        return TRUE;
    }
  return FALSE;
}

/* The largest tile or chunk that a kernel of the plan takes of the axis; 0: none. */
static gint64
largest_part (const HeddlePlan *plan, const char *axis)
{
  static const HeddleBandKind kinds[] = { HEDDLE_BAND_GROUP, HEDDLE_BAND_STREAM };
  gint64 largest = 0;

  for (guint i = 0; i < plan->derivation->kernels->len; i++)
    for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
      {
        const HeddleKernel *kernel = g_ptr_array_index (plan->derivation->kernels, i);
        const HeddleNode *band = heddle_loop_program_get_band (kernel->program, axis, kinds[k]);

        if (band != NULL)
          largest = MAX (largest, band->size);
      }
  return largest;
}

/**
 * heddle_plan_small_sizes:
 *
 * Sizes at which the plan's very kernels can be checked quickly: axes whose sizes are arguments of the kernels get one whole part and a
 * ragged one; axes that are constants in the kernels keep their sizes.
 *
 * Returns: (transfer full): the sizes; those of the plan where an axis depends on another
 */
HeddleSizes *
heddle_plan_small_sizes (const HeddleDiagram *diagram, const HeddlePlan *plan)
{
  g_autoptr (GHashTable) overrides = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr (HeddleSizes) sizes = NULL;

  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);
      gint64 size = heddle_sizes_get (plan->sizes, axis->id), part = largest_part (plan, axis->id);

      if (!is_fixed (plan, axis->id) && part > 0)
        size = MIN (size, part + MAX (1, part / 3));
      g_hash_table_insert (overrides, axis->name, g_memdup2 (&size, sizeof size));
    }
  sizes = heddle_sizes_new (diagram, overrides, NULL);
  return sizes ? g_steal_pointer (&sizes) : heddle_sizes_ref (plan->sizes);
}

GPtrArray *
heddle_plan_verify (const HeddleDiagram *diagram, const HeddlePlan *plan, const HeddleSizes *sizes,
    HeddleVerifyOn on, guint64 seed, GCancellable *cancellable, GError **error)
{
  HeddleVerifyRun run = { .diagram = diagram,
    .sizes = sizes,
    .tile_sizes = plan->sizes,
    .machine = plan->machine,
    .dtype = plan->dtype,
    .same_sizes = sizes == plan->sizes,
    .seed = seed,
    .cancellable = cancellable };

  return heddle_verify_run (&run, plan->derivation, on, seed, error);
}

static char *
describe_sizes (const HeddleDiagram *diagram, const HeddleSizes *sizes)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);

      g_string_append_printf (
          text, "%s%s=%" G_GINT64_FORMAT, i ? " " : "", axis->name, heddle_sizes_get (sizes, axis->id));
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* The worst of the results; an error where one failed. */
static const HeddleVerification *
worst_of (GPtrArray *results, GError **error)
{
  const HeddleVerification *worst = NULL;

  for (guint i = 0; i < results->len; i++)
    {
      const HeddleVerification *result = g_ptr_array_index (results, i);

      if (!result->passed)
        {
          g_set_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_VERIFY,
              _ ("kernel “%s” is wrong: %s"), result->kernel, result->detail ? result->detail : "");
          return NULL;
        }
      if (worst == NULL || result->relative_error > worst->relative_error)
        worst = result;
    }
  return worst;
}

char *
heddle_plan_verify_line (const HeddleDiagram *diagram, const HeddlePlan *plan, guint64 seed,
    GCancellable *cancellable, GError **error)
{
  g_autoptr (HeddleSizes) sizes = heddle_plan_small_sizes (diagram, plan);
  g_autofree char *at = describe_sizes (diagram, sizes);
  gboolean compiler = heddle_compile_is_available (NULL);
  g_autoptr (GPtrArray) results = heddle_plan_verify (
      diagram, plan, sizes, compiler ? HEDDLE_VERIFY_CPU : HEDDLE_VERIFY_MODEL, seed, cancellable, error);
  const HeddleVerification *worst = results ? worst_of (results, error) : NULL;

  if (worst == NULL)
    return NULL;
  if (compiler)
    return g_strdup_printf ("verified on the CPU, PTX interpreted: %s, relative error %.2g of %.2g allowed",
        at, worst->relative_error, worst->tolerance);
  return g_strdup_printf (
      "NOT VERIFIED: no CUDA compiler here; its loop program was: %s, relative error %.2g", at,
      worst->relative_error);
}
