/* SPDX-License-Identifier: MIT */
#include "diagram/document/ornament.h"
#include "diagram/document/schedule.h"
#include "figure/layout/skips.h"

static gboolean
is_of_node (const HeddleFigureNode *node, const char *operation)
{
  return node->operation->id == operation || (node->attached != NULL && node->attached->id == operation)
         || (node->over != NULL && node->over->id == operation);
}

gboolean
heddle_layout_skips (const HeddleLayout *self, const char *value, int reader)
{
  const HeddlePresentation *presentation = self->figure->presentation;

  for (guint i = 0; presentation != NULL && i < presentation->skips->len; i++)
    {
      const HeddleSkip *skip = presentation->skips->pdata[i];
      if (skip->value == value
          && (reader < 0 || skip->reader == NULL
              || is_of_node (heddle_layout_node (self, reader), skip->reader)))
        return TRUE;
    }
  return FALSE;
}

gboolean
heddle_layout_skips_end (const HeddleLayout *self, const char *value)
{
  const HeddlePresentation *presentation = self->figure->presentation;

  for (guint i = 0; presentation != NULL && i < presentation->skips->len; i++)
    {
      const HeddleSkip *skip = presentation->skips->pdata[i];
      if (skip->value == value && skip->reader == value)
        return TRUE;
    }
  return FALSE;
}

gboolean
heddle_layout_draws_copies (const HeddleLayout *self)
{
  const HeddlePresentation *presentation = self->figure->presentation;

  return presentation != NULL && presentation->copies == HEDDLE_COPIES_WIRES;
}
