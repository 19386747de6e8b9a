/* SPDX-License-Identifier: MIT */
#include "derive/program/builder.h"
#include "derive/program/loop-node.h"
#include "derive/program/loop-program-private.h"
#include "derive/program/loop-program.h"
#include "derive/program/names.h"
#include "derive/program/reread.h"
#include "derive/region/region.h"
#include "derive/stream/stream.h"

/* This file lets values be read again where a residency says so, instead of being held until then. From that
 * column on the readers go to another buffer, filled just before; what was made in the kernel is saved first.
 * If nobody reads the first buffer before, that one itself is filled later: in each step of the stream, or
 * late in it. */

/* A value that is read again, and what of the lists has been seen to. */
typedef struct
{
  HeddleBuilder *builder;
  guint definition;
  const HeddleReread *reread;
  guint column; /* of the reader */
  guint home, from; /* the buffer it was read from first, and up to there */
  gboolean done; /* some statement reads it again */
} Rereading;

/* Returns the list of statements of a segment, before the loop, in its step or after it; it is owned by the
 * builder. */
static GPtrArray *
builder_segment (const HeddleBuilder *self, HeddleSegment segment)
{
  switch (segment)
    {
    case HEDDLE_SEGMENT_BEFORE:
      return self->before;
    case HEDDLE_SEGMENT_STEP:
      return self->step;
    default:
      return self->after;
    }
}

static gboolean
reads (const HeddleNode *node, guint buffer)
{
  for (guint k = 0; k < node->sources->len; k++)
    if (g_array_index (node->sources, guint, k) == buffer)
      return TRUE;
  return FALSE;
}

static gboolean
is_later (const Rereading *self, const HeddleNode *node)
{
  return node->kind == HEDDLE_NODE_COMPUTE && node->column >= self->column && reads (node, self->from);
}

static void
replace_source (HeddleNode *node, guint from, guint to)
{
  for (guint k = 0; k < node->sources->len; k++)
    if (g_array_index (node->sources, guint, k) == from)
      g_array_index (node->sources, guint, k) = to;
}

static guint
copy_buffer (HeddleBuilder *builder, guint from)
{
  const HeddleBuffer *first = heddle_loop_program_get_buffer (builder->program, from);
  HeddleBuffer *buffer
      = heddle_buffer_new (heddle_identifier (first->name, builder->taken), HEDDLE_BUFFER_OPERAND);

  buffer->value = first->value;
  buffer->level = first->level;
  buffer->depth = first->depth;
  buffer->dtype = buffer->counted_dtype = first->counted_dtype;
  buffer->counted = TRUE;
  g_array_append_vals (buffer->axes, first->axes->data, first->axes->len);
  g_array_append_vals (buffer->extents, first->extents->data, first->extents->len);
  buffer->windows = first->windows != NULL ? g_ptr_array_ref (first->windows) : NULL;
  g_ptr_array_add (builder->program->buffers, buffer);
  return builder->program->buffers->len - 1;
}

/* Returns whether a statement reads the buffer before the column from which it is read again. */
static gboolean
is_read_before (const Rereading *self)
{
  for (HeddleSegment segment = 0; segment < HEDDLE_N_SEGMENTS; segment++)
    {
      const GPtrArray *list = builder_segment (self->builder, segment);

      for (guint i = 0; i < list->len; i++)
        if (reads (g_ptr_array_index (list, i), self->from) && !is_later (self, g_ptr_array_index (list, i)))
          return TRUE;
    }
  return FALSE;
}

/* Removes the first load of the buffer and returns where it was; -1 if there is none. */
static int
remove_load (const HeddleBuilder *builder, guint buffer)
{
  for (HeddleSegment segment = 0; segment < HEDDLE_N_SEGMENTS; segment++)
    {
      GPtrArray *list = builder_segment (builder, segment);

      for (guint i = 0; i < list->len; i++)
        {
          const HeddleNode *node = g_ptr_array_index (list, i);

          if (node->kind != HEDDLE_NODE_LOAD || node->buffer != buffer)
            continue;
          g_hash_table_remove (builder->moved, node);
          g_ptr_array_remove_index (list, i);
          return (int) segment;
        }
    }
  return -1;
}

/* Returns the buffer that is filled again: the first one itself if that is an operand that nobody reads
 * before, whose load is then removed from @segment; else -1. */
static guint
take_buffer (const Rereading *self, int *segment)
{
  HeddleBuilder *builder = self->builder;
  const HeddleBuffer *first = heddle_loop_program_get_buffer (builder->program, self->from);
  gboolean free = !self->done && first->role == HEDDLE_BUFFER_OPERAND && !is_read_before (self);
  guint buffer;

  *segment = free ? remove_load (builder, self->from) : -1;
  buffer = *segment >= 0 ? self->from : copy_buffer (builder, self->from);
  ((HeddleBuffer *) g_ptr_array_index (builder->program->buffers, buffer))->again = TRUE;
  return buffer;
}

static void
keep_moved (const Rereading *self, const HeddleNode *node, int segment)
{
  HeddleMoved moved = { self->home, self->reread->depth, segment };

  g_hash_table_insert (self->builder->moved, (gpointer) node, g_memdup2 (&moved, sizeof moved));
}

static void
replace_later (const Rereading *self, GPtrArray *list, guint from, guint buffer)
{
  for (guint i = from; i < list->len; i++)
    if (is_later (self, g_ptr_array_index (list, i)))
      replace_source (g_ptr_array_index (list, i), self->from, buffer);
}

