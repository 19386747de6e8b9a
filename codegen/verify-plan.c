/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/verify.h"

GPtrArray *
heddle_plan_verify (const HeddlePlan *plan, const HeddleSizes *sizes, HeddleVerifyOn on, guint64 seed,
    GCancellable *cancellable, GError **error)
{
  HeddleVerifyRun run = { .diagram = plan->diagram,
    .sizes = sizes,
    .texts = plan->texts,
    .dtype = plan->dtype,
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

/* Whether a kernel copies in one way where rows are aligned to 16 bytes, and in another where they are not. */
static gboolean
has_two_ways (const HeddlePlan *plan)
{
  for (guint i = 0; i < plan->texts->len; i++)
    {
      GHashTable *sections = ((const HeddleKernelText *) g_ptr_array_index (plan->texts, i))->sections;

      if ((g_hash_table_contains (sections, "copy tile") && g_hash_table_contains (sections, "copy elements"))
          || g_hash_table_contains (sections, "bring elements"))
        return TRUE;
    }
  return FALSE;
}

/* The sizes made multiples of 8, which aligns rows of two bytes an element; %NULL: they are, or cannot be. */
static HeddleSizes *
aligned_sizes (const HeddlePlan *plan, const HeddleSizes *sizes)
{
  const HeddleDiagram *diagram = plan->diagram;
  g_autoptr (GHashTable) overrides = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr (HeddleSizes) aligned = NULL;
  gboolean changed = FALSE;

  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);
      gint64 own = heddle_sizes_get (sizes, axis->id);
      gint64 size = heddle_verify_is_fixed (plan, axis->id) ? own : (own + 7) / 8 * 8;

      changed |= size != own;
      if (!heddle_verify_depends (axis))
        g_hash_table_insert (overrides, axis->name, g_memdup2 (&size, sizeof size));
    }
  aligned = changed ? heddle_sizes_new (diagram, overrides, NULL) : NULL;
  return aligned != NULL && heddle_verify_suits (plan, aligned) ? g_steal_pointer (&aligned) : NULL;
}

/* What came of a run, in words; %NULL with the error, which is %HEDDLE_CODEGEN_ERROR_VERIFY only for a wrong kernel. */
static char *
describe (const HeddlePlan *plan, const HeddleSizes *sizes, GPtrArray *results, GError **error)
{
  const HeddleVerification *worst = results ? worst_of (results, error) : NULL;
  g_autofree char *at = NULL;

  if (worst == NULL)
    return NULL;
  at = sizes != NULL ? describe_sizes (plan->diagram, sizes)
                     : g_strdup ("each kernel on its own, on random values");
  return g_strdup_printf (
      "%s, relative error %.2g of %.2g allowed", at, worst->relative_error, worst->tolerance);
}

/* Runs the plan in one way, at ragged sizes and, where it then runs other code, at aligned ones too. */
static char *
verify_in_one_way (
    const HeddlePlan *plan, HeddleVerifyOn on, guint64 seed, GCancellable *cancellable, GError **error)
{
  g_autoptr (HeddleSizes) sizes = NULL, aligned = NULL;
  g_autoptr (GPtrArray) results = heddle_plan_verify_small (plan, on, seed, &sizes, cancellable, error);
  g_autofree char *first = describe (plan, sizes, results, error), *second = NULL;

  if (on == HEDDLE_VERIFY_CPU && sizes != NULL && has_two_ways (plan))
    aligned = aligned_sizes (plan, sizes);
  if (first == NULL || aligned == NULL)
    return g_steal_pointer (&first);
  g_ptr_array_unref (results);
  results = heddle_plan_verify (plan, aligned, on, seed, cancellable, error);
  second = describe (plan, aligned, results, error);
  return second != NULL ? g_strdup_printf ("%s; %s", first, second) : NULL;
}

/* Whether another way would not help. */
static gboolean
is_final (const GError *error)
{
  return g_error_matches (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_VERIFY)
         || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* One line of a comment. */
static char *
one_line (const char *text)
{
  char *line = g_strndup (text, strcspn (text, "\n"));

  return g_strchomp (line);
}

/**
 * heddle_plan_verify_line:
 *
 * Verifies a plan's kernels at small sizes by the best way this machine has.
 *
 * Returns: (transfer full): what was done, as a line for the head comment of the kernels: "verified on the CPU …" or "NOT VERIFIED:
 * reason"; %NULL with %HEDDLE_CODEGEN_ERROR_VERIFY for a kernel that is wrong, or %G_IO_ERROR_CANCELLED
 */
char *
heddle_plan_verify_line (const HeddlePlan *plan, guint64 seed, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) why = NULL, why_not = NULL;
  g_autofree char *done = verify_in_one_way (plan, HEDDLE_VERIFY_CPU, seed, cancellable, &why),
                  *reason = NULL;

  if (done != NULL)
    return g_strdup_printf ("verified on the CPU, PTX interpreted: %s", done);
  if (is_final (why))
    {
      g_propagate_error (error, g_steal_pointer (&why));
      return NULL;
    }
  if (g_error_matches (why, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_MISSING))
    reason = g_strdup ("no CUDA compiler here");
  else
    reason = one_line (why->message);
  done = verify_in_one_way (plan, HEDDLE_VERIFY_MODEL, seed, cancellable, &why_not);
  if (done != NULL)
    return g_strdup_printf ("NOT VERIFIED: %s; its loop program was: %s", reason, done);
  if (is_final (why_not))
    {
      g_propagate_error (error, g_steal_pointer (&why_not));
      return NULL;
    }
  return g_strdup_printf ("NOT VERIFIED: %s", reason);
}
