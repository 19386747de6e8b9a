/* SPDX-License-Identifier: MIT */

/* The way back through a window reads a product at solved indices and sums it. That is a product of reads:
 * one contraction, as a person would write it. */

#include "diagram/differentiate/tidy.h"
#include "diagram/graph/diagram.h"
#include "diagram/rewrite/contract.h"
#include "diagram/rewrite/view.h"

/* Merges the operation into the contraction or sum that alone reads its result. */
static void
merge_into_reader (HeddleDiagram *diagram, const char *operation_id)
{
  const char *result = heddle_diagram_get_operation (diagram, operation_id)->result;
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, result);

  if (readers->len == 1)
    heddle_rewrite_merge_contraction (
        diagram, ((const HeddleOperation *) g_ptr_array_index (readers, 0))->id);
}

void
heddle_reverse_slide_reads (HeddleReverse *self)
{
  g_autoptr (GArray) added = heddle_ids_new ();

  for (guint i = 0; i < self->backward->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->backward->operations, i);

      if (heddle_diagram_get_operation (self->forward, operation->id) == NULL)
        heddle_ids_append (added, operation->id);
    }
  for (guint i = 0; i < added->len; i++)
    {
      const char *id = heddle_ids_index (added, i);

      if (heddle_diagram_get_operation (self->backward, id) != NULL
          && heddle_rewrite_slide_read (self->backward, id))
        merge_into_reader (self->backward, id);
    }
}
