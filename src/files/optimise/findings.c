/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/base/codegen.h"
#include "codegen/plan/plan.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "files/optimise/cost.h"
#include "files/optimise/findings.h"

/* This file finds the kernels that each kernel of a piece replaced, by what it does: attention, a norm and
 * the products that read it … */

static const HeddleOperation *
operation_of (const HeddlePlan *plan, const HeddleKernel *kernel, guint i)
{
  return heddle_diagram_get_operation (plan->diagram, heddle_ids_index (kernel->operations, i));
}

/* --- what was there before -------------------------------------------------------------------------- */

static gboolean
makes (const HeddlePlan *plan, const HeddleKernel *kernel, const char *value)
{
  for (guint i = 0; i < kernel->operations->len; i++)
    if (operation_of (plan, kernel, i)->result == value)
      return TRUE;
  return FALSE;
}

static gboolean
is_read (const HeddleOperation *operation)
{
  return operation->kind->form == HEDDLE_FORM_REINDEX && operation->operands->len == 1;
}

/* Returns the value that @value is a view of, as a rule may have made it. */
static const char *
find_origin (const HeddleDiagram *diagram, const char *value)
{
  const HeddleOperation *producer = heddle_diagram_get_producer (diagram, value);

  while (producer != NULL && is_read (producer))
    {
      value = heddle_ids_index (producer->operands, 0);
      producer = heddle_diagram_get_producer (diagram, value);
    }
  return value;
}

/* Returns whether @kernel of the result makes what @before of the original model does. */
static gboolean
replaces (const HeddleOptimisedPiece *piece, const HeddleKernel *kernel, const HeddleKernel *before)
{
  gboolean only_reads = TRUE;

  for (guint i = 0; i < before->operations->len; i++)
    only_reads = only_reads && is_read (operation_of (piece->apart, before, i));
  for (guint i = 0; i < before->operations->len; i++)
    {
      const HeddleOperation *operation = operation_of (piece->apart, before, i);
      const char *value = operation->result;

      if (heddle_diagram_get_value (piece->plan->diagram, value) == NULL
          || (is_read (operation) && !only_reads))
        continue;
      if (makes (piece->plan, kernel, only_reads ? value : find_origin (piece->plan->diagram, value)))
        return TRUE;
    }
  return FALSE;
}

/* Returns whether @other reads something that @one stores. */
static gboolean
leads_to (const HeddlePlan *plan, const HeddleKernel *one, const HeddleKernel *other)
{
  for (guint i = 0; one->program != NULL && other->program != NULL && i < other->program->inputs->len; i++)
    if (heddle_ids_contain (one->program->outputs, heddle_ids_index (other->program->inputs, i)))
      return TRUE;
  return FALSE;
}

static void
spread (const HeddlePlan *apart, const gboolean *chosen, gboolean *reached, gboolean forwards)
{
  GPtrArray *kernels = apart->derivation->kernels;

  for (guint n = 0; n < kernels->len; n++)
    {
      guint i = forwards ? n : kernels->len - 1 - n;

      for (guint j = 0; j < kernels->len && !reached[i]; j++)
        if (chosen[j] || reached[j])
          reached[i] = forwards ? leads_to (apart, kernels->pdata[j], kernels->pdata[i])
                                : leads_to (apart, kernels->pdata[i], kernels->pdata[j]);
    }
}

/* Returns the kernels of the original model that make what @kernel makes, and those between them. */
static gboolean *
find_replaced (const HeddleOptimisedPiece *piece, const HeddleKernel *kernel)
{
  GPtrArray *kernels = piece->apart->derivation->kernels;
  gboolean *chosen = g_new0 (gboolean, kernels->len + 1);
  g_autofree gboolean *after = g_new0 (gboolean, kernels->len + 1),
                      *before = g_new0 (gboolean, kernels->len + 1);

  for (guint i = 0; i < kernels->len; i++)
    chosen[i] = replaces (piece, kernel, kernels->pdata[i]);
  spread (piece->apart, chosen, after, TRUE);
  spread (piece->apart, chosen, before, FALSE);
  for (guint i = 0; i < kernels->len; i++)
    chosen[i] = chosen[i] || (after[i] && before[i]);
  return chosen;
}

/* --- what it is ---------------------------------------------------------------------------------------- */

typedef struct
{
  guint products, norms, maps;
  gboolean attends, loses; /* a softmax that weighs; the log-sum-exp of products */
} Contents;

static gboolean
sums_over (const HeddleOperation *operation, const GArray *axes)
{
  for (guint i = 0; i < axes->len; i++)
    if (heddle_ids_contain (operation->axes, heddle_ids_index (axes, i)))
      return TRUE;
  return FALSE;
}

