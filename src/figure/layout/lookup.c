/* SPDX-License-Identifier: MIT */
#include "figure/layout/lookup.h"

const HeddleStrand *
heddle_figure_node_find_result (const HeddleFigureNode *node, const char *value, const char *axis)
{
  for (guint i = 0; i < node->results->len; i++)
    {
      const HeddleStrand *result = heddle_strand (node->results, i);
      if (result->axis == axis && result->value == value)
        return result;
    }
  return NULL;
}

HeddleFigureNode *
heddle_layout_node_of (const HeddleLayout *self, const char *operation)
{
  const guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->node_of, operation));

  return index > 0 ? heddle_layout_node (self, index - 1) : NULL;
}

gboolean
heddle_layout_nudge (const HeddleLayout *self, const char *object, double *dx, double *dy)
{
  const HeddleNudge *nudge = object != NULL ? g_hash_table_lookup (self->nudges, object) : NULL;

  *dx = nudge != NULL ? nudge->dx : 0.;
  *dy = nudge != NULL ? nudge->dy : 0.;
  return nudge != NULL;
}
