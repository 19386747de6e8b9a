/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/verify.h"

/* Kernels of a diagram that is too large to be evaluated as a whole, even at the smallest sizes that suit all of them at once: each is verified
 * on its own, on random values in place of what the one before makes, at sizes that suit it. */

/* Elements of all arrays together, 8 bytes each: beyond, a plan's kernels are verified apart. */
#define MOST_ELEMENTS 250e6

static double
count_elements (const HeddlePlan *plan, const HeddleSizes *sizes)
{
  double all = 0;

  for (guint i = 0; i < plan->diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (plan->diagram->values, i);
      double elements = 1;

      for (guint k = 0; k < value->axes->len; k++)
        elements *= (double) heddle_sizes_get (sizes, heddle_ids_index (value->axes, k));
      all += elements;
    }
  return all;
}

static char *
describe_sizes (const GPtrArray *texts, const HeddleDiagram *diagram, const HeddleSizes *sizes)
{
  const HeddleKernelText *text = g_ptr_array_index (texts, 0);
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < text->parameters->len; i++)
    {
      const char *id = ((const HeddleKernelParameter *) g_ptr_array_index (text->parameters, i))->axis;
      const HeddleAxis *axis = id != NULL ? heddle_diagram_get_axis (diagram, id) : NULL;

      if (axis != NULL)
        g_string_append_printf (
            out, "%s%s=%" G_GINT64_FORMAT, out->len > 0 ? " " : "", axis->name, heddle_sizes_get (sizes, id));
    }
  return g_string_free (out, FALSE);
}

static GPtrArray *
texts_of (const HeddlePlan *plan, const HeddleKernel *kernel)
{
  GPtrArray *texts = g_ptr_array_new ();

  for (guint i = 0; i < plan->texts->len; i++)
    {
      HeddleKernelText *text = g_ptr_array_index (plan->texts, i);

      if (text->program == kernel->program || text->program == kernel->program->combine)
        g_ptr_array_add (texts, text);
    }
  return texts;
}

static HeddleVerification *
verify_alone (
    const HeddlePlan *plan, HeddleKernel *kernel, guint64 seed, GCancellable *cancellable, GError **error)
{
  g_autoptr (HeddleDiagram) diagram = heddle_verify_isolate (plan->diagram, kernel);
  g_autoptr (GPtrArray) texts = texts_of (plan, kernel), kernels = g_ptr_array_new (), results = NULL;
  g_autoptr (HeddleSizes) sizes = NULL;
  g_autofree char *at = NULL, *before = NULL;
  HeddleDerivation derivation = *plan->derivation;
  HeddlePlan one = *plan;
  HeddleVerification *result;

  g_ptr_array_add (kernels, kernel);
  derivation.kernels = kernels;
  one.diagram = diagram;
  one.derivation = &derivation;
  one.texts = texts;
  sizes = heddle_plan_small_sizes (&one);
  results = heddle_plan_verify (&one, sizes, HEDDLE_VERIFY_CPU, seed, cancellable, error);
  if (results == NULL)
    return NULL;
  result = g_ptr_array_steal_index (results, 0);
  at = describe_sizes (texts, diagram, sizes);
  before = result->detail;
  result->detail
      = g_strdup_printf (_ ("on its own, on random values, at %s: %s"), at, before != NULL ? before : "");
  return result;
}

/* One for each kernel up to the first that is wrong. */
static GPtrArray *
verify_apart (const HeddlePlan *plan, guint64 seed, GCancellable *cancellable, GError **error)
{
  const GPtrArray *kernels = plan->derivation->kernels;
  const HeddleVerifyRun run = { .diagram = plan->diagram, .texts = plan->texts };
  g_autofree HeddleVerifyPart *parts = heddle_verify_find_parts (&run, plan->derivation);
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_verification_free);

  for (guint i = 0; i < kernels->len; i++)
    {
      HeddleKernel *kernel = g_ptr_array_index (kernels, i);
      HeddleVerification *result;
      guint first;

      if (parts[i].same != NULL && g_ptr_array_find ((GPtrArray *) kernels, parts[i].same, &first))
        result = heddle_verification_repeat (g_ptr_array_index (results, first), kernel);
      else
        result = verify_alone (plan, kernel, seed, cancellable, error);
      if (result == NULL)
        return NULL;
      g_ptr_array_add (results, result);
      if (!result->passed)
        break;
    }
  return g_steal_pointer (&results);
}

GPtrArray *
heddle_plan_verify_small (const HeddlePlan *plan, HeddleVerifyOn on, guint64 seed, HeddleSizes **sizes,
    GCancellable *cancellable, GError **error)
{
  g_autoptr (HeddleSizes) small = heddle_plan_small_sizes (plan);
  GPtrArray *results;

  *sizes = NULL;
  if (on == HEDDLE_VERIFY_CPU && count_elements (plan, small) > MOST_ELEMENTS)
    return verify_apart (plan, seed, cancellable, error);
  results = heddle_plan_verify (plan, small, on, seed, cancellable, error);
  *sizes = g_steal_pointer (&small);
  return results;
}
