/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/document/layout.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/axes-order.h"
#include "diagram/graph/diagram.h"

gboolean
heddle_value_layout_is_for (const HeddleValueLayout *self, const HeddleDiagram *diagram)
{
  const HeddleValue *value = heddle_diagram_get_value (diagram, self->value);

  return value != NULL && heddle_diagram_is_internal (diagram, self->value)
         && heddle_ids_same_set (value->axes, self->axes);
}

HeddleDiagram *
heddle_schedule_lay_out (const HeddleSchedule *self, const HeddleDiagram *diagram)
{
  HeddleDiagram *laid = NULL;

  for (guint i = 0; self != NULL && i < self->layouts->len; i++)
    {
      const HeddleValueLayout *layout = g_ptr_array_index (self->layouts, i);

      if (!heddle_value_layout_is_for (layout, diagram)
          || heddle_ids_equal (heddle_diagram_get_value (diagram, layout->value)->axes, layout->axes))
        continue;
      if (laid == NULL)
        laid = heddle_diagram_copy (diagram);
      heddle_diagram_reorder_axes (laid, layout->value, layout->axes);
    }
  return laid;
}

void
heddle_schedule_take_layouts (HeddleSchedule *self, const HeddleDiagram *diagram, const HeddleDiagram *laid)
{
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);
      const HeddleValue *other = heddle_diagram_get_value (laid, value->id);

      if (other != NULL && !heddle_ids_equal (value->axes, other->axes))
        heddle_schedule_set_layout (self, value->id, other->axes);
    }
}
