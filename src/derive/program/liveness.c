/* SPDX-License-Identifier: MIT */
#include "derive/index/extent.h"
#include "derive/program/liveness.h"
#include "derive/region/region.h"
#include "diagram/expression/tree.h"

/* --- the statements in order -------------------------------------------------------------- */

static void
add_statements (HeddleLiveness *self, const HeddleNode *node, int scope)
{
  HeddleScope inner = { node, scope, self->statements->len, 0 };
  int own = (int) self->scopes->len;

  if (node->kind != HEDDLE_NODE_BAND)
    {
      HeddleStatement statement = { node, scope };

      g_array_append_val (self->statements, statement);
      return;
    }
  g_array_append_val (self->scopes, inner);
  for (guint i = 0; i < node->children->len; i++)
    add_statements (self, g_ptr_array_index (node->children, i), own);
  g_array_index (self->scopes, HeddleScope, own).end = self->statements->len;
}

static const HeddleStatement *
get_statement (const HeddleLiveness *self, guint i)
{
  return &g_array_index (self->statements, HeddleStatement, i);
}

static const HeddleScope *
get_scope (const HeddleLiveness *self, int i)
{
  return &g_array_index (self->scopes, HeddleScope, i);
}

const HeddleNode *
heddle_liveness_stream (const HeddleLiveness *self, guint statement, guint depth)
{
  for (int i = get_statement (self, statement)->scope; i >= 0; i = get_scope (self, i)->parent)
    {
      const HeddleNode *band = get_scope (self, i)->band;

      if (band->band == HEDDLE_BAND_STREAM && band->depth <= depth)
        return band;
    }
  return NULL;
}

/* --- births and deaths --------------------------------------------------------------------- */

/* Returns whether a buffer of level @depth persists through the band: each group of its own level and of
 * those above has a buffer of its own. */
static gboolean
is_loop (const HeddleNode *band, guint depth)
{
  return band->band == HEDDLE_BAND_STREAM || (band->band == HEDDLE_BAND_GROUP && band->depth > depth);
}

/* Returns whether what is made in @band ends with the step: it is a stream of its own level or of one
 * above. */
static gboolean
is_own_loop (const HeddleNode *band, guint depth)
{
  return band->band == HEDDLE_BAND_STREAM && band->depth <= depth;
}

/* Returns the innermost stream in which a buffer of level @depth is born, by the statement that first writes
 * it; -1 if there is none. */
static int
scope_of_birth (const HeddleLiveness *self, guint statement, guint depth)
{
  int i = get_statement (self, statement)->scope;

  while (i >= 0 && !is_own_loop (get_scope (self, i)->band, depth))
    i = get_scope (self, i)->parent;
  return i;
}

static gboolean
contains (const HeddleLiveness *self, int outer, int inner)
{
  while (inner >= 0 && inner != outer)
    inner = get_scope (self, inner)->parent;
  return inner == outer;
}

/* Returns the outermost loop around @statement that is not around @birth too; -1 if there is none. */
static int
loop_between (const HeddleLiveness *self, int birth, guint statement, guint depth)
{
  int found = -1;

  for (int i = get_statement (self, statement)->scope; i >= 0 && !contains (self, i, birth);
       i = get_scope (self, i)->parent)
    if (is_loop (get_scope (self, i)->band, depth))
      found = i;
  return found;
}

typedef struct
{
  HeddleLiveness *liveness;
  const HeddleLoopProgram *program;
  int *birth; /* per buffer: the loop it is born in */
} Walk;

/* Holds a buffer at a statement; within a loop, to the end of that loop. */
static void
hold (Walk *walk, guint buffer, guint statement)
{
  HeddleLiveness *self = walk->liveness;
  int loop = loop_between (
      self, walk->birth[buffer], statement, heddle_loop_program_get_buffer (walk->program, buffer)->depth);

  self->death[buffer] = MAX (self->death[buffer], loop >= 0 ? get_scope (self, loop)->end - 1 : statement);
}

static void
bear (Walk *walk, guint buffer, guint statement)
{
  HeddleLiveness *self = walk->liveness;
  guint depth = heddle_loop_program_get_buffer (walk->program, buffer)->depth;
  int loop;

  walk->birth[buffer] = scope_of_birth (self, statement, depth);
  loop = loop_between (self, walk->birth[buffer], statement, depth);
  self->birth[buffer] = loop >= 0 ? get_scope (self, loop)->first : statement;
  self->in_stream[buffer] = walk->birth[buffer] >= 0;
}