/* Adds a load of the value just before statement @reader of the list. */
static void
read_again_in (Rereading *self, GPtrArray *list, HeddleNode *reader)
{
  int segment;
  guint buffer = take_buffer (self, &segment), i;
  HeddleNode *load = heddle_node_new (HEDDLE_NODE_LOAD);

  g_ptr_array_find (list, reader, &i);
  load->buffer = buffer;
  load->column = reader->column > 0 ? reader->column - 1 : 0;
  keep_moved (self, load, segment);
  replace_later (self, list, i, buffer);
  g_ptr_array_insert (list, (gint) i, load);
  self->done = TRUE;
  /* A value that is read again before the stream is held through it. */
  if (list == self->builder->before)
    {
      replace_later (self, self->builder->step, 0, buffer);
      replace_later (self, self->builder->after, 0, buffer);
    }
  self->builder->buffers[self->definition] = buffer;
}

static void
read_again (Rereading *self)
{
  for (HeddleSegment segment = 0; segment < HEDDLE_N_SEGMENTS; segment++)
    {
      GPtrArray *list = builder_segment (self->builder, segment);

      for (guint i = 0; i < list->len; i++)
        if (is_later (self, g_ptr_array_index (list, i)))
          {
            read_again_in (self, list, g_ptr_array_index (list, i));
            if (segment == HEDDLE_SEGMENT_BEFORE)
              return;
            break;
          }
    }
}

static gboolean
is_saved (const Rereading *self, const HeddleNode *node)
{
  const HeddleMoved *moved = g_hash_table_lookup (self->builder->moved, node);

  return node->kind == HEDDLE_NODE_SAVE && node->buffer == self->home
         && (moved == NULL || moved->depth < 0 || moved->depth == self->reread->depth);
}

/* Adds a save at place @at of the list. */
static void
add_save (const Rereading *self, GPtrArray *list, guint at)
{
  const HeddleDefinition *definition = heddle_builder_get (self->builder, self->definition);
  const char *value = definition->value;
  HeddleLoopProgram *program = self->builder->program;
  HeddleNode *save = heddle_node_new (HEDDLE_NODE_SAVE);

  save->buffer = self->home;
  save->operation = definition->operation;
  save->column = definition->column;
  keep_moved (self, save, -1);
  g_ptr_array_insert (list, (gint) at, save);
  if (self->reread->depth < 0 && !heddle_ids_contain (program->outputs, value))
    heddle_ids_append (program->spilled, value);
}

/* Saves what was made here where it is complete, unless it is saved already. */
static void
save_first (const Rereading *self)
{
  gboolean state = heddle_builder_streaming (self->builder, self->definition)->phase == HEDDLE_PHASE_STATE;

  for (HeddleSegment segment = HEDDLE_N_SEGMENTS; segment-- > 0;)
    {
      GPtrArray *list = builder_segment (self->builder, segment);

      for (guint i = list->len; i-- > 0;)
        {
          const HeddleNode *node = g_ptr_array_index (list, i);

          if (is_saved (self, node))
            return;
          if (node->kind != HEDDLE_NODE_COMPUTE || node->buffer != self->home)
            continue;
          add_save (self, list, i + 1);
          return;
        }
      if (state)
        {
          add_save (self, list, 0);
          return;
        }
    }
}

/* Returns whether the definition is complete in the loop: what is made chunk by chunk may lack a factor that
 * is only known after the stream. */
static gboolean
is_whole (const HeddleBuilder *builder, guint i)
{
  const HeddleStreaming *streaming = heddle_builder_streaming (builder, i);

  if (streaming->phase == HEDDLE_PHASE_STATE)
    return builder->split == NULL;
  return heddle_builder_get (builder, i)->input
         || (streaming->deferred == NULL && streaming->running == NULL && streaming->parts == NULL);
}

static gboolean
is_readable (const HeddleBuilder *builder, guint i, const char *value)
{
  const HeddleDefinition *definition = heddle_builder_get (builder, i);

  return definition->value == value && builder->needed[i] && builder->buffers[i] != HEDDLE_NO_BUFFER
         && definition->at == NULL && is_whole (builder, i);
}

/* Applies a request to read a value again. @homes holds for each definition the buffer that it was read from
 * first. */
static gboolean
apply (HeddleBuilder *builder, const HeddleReread *reread, const guint *homes)
{
  gboolean done = FALSE;

  for (guint i = 0; i < builder->plan->definitions->len; i++)
    {
      Rereading self = { builder, i, reread };

      if (!is_readable (builder, i, reread->value))
        continue;
      self.column = (guint) (heddle_ids_find (builder->region->operations, reread->operation) + 1);
      self.home = homes[i];
      self.from = builder->buffers[i];
      read_again (&self);
      if (self.done && !heddle_builder_get (builder, i)->input)
        save_first (&self);
      done = done || self.done;
    }
  return done;
}

void
heddle_builder_apply_rereads (HeddleBuilder *builder)
{
  const GArray *rereads = builder->tiling->rereads;
  guint n = builder->plan->definitions->len;
  g_autofree guint *homes = g_memdup2 (builder->buffers, n * sizeof *homes);

  for (guint i = 0; rereads != NULL && i < rereads->len; i++)
    if (!apply (builder, &g_array_index (rereads, HeddleReread, i), homes)
        && builder->program->unread == NULL)
      builder->program->unread = &g_array_index (rereads, HeddleReread, i);
}
