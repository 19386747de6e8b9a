/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/machine/machine.h"
#include "derive/region/check.h"
#include "derive/region/inputs.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"

#include <glib/gi18n-lib.h>

/* This file checks whether operations can be one kernel. */

gboolean
heddle_region_check_count (guint operations, GError **error)
{
  if (operations <= HEDDLE_MOST_KERNEL_OPERATIONS)
    return TRUE;
  g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_REGION,
      _ ("%u operations are too many for one kernel, which is made of at most %u: fuse fewer of them"),
      operations, HEDDLE_MOST_KERNEL_OPERATIONS);
  return FALSE;
}

static gboolean
is_value (const HeddleDiagram *diagram, const char *id)
{
  const HeddleValue *value = heddle_diagram_get_value (diagram, id);

  for (guint i = 0; value != NULL && i < value->axes->len; i++)
    if (heddle_diagram_get_axis (diagram, heddle_ids_index (value->axes, i)) == NULL)
      return FALSE;
  return value != NULL;
}

static gboolean
is_joined (const HeddleDiagram *diagram, const HeddleOperation *operation)
{
  for (guint i = 0; i < operation->operands->len; i++)
    if (heddle_concat_own_axis (heddle_diagram_get_value (diagram, operation->result),
            heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, i)))
        == NULL)
      return FALSE;
  return operation->axes->len == 1;
}

/* Returns whether an operation has all that is read of it here; the checks of the diagram judge its types. */
static gboolean
is_sound (const HeddleDiagram *diagram, const HeddleOperation *operation)
{
  HeddleOperationForm form = operation->kind->form;

  for (guint i = 0; i < operation->operands->len; i++)
    if (!is_value (diagram, heddle_ids_index (operation->operands, i)))
      return FALSE;
  for (guint i = 0; i < operation->axes->len; i++)
    if (heddle_diagram_get_axis (diagram, heddle_ids_index (operation->axes, i)) == NULL)
      return FALSE;
  if (!is_value (diagram, operation->result) || operation->operands->len < operation->kind->min_operands
      || (form == HEDDLE_FORM_MAP && operation->body == NULL))
    return FALSE;
  if (form == HEDDLE_FORM_CONCAT)
    return is_joined (diagram, operation);
  return form != HEDDLE_FORM_REINDEX
         || (operation->indices != NULL
             && operation->indices->len
                    == heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, 0))
                           ->axes->len);
}

gboolean
heddle_region_builder_check_sound (const HeddleRegionBuilder *builder, GError **error)
{
  const HeddleDiagram *diagram = builder->region->diagram;

  for (guint i = builder->first; i < builder->end; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      if (!heddle_region_builder_is_member (builder, operation) || is_sound (diagram, operation))
        continue;
      g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_REGION,
          _ ("operation %s of the diagram is incomplete"), operation->id);
      return FALSE;
    }
  return TRUE;
}

/* Checks that no operation outside lies between the kernel's own: a kernel runs at once. */
gboolean
heddle_region_builder_check_convex (const HeddleRegionBuilder *builder, GError **error)
{
  const HeddleDiagram *diagram = builder->region->diagram;
  g_autoptr (GHashTable) after
      = g_hash_table_new (NULL, NULL); /* values made outside from what the region makes */

  for (guint i = builder->first; i < builder->end; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      gboolean member = heddle_region_builder_is_member (builder, operation);

      for (guint k = 0; k < operation->operands->len; k++)
        {
          const char *operand = heddle_ids_index (operation->operands, k);
          gboolean made_after = g_hash_table_contains (after, operand);

          if (member && made_after)
            {
              g_autofree char *label = heddle_diagram_value_label (diagram, operand);

              g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_REGION,
                  _ ("these operations cannot be one kernel: %s is made between them, outside"), label);
              return FALSE;
            }
          /* A value that is computed again here is made elsewhere for operations outside. */
          if (!member
              && (made_after
                  || (heddle_region_builder_is_member (
                          builder, heddle_diagram_get_producer (diagram, operand))
                      && !heddle_region_builder_is_again (
                          builder, heddle_diagram_get_producer (diagram, operand)))))
            g_hash_table_add (after, (gpointer) operation->result);
        }
    }
  return TRUE;
}
