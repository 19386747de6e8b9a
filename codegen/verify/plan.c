/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/compile/compile.h"
#include "codegen/compile/memory-cache.h"
#include "codegen/verify/apart.h"
#include "codegen/verify/plan.h"
#include "codegen/verify/run.h"
#include "codegen/verify/sizes.h"
#include "codegen/verify/verify.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/analysis/sizes.h"

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

  return heddle_verify_run (&run, plan->derivation, on, error);
}

/* Returns a result for each kernel, if there is one for each text, up to the first that is wrong. */
static GPtrArray *
expand (const HeddlePlan *plan, GPtrArray *once)
{
  const GPtrArray *kernels = plan->derivation->kernels;
  GPtrArray *results = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_verification_free);

  for (guint i = 0; i < kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (kernels, i);
      int same = heddle_plan_find_duplicated (plan, kernel);

      if (same >= 0)
        g_ptr_array_add (results, heddle_verification_repeat (g_ptr_array_index (results, same), kernel));
      else if (once->len > 0)
        g_ptr_array_add (results, g_ptr_array_steal_index (once, 0));
      else
        break;
    }
  return results;
}

GPtrArray *
heddle_plan_verify_small (
    const HeddlePlan *plan, HeddleVerifyOn on, guint64 seed, HeddleSizes **sizes, GError **error)
{
  g_autoptr (HeddleSizes) small = heddle_plan_small_sizes (plan);
  HeddleVerifyRun run = { .diagram = plan->diagram,
    .sizes = small,
    .texts = plan->texts,
    .dtype = plan->dtype,
    .seed = seed,
    .once = TRUE };
  g_autoptr (GPtrArray) once = NULL;

  *sizes = NULL;
  if (on == HEDDLE_VERIFY_CPU && heddle_plan_is_large (plan, small))
    return heddle_plan_verify_apart (plan, seed, NULL, error);
  *sizes = heddle_sizes_ref (small);
  if (on != HEDDLE_VERIFY_CPU)
    return heddle_plan_verify (plan, small, on, seed, NULL, error);
  once = heddle_verify_run (&run, plan->derivation, on, error);
  return once != NULL ? expand (plan, once) : NULL;
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

/* Returns the worst of the results. Returns NULL with an error if one failed, and NULL if there are none. */
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

/* Returns whether a kernel copies in one way if rows are aligned to 16 bytes, and in another if they are
 * not. */
static gboolean
has_two_ways (const HeddleVerifyRun *run, const HeddleKernel *kernel)
{
  for (guint i = 0; i < run->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (run->texts, i);

      if (heddle_verify_is_of (text, kernel)
          && ((g_hash_table_contains (text->sections, "copy tile")
                  && g_hash_table_contains (text->sections, "copy elements"))
              || g_hash_table_contains (text->sections, "bring elements")))
        return TRUE;
    }
  return FALSE;
}

/* Runs the kernels of a plan that @wants wants, each text once, at some sizes; %NULL with the error, which is
 * %HEDDLE_CODEGEN_ERROR_VERIFY only for a wrong kernel; an empty text: none is wanted. */
static char *
verify_at (HeddleVerifyRun *run, const HeddlePlan *plan, HeddleVerifyOn on, GError **error)
{
  g_autofree char *at = describe_sizes (run->diagram, run->sizes);
  g_autoptr (GPtrArray) results = heddle_verify_run (run, plan->derivation, on, error);
  const HeddleVerification *worst = results != NULL ? worst_of (results, error) : NULL;

  if (worst == NULL)
    return results != NULL && results->len == 0 ? g_strdup ("") : NULL;
  return g_strdup_printf (
      "%s, relative error %.2g of %.2g allowed", at, worst->relative_error, worst->tolerance);
}

static char *
verify_apart (const HeddlePlan *plan, guint64 seed, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) results = heddle_plan_verify_apart (plan, seed, cancellable, error);
  const HeddleVerification *worst = results != NULL ? worst_of (results, error) : NULL;

  if (worst == NULL)
    return NULL;
  return g_strdup_printf ("each kernel on its own, on random values, relative error %.2g of %.2g allowed",
      worst->relative_error, worst->tolerance);
}

/* Interprets by themselves the kernels whose loops go round no more than once at @sizes; an empty text: there
 * are none. */
