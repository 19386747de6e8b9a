/* SPDX-License-Identifier: MIT */
#include "derive/program/build-statements.h"
#include "derive/program/builder.h"
#include "derive/program/loop-node.h"
#include "derive/region/definition.h"
#include "derive/region/region.h"
#include "derive/stream/stream.h"
#include "diagram/expression/tree.h"

typedef struct
{
  const HeddleBuilder *builder;
  HeddleNode *node;
  const HeddleDefinition *definition; /* the definition that it computes */
  gboolean at_point; /* whatever the definition's indices: they are what is rewritten */
} Rewrite;

/* Returns the number of the source that is @buffer read at @indices (NULL: at the point). */
guint
heddle_node_add_source (HeddleNode *node, guint buffer, GPtrArray *indices)
{
  for (guint i = 0; i < node->sources->len; i++)
    if (g_array_index (node->sources, guint, i) == buffer
        && g_ptr_array_index (node->source_indices, i) == indices)
      return i;
  if (node->sources->len == 0)
    heddle_node_own_sources (node);
  g_array_append_val (node->sources, buffer);
  g_ptr_array_add (node->source_indices, indices != NULL ? g_ptr_array_ref (indices) : NULL);
  return node->sources->len - 1;
}

static HeddleExpr *rewrite_leaf (const HeddleExpr *leaf, gpointer data);

/* Returns indices over definitions as indices over the statement's sources. */
static GPtrArray *
rewrite_indices (Rewrite *rewrite, const GPtrArray *indices)
{
  GPtrArray *rewritten = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);

  Rewrite at_point = { rewrite->builder, rewrite->node, rewrite->definition, TRUE };

  for (guint i = 0; i < indices->len; i++)
    g_ptr_array_add (
        rewritten, heddle_expr_substitute (g_ptr_array_index (indices, i), rewrite_leaf, &at_point));
  return rewritten;
}

/* Returns the number of the source that @definition reads. */
static guint
add_read (Rewrite *rewrite, guint buffer, const HeddleDefinition *definition)
{
  g_autoptr (GPtrArray) indices = NULL;

  if (!heddle_definition_gathers (definition))
    return heddle_node_add_source (rewrite->node, buffer, definition->indices);
  indices = rewrite_indices (rewrite, definition->indices);
  return heddle_node_add_source (rewrite->node, buffer, indices);
}

/* Replaces a leaf by its source. A reduction leaves out what is read outside an array, so it reads a
 * reindexed value where that reads. */
static HeddleExpr *
rewrite_leaf (const HeddleExpr *leaf, gpointer data)
{
  Rewrite *rewrite = data;
  const HeddleDefinition *read, *reader = rewrite->definition;
  guint operand, buffer;

  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_ARGUMENT)
    return NULL;
  operand = heddle_expr_get_operand (leaf);
  read = heddle_builder_get (rewrite->builder, operand);
  if (!rewrite->at_point && rewrite->definition->reduces && read->indices != NULL)
    {
      reader = read;
      operand = heddle_expr_get_operand (read->body);
    }
  buffer = rewrite->builder->buffers[operand];
  g_assert (buffer != HEDDLE_NO_BUFFER);
  return heddle_expr_argument (rewrite->at_point ? heddle_node_add_source (rewrite->node, buffer, NULL)
                                                 : add_read (rewrite, buffer, reader));
}

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

void
heddle_builder_set_extra (const HeddleBuilder *builder, HeddleNode *node, guint i)
{
  const HeddleDefinition *definition = heddle_builder_get (builder, i);
  Rewrite rewrite = { builder, node, definition };

  node->form = definition->form;
  node->along = definition->along;
  if (definition->extra != NULL)
    node->extra = heddle_expr_substitute (definition->extra, rewrite_leaf, &rewrite);
}

/* --- loads ------------------------------------------------------------------------------------ */

/* Returns the first statement of the list that reads @buffer; -1 if there is none. */
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

void
heddle_builder_add_gather (const HeddleBuilder *builder, GPtrArray *list, guint i)
{
  const HeddleDefinition *definition = heddle_builder_get (builder, i);
  HeddleNode *load = new_load (builder->buffers[i], definition->column);
  Rewrite rewrite = { builder, load, definition };

  load->at = rewrite_indices (&rewrite, definition->at);
  g_ptr_array_add (list, load);
}

/* Adds a load in the column before the one that first reads it. */
static void
load_before_reader (GPtrArray *list, guint buffer, int reader)
{
  const HeddleNode *node = g_ptr_array_index (list, (guint) reader);

  g_ptr_array_insert (list, reader, new_load (buffer, node->column > 0 ? node->column - 1 : 0));
}

/* Adds the loads: a chunk is loaded at the beginning of its step, what is held through the loop just before
 * it, and everything else when it is first read. */
void
heddle_builder_add_loads (HeddleBuilder *builder)
{
  gint chunks = 0, held = (gint) builder->before->len;

  for (guint i = 0; i < builder->region->definitions->len; i++)
    {
      guint buffer = builder->buffers[i];
      int reader;

      if (!builder->needed[i] || !heddle_builder_get (builder, i)->input
          || heddle_builder_get (builder, i)->at != NULL)
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
