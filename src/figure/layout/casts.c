/* SPDX-License-Identifier: MIT */
#include "diagram/graph/diagram.h"
#include "figure/layout/casts.h"

/* The figure shows this much of a value's type. */

HeddleDtype
heddle_layout_cast (const HeddleLayout *self, const HeddleMember *member)
{
  const HeddleDiagram *diagram = self->diagram;
  const HeddleDtype declared = heddle_diagram_get_value (diagram, member->value)->dtype;
  const HeddleOperation *producer = heddle_diagram_get_producer (diagram, member->value);
  HeddleDtype made = HEDDLE_DTYPE_UNSET;

  if (member->start != HEDDLE_START_OPERATION || declared == HEDDLE_DTYPE_UNSET
      || !heddle_dtype_is_real (declared))
    return HEDDLE_DTYPE_UNSET;
  for (guint i = 0; i < producer->operands->len; i++)
    {
      const HeddleDtype read
          = heddle_diagram_dtype (diagram, heddle_ids_index (producer->operands, i), HEDDLE_DTYPE_UNSET);
      made = heddle_dtype_is_real (read) ? heddle_dtype_widest (made, read) : made;
    }
  return made != HEDDLE_DTYPE_UNSET && made != declared ? declared : HEDDLE_DTYPE_UNSET;
}

gboolean
heddle_layout_has_type (const HeddleLayout *self, const HeddleMember *member)
{
  const HeddleDtype dtype = heddle_diagram_dtype (self->diagram, member->value, HEDDLE_DTYPE_UNSET);

  return (dtype != HEDDLE_DTYPE_UNSET && !heddle_dtype_is_real (dtype))
         || heddle_layout_cast (self, member) != HEDDLE_DTYPE_UNSET;
}
