/* SPDX-License-Identifier: MIT */
#include "codegen/cuda/axes.h"
#include "derive/index/extent.h"
#include "derive/program/guard.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"

/* This file decides which sizes a kernel has as arguments, and which as constants. */

static const char *const types[HEDDLE_N_DTYPES] = {
  [HEDDLE_DTYPE_F64] = "double",
  [HEDDLE_DTYPE_F32] = "float",
  [HEDDLE_DTYPE_TF32] = "float",
  [HEDDLE_DTYPE_F16] = "f16",
  [HEDDLE_DTYPE_BF16] = "bf16",
  [HEDDLE_DTYPE_E4M3] = "e4m3",
  [HEDDLE_DTYPE_E5M2] = "e5m2",
  [HEDDLE_DTYPE_I64] = "long long",
  [HEDDLE_DTYPE_I32] = "int",
  [HEDDLE_DTYPE_BOOL] = "bool",
};

const char *
heddle_cuda_type (HeddleDtype dtype)
{
  return types[dtype];
}

/* The types of the prelude, with functions to load and store them. */
static const struct
{
  HeddleDtype dtype;
  const char *load, *store;
} packed[] = {
  { HEDDLE_DTYPE_F16, "load f16", "store f16" },
  { HEDDLE_DTYPE_BF16, "load bf16", "store bf16" },
  { HEDDLE_DTYPE_E4M3, "load e4m3", "store e4m3" },
  { HEDDLE_DTYPE_E5M2, "load e5m2", "store e5m2" },
};

gboolean
heddle_cuda_packed (HeddleDtype dtype, const char **load, const char **store)
{
  for (guint i = 0; i < G_N_ELEMENTS (packed); i++)
    if (packed[i].dtype == dtype)
      {
        *load = packed[i].load;
        *store = packed[i].store;
        return TRUE;
      }
  return FALSE;
}

gboolean
heddle_cuda_axis_is_split (const HeddleLoopProgram *program, const char *axis)
{
  return heddle_loop_program_get_band (program, axis, HEDDLE_BAND_GROUP) != NULL
         && heddle_loop_program_get_band (program, axis, HEDDLE_BAND_STREAM) != NULL;
}

static gboolean program_uses_axis (
    const HeddleLoopProgram *program, const HeddleNode *node, const char *axis, gboolean gathered);
static gboolean buffers_use_axis (const HeddleLoopProgram *program, const char *axis);

/* Returns whether only arrays that are read at indices have the axis: no memory is laid out for it. */
static gboolean
is_only_gathered (const HeddleLoopProgram *program, const char *axis)
{
  return !buffers_use_axis (program, axis) && !program_uses_axis (program, program->root, axis, FALSE)
         && program_uses_axis (program, program->root, axis, TRUE);
}

gboolean
heddle_cuda_axis_at_run_time (const HeddleLoopProgram *program, const char *axis)
{
  gboolean in_parts = heddle_loop_program_get_band (program, axis, HEDDLE_BAND_GROUP) != NULL
                      || heddle_loop_program_get_band (program, axis, HEDDLE_BAND_STREAM) != NULL;
  gboolean may_be_read = in_parts || !program_uses_axis (program, program->root, axis, FALSE);

  if (is_only_gathered (program, axis))
    return TRUE;
  for (guint i = 0; i < program->buffers->len; i++)
    {
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (program, i);
      int at = heddle_ids_find (buffer->axes, axis);
      HeddleExtent extent = at >= 0 ? g_array_index (buffer->extents, HeddleExtent, at) : HEDDLE_EXTENT_TILE;
      gboolean open = extent == HEDDLE_EXTENT_WINDOW && at < 32 && (buffer->open_windows >> at & 1) != 0;

      if (at >= 0 && !open && (extent == HEDDLE_EXTENT_FULL || extent == HEDDLE_EXTENT_WINDOW))
        return FALSE;
      in_parts |= open && may_be_read;
    }
  return in_parts;
}

static void
add_axes (GArray *axes, const GArray *more)
{
  for (guint i = 0; i < more->len; i++)
    if (!heddle_ids_contain (axes, heddle_ids_index (more, i)))
      heddle_ids_append (axes, heddle_ids_index (more, i));
}

