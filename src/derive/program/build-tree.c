/* SPDX-License-Identifier: MIT */
#include "derive/index/window.h"
#include "derive/machine/machine.h"
#include "derive/program/build-buffers.h"
#include "derive/program/build-tree.h"
#include "derive/program/guard.h"
#include "derive/program/loop-node.h"
#include "derive/program/loop-program.h"
#include "derive/program/tiling.h"
#include "derive/region/definition.h"
#include "derive/region/region.h"
#include "diagram/expression/expr.h"

/* The loops around the statements. Those of the innermost level hold the statements themselves; a level above it moves what they load and
 * save on to its own memory and back:
 *
 *   groups: loads; (groups: before; inits); stream: chunks; (groups: stream: step); (groups: after); saves
 *
 * Where a level has no stream and one below it has, all of what is below stands in one piece between its loads and its saves. */

/* --- bands --------------------------------------------------------------------------------- */

/* The transfers that a level above the innermost makes around each segment. */
typedef struct
{
  GPtrArray *loads[HEDDLE_N_SEGMENTS], *saves[HEDDLE_N_SEGMENTS]; /* of HeddleNode */
} Moves;

typedef struct
{
  HeddleBuilder *builder;
  guint n; /* levels */
  Moves moves[HEDDLE_MAX_LEVELS];
  GHashTable *uppers[HEDDLE_MAX_LEVELS]; /* buffer + 1 -> the one of that level that it goes through + 1 */
} Tree;

static HeddleNode *
new_band (HeddleBandKind kind, const char *axis, gint64 size, guint depth)
{
  HeddleNode *band = heddle_node_new (HEDDLE_NODE_BAND);

  band->band = kind;
  band->axis = axis;
  band->size = size;
  band->depth = depth;
  return band;
}

static void
move_nodes (HeddleNode *band, GPtrArray *list)
{
  while (list->len > 0)
    g_ptr_array_add (band->children, g_ptr_array_steal_index (list, 0));
}

/* Returns whether a window of some array depends on an axis of the guard: then steps are not left out, as
 * both cannot be counted. */
static gboolean
meets_windows (const HeddleBuilder *builder, const HeddleExpr *guard)
{
  for (guint i = 0; i < builder->region->definitions->len; i++)
    {
      const HeddleDefinition *definition = heddle_region_term_get (builder->region, i);

      for (guint k = 0; definition->windows != NULL && k < definition->windows->len; k++)
        {
          const GPtrArray *window = g_ptr_array_index (definition->windows, k);
          g_autoptr (GArray) axes = window != NULL ? heddle_window_axes (window) : NULL;

          for (guint a = 0; axes != NULL && a < axes->len; a++)
            if (heddle_ids_index (axes, a) == builder->plan->axis
                || heddle_guard_uses (guard, heddle_ids_index (axes, a)))
              return TRUE;
        }
    }
  return FALSE;
}

/* Returns a guard for few grouped axes, so that its steps can be counted; NULL if there is none. */
static HeddleExpr *
new_guard (const HeddleBuilder *builder)
{
  g_autoptr (HeddleExpr) guard
      = builder->plan->needed != NULL ? heddle_guard_new (builder->plan->needed) : NULL;
  guint n = 0;

  if (guard != NULL && meets_windows (builder, guard))
    g_clear_pointer (&guard, heddle_expr_unref);
  for (guint i = 0; guard != NULL && i < builder->region->axes->len; i++)
    {
      const char *axis = heddle_ids_index (builder->region->axes, i);
      gboolean grouped
          = heddle_tiling_groups (builder->tiling, axis, heddle_tiling_n_levels (builder->tiling) - 1);

      n += grouped && axis != builder->plan->axis && heddle_guard_uses (guard, axis) ? 1 : 0;
    }
  return n < HEDDLE_MAX_GUARDED ? g_steal_pointer (&guard) : NULL;
}

static HeddleNode *
add_groups (const Tree *tree, HeddleNode *parent, guint depth)
{
  const GArray *groups = heddle_tiling_at (tree->builder->tiling, depth)->groups;

  for (guint i = 0; i < groups->len; i++)
    {
      const HeddleTile *tile = &g_array_index (groups, HeddleTile, i);
      HeddleNode *band = new_band (HEDDLE_BAND_GROUP, tile->axis, tile->size, depth);

      g_ptr_array_add (parent->children, band);
      parent = band;
    }
  return parent;
}

static HeddleNode *
add_stream (const Tree *tree, HeddleNode *parent, guint depth)
{
  const HeddleTiling *tiling = heddle_tiling_at (tree->builder->tiling, depth);
  HeddleNode *band = new_band (HEDDLE_BAND_STREAM, tiling->stream, tiling->chunk, depth);

  band->guard = new_guard (tree->builder);
  g_ptr_array_add (parent->children, band);
  return band;
}

