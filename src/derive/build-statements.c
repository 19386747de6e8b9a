/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/build-private.h"

typedef struct
{
  const HeddleBuilder *builder;
  HeddleNode *node;
  const HeddleDefinition *definition; /* that it works out */
} Rewrite;

/* The number of the source that is @buffer read at @indices (NULL: at the point). */
guint
heddle_node_add_source (HeddleNode *node, guint buffer, GPtrArray *indices)
{
  for (guint i = 0; i < node->sources->len; i++)
    if (g_array_index (node->sources, guint, i) == buffer
        && g_ptr_array_index (node->source_indices, i) == indices)
      return i;
  g_array_append_val (node->sources, buffer);
  g_ptr_array_add (node->source_indices, indices != NULL ? g_ptr_array_ref (indices) : NULL);
  return node->sources->len - 1;
}

/* A reduction leaves out what is read outside an array, so it reads a reindexed value where that reads. */
static HeddleExpr *
rewrite_leaf (const HeddleExpr *leaf, gpointer data)
{
  Rewrite *rewrite = data;
  GPtrArray *indices = rewrite->definition->indices;
  const HeddleDefinition *read;
  guint operand, buffer;

  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_ARGUMENT)
    return NULL;
  operand = heddle_expr_get_operand (leaf);
  read = heddle_builder_get (rewrite->builder, operand);
  if (rewrite->definition->reduces && read->indices != NULL)
    {
      indices = read->indices;
      operand = heddle_expr_get_operand (read->body);
    }
  buffer = rewrite->builder->buffers[operand];
  g_assert (buffer != HEDDLE_NO_BUFFER);
  return heddle_expr_argument (heddle_node_add_source (rewrite->node, buffer, indices));
}

/* buffer = body, where body is over definitions. */
HeddleNode *
heddle_builder_add_compute (
    const HeddleBuilder *builder, GPtrArray *list, guint i, guint buffer, HeddleExpr *body)
{
  const HeddleDefinition *definition = heddle_builder_get (builder, i);
  HeddleNode *node = heddle_node_new (HEDDLE_NODE_COMPUTE);
  Rewrite rewrite = { builder, node, definition };

  node->buffer = buffer;
  node->operation = definition->operation;
  node->column = definition->column;
  node->body = heddle_expr_substitute (body, rewrite_leaf, &rewrite);
  g_ptr_array_add (list, node);
  return node;
}

/* --- loads ------------------------------------------------------------------------------------ */

/* The first statement of the list that reads @buffer; -1: none. */
static int
first_reader (const GPtrArray *list, guint buffer)
{
  for (guint i = 0; i < list->len; i++)
    {
      const HeddleNode *node = g_ptr_array_index (list, i);

      for (guint k = 0; k < node->sources->len; k++)
        if (g_array_index (node->sources, guint, k) == buffer)
          return (int) i;
    }
  return -1;
}

static HeddleNode *
new_load (guint buffer, guint column)
{
  HeddleNode *load = heddle_node_new (HEDDLE_NODE_LOAD);

  load->buffer = buffer;
  load->column = column;
  return load;
}

/* In the column before the one that first reads it. */
static void
load_before_reader (GPtrArray *list, guint buffer, int reader)
{
  const HeddleNode *node = g_ptr_array_index (list, (guint) reader);

  g_ptr_array_insert (list, reader, new_load (buffer, node->column > 0 ? node->column - 1 : 0));
}

/* A chunk is loaded at the beginning of its step; what is held through the loop, just before it; all else when it is first read. */
void
heddle_builder_add_loads (HeddleBuilder *builder)
{
  gint chunks = 0, held = (gint) builder->before->len;

  for (guint i = 0; i < builder->region->definitions->len; i++)
    {
      guint buffer = builder->buffers[i];
      int reader;

      if (!builder->needed[i] || !heddle_builder_get (builder, i)->input)
        continue;
      if (heddle_builder_streaming (builder, i)->phase == HEDDLE_PHASE_STEP)
        g_ptr_array_insert (builder->step, chunks++, new_load (buffer, 0));
      else if ((reader = first_reader (builder->before, buffer)) >= 0)
        {
          load_before_reader (builder->before, buffer, reader);
          held++;
        }
      else if (first_reader (builder->step, buffer) >= 0)
        g_ptr_array_insert (builder->before, held++, new_load (buffer, 0));
      else if ((reader = first_reader (builder->after, buffer)) >= 0)
        load_before_reader (builder->after, buffer, reader);
    }
}
