/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "codegen/cuda-kernel.h"
#include "derive/guard.h"

static gboolean
has_band (const HeddleCudaKernel *self, const char *axis)
{
  return heddle_loop_program_get_band (self->program, axis, HEDDLE_BAND_GROUP) != NULL
         || heddle_loop_program_get_band (self->program, axis, HEDDLE_BAND_STREAM) != NULL;
}

/* The first and last index of a tile or chunk, or of a whole axis. */
static char *
bound_text (const HeddleExpr *leaf, gpointer data)
{
  HeddleCudaKernel *self = data;
  const char *of_last = heddle_guard_axis_of_last (leaf), *axis = of_last;

  if (heddle_expr_get_kind (leaf) == HEDDLE_EXPR_NUMBER)
    return NULL;
  if (axis == NULL)
    axis = heddle_expr_get_symbol (leaf);
  if (heddle_expr_get_kind (leaf) == HEDDLE_EXPR_SIZE)
    return g_strdup (heddle_names_axis (self->names, axis));
  if (!has_band (self, axis))
    return of_last == NULL ? g_strdup ("0")
                           : g_strdup_printf ("(%s - 1)", heddle_names_axis (self->names, axis));
  if (of_last == NULL)
    return g_strdup (heddle_names_of_axis (self->names, axis, HEDDLE_NAME_BEGIN));
  return g_strdup_printf ("(%s + %s - 1)", heddle_names_of_axis (self->names, axis, HEDDLE_NAME_BEGIN),
      heddle_names_of_axis (self->names, axis, HEDDLE_NAME_COUNT));
}

/* A guard is whole numbers, compared and joined: as C++ has them. */
char *
heddle_cuda_guard_text (HeddleCudaKernel *self, const HeddleExpr *guard)
{
  return heddle_expr_to_string (guard, bound_text, self);
}

/* All threads of a block skip a step or none does. */
void
heddle_cuda_guard (HeddleCudaKernel *self, const HeddleNode *band)
{
  g_autofree char *text = NULL;

  if (band->guard == NULL)
    return;
  text = heddle_cuda_guard_text (self, band->guard);
  heddle_cuda_line (self, "if (!(%s))", text);
  heddle_cuda_line (self, "  continue;");
}
