/* SPDX-License-Identifier: MIT */
#include "derive/program/tiling.h"

guint
heddle_tiling_n_levels (const HeddleTiling *self)
{
  return 1 + (self->inner != NULL ? self->inner->len : 0);
}

const HeddleTiling *
heddle_tiling_at (const HeddleTiling *self, guint depth)
{
  return depth == 0 ? self : g_ptr_array_index (self->inner, depth - 1);
}

gboolean
heddle_tiling_groups (const HeddleTiling *self, const char *axis, guint depth)
{
  for (guint k = 0; k <= depth; k++)
    {
      const GArray *groups = heddle_tiling_at (self, k)->groups;

      for (guint i = 0; i < groups->len; i++)
        if (g_array_index (groups, HeddleTile, i).axis == axis)
          return TRUE;
    }
  return FALSE;
}

gboolean
heddle_tiling_streams (const HeddleTiling *self, guint depth)
{
  for (guint k = 0; k <= depth; k++)
    if (heddle_tiling_at (self, k)->stream != NULL)
      return TRUE;
  return FALSE;
}
