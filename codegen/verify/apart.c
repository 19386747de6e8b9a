/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/verify/apart.h"
#include "codegen/verify/run.h"
#include "codegen/verify/sizes.h"
#include "diagram/analysis/sizes.h"

/* This file verifies kernels by themselves, on random values instead of what the one before makes, at sizes
 * that suit each: those of a diagram that is too large to be evaluated as a whole, even at the smallest sizes
 * that suit all of them at once, and those whose loops never go round at such sizes. */

/* The number of elements of all arrays together, 8 bytes each, beyond which a plan's kernels are verified
 * apart. */
#define MOST_ELEMENTS 250e6

gboolean
heddle_plan_is_large (const HeddlePlan *plan, const HeddleSizes *sizes)
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
  return all > MOST_ELEMENTS;
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

      if (heddle_verify_is_of (text, kernel))
        g_ptr_array_add (texts, text);
    }
  return texts;
}

void
heddle_plan_part_init (HeddlePlanPart *self, const HeddlePlan *plan, HeddleKernel *kernel)
{
  self->plan = *plan;
  self->derivation = *plan->derivation;
  self->maker = plan->diagram;
  self->plan.diagram = heddle_verify_isolate (plan->diagram, kernel, plan->dtype);
  self->plan.texts = texts_of (plan, kernel);
  self->plan.derivation = &self->derivation;
  self->derivation.kernels = g_ptr_array_new ();
  g_ptr_array_add (self->derivation.kernels, kernel);
}

void
heddle_plan_part_clear (HeddlePlanPart *self)
{
  g_clear_pointer (&self->plan.diagram, heddle_diagram_free);
  g_clear_pointer (&self->plan.texts, g_ptr_array_unref);
  g_clear_pointer (&self->derivation.kernels, g_ptr_array_unref);
}

static HeddleVerification *
verify_alone (
    const HeddlePlan *plan, HeddleKernel *kernel, guint64 seed, GCancellable *cancellable, GError **error)
{
  g_auto (HeddlePlanPart) part = { 0 };
  g_autoptr (HeddleSizes) sizes = NULL;
  g_autoptr (GPtrArray) results = NULL;
  g_autofree char *at = NULL, *before = NULL;
  HeddleVerifyRun run;
  HeddleVerification *result;

  heddle_plan_part_init (&part, plan, kernel);
  sizes = heddle_plan_small_sizes (&part.plan);
  run = (HeddleVerifyRun){ .diagram = part.plan.diagram,
    .sizes = sizes,
    .texts = part.plan.texts,
    .dtype = plan->dtype,
    .seed = seed,
    .cancellable = cancellable,
    .maker = part.maker };
  results = heddle_verify_run (&run, part.plan.derivation, HEDDLE_VERIFY_CPU, error);
  if (results == NULL)
    return NULL;
  result = g_ptr_array_steal_index (results, 0);
  at = describe_sizes (run.texts, run.diagram, sizes);
  before = result->detail;
  result->detail
      = g_strdup_printf (_ ("on its own, on random values, at %s: %s"), at, before != NULL ? before : "");
  return result;
}

/* Returns whether the kernel's steps along an axis are one at most at @sizes, and more at its @own. */
static gboolean
has_more_steps (const HeddleKernel *kernel, const HeddleDiagram *diagram, const HeddleSizes *sizes,
    const HeddleSizes *own)
{
  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const char *axis = ((const HeddleAxis *) g_ptr_array_index (diagram->axes, i))->id;
      const HeddleNode *band = heddle_loop_program_get_band (kernel->program, axis, HEDDLE_BAND_STREAM);

      if (band != NULL && heddle_sizes_get (sizes, axis) <= band->size
          && heddle_sizes_get (own, axis) > band->size)
        return TRUE;
    }
  return FALSE;
}

gboolean
heddle_plan_is_cut_short (const HeddlePlan *plan, HeddleKernel *kernel, const HeddleSizes *sizes)
{
  g_auto (HeddlePlanPart) part = { 0 };
  g_autoptr (HeddleSizes) own = NULL;

  if (kernel->program == NULL)
    return FALSE;
  heddle_plan_part_init (&part, plan, kernel);
  own = heddle_plan_small_sizes (&part.plan);
  return has_more_steps (kernel, part.plan.diagram, sizes, own);
}

GPtrArray *
heddle_plan_verify_long (const HeddlePlan *plan, const HeddleSizes *sizes, guint64 seed,
    const HeddleKernel **failed, GCancellable *cancellable, GError **error)
{
  const GPtrArray *kernels = plan->derivation->kernels;
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_verification_free);

  for (guint i = 0; i < kernels->len; i++)
    {
      HeddleKernel *kernel = g_ptr_array_index (kernels, i);
      HeddleVerification *result;

      if (heddle_plan_find_duplicated (plan, kernel) >= 0 || !heddle_plan_is_cut_short (plan, kernel, sizes))
        continue;
      result = verify_alone (plan, kernel, seed, cancellable, error);
      if (result == NULL)
        return NULL;
      g_ptr_array_add (results, result);
      if (!result->passed)
        {
          *failed = kernel;
          break;
        }
    }
  return g_steal_pointer (&results);
}

int
heddle_plan_find_duplicated (const HeddlePlan *plan, const HeddleKernel *kernel)
{
  const HeddleKernelText *same = NULL;

  for (guint i = 0; i < plan->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (plan->texts, i);

      if (!heddle_verify_is_of (text, kernel))
        continue;
      if (text->duplicate_of == NULL)
        return -1;
      same = text->duplicate_of;
    }
  for (guint i = 0; same != NULL && i < plan->derivation->kernels->len; i++)
    if (heddle_verify_is_of (same, g_ptr_array_index (plan->derivation->kernels, i)))
      return (int) i;
  return -1;
}

GPtrArray *
heddle_plan_verify_apart (const HeddlePlan *plan, guint64 seed, GCancellable *cancellable, GError **error)
{
  const GPtrArray *kernels = plan->derivation->kernels;
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_verification_free);

  for (guint i = 0; i < kernels->len; i++)
    {
      HeddleKernel *kernel = g_ptr_array_index (kernels, i);
      int same = heddle_plan_find_duplicated (plan, kernel);
      HeddleVerification *result
          = same >= 0 ? heddle_verification_repeat (g_ptr_array_index (results, same), kernel)
                      : verify_alone (plan, kernel, seed, cancellable, error);

      if (result == NULL)
        return NULL;
      g_ptr_array_add (results, result);
      if (!result->passed)
        break;
    }
  return g_steal_pointer (&results);
}
