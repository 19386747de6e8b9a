/* SPDX-License-Identifier: MIT */
#include "codegen/cuda/arguments.h"
#include "codegen/cuda/expr.h"
#include "codegen/cuda/points.h"
#include "codegen/cuda/register-tile.h"
#include "codegen/cuda/text.h"
#include "codegen/cuda/window.h"
#include "derive/index/extent.h"
#include "derive/index/window.h"
#include "derive/program/windows.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/polynomial.h"

/* This file prints windows: where the part of an axis that is loaded begins, and how much of it there is
 * within the array. */

static gboolean
has_loop (const HeddleCudaKernel *self, const char *axis)
{
  for (guint i = 0; i < self->bands->len; i++)
    if (((const HeddleNode *) g_ptr_array_index (self->bands, i))->axis == axis)
      return TRUE;
  return FALSE;
}

/* Returns the first or the last of the indices of @axis that the loops go through. */
static char *
end_text (HeddleCudaKernel *self, const char *axis, gboolean last)
{
  const char *begin = heddle_names_of_axis (self->names, axis, HEDDLE_NAME_BEGIN);

  if (!has_loop (self, axis))
    return last ? g_strdup_printf ("%s - 1", heddle_names_axis (self->names, axis)) : g_strdup ("0");
  if (!last)
    return g_strdup (begin);
  return g_strdup_printf ("%s + %s - 1", begin, heddle_names_of_axis (self->names, axis, HEDDLE_NAME_COUNT));
}

/* Returns how far @a is behind @b, two indices whose distance is the same everywhere. */
static double
apart_of (HeddleExpr *a, HeddleExpr *b)
{
  g_autoptr (HeddleExpr) between
      = heddle_expr_binary (HEDDLE_EXPR_SUB, heddle_expr_ref (a), heddle_expr_ref (b));
  g_autoptr (HeddleExpr) simple = heddle_expr_simplify (between);

  return heddle_expr_get_kind (simple) == HEDDLE_EXPR_NUMBER ? heddle_expr_get_number (simple) : 0.;
}

/* Returns the least of some indices whose distances are the same everywhere; the largest with @last. */
static HeddleExpr *
outermost (const GPtrArray *exprs, gboolean last)
{
  HeddleExpr *found = g_ptr_array_index (exprs, 0);

  for (guint i = 1; i < exprs->len; i++)
    {
      double apart = apart_of (g_ptr_array_index (exprs, i), found);

      if (last ? apart > 0 : apart < 0)
        found = g_ptr_array_index (exprs, i);
    }
  return found;
}

static char *
bound_of (HeddleCudaKernel *self, const GPtrArray *exprs, HeddleExpr *index, gboolean last)
{
  g_autoptr (GArray) axes = heddle_window_axes (exprs);
  HeddleCudaContext context = heddle_cuda_context (self);

  g_hash_table_remove_all (self->indices);
  for (guint i = 0; i < axes->len; i++)
    {
      const char *axis = heddle_ids_index (axes, i);
      gboolean up = heddle_window_way (index, axis) != HEDDLE_WINDOW_DOWN;

      g_hash_table_insert (self->indices, (gpointer) axis, end_text (self, axis, up == last));
    }
  return heddle_cuda_whole (&context, index);
}

static gboolean
are_shifted (const GPtrArray *exprs)
{
  for (guint i = 1; i < exprs->len; i++)
    if (!heddle_window_is_shifted (g_ptr_array_index (exprs, 0), g_ptr_array_index (exprs, i)))
      return FALSE;
  return TRUE;
}

/* Returns the least or the largest index that is read, whether it is in the array or not. */
static char *
bound_text (HeddleCudaKernel *self, const GPtrArray *exprs, gboolean last)
{
  char *bound;

  if (are_shifted (exprs))
    return bound_of (self, exprs, outermost (exprs, last), last);
  bound = bound_of (self, exprs, g_ptr_array_index (exprs, 0), last);
  for (guint i = 1; i < exprs->len; i++)
    {
      g_autofree char *one = g_steal_pointer (&bound);
      g_autofree char *other = bound_of (self, exprs, g_ptr_array_index (exprs, i), last);

      bound = g_strdup_printf ("%s ((long long) (%s), (long long) (%s))", last ? "max" : "min", one, other);
    }
  return bound;
}

static void
print_window (HeddleCudaKernel *self, const HeddleBuffer *buffer, guint i)
{
  const GPtrArray *exprs = g_ptr_array_index (buffer->windows, i);
  const char *begin = heddle_cuda_window_name (self, buffer, i, HEDDLE_NAME_BEGIN);
  const char *count = heddle_cuda_window_name (self, buffer, i, HEDDLE_NAME_COUNT);
  const char *size = heddle_names_axis (self->names, heddle_ids_index (buffer->axes, i));
  g_autofree char *least = bound_text (self, exprs, FALSE), *most = bound_text (self, exprs, TRUE);

  if (self->tiles != NULL) /* framed by zeros, which products read */
    {
      heddle_cuda_line (self, "const long long %s = %s;", begin, least);
      heddle_cuda_line (self, "const int %s = int (%s - %s + 1);", count, most, begin);
      return;
    }
  g_hash_table_add (self->sections, (gpointer) "window");
  heddle_cuda_line (self, "const long long %s = window_begin (%s);", begin, least);
  heddle_cuda_line (self, "const int %s = window_count (%s, %s, %s);", count, begin, most, size);
}

void
heddle_cuda_print_windows (HeddleCudaKernel *self, const HeddleBuffer *buffer)
{
  for (guint i = 0; i < buffer->axes->len; i++)
    if (heddle_buffer_extent (buffer, i) == HEDDLE_EXTENT_WINDOW)
      print_window (self, buffer, i);
}

void
heddle_cuda_print_window_constants (HeddleCudaKernel *self, const HeddleCudaText *body)
{
  for (guint k = 0; k < self->program->buffers->len; k++)
    {
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, k);

      for (guint i = 0; i < buffer->axes->len; i++)
        if (heddle_buffer_extent (buffer, i) == HEDDLE_EXTENT_WINDOW)
          heddle_cuda_print_constant (self, body, heddle_cuda_window_name (self, buffer, i, HEDDLE_NAME_TILE),
              self->tiles != NULL ? heddle_register_tiles_extent (self->tiles, k, i)
                                  : heddle_buffer_most (self->program, self->sizes, buffer, i));
    }
}
