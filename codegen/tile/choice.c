/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/tile/choice.h"
#include "codegen/tile/program.h"
#include "codegen/tile/roles.h"
#include "derive/cost/chosen.h"
#include "derive/index/extent.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

/* This file binds products with matrices that rows choose, as mixtures of experts have them: Y[t,f] = X[t,m]
 * W[I[t],m,f]. A block goes through the matrices that its rows choose, one pass for each: that is the kernel
 * of this one matrix for all rows, and it saves those that chose it. What is here makes the loop program of a
 * pass, a view of the kernel's own: the array of matrices is held along its own axes, and the first of them
 * is a group of one.
 *
 * Rows that choose the same matrix should stand in the same block. Where nothing is against it, a block
 * therefore has any rows of the array: all are sorted by what they choose, and dealt out in this order. */

static void
free_view (gpointer data)
{
  HeddleNode *view = data;

  g_ptr_array_unref (view->children);
  g_free (view);
}

static void
free_matrices (gpointer data)
{
  HeddleBuffer *buffer = data;

  g_array_unref (buffer->axes);
  g_array_unref (buffer->extents);
  g_free (buffer);
}

/* --- what rows choose --- */

/* Returns the position of the one axis of the array that is not read at its own index but at an element of
 * another array; -1 if there is none such. */
static int
find_chosen (const HeddleNode *load)
{
  int found = -1;

  for (guint k = 0; k < load->at->len; k++)
    {
      HeddleExprKind kind = heddle_expr_get_kind (g_ptr_array_index (load->at, k));

      if (kind == HEDDLE_EXPR_INDEX)
        continue;
      if (kind != HEDDLE_EXPR_ARGUMENT || found >= 0)
        return -1;
      found = (int) k;
    }
  return found;
}

static gboolean
has_whole_numbers (const HeddleBuffer *buffer)
{
  return buffer->dtype == HEDDLE_DTYPE_I32 || buffer->dtype == HEDDLE_DTYPE_I64;
}

/* Returns whether the program has the axis in something other than the arrays that are chosen from. */
static gboolean
uses_axis (const HeddleLoopProgram *program, const char *axis)
{
  for (guint i = 0; i < program->buffers->len; i++)
    if (heddle_ids_contain (heddle_loop_program_get_buffer (program, i)->axes, axis))
      return TRUE;
  return FALSE;
}

static gboolean
note_choice (HeddleTileMaker *self, const HeddleNode *node, gpointer data)
{
  HeddleTileProgram *made = self->made;
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (made->program, node->buffer);
  const HeddleValue *array;
  guint chooser;
  int chosen;

  if (node->at == NULL)
    return TRUE;
  array = heddle_diagram_get_value (made->program->diagram, buffer->value);
  chosen = find_chosen (node);
  if (chosen < 0 || uses_axis (made->program, heddle_ids_index (array->axes, (guint) chosen)))
    return heddle_tile_refuse (self, _ ("%s is read at computed indices"), buffer->name);
  chooser = g_array_index (
      node->sources, guint, heddle_expr_get_operand (g_ptr_array_index (node->at, (guint) chosen)));
  if (heddle_loop_program_get_buffer (made->program, chooser)->role != HEDDLE_BUFFER_OPERAND
      || !has_whole_numbers (heddle_loop_program_get_buffer (made->program, chooser)))
    return heddle_tile_refuse (self, _ ("%s, which chooses the matrices of %s, is made in the kernel"),
        heddle_tile_name (made, chooser), buffer->name);
  if (made->matrices != NULL
      && (made->chooser != chooser || made->matrices != heddle_ids_index (array->axes, (guint) chosen)))
    return heddle_tile_refuse (
        self, _ ("rows choose matrices of %s by other indices than those of another array"), buffer->name);
  made->chooser = chooser;
  made->matrices = heddle_ids_index (array->axes, (guint) chosen);
  return TRUE;
}

/* --- the loop program of a pass --- */

/* Returns the array of matrices: it has its own axes, and a pass has one place of the axis that is chosen
 * along. */
