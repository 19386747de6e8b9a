/* SPDX-License-Identifier: MIT */
#include "derive/report/chains.h"
#include "diagram/graph/operation-table.h"

const HeddleOperation *
heddle_kernel_find_chain (const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  for (guint i = 0; i < kernel->operations->len; i++)
    {
      const HeddleOperation *operation
          = heddle_diagram_get_operation (diagram, heddle_ids_index (kernel->operations, i));

      if (operation->kind->form == HEDDLE_FORM_CONTRACT && operation->operands->len > 2
          && operation->axes->len > 0)
        return operation;
    }
  return NULL;
}
