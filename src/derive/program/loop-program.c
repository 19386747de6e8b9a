/* SPDX-License-Identifier: MIT */
#include "derive/program/loop-node.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"

HeddleBuffer *
heddle_buffer_new (const char *name, HeddleBufferRole role)
{
  HeddleBuffer *self = g_new0 (HeddleBuffer, 1);

  self->name = name;
  self->role = role;
  self->axes = heddle_ids_new ();
  self->extents = g_array_new (FALSE, FALSE, sizeof (HeddleExtent));
  return self;
}

void
heddle_buffer_free (HeddleBuffer *self)
{
  g_array_unref (self->axes);
  g_array_unref (self->extents);
  g_clear_pointer (&self->windows, g_ptr_array_unref);
  g_free (self->title);
  g_free (self);
}

HeddleLoopProgram *
heddle_loop_program_ref (HeddleLoopProgram *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * heddle_loop_program_unref:
 * @self: (transfer full): a loop program
 *
 * Frees the program when nobody else holds it.
 */
static void
free_diagram (gpointer box)
{
  heddle_diagram_free (*(HeddleDiagram **) box);
}

void
heddle_loop_program_unref (HeddleLoopProgram *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->name);
  g_array_unref (self->levels);
  g_ptr_array_unref (self->buffers);
  g_clear_pointer (&self->root, heddle_node_free);
  g_array_unref (self->inputs);
  g_array_unref (self->outputs);
  g_array_unref (self->operations);
  g_array_unref (self->partials);
  g_array_unref (self->spilled);
  g_clear_pointer (&self->moves, g_array_unref);
  g_clear_pointer (&self->combine, heddle_loop_program_unref);
  if (self->own_diagram != NULL)
    g_atomic_rc_box_release_full (self->own_diagram, free_diagram);
  g_free (self);
}

static gboolean
transfers (const HeddleLoopProgram *self, const HeddleNode *node, HeddleNodeKind kind, const char *value)
{
  if (node->kind == kind && kind != HEDDLE_NODE_BAND)
    return node->upper == HEDDLE_GLOBAL
           && value
                  == (node->partial != NULL ? node->partial
                                            : heddle_loop_program_get_buffer (self, node->buffer)->value);
  for (guint i = 0; i < node->children->len; i++)
    if (transfers (self, g_ptr_array_index (node->children, i), kind, value))
      return TRUE;
  return FALSE;
}

static void
add_transferred (const HeddleLoopProgram *self, GArray *ids, const GArray *among, HeddleNodeKind kind)
{
  for (guint i = 0; i < among->len; i++)
    if (!heddle_ids_contain (ids, heddle_ids_index (among, i))
        && transfers (self, self->root, kind, heddle_ids_index (among, i)))
      heddle_ids_append (ids, heddle_ids_index (among, i));
}

GArray *
heddle_loop_program_reads (const HeddleLoopProgram *self)
{
  GArray *ids = heddle_ids_new ();

  g_return_val_if_fail (self != NULL, ids);

  add_transferred (self, ids, self->inputs, HEDDLE_NODE_LOAD);
  add_transferred (self, ids, self->partials, HEDDLE_NODE_LOAD);
  return ids;
}

GArray *
heddle_loop_program_writes (const HeddleLoopProgram *self)
{
  GArray *ids = heddle_ids_new ();

  g_return_val_if_fail (self != NULL, ids);

  add_transferred (self, ids, self->partials, HEDDLE_NODE_SAVE);
  add_transferred (self, ids, self->outputs, HEDDLE_NODE_SAVE);
  add_transferred (self, ids, self->spilled, HEDDLE_NODE_SAVE);
  return ids;
}

HeddleSizes *
heddle_loop_program_own_sizes (const HeddleLoopProgram *self, const HeddleSizes *sizes)
{
  gint64 n;

  g_return_val_if_fail (self != NULL && sizes != NULL, NULL);

  if (self->parts == NULL)
    return heddle_sizes_ref ((HeddleSizes *) sizes);
  n = heddle_sizes_get (sizes, self->split);
  return heddle_sizes_with (sizes, self->parts, n / self->split_size + (n % self->split_size != 0));
}

const HeddleBuffer *
heddle_loop_program_get_buffer (const HeddleLoopProgram *self, guint i)
{
  g_return_val_if_fail (self != NULL && i < self->buffers->len, NULL);

  return g_ptr_array_index (self->buffers, i);
}

static HeddleNode *
find_band (HeddleNode *node, const char *axis, HeddleBandKind kind)
{
  if (node->kind != HEDDLE_NODE_BAND)
    return NULL;
  if (node->band == kind && node->axis == axis)
    return node;
  for (guint i = 0; i < node->children->len; i++)
    {
      HeddleNode *found = find_band (g_ptr_array_index (node->children, i), axis, kind);

      if (found != NULL)
        return found;
    }
  return NULL;
}

HeddleNode *
heddle_loop_program_get_band (const HeddleLoopProgram *self, const char *axis, HeddleBandKind kind)
{
  g_return_val_if_fail (self != NULL && axis != NULL, NULL);

  return find_band (self->root, axis, kind);
}

static void
find_band_at (HeddleNode *node, const char *axis, HeddleBandKind kind, guint depth, HeddleNode **found)
{
  if (node->kind != HEDDLE_NODE_BAND)
    return;
  if (node->band == kind && node->axis == axis && node->depth <= depth
      && (*found == NULL || (*found)->depth < node->depth))
    *found = node;
  for (guint i = 0; i < node->children->len; i++)
    find_band_at (g_ptr_array_index (node->children, i), axis, kind, depth, found);
}

HeddleNode *
heddle_loop_program_get_band_at (
    const HeddleLoopProgram *self, const char *axis, HeddleBandKind kind, guint depth)
{
  HeddleNode *found = NULL;

  g_return_val_if_fail (self != NULL && axis != NULL, NULL);

  find_band_at (self->root, axis, kind, depth, &found);
  return found;
}

gint64
heddle_loop_program_extent (
    const HeddleLoopProgram *self, const HeddleSizes *sizes, const char *axis, HeddleExtent extent)
{
  gint64 n = heddle_sizes_get (sizes, axis);
  const HeddleNode *band;

  g_return_val_if_fail (self != NULL, 0);

  if (extent == HEDDLE_EXTENT_FULL)
    return n;
  band = heddle_loop_program_get_band (
      self, axis, extent == HEDDLE_EXTENT_TILE ? HEDDLE_BAND_GROUP : HEDDLE_BAND_STREAM);
  return band != NULL ? MIN (band->size, n) : n;
}
