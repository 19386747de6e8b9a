/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/machine/machine.h"
#include "derive/region/definition.h"
#include "derive/region/inside.h"
#include "derive/region/marks.h"
#include "derive/region/region.h"
#include "diagram/analysis/term.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"

#include <glib/gi18n-lib.h>

/* A term read outside its array is left out of the innermost reduction over an index of the read, which is a
 * rule of the language. So a value has marks: the axes of its reads, and the condition that a point of it is
 * inside. A reduction over one of those axes asks for the conditions; what stands between passes them on.
 * Only where an array of indices says what is outside is the condition asked for by what reads it at once
 * alone: a network that looks rows of a table up would else ask for them again in every layer, and no kernel
 * of it could take the tensor core. Beyond that such indices are taken to be inside; a read outside is 0 and
 * touches no memory. */

/* Returns whether the reduction leaves the term out by itself: a factor or a term read outside is 0, and one
 * that a kernel reads at its place in the reduction is skipped there. */
static gboolean
is_left_out (HeddleRegionBuilder *builder, const HeddleOperation *operation, const char *operand,
    const HeddleMark *mark, gboolean counts)
{
  gpointer found = g_hash_table_lookup (builder->definitions, operand);
  const HeddleDefinition *definition
      = found != NULL ? heddle_region_term_get (builder->region, GPOINTER_TO_UINT (found) - 1) : NULL;
  HeddleOperationForm form = operation->kind->form;

  if (form == HEDDLE_FORM_CONTRACT)
    return mark->zero;
  return form == HEDDLE_FORM_REDUCE && mark->origin == operand && !counts && definition != NULL
         && definition->indices != NULL;
}

/* Returns whether the reduction counts its terms: a mean divides by their number. */
static gboolean
counts_terms (const HeddleOperation *reader)
{
  g_autoptr (HeddleTerm) term = heddle_term_new (reader);

  for (guint i = 0; i < reader->axes->len; i++)
    if (heddle_expr_uses (term->result, HEDDLE_EXPR_SIZE, heddle_ids_index (reader->axes, i)))
      return TRUE;
  return FALSE;
}

static gboolean
fail (const HeddleRegionBuilder *builder, const HeddleOperation *operation, GError **error)
{
  g_autofree char *label = heddle_diagram_value_label (builder->region->diagram, operation->result);

  g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_PROGRAM,
      _ ("%s leaves out terms that are read outside their array, and some of what they are made into is "
         "inside: a "
         "kernel does not follow that"),
      label);
  return FALSE;
}

gboolean
heddle_region_builder_get_inside (
    HeddleRegionBuilder *builder, const HeddleOperation *operation, HeddleExpr **inside, GError **error)
{
  g_autoptr (HeddleExpr) all = NULL;
  HeddleOperationForm form = operation->kind->form;
  gboolean counts;

  *inside = NULL;
  if (form == HEDDLE_FORM_REINDEX || form == HEDDLE_FORM_MAP || form == HEDDLE_FORM_CONCAT)
    return TRUE;
  counts = counts_terms (operation);
  for (guint k = 0; k < operation->operands->len; k++)
    {
      const char *operand = heddle_ids_index (operation->operands, k);
      const GPtrArray *marks = heddle_region_builder_get_marks (builder, operand);

      for (guint i = 0; i < marks->len; i++)
        {
          const HeddleMark *mark = g_ptr_array_index (marks, i);

          if (!heddle_ids_meet (mark->read_axes, operation->axes)
              || is_left_out (builder, operation, operand, mark, counts))
            continue;
          if (mark->inside == NULL)
            return fail (builder, operation, error);
          all = heddle_expr_both (g_steal_pointer (&all), heddle_expr_ref (mark->inside));
        }
    }
  *inside = g_steal_pointer (&all);
  return TRUE;
}