static HeddleBuffer *
matrices_of (const HeddleTileProgram *made, const HeddleNode *load)
{
  const HeddleBuffer *gathered = heddle_loop_program_get_buffer (made->program, load->buffer);
  HeddleBuffer *self = g_memdup2 (gathered, sizeof *gathered);

  self->axes = heddle_ids_new ();
  self->extents = g_array_new (FALSE, FALSE, sizeof (HeddleExtent));
  for (guint k = 0; k < load->at->len; k++)
    {
      const HeddleExpr *index = g_ptr_array_index (load->at, k);
      gboolean own = heddle_expr_get_kind (index) == HEDDLE_EXPR_INDEX;
      const char *axis = own ? heddle_expr_get_symbol (index) : made->matrices;
      int at = heddle_ids_find (gathered->axes, axis);
      HeddleExtent extent
          = at >= 0 ? g_array_index (gathered->extents, HeddleExtent, (guint) at) : HEDDLE_EXTENT_TILE;

      heddle_ids_append (self->axes, axis);
      g_array_append_val (self->extents, extent);
    }
  return self;
}

static HeddleNode *
view_of (HeddleTilePass *self, const HeddleNode *node)
{
  HeddleNode *view = g_memdup2 (node, sizeof *node);

  view->children = g_ptr_array_new ();
  g_ptr_array_add (self->nodes, view);
  return view;
}

/* Adds below @into what replaces the children of @from. */
static void
view_children (HeddleTilePass *self, const HeddleTileProgram *made, const HeddleNode *from, HeddleNode *into)
{
  for (guint i = 0; i < from->children->len; i++)
    {
      HeddleNode *child = g_ptr_array_index (from->children, i), *view = NULL;

      if (child->kind == HEDDLE_NODE_BAND || child->at != NULL)
        view = view_of (self, child);
      g_ptr_array_add (into->children, view != NULL ? view : child);
      if (child->kind == HEDDLE_NODE_BAND)
        view_children (self, made, child, view);
      else if (view != NULL)
        {
          HeddleBuffer *matrices = matrices_of (made, child);

          g_ptr_array_add (self->buffers, matrices);
          self->program.buffers->pdata[child->buffer] = matrices;
          view->at = NULL;
        }
    }
}

/* Returns the groups, which are the same, with the one matrix innermost. */
static HeddleNode *
view_groups (HeddleTilePass *self, const HeddleTileMaker *maker, const HeddleNode *node)
{
  HeddleNode *view = view_of (self, node), *group;

  if (node != maker->inner)
    {
      g_ptr_array_add (view->children, view_groups (self, maker, g_ptr_array_index (node->children, 0)));
      return view;
    }
  group = view_of (self, node);
  group->kind = HEDDLE_NODE_BAND;
  group->band = HEDDLE_BAND_GROUP;
  group->axis = maker->made->matrices;
  group->size = 1;
  group->guard = NULL;
  g_ptr_array_add (view->children, group);
  view_children (self, maker->made, node, group);
  return view;
}

gboolean
heddle_tile_find_choices (HeddleTileMaker *self)
{
  HeddleTileProgram *made = self->made;
  HeddleTilePass *pass;

  if (!heddle_tile_walk (self, note_choice, NULL))
    return FALSE;
  if (made->matrices == NULL)
    return TRUE;
  pass = made->pass = g_new0 (HeddleTilePass, 1);
  pass->program = *made->program;
  pass->nodes = g_ptr_array_new_with_free_func (free_view);
  pass->buffers = g_ptr_array_new_with_free_func (free_matrices);
  pass->program.buffers = g_ptr_array_copy (made->program->buffers, NULL, NULL);
  g_ptr_array_set_free_func (pass->program.buffers, NULL);
  pass->program.root = view_groups (pass, self, made->program->root);
  made->program = &pass->program;
  return TRUE;
}

/* --- where they are --- */

/* Checks the stream. A pass for rows whose choice is outside has no step, so that what is summed over steps
 * is 0. */
static gboolean
check_stream (HeddleTileMaker *self)
{
  const HeddleNode *stream = self->made->stream;

  if (stream == NULL || stream->guard != NULL
      || heddle_loop_program_get_band (self->made->program, stream->axis, HEDDLE_BAND_GROUP) != NULL)
    return heddle_tile_refuse (self, _ ("matrices that rows choose are not streamed in pieces"));
  return TRUE;
}

/* --- dealing out --- */

/* Returns the number of rows that a block has along an axis; 0 where the axis is not grouped. */
static gint64
group_of (const HeddleTileProgram *self, const char *axis)
{
  const HeddleNode *band = heddle_loop_program_get_band (self->program, axis, HEDDLE_BAND_GROUP);

  return band != NULL ? MIN (band->size, heddle_sizes_get (self->sizes, axis)) : 0;
}

