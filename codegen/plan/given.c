/* SPDX-License-Identifier: MIT */
#include "codegen/plan/given.h"

gboolean
heddle_plan_is_given (const HeddleRegion *region, const HeddleNode *band)
{
  HeddleLabelKind kind = band->band == HEDDLE_BAND_STREAM ? HEDDLE_LABEL_STREAM : HEDDLE_LABEL_GROUP;

  for (guint i = 0; region != NULL && i < region->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (region->labels, i);

      if (label->axis == band->axis && (label->kind == kind || label->kind == HEDDLE_LABEL_DIVISOR)
          && label->inactive == NULL)
        return TRUE;
    }
  return FALSE;
}

gboolean
heddle_plan_is_part (const HeddleLoopProgram *program, const HeddleNode *band)
{
  return band->band == HEDDLE_BAND_GROUP
         && heddle_loop_program_get_band (program, band->axis, HEDDLE_BAND_STREAM) != NULL;
}