static Contents
contents_of (const HeddlePlan *plan, const HeddleKernel *kernel)
{
  Contents found = { 0 };
  const HeddleOperation *softmax = NULL;

  for (guint i = 0; i < kernel->operations->len; i++)
    {
      const HeddleOperation *operation = operation_of (plan, kernel, i);

      if (operation->kind->form == HEDDLE_FORM_CONTRACT)
        {
          found.products++;
          found.attends |= softmax != NULL && sums_over (operation, softmax->axes);
        }
      else if (g_str_equal (operation->kind->id, "softmax"))
        softmax = operation;
      else if (g_str_equal (operation->kind->id, "logsumexp"))
        found.loses = found.products > 0;
      else if (operation->kind->form == HEDDLE_FORM_NORMALISE)
        found.norms++;
      else if (operation->kind->form == HEDDLE_FORM_MAP)
        found.maps++;
    }
  return found;
}

static const char *
title_of (const Contents *found)
{
  if (found->attends)
    return N_ ("Attention");
  if (found->loses)
    return N_ ("Log-sum-exp of products that are not stored");
  if (found->norms > 0 && found->products > 0)
    return N_ ("A norm and the products that read it");
  if (found->products > 1 && found->maps > 0)
    return N_ ("Products and what reads them");
  if (found->products > 1)
    return N_ ("Several products at once");
  if (found->products == 1)
    return N_ ("A product and the maps that follow it");
  return N_ ("Several operations");
}

/* --- telling --------------------------------------------------------------------------------------------- */

char *
heddle_optimised_quantity (double value, const char *unit)
{
  static const char *const prefixes[] = { "", "k", "M", "G", "T", "P" };
  guint i = 0;

  while (value >= 999.5 && i + 1 < G_N_ELEMENTS (prefixes))
    {
      value /= 1000.;
      i++;
    }
  return g_strdup_printf ("%.3g %s%s", value, prefixes[i], unit);
}

static char *
sentence_of (const HeddleOptimiseFinding *self)
{
  g_autofree char *before = heddle_optimised_quantity (self->before_bytes, "B"),
                  *after = heddle_optimised_quantity (self->after_bytes, "B");

  if (self->after_bytes > 0 && self->before_bytes >= 1.05 * self->after_bytes)
    return g_strdup_printf (
        ngettext ("%s: %u kernel before, %s → %s of global memory, %.3g times fewer bytes; %.4g → %.4g µs",
            "%s: %u kernels before, %s → %s of global memory, %.3g times fewer bytes; %.4g → %.4g µs",
            self->kernels_before),
        _ (self->title), self->kernels_before, before, after, self->before_bytes / self->after_bytes,
        self->before_s * 1e6, self->after_s * 1e6);
  return g_strdup_printf (
      ngettext ("%s: %u kernel before, %s → %s of global memory; %.4g → %.4g µs",
          "%s: %u kernels before, %s → %s of global memory; %.4g → %.4g µs", self->kernels_before),
      _ (self->title), self->kernels_before, before, after, self->before_s * 1e6, self->after_s * 1e6);
}

static void
finding_free (gpointer data)
{
  HeddleOptimiseFinding *self = data;

  g_free (self->values);
  g_free (self->sentence);
  g_free (self);
}

static HeddleOptimiseFinding *
finding_new (const HeddleOptimised *optimised, const HeddleOptimisedPiece *piece, const HeddleKernel *kernel)
{
  GPtrArray *kernels = piece->apart->derivation->kernels;
  g_autofree gboolean *replaced = find_replaced (piece, kernel);
  HeddleOptimiseFinding *self = g_new0 (HeddleOptimiseFinding, 1);
  const Contents contents = contents_of (piece->plan, kernel);

  for (guint i = 0; i < kernels->len; i++)
    if (replaced[i])
      {
        self->kernels_before++;
        self->before_bytes += ((const HeddleKernel *) kernels->pdata[i])->dram_bytes;
        self->before_s += heddle_plan_kernel_seconds (piece->apart, kernels->pdata[i]);
      }
  self->kernel = kernel;
  self->is_attention = contents.attends;
  self->title = title_of (&contents);
  self->values = heddle_kernel_values (piece->plan->diagram, kernel->operations, " ");
  self->after_bytes = kernel->dram_bytes;
  self->after_s = heddle_plan_kernel_seconds (piece->plan, kernel);
  self->sentence = sentence_of (self);
  return self;
}

GPtrArray *
heddle_optimised_find (const HeddleOptimised *self, const HeddleOptimisedPiece *piece)
{
  GPtrArray *kernels = piece->plan->derivation->kernels,
            *found = g_ptr_array_new_with_free_func (finding_free);

  for (guint i = 0; i < kernels->len; i++)
    {
      HeddleOptimiseFinding *finding = finding_new (self, piece, kernels->pdata[i]);

      if (finding->kernels_before > 1)
        g_ptr_array_add (found, finding);
      else
        finding_free (finding);
    }
  return found;
}