/* --- what the levels above move -------------------------------------------------------------- */

static void
add_move (Tree *tree, HeddleNodeKind kind, HeddleSegment segment, guint depth, guint buffer, guint upper,
    const HeddleNode *like)
{
  HeddleNode *node = heddle_node_new (kind);
  Moves *moves = &tree->moves[depth];

  node->buffer = buffer;
  node->upper = upper;
  node->operation = like->operation;
  node->column = like->column;
  g_ptr_array_add ((kind == HEDDLE_NODE_LOAD ? moves->loads : moves->saves)[segment], node);
}

static HeddleNode *
last_move (const Tree *tree, HeddleNodeKind kind, HeddleSegment segment, guint depth)
{
  const Moves *moves = &tree->moves[depth];
  GPtrArray *list = (kind == HEDDLE_NODE_LOAD ? moves->loads : moves->saves)[segment];

  return g_ptr_array_index (list, list->len - 1);
}

/* Returns the known buffer of the level above: what a residency puts at a level goes through the same buffer
 * there each time. */
static guint
known_upper (const Tree *tree, guint home, guint depth)
{
  gpointer known = g_hash_table_lookup (tree->uppers[depth], GUINT_TO_POINTER (home + 1));

  return known != NULL ? GPOINTER_TO_UINT (known) - 1 : HEDDLE_NO_BUFFER;
}

/* Moves a transfer of the innermost level through each level above, up to the one where it is stored or read
 * again from. The name of the array in global memory, the part of a state and the place of a read belong to
 * the first level's transfer. */
static void
lift (Tree *tree, HeddleNode *node, HeddleSegment segment)
{
  HeddleBufferRole role = node->kind == HEDDLE_NODE_LOAD ? HEDDLE_BUFFER_OPERAND : HEDDLE_BUFFER_RESULT;
  const HeddleMoved *moved = g_hash_table_lookup (tree->builder->moved, node);
  guint home = moved != NULL ? moved->home : node->buffer;
  HeddleNode *below = node;

  for (guint depth = tree->n - 1; depth-- > 0;)
    {
      gboolean there = moved != NULL && (int) depth <= moved->depth;
      guint known = there ? known_upper (tree, home, depth) : HEDDLE_NO_BUFFER;
      guint buffer = known != HEDDLE_NO_BUFFER
                         ? known
                         : heddle_builder_add_upper_buffer (tree->builder, below->buffer, depth, role);

      below->upper = buffer;
      if (known != HEDDLE_NO_BUFFER)
        break;
      ((HeddleBuffer *) g_ptr_array_index (tree->builder->program->buffers, buffer))->again
          = moved != NULL && !there && node->kind == HEDDLE_NODE_LOAD;
      if (moved == NULL || there)
        g_hash_table_insert (tree->uppers[depth], GUINT_TO_POINTER (home + 1), GUINT_TO_POINTER (buffer + 1));
      if (there && node->kind == HEDDLE_NODE_SAVE)
        break;
      if (there && moved->segment >= 0)
        segment = (HeddleSegment) moved->segment;
      add_move (tree, node->kind, segment, depth, buffer, HEDDLE_GLOBAL, node);
      below = last_move (tree, node->kind, segment, depth);
    }
  if (below == node)
    return;
  below->partial = node->partial;
  below->at = g_steal_pointer (&node->at);
  node->partial = NULL;
}

static void
lift_all (Tree *tree, GPtrArray *list, HeddleSegment segment)
{
  for (guint i = 0; i < list->len; i++)
    {
      HeddleNode *node = g_ptr_array_index (list, i);

      if (node->kind == HEDDLE_NODE_LOAD || node->kind == HEDDLE_NODE_SAVE)
        lift (tree, node, segment);
    }
}

/* --- the tree ---------------------------------------------------------------------------------- */

static void
add_statements (const Tree *tree, HeddleNode *band, HeddleSegment segment)
{
  HeddleBuilder *builder = tree->builder;

  if (segment == HEDDLE_SEGMENT_BEFORE)
    {
      move_nodes (band, builder->before);
      move_nodes (band, builder->inits);
    }
  else
    move_nodes (band, segment == HEDDLE_SEGMENT_STEP ? builder->step : builder->after);
}

static gboolean
is_empty (const Tree *tree, HeddleSegment segment)
{
  const HeddleBuilder *builder = tree->builder;

  for (guint depth = 0; depth < tree->n; depth++)
    if (tree->moves[depth].loads[segment]->len > 0 || tree->moves[depth].saves[segment]->len > 0)
      return FALSE;
  if (segment == HEDDLE_SEGMENT_BEFORE)
    return builder->before->len == 0 && builder->inits->len == 0;
  return (segment == HEDDLE_SEGMENT_STEP ? builder->step : builder->after)->len == 0;
}

