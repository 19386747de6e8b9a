/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/verify.h"
#include "diagram/evaluate.h"

/* What a kernel has to give: the diagram of its operations alone, evaluated on what the kernel gets. */

static void
make_input (HeddleDiagram *diagram, const char *id)
{
  g_autofree char *label = heddle_diagram_value_label (diagram, id);
  HeddleValue *value = heddle_diagram_edit_value (diagram, id);

  value->role = HEDDLE_ROLE_INPUT;
  if (value->name == NULL)
    value->name = g_steal_pointer (&label);
}

HeddleDiagram *
heddle_verify_isolate (const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  HeddleDiagram *copy = heddle_diagram_copy (diagram);

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      if (!heddle_ids_contain (kernel->operations, operation->id))
        heddle_diagram_remove (copy, operation->id);
    }
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);

      if (value->role == HEDDLE_ROLE_INTERMEDIATE && heddle_ids_contain (kernel->program->inputs, value->id))
        make_input (copy, value->id);
      else if (!heddle_ids_contain (kernel->program->inputs, value->id)
               && value->role != HEDDLE_ROLE_INTERMEDIATE)
        heddle_diagram_remove (copy, value->id);
    }
  return copy;
}

gboolean
heddle_verify_make_reference (HeddleVerifyRun *run, const HeddleKernel *kernel, GError **error)
{
  g_autoptr (HeddleDiagram) diagram = heddle_verify_isolate (run->diagram, kernel);
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);

  for (guint i = 0; i < kernel->program->inputs->len; i++)
    {
      const char *id = heddle_ids_index (kernel->program->inputs, i);

      g_hash_table_insert (inputs, heddle_diagram_value_label (diagram, id),
          heddle_array_ref (g_hash_table_lookup (run->arrays, id)));
    }
  g_clear_pointer (&run->reference, g_hash_table_unref);
  run->reference
      = heddle_evaluate (diagram, run->sizes, inputs, HEDDLE_PRECISION_F64, run->cancellable, error);
  return run->reference != NULL;
}

/* --- kernels that do what one before them did, on other arrays ------------------------ */

static gboolean
is_of (const HeddleKernelText *text, const HeddleKernel *kernel)
{
  return text->program == kernel->program || text->program == kernel->program->combine;
}

/* The kernel that runs in its place; NULL: it has a text of its own. */
static const HeddleKernel *
find_same (const HeddleVerifyRun *run, const HeddleDerivation *derivation, const HeddleKernel *kernel)
{
  const HeddleKernelText *same = NULL;

  for (guint i = 0; i < run->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (run->texts, i);

      if (!is_of (text, kernel))
        continue;
      if (text->same == NULL)
        return NULL;
      same = text->same;
    }
  for (guint i = 0; same != NULL && i < derivation->kernels->len; i++)
    if (is_of (same, g_ptr_array_index (derivation->kernels, i)))
      return g_ptr_array_index (derivation->kernels, i);
  return NULL;
}

/* Whether the kernel reads what the other one makes. */
static gboolean
reads_from (const HeddleKernel *kernel, const HeddleKernel *maker)
{
  for (guint i = 0; i < maker->program->outputs->len; i++)
    if (heddle_ids_contain (kernel->program->inputs, heddle_ids_index (maker->program->outputs, i)))
      return TRUE;
  return FALSE;
}

HeddleVerifyPart *
heddle_verify_find_parts (const HeddleVerifyRun *run, const HeddleDerivation *derivation)
{
  HeddleVerifyPart *parts = g_new0 (HeddleVerifyPart, MAX (1, derivation->kernels->len));

  for (guint i = derivation->kernels->len; i-- > 0;)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      parts[i].same = find_same (run, derivation, kernel);
      parts[i].needed = parts[i].same == NULL;
      for (guint k = i + 1; k < derivation->kernels->len && !parts[i].needed; k++)
        parts[i].needed = parts[k].needed && reads_from (g_ptr_array_index (derivation->kernels, k), kernel);
    }
  return parts;
}

void
heddle_verify_take_reference (HeddleVerifyRun *run, const HeddleKernel *kernel)
{
  for (guint i = 0; i < kernel->program->outputs->len; i++)
    {
      const char *id = heddle_ids_index (kernel->program->outputs, i);
      HeddleArray *array = g_hash_table_lookup (run->reference, id);

      heddle_array_round (array, heddle_diagram_dtype (run->diagram, id, run->dtype));
      g_hash_table_insert (run->arrays, (gpointer) id, heddle_array_ref (array));
    }
}