static char *
verify_long (const HeddlePlan *plan, const HeddleSizes *sizes, guint64 seed, const HeddleKernel **failed,
    GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) results = heddle_plan_verify_long (plan, sizes, seed, failed, cancellable, error);
  const HeddleVerification *worst = results != NULL ? worst_of (results, error) : NULL;

  if (worst == NULL)
    return results != NULL && results->len == 0 ? g_strdup ("") : NULL;
  return g_strdup_printf (
      "loops of several steps in kernels on their own, on random values, relative error %.2g of %.2g allowed",
      worst->relative_error, worst->tolerance);
}

/* Runs the kernels that do something else at the aligned sizes at these, and those whose loops go round no
 * more than once at the sizes of @run by themselves. Returns what is to be said after @first. */
static char *
verify_the_rest (HeddleVerifyRun *run, const HeddlePlan *plan, const char *first, GError **error)
{
  const HeddleSizes *sizes = run->sizes;
  g_autoptr (HeddleSizes) aligned = heddle_plan_aligned_sizes (plan, sizes);
  g_autoptr (GString) all = g_string_new (first);
  g_autofree char *second = NULL, *third = NULL;

  if (aligned != NULL)
    {
      run->sizes = aligned;
      run->wants = has_two_ways;
      second = verify_at (run, plan, HEDDLE_VERIFY_CPU, error);
      if (second == NULL)
        return NULL;
    }
  third = verify_long (plan, sizes, run->seed, &run->failed, run->cancellable, error);
  if (third == NULL)
    return NULL;
  if (second != NULL && *second != '\0')
    g_string_append_printf (all, "; %s", second);
  if (*third != '\0')
    g_string_append_printf (all, "; %s", third);
  return g_string_free (g_steal_pointer (&all), FALSE);
}

/* Runs the plan in one way, at ragged sizes; kernels that run other code at aligned ones at these too. @failed
 * (optional) receives the kernel that failed, if that is known. */
static char *
verify_in_one_way (const HeddlePlan *plan, HeddleVerifyOn on, guint64 seed, const HeddleKernel **failed,
    GCancellable *cancellable, GError **error)
{
  g_autoptr (HeddleSizes) sizes = heddle_plan_small_sizes (plan);
  HeddleVerifyRun run = { .diagram = plan->diagram,
    .sizes = sizes,
    .texts = plan->texts,
    .dtype = plan->dtype,
    .seed = seed,
    .cancellable = cancellable,
    .once = TRUE };
  g_autofree char *first = NULL, *all = NULL;

  if (on == HEDDLE_VERIFY_CPU && heddle_plan_is_large (plan, sizes))
    return verify_apart (plan, seed, cancellable, error);
  first = verify_at (&run, plan, on, error);
  if (first != NULL && on == HEDDLE_VERIFY_CPU)
    all = verify_the_rest (&run, plan, first, error);
  if (failed != NULL)
    *failed = run.failed;
  return on == HEDDLE_VERIFY_CPU ? g_steal_pointer (&all) : g_steal_pointer (&first);
}

/* Returns whether another way of verifying would not help. */
static gboolean
is_final (const GError *error)
{
  return g_error_matches (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_VERIFY)
         || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Returns the text as one line of a comment. */
static char *
one_line (const char *text)
{
  char *line = g_strndup (text, strcspn (text, "\n"));

  return g_strchomp (line);
}

/* --- what was verified is known as long as the program runs --- */

#define MOST_KNOWN 64

static GMutex known_mutex;
static GHashTable *known; /* texts of a plan, as key_of () has them -> the line */

static char *
key_of (const HeddlePlan *plan)
{
  g_autoptr (GChecksum) all = g_checksum_new (G_CHECKSUM_SHA256);

  for (guint i = 0; i < plan->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (plan->texts, i);
      g_autofree char *key = heddle_memory_cache_key ("", text->arch, text->device);

      g_checksum_update (all, (const guchar *) key, -1);
    }
  return g_strdup (g_checksum_get_string (all));
}

static void
remember (const HeddlePlan *plan, const char *line)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&known_mutex);

  if (known == NULL)
    known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (g_hash_table_size (known) >= MOST_KNOWN)
    g_hash_table_remove_all (known);
  g_hash_table_replace (known, key_of (plan), g_strdup (line));
}

