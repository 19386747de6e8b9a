/* SPDX-License-Identifier: MIT */
#include "derive/program/loop-node.h"
#include "diagram/expression/expr.h"

/* The empty arrays that nodes share. Most nodes have most of them empty: arrays of their own would be a fifth
 * of the derivation of a large diagram. Nothing is ever added to the shared ones. */
static struct
{
  GPtrArray *pointers;
  GArray *numbers, *ids;
} none;

static void
make_none (void)
{
  static gsize made = 0;

  if (!g_once_init_enter (&made))
    return;
  none.pointers = g_ptr_array_new ();
  none.numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  none.ids = heddle_ids_new ();
  g_once_init_leave (&made, 1);
}

HeddleNode *
heddle_node_new (HeddleNodeKind kind)
{
  HeddleNode *self = g_new0 (HeddleNode, 1);

  make_none ();
  self->kind = kind;
  self->children = kind == HEDDLE_NODE_BAND
                       ? g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_node_free)
                       : g_ptr_array_ref (none.pointers);
  self->sources = g_array_ref (none.numbers);
  self->source_indices = g_ptr_array_ref (none.pointers);
  self->over = g_array_ref (none.ids);
  self->upper = HEDDLE_GLOBAL;
  self->second = HEDDLE_NO_BUFFER;
  return self;
}

void
heddle_node_own_sources (HeddleNode *self)
{
  g_array_unref (self->sources);
  g_ptr_array_unref (self->source_indices);
  self->sources = g_array_new (FALSE, FALSE, sizeof (guint));
  self->source_indices = g_ptr_array_new ();
}

static void
unref_indices (gpointer indices, gpointer data)
{
  if (indices != NULL)
    g_ptr_array_unref (indices);
}

void
heddle_node_free (HeddleNode *self)
{
  g_ptr_array_unref (self->children);
  g_clear_pointer (&self->guard, heddle_expr_unref);
  g_clear_pointer (&self->body, heddle_expr_unref);
  g_clear_pointer (&self->rescale, heddle_expr_unref);
  g_clear_pointer (&self->extra, heddle_expr_unref);
  g_clear_pointer (&self->at, g_ptr_array_unref);
  g_array_unref (self->sources);
  g_ptr_array_foreach (self->source_indices, unref_indices, NULL);
  g_ptr_array_unref (self->source_indices);
  g_array_unref (self->over);
  g_free (self);
}
