/* SPDX-License-Identifier: MIT */

#include "app/axis-drag.h"

G_DEFINE_BOXED_TYPE (HeddleAxisDrag, heddle_axis_drag, heddle_axis_drag_copy, heddle_axis_drag_free)

HeddleAxisDrag *
heddle_axis_drag_new (const char *axis, const char *value)
{
  HeddleAxisDrag *self = g_new0 (HeddleAxisDrag, 1);

  self->axis = axis;
  self->value = value;
  return self;
}

HeddleAxisDrag *
heddle_axis_drag_copy (const HeddleAxisDrag *self)
{
  return heddle_axis_drag_new (self->axis, self->value);
}

void
heddle_axis_drag_free (HeddleAxisDrag *self)
{
  g_free (self);
}