/* Guards the groups of a level: tiles within a stream that a mask leaves nothing of are skipped, at each
 * level by its own groups. */
static void
guard_groups (const Tree *tree, HeddleNode *innermost, guint depth)
{
  const GArray *groups = heddle_tiling_at (tree->builder->tiling, depth)->groups;
  g_autoptr (HeddleExpr) guard = groups->len > 0 ? new_guard (tree->builder) : NULL;
  gboolean depends = FALSE;

  for (guint i = 0; guard != NULL && i < groups->len; i++)
    depends = depends || heddle_guard_uses (guard, g_array_index (groups, HeddleTile, i).axis);
  if (depends)
    innermost->guard = g_steal_pointer (&guard);
}

/* Adds one segment of a level and of those below it, within a stream of one above. */
static void
add_segment (const Tree *tree, HeddleNode *parent, guint depth, HeddleSegment segment)
{
  const Moves *moves = &tree->moves[depth];

  if (is_empty (tree, segment))
    return;
  parent = add_groups (tree, parent, depth);
  if (segment == HEDDLE_SEGMENT_STEP && heddle_tiling_at (tree->builder->tiling, depth)->stream != NULL)
    parent = add_stream (tree, parent, depth);
  else if (segment == HEDDLE_SEGMENT_STEP)
    guard_groups (tree, parent, depth);
  if (depth + 1 == tree->n)
    {
      add_statements (tree, parent, segment);
      return;
    }
  move_nodes (parent, moves->loads[segment]);
  add_segment (tree, parent, depth + 1, segment);
  move_nodes (parent, moves->saves[segment]);
}

static void
add_inner (const Tree *tree, HeddleNode *parent, guint depth, HeddleSegment segment)
{
  if (depth + 1 == tree->n)
    add_statements (tree, parent, segment);
  else
    add_segment (tree, parent, depth + 1, segment);
}

static void
add_level (const Tree *tree, HeddleNode *parent, guint depth)
{
  const Moves *moves = &tree->moves[depth];
  gboolean streams = heddle_tiling_at (tree->builder->tiling, depth)->stream != NULL;

  parent = add_groups (tree, parent, depth);
  if (!streams && depth + 1 < tree->n)
    {
      for (HeddleSegment i = 0; i < HEDDLE_N_SEGMENTS; i++)
        move_nodes (parent, moves->loads[i]);
      add_level (tree, parent, depth + 1);
      for (HeddleSegment i = 0; i < HEDDLE_N_SEGMENTS; i++)
        move_nodes (parent, moves->saves[i]);
      return;
    }
  for (HeddleSegment i = 0; i < HEDDLE_N_SEGMENTS; i++)
    {
      HeddleNode *band = streams && i == HEDDLE_SEGMENT_STEP ? add_stream (tree, parent, depth) : parent;

      move_nodes (band, moves->loads[i]);
      add_inner (tree, band, depth, i);
      move_nodes (band, moves->saves[i]);
    }
}

void
heddle_builder_assemble (HeddleBuilder *builder)
{
  Tree tree = { builder, heddle_tiling_n_levels (builder->tiling) };

  g_assert (tree.n <= HEDDLE_MAX_LEVELS);
  for (guint i = 0; i < tree.n; i++)
    for (HeddleSegment k = 0; k < HEDDLE_N_SEGMENTS; k++)
      {
        tree.moves[i].loads[k] = g_ptr_array_new ();
        tree.moves[i].saves[k] = g_ptr_array_new ();
      }
  for (guint i = 0; i < tree.n; i++)
    tree.uppers[i] = g_hash_table_new (NULL, NULL);
  lift_all (&tree, builder->before, HEDDLE_SEGMENT_BEFORE);
  lift_all (&tree, builder->step, HEDDLE_SEGMENT_STEP);
  lift_all (&tree, builder->after, HEDDLE_SEGMENT_AFTER);
  builder->program->root = new_band (HEDDLE_BAND_PROGRAM, NULL, 0, 0);
  add_level (&tree, builder->program->root, 0);
  for (guint i = 0; i < tree.n; i++)
    g_hash_table_unref (tree.uppers[i]);
  for (guint i = 0; i < tree.n; i++)
    for (HeddleSegment k = 0; k < HEDDLE_N_SEGMENTS; k++)
      {
        g_ptr_array_unref (tree.moves[i].loads[k]);
        g_ptr_array_unref (tree.moves[i].saves[k]);
      }
}