GArray *
heddle_cuda_axes (const HeddleDiagram *diagram, const HeddleLoopProgram *program)
{
  g_autoptr (GArray) reads = heddle_loop_program_reads (program);
  g_autoptr (GArray) writes = heddle_loop_program_writes (program);
  const GArray *arrays[] = { reads, writes };
  GArray *axes = heddle_ids_new ();

  for (guint a = 0; a < G_N_ELEMENTS (arrays); a++)
    for (guint i = 0; i < arrays[a]->len; i++)
      add_axes (axes, heddle_diagram_get_value (diagram, heddle_ids_index (arrays[a], i))->axes);
  for (guint i = 0; i < program->buffers->len; i++)
    add_axes (axes, heddle_loop_program_get_buffer (program, i)->axes);
  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);

      if (!heddle_ids_contain (axes, axis->id))
        heddle_ids_append (axes, axis->id);
    }
  return axes;
}

GArray *
heddle_cuda_run_time_axes (const HeddleDiagram *diagram, const HeddleLoopProgram *program)
{
  g_autoptr (GArray) all = heddle_cuda_axes (diagram, program);
  GArray *axes = heddle_ids_new ();

  for (guint i = 0; i < all->len; i++)
    if (heddle_cuda_axis_at_run_time (program, heddle_ids_index (all, i)))
      heddle_ids_append (axes, heddle_ids_index (all, i));
  return axes;
}

/* Returns whether the program has the axis. @gathered says whether arrays that are read at indices count. */
static gboolean
program_uses_axis (
    const HeddleLoopProgram *program, const HeddleNode *node, const char *axis, gboolean gathered)
{
  if (node->kind == HEDDLE_NODE_BAND)
    {
      for (guint i = 0; i < node->children->len; i++)
        if (program_uses_axis (program, g_ptr_array_index (node->children, i), axis, gathered))
          return TRUE;
      return FALSE;
    }
  if ((node->body != NULL && (heddle_expr_uses (node->body, HEDDLE_EXPR_SIZE, axis)))
      || (node->rescale != NULL && heddle_expr_uses (node->rescale, HEDDLE_EXPR_SIZE, axis))
      || (node->extra != NULL && heddle_expr_uses (node->extra, HEDDLE_EXPR_SIZE, axis))
      || (node->over != NULL && heddle_ids_contain (node->over, axis)))
    return TRUE;
  for (guint i = 0; node->at != NULL && i < node->at->len; i++)
    if (heddle_expr_uses (g_ptr_array_index (node->at, i), HEDDLE_EXPR_SIZE, axis))
      return TRUE;
  if (gathered && node->at != NULL
      && heddle_ids_contain (heddle_diagram_get_value (program->diagram,
                                 heddle_loop_program_get_buffer (program, node->buffer)->value)
                                 ->axes,
          axis))
    return TRUE;
  for (guint i = 0; node->source_indices != NULL && i < node->source_indices->len; i++)
    {
      const GPtrArray *indices = g_ptr_array_index (node->source_indices, i);

      for (guint j = 0; indices != NULL && j < indices->len; j++)
        if (heddle_expr_uses (g_ptr_array_index (indices, j), HEDDLE_EXPR_SIZE, axis))
          return TRUE;
    }
  return FALSE;
}

static gboolean
buffers_use_axis (const HeddleLoopProgram *program, const char *axis)
{
  for (guint i = 0; i < program->buffers->len; i++)
    if (heddle_ids_contain (heddle_loop_program_get_buffer (program, i)->axes, axis))
      return TRUE;
  return FALSE;
}

gboolean
heddle_cuda_axis_is_fixed (const HeddleLoopProgram *program, const char *axis)
{
  return !heddle_cuda_axis_at_run_time (program, axis)
         && (buffers_use_axis (program, axis) || program_uses_axis (program, program->root, axis, TRUE));
}

static gboolean
lengthens (const HeddleNode *node, const char *axis)
{
  if (node->kind == HEDDLE_NODE_BAND && node->guard != NULL && heddle_guard_lengthens (node->guard, axis))
    return TRUE;
  for (guint i = 0; node->children != NULL && i < node->children->len; i++)
    if (lengthens (g_ptr_array_index (node->children, i), axis))
      return TRUE;
  return FALSE;
}

gboolean
heddle_cuda_axis_lengthens (const HeddleLoopProgram *program, const char *axis)
{
  return lengthens (program->root, axis);
}