char *
heddle_plan_recall_line (const HeddlePlan *plan)
{
  g_autofree char *key = key_of (plan);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&known_mutex);

  return known != NULL ? g_strdup (g_hash_table_lookup (known, key)) : NULL;
}

char *
heddle_plan_verify_line (const HeddlePlan *plan, guint64 seed, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) why = NULL, why_not = NULL;
  g_autofree char *done = verify_in_one_way (plan, HEDDLE_VERIFY_CPU, seed, NULL, cancellable, &why),
                  *reason = NULL;

  if (done != NULL)
    {
      char *line = g_strdup_printf ("verified on the CPU, PTX interpreted: %s", done);

      remember (plan, line);
      return line;
    }
  if (is_final (why))
    {
      g_propagate_error (error, g_steal_pointer (&why));
      return NULL;
    }
  if (g_error_matches (why, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_MISSING))
    reason = g_strdup ("no CUDA compiler here");
  else
    reason = one_line (why->message);
  done = verify_in_one_way (plan, HEDDLE_VERIFY_MODEL, seed, NULL, cancellable, &why_not);
  if (done != NULL)
    return g_strdup_printf ("NOT VERIFIED: %s; its loop program was: %s", reason, done);
  if (is_final (why_not))
    {
      g_propagate_error (error, g_steal_pointer (&why_not));
      return NULL;
    }
  return g_strdup_printf ("NOT VERIFIED: %s", reason);
}

/* --- which kernel is to blame --- */

/* Returns whether the kernel's texts compile. What was compiled before is not compiled again. */
static gboolean
compiles (const HeddlePlan *plan, const HeddleKernel *kernel, GCancellable *cancellable, GError **error)
{
  for (guint i = 0; i < plan->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (plan->texts, i);
      HeddleCompilation *made;

      if (!heddle_verify_is_of (text, kernel) || text->duplicate_of != NULL)
        continue;
      made = heddle_compile (text, cancellable, error);
      if (made == NULL)
        return FALSE;
      heddle_compilation_free (made);
    }
  return TRUE;
}

/* Returns the first kernel that is wrong by itself, where the plan is too large to be verified as a whole. */
static const HeddleKernel *
find_bad_apart (const HeddlePlan *plan, guint64 seed, GCancellable *cancellable, GError **why)
{
  for (guint i = 0; i < plan->derivation->kernels->len; i++)
    {
      HeddleKernel *kernel = g_ptr_array_index (plan->derivation->kernels, i);
      g_auto (HeddlePlanPart) part = { 0 };
      g_autoptr (GError) wrong = NULL;
      g_autofree char *line = NULL;

      if (heddle_plan_find_duplicated (plan, kernel) >= 0)
        continue;
      heddle_plan_part_init (&part, plan, kernel);
      line = verify_apart (&part.plan, seed, cancellable, &wrong);
      if (line != NULL)
        continue;
      if (!is_final (wrong))
        return NULL;
      g_propagate_error (why, g_steal_pointer (&wrong));
      return kernel;
    }
  return NULL;
}

const HeddleKernel *
heddle_plan_find_bad (const HeddlePlan *plan, guint64 seed, GCancellable *cancellable, GError **why)
{
  g_autoptr (HeddleSizes) sizes = heddle_plan_small_sizes (plan);
  g_autoptr (GError) wrong = NULL;
  g_autofree char *line = NULL;
  const HeddleKernel *failed = NULL;

  if (!heddle_compile_is_available (NULL))
    return NULL;
  for (guint i = 0; i < plan->derivation->kernels->len; i++)
    if (!compiles (plan, g_ptr_array_index (plan->derivation->kernels, i), cancellable, why))
      return g_ptr_array_index (plan->derivation->kernels, i);
  if (heddle_plan_is_large (plan, sizes))
    return find_bad_apart (plan, seed, cancellable, why);
  line = verify_in_one_way (plan, HEDDLE_VERIFY_CPU, seed, &failed, cancellable, &wrong);
  if (line != NULL || failed == NULL || !is_final (wrong))
    return NULL;
  g_propagate_error (why, g_steal_pointer (&wrong));
  return failed;
}
