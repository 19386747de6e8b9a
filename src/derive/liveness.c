/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/loop-program-private.h"

/* --- the statements in order -------------------------------------------------------------- */

static void
add_statements (HeddleLiveness *self, const HeddleNode *node, const HeddleNode *stream)
{
  if (node->kind != HEDDLE_NODE_BAND)
    {
      HeddleStatement statement = { node, stream };

      g_array_append_val (self->statements, statement);
      return;
    }
  if (node->band == HEDDLE_BAND_STREAM)
    stream = node;
  for (guint i = 0; i < node->children->len; i++)
    add_statements (self, g_ptr_array_index (node->children, i), stream);
}

static const HeddleStatement *
get_statement (const HeddleLiveness *self, guint i)
{
  return &g_array_index (self->statements, HeddleStatement, i);
}

/* The last statement of the band that statement @i is in. */
static guint
end_of_band (const HeddleLiveness *self, guint i)
{
  const HeddleNode *stream = get_statement (self, i)->stream;

  while (i + 1 < self->statements->len && get_statement (self, i + 1)->stream == stream)
    i++;
  return i;
}

/* --- births and deaths --------------------------------------------------------------------- */

static void
hold (HeddleLiveness *self, guint buffer, guint statement)
{
  gboolean carried = get_statement (self, statement)->stream != NULL && !self->in_stream[buffer];
  guint until = carried ? end_of_band (self, statement) : statement;

  self->death[buffer] = MAX (self->death[buffer], until);
}

static void
visit_statement (HeddleLiveness *self, guint i)
{
  const HeddleStatement *statement = get_statement (self, i);
  const HeddleNode *node = statement->node;

  for (guint k = 0; k < node->sources->len; k++)
    hold (self, g_array_index (node->sources, guint, k), i);
  if (node->second != HEDDLE_NO_BUFFER)
    hold (self, node->second, i);
  if (self->birth[node->buffer] == G_MAXUINT)
    {
      self->birth[node->buffer] = i;
      self->in_stream[node->buffer] = statement->stream != NULL;
    }
  hold (self, node->buffer, i);
  if (node->kind == HEDDLE_NODE_LOAD && statement->stream != NULL)
    self->death[node->buffer] = end_of_band (self, i);
}

HeddleLiveness *
heddle_liveness_new (const HeddleLoopProgram *program)
{
  HeddleLiveness *self = g_new0 (HeddleLiveness, 1);

  self->statements = g_array_new (FALSE, FALSE, sizeof (HeddleStatement));
  self->birth = g_new (guint, program->buffers->len);
  self->death = g_new0 (guint, program->buffers->len);
  self->in_stream = g_new0 (gboolean, program->buffers->len);
  for (guint i = 0; i < program->buffers->len; i++)
    self->birth[i] = G_MAXUINT;
  add_statements (self, program->root, NULL);
  for (guint i = 0; i < self->statements->len; i++)
    visit_statement (self, i);
  return self;
}

void
heddle_liveness_free (HeddleLiveness *self)
{
  g_array_unref (self->statements);
  g_free (self->birth);
  g_free (self->death);
  g_free (self->in_stream);
  g_free (self);
}

gboolean
heddle_liveness_is_live (const HeddleLiveness *self, guint buffer, guint statement)
{
  return self->birth[buffer] <= statement && statement <= self->death[buffer];
}

/* --- in place ------------------------------------------------------------------------------ */

static gboolean
same_shape (const HeddleBuffer *a, const HeddleBuffer *b)
{
  if (!heddle_ids_equal (a->axes, b->axes))
    return FALSE;
  for (guint i = 0; i < a->extents->len; i++)
    if (g_array_index (a->extents, HeddleExtent, i) != g_array_index (b->extents, HeddleExtent, i))
      return FALSE;
  return TRUE;
}

/* Whether the node reads @source at other points than the one it makes. */
static gboolean
reads_elsewhere (const HeddleNode *node, guint source)
{
  for (guint k = 0; k < node->sources->len; k++)
    if (g_array_index (node->sources, guint, k) == source
        && g_ptr_array_index (node->source_indices, k) != NULL)
      return TRUE;
  return FALSE;
}

int
heddle_liveness_source_in_place (const HeddleLiveness *self, const HeddleLoopProgram *program, guint buffer)
{
  guint birth = self->birth[buffer];
  const HeddleBuffer *made = g_ptr_array_index (program->buffers, buffer);
  const HeddleNode *node = birth < self->statements->len ? get_statement (self, birth)->node : NULL;

  if (node == NULL || node->kind != HEDDLE_NODE_COMPUTE || node->over->len > 0
      || node->form != HEDDLE_COMPUTE_FOLD || made->role == HEDDLE_BUFFER_FACTOR)
    return -1;
  for (guint k = 0; k < node->sources->len; k++)
    {
      guint source = g_array_index (node->sources, guint, k);
      const HeddleBuffer *read = g_ptr_array_index (program->buffers, source);

      if (source != buffer && !reads_elsewhere (node, source) && self->death[source] == birth
          && read->role != HEDDLE_BUFFER_FACTOR && self->in_stream[source] == self->in_stream[buffer]
          && same_shape (made, read))
        return (int) source;
    }
  return -1;
}

void
heddle_loop_program_assign_slots (HeddleLoopProgram *self)
{
  g_autoptr (HeddleLiveness) liveness = NULL;

  for (guint i = 0; i < self->buffers->len; i++)
    ((HeddleBuffer *) g_ptr_array_index (self->buffers, i))->slot = i;
  liveness = heddle_liveness_new (self);
  for (guint t = 0; t < liveness->statements->len; t++)
    {
      guint buffer = get_statement (liveness, t)->node->buffer;
      int source
          = liveness->birth[buffer] == t ? heddle_liveness_source_in_place (liveness, self, buffer) : -1;

      if (source >= 0)
        ((HeddleBuffer *) g_ptr_array_index (self->buffers, buffer))->slot
            = heddle_loop_program_get_buffer (self, (guint) source)->slot;
    }
}
