/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/index/window.h"
#include "derive/legality/halo.h"
#include "derive/legality/legality.h"
#include "derive/legality/private.h"
#include "derive/legality/refusal.h"
#include "derive/legality/stream.h"
#include "derive/region/region.h"
#include "derive/stream/stream.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

#include <glib/gi18n-lib.h>

/* What is made in a kernel and read there at other indices than its own is held to the tile and halo of what reads it: its own axis takes no
 * label, that of the reader does. */

/* A definition that varies along the axis in its window alone; -1: there is none. */
int
heddle_legality_find_halo (const HeddleRegionTerm *region, const char *axis)
{
  for (guint i = 0; i < region->definitions->len; i++)
    {
      const HeddleDefinition *definition = heddle_region_term_get (region, i);

      if (!definition->input && heddle_ids_contain (definition->axes, axis)
          && !heddle_definition_carries (definition, axis))
        return (int) i;
    }
  return -1;
}

static gboolean
can_label (const HeddleRegionTerm *region, const char *axis, HeddleLabelKind kind)
{
  HeddleObstacle obstacle;
  g_autoptr (HeddleStreamPlan) plan = NULL;

  if (kind == HEDDLE_LABEL_GROUP)
    return heddle_legality_can_group (region, axis) || heddle_legality_can_split (region, axis);
  plan = heddle_stream_plan_new (region, axis, &obstacle);
  return plan != NULL;
}

/* An axis that the window of the definition goes by and that can have the label; NULL: there is none. */
static const char *
find_mover (const HeddleQuestion *question, const HeddleDefinition *definition)
{
  int at = heddle_ids_find (definition->axes, question->axis);
  const GPtrArray *window = definition->windows != NULL ? g_ptr_array_index (definition->windows, at) : NULL;
  g_autoptr (GArray) axes = window != NULL ? heddle_window_axes (window) : heddle_ids_new ();

  for (guint i = 0; i < axes->len; i++)
    if (heddle_ids_index (axes, i) != question->axis
        && can_label (question->region, heddle_ids_index (axes, i), question->kind))
      return heddle_ids_index (axes, i);
  return NULL;
}

HeddleRefusal *
heddle_legality_refuse_halo (const HeddleQuestion *question, guint definition)
{
  const HeddleDefinition *self = heddle_region_term_get (question->region, definition);
  const char *x = heddle_question_axis_name (question), *mover = find_mover (question, self);
  g_autofree char *what = heddle_question_describe_definition (question, definition);
  HeddleRefusal *refusal = heddle_refusal_new (question->axis, question->kind, self->operation,
      g_strdup_printf (
          _ ("%s is read along %s at other indices than its own: it is held as the tile and halo of "
             "what reads it."),
          what, x),
      NULL);

  if (mover == NULL)
    return refusal;
  g_free (refusal->remedy);
  refusal->remedy_kind = HEDDLE_REMEDY_AXIS;
  refusal->remedy_axis = mover;
  refusal->remedy
      = g_strdup_printf (question->kind == HEDDLE_LABEL_GROUP ? _ ("Group %s instead, by which it goes.")
                                                              : _ ("Stream %s instead, by which it goes."),
          heddle_diagram_get_axis (question->region->diagram, mover)->name);
  return refusal;
}