/* Returns whether the rows of the buffer can be any of the array's: one below the other, and nowhere side by
 * side. */
static gboolean
can_be_dealt (const HeddleTileProgram *self, guint i)
{
  const HeddleTensorTile *tile = heddle_tile_at (self, i);

  return tile->place != HEDDLE_TILE_SHARED
         || (tile->along != heddle_tile_rows && tile->window == NULL
             && (tile->down != heddle_tile_rows || tile->widened == NULL));
}

/* Returns whether the axis of what rows choose is that of the block's rows, or one of which a block has a
 * single index. */
static gboolean
deals_along (const HeddleTileProgram *self, const char *axis)
{
  gint64 n = group_of (self, axis);

  return n > 0 && (n == 1 || heddle_ids_contain (self->rows, axis));
}

/* Decides whether a block's rows are any of the array's, such that they choose few matrices: rows are sorted
 * by what they choose, and each block has its share of them. All axes of what rows choose take part, if each
 * of them is grouped. */
static void
choose_dealing (HeddleTileProgram *self)
{
  const HeddleBuffer *chooser = heddle_loop_program_get_buffer (self->program, self->chooser);

  if (self->shifts != NULL || self->boxed || self->rows->len != 1 || self->program->split != NULL
      || !heddle_ids_contain (chooser->axes, heddle_ids_index (self->rows, 0)))
    return;
  for (guint k = 0; k < chooser->axes->len; k++)
    if (!deals_along (self, heddle_ids_index (chooser->axes, k)))
      return;
  for (guint i = 0; i < self->tiles->len; i++)
    if (!can_be_dealt (self, i))
      return;
  self->dealt = g_array_ref (chooser->axes);
}

double
heddle_tile_dealt_rows (const HeddleTileProgram *self)
{
  double n = self->dealt != NULL ? 1 : 0;

  for (guint i = 0; self->dealt != NULL && i < self->dealt->len; i++)
    n *= (double) heddle_sizes_get (self->sizes, heddle_ids_index (self->dealt, i));
  return n;
}

/* Returns the bytes of the counters: of each warp one for each matrix, one for no matrix and a sum, besides the
 * first and the last matrix of a block. */
static gint64
counter_bytes (const HeddleTileProgram *self)
{
  gint64 warps = (gint64) self->warps_down * self->warps_along;

  return 4 * (warps * (HEDDLE_DEALT_MATRICES + 2) + 2);
}

gint64
heddle_tile_dealt_bytes (const HeddleTileProgram *self, guint n)
{
  return 8 * (2 * group_of (self, heddle_ids_index (self->rows, 0)) + self->n_rows * n);
}

gint64
heddle_tile_place_tables (HeddleTileProgram *self, gint64 bytes)
{
  if (self->dealt == NULL)
    return bytes;
  self->tables = (MAX (bytes, counter_bytes (self)) + 7) / 8 * 8;
  return self->tables + heddle_tile_dealt_bytes (self, self->dealt->len);
}

double
heddle_tile_passes (const HeddleTileProgram *self, gint64 rows)
{
  double n;

  if (self->pass == NULL)
    return 1;
  n = (double) heddle_sizes_get (self->sizes, self->matrices);
  return self->dealt != NULL ? heddle_chosen_when_sorted (n, (double) rows, heddle_tile_dealt_rows (self))
                             : heddle_chosen_matrices (n, (double) rows);
}

gboolean
heddle_tile_check_choices (HeddleTileMaker *self)
{
  HeddleTileProgram *made = self->made;

  if (made->pass == NULL)
    return TRUE;
  if (!check_stream (self))
    return FALSE;
  for (guint i = 0; i < made->tiles->len; i++)
    {
      const HeddleTensorTile *tile = heddle_tile_at (made, i);
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (made->program, i);
      gboolean matrices = heddle_ids_contain (buffer->axes, made->matrices);

      if (matrices
          && (tile->place != HEDDLE_TILE_SHARED || !heddle_tile_is_streamed (buffer)
              || tile->down == heddle_tile_rows || tile->along == heddle_tile_rows))
        return heddle_tile_refuse (self,
            _ ("%s, whose matrices rows choose, is not a factor that is streamed in pieces"), buffer->name);
      if (i == made->chooser && !heddle_tile_has_rows (self, buffer))
        return FALSE;
    }
  choose_dealing (made);
  return TRUE;
}