static void
visit_statement (Walk *walk, guint i)
{
  HeddleLiveness *self = walk->liveness;
  const HeddleStatement *statement = get_statement (self, i);
  const HeddleNode *node = statement->node;
  gboolean load = node->kind == HEDDLE_NODE_LOAD;

  for (guint k = 0; k < node->sources->len; k++)
    hold (walk, g_array_index (node->sources, guint, k), i);
  if (node->second != HEDDLE_NO_BUFFER)
    hold (walk, node->second, i);
  if (self->birth[node->buffer] == G_MAXUINT)
    bear (walk, node->buffer, i);
  hold (walk, node->buffer, i);
  if (node->upper != HEDDLE_GLOBAL && self->birth[node->upper] == G_MAXUINT)
    bear (walk, node->upper, i);
  if (node->upper != HEDDLE_GLOBAL)
    hold (walk, node->upper, i);
  if (load && self->in_stream[node->buffer]
      && !heddle_loop_program_get_buffer (walk->program, node->buffer)->again)
    self->death[node->buffer] = get_scope (self, statement->scope)->end - 1;
}

static void
find_ends (Walk *walk)
{
  HeddleLiveness *self = walk->liveness;

  for (guint i = 0; i < walk->program->buffers->len; i++)
    self->dies_with[i] = self->birth[i] == G_MAXUINT
                             ? -1
                             : loop_between (self, walk->birth[i], self->death[i],
                                 heddle_loop_program_get_buffer (walk->program, i)->depth);
}

HeddleLiveness *
heddle_liveness_new (const HeddleLoopProgram *program)
{
  HeddleLiveness *self = g_new0 (HeddleLiveness, 1);
  guint n = program->buffers->len;
  g_autofree int *births = g_new0 (int, n);
  Walk walk = { self, program, births };

  self->statements = g_array_new (FALSE, FALSE, sizeof (HeddleStatement));
  self->scopes = g_array_new (FALSE, FALSE, sizeof (HeddleScope));
  self->birth = g_new (guint, n);
  self->death = g_new0 (guint, n);
  self->in_stream = g_new0 (gboolean, n);
  self->dies_with = g_new0 (int, n);
  for (guint i = 0; i < n; i++)
    self->birth[i] = G_MAXUINT;
  add_statements (self, program->root, -1);
  for (guint i = 0; i < self->statements->len; i++)
    visit_statement (&walk, i);
  find_ends (&walk);
  return self;
}

void
heddle_liveness_free (HeddleLiveness *self)
{
  g_array_unref (self->statements);
  g_array_unref (self->scopes);
  g_free (self->birth);
  g_free (self->death);
  g_free (self->in_stream);
  g_free (self->dies_with);
  g_free (self);
}

gboolean
heddle_liveness_is_live (const HeddleLiveness *self, guint buffer, guint statement)
{
  return self->birth[buffer] <= statement && statement <= self->death[buffer];
}

/* --- in place ------------------------------------------------------------------------------ */

static gboolean
same_window (const GPtrArray *a, const GPtrArray *b)
{
  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    if (!heddle_expr_equal (g_ptr_array_index (a, i), g_ptr_array_index (b, i)))
      return FALSE;
  return TRUE;
}

static gboolean
same_shape (const HeddleBuffer *a, const HeddleBuffer *b)
{
  if (!heddle_ids_equal (a->axes, b->axes))
    return FALSE;
  for (guint i = 0; i < a->extents->len; i++)
    if (g_array_index (a->extents, HeddleExtent, i) != g_array_index (b->extents, HeddleExtent, i)
        || (g_array_index (a->extents, HeddleExtent, i) == HEDDLE_EXTENT_WINDOW
            && !same_window (g_ptr_array_index (a->windows, i), g_ptr_array_index (b->windows, i))))
      return FALSE;
  return TRUE;
}

/* Returns whether the node reads @source at other points than the one it makes. */
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

  if (node == NULL || node->buffer != buffer || node->kind != HEDDLE_NODE_COMPUTE || node->over->len > 0
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
