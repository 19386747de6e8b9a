/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"
#include "files/base/files.h"
#include "files/onnx/context.h"
#include "files/onnx/flow.h"
#include "files/onnx/import-nodes.h"
#include "files/onnx/onnx.h"
#include "files/onnx/sketch.h"
#include "files/onnx/table.h"
#include "files/onnx/tensor.h"

/* This file runs the nodes of a graph in order. Each is understood by its row of the table, or is the call of
 * a function of the model, or is kept as a box. A graph within a node, and a function where it is called, are
 * run in the same way. */

/* The limits of running graphs within nodes: of nodes, of flows that are copied from around them, and of what
 * may be known there. */
#define MOST_RUN 20000
#define MOST_COPIED 1000000
#define MOST_AROUND 8000
#define DEEPEST_CALLS 16

static gboolean run_nodes (Importer *self, const HeddleOnnxGraph *graph, GError **error);

/* --- graphs within nodes ------------------------------------------------------------------------------ */

static void
take_given (Importer *self, const HeddleOnnxGraph *graph, const HeddleFlow *given, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const HeddleOnnxInfo *info = g_ptr_array_index (graph->inputs, i);

      g_hash_table_replace (
          self->import.flows, g_strdup (info->name), g_memdup2 (&given[i], sizeof given[i]));
    }
  for (guint i = 0; i < graph->initializers->len; i++)
    heddle_importer_add_initializer (self, g_ptr_array_index (graph->initializers, i));
}

static HeddleFlow *
take_results (Importer *self, const HeddleOnnxGraph *graph)
{
  g_autofree HeddleFlow *results = g_new0 (HeddleFlow, graph->outputs->len + 1);

  for (guint i = 0; i < graph->outputs->len; i++)
    {
      const HeddleOnnxInfo *info = g_ptr_array_index (graph->outputs, i);
      const HeddleFlow *flow = g_hash_table_lookup (self->import.flows, info->name);

      if (flow == NULL)
        {
          heddle_import_refuse (&self->import, _ ("nothing makes the output “%s”"), info->name);
          return NULL;
        }
      results[i] = *flow;
    }
  return g_steal_pointer (&results);
}

/* Copies the flows. Names within a graph hide nothing of what is around it: what is defined there goes into a
 * copy. */
static GHashTable *
copy_flows (GHashTable *flows)
{
  GHashTable *copy = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer name, flow;

  g_hash_table_iter_init (&iter, flows);
  while (g_hash_table_iter_next (&iter, &name, &flow))
    g_hash_table_insert (copy, g_strdup (name), g_memdup2 (flow, sizeof (HeddleFlow)));
  return copy;
}

/* Returns whether running it once more stays within bounds, and counts the run. */
static gboolean
may_run (Importer *self, const HeddleOnnxGraph *graph, guint n_given)
{
  const guint n_flows = g_hash_table_size (self->import.flows);

  self->import.n_run += graph->nodes->len + 1;
  self->n_copied += n_flows;
  if (graph->inputs->len != n_given)
    return heddle_import_refuse (&self->import, _ ("its graph does not fit its inputs"));
  if (self->import.n_run > MOST_RUN || self->n_copied > MOST_COPIED || n_flows > MOST_AROUND)
    return heddle_import_refuse (&self->import, _ ("what is within comes to too much"));
  return TRUE;
}

/* Runs a graph in the current flows. */
static HeddleFlow *
run_within (Importer *self, const HeddleOnnxGraph *graph, const HeddleFlow *given, guint n)
{
  g_autoptr (GError) error = NULL;

  take_given (self, graph, given, n);
  heddle_importer_note_infos (self, graph->infos);
  heddle_importer_note_infos (self, graph->outputs);
  if (run_nodes (self, graph, &error))
    return take_results (self, graph);
  heddle_import_refuse (&self->import, "%s", error->message);
  return NULL;
}

/* Runs a graph in which @flows is all that is known, and restores what was known before. */
static HeddleFlow *
run_apart (Importer *self, const HeddleOnnxGraph *graph, const HeddleFlow *given, guint n, GHashTable *flows,
    gboolean again)
{
  const HeddleOnnxNode *node = self->import.node;
  const HeddleOnnxReport before = *self->report;
  const guint n_opaque = self->report->opaque->len;
  GHashTable *around = self->import.flows;
  HeddleFlow *results;

  self->import.flows = flows;
  results = run_within (self, graph, given, n);
  self->import.flows = around;
  self->import.node = node;
  if (again || results == NULL)
    {
      self->report->n_operators = before.n_operators;
      self->report->n_understood = before.n_understood;
      g_ptr_array_set_size (self->report->opaque, (int) n_opaque);
    }
  return results;
}

/* Runs a graph within the current node, for operators. */
static HeddleFlow *
run_for_operator (
    HeddleImport *import, const HeddleOnnxGraph *graph, const HeddleFlow *given, guint n, gboolean again)
{
  Importer *self = (Importer *) import; /* which begins with it */
  g_autoptr (GHashTable) flows = NULL;

  if (!may_run (self, graph, n))
    return NULL;
  flows = copy_flows (import->flows);
  return run_apart (self, graph, given, n, flows, again);
}

/* --- functions of the model ------------------------------------------------------------------------------ */

/* Returns a node within a function with its attributes resolved, which may be those of the call. @made frees
 * what is made. */
static HeddleOnnxNode
resolve (const Importer *self, const HeddleOnnxNode *node, GPtrArray *made)
{
  HeddleOnnxNode resolved = *node;

  resolved.attributes = g_ptr_array_new ();
  for (guint i = 0; i < node->attributes->len; i++)
    {
      const HeddleOnnxAttribute *attribute = g_ptr_array_index (node->attributes, i), *given;
      HeddleOnnxAttribute *copy;

      if (attribute->ref == NULL)
        g_ptr_array_add (resolved.attributes, (gpointer) attribute);
      if (attribute->ref == NULL || (given = heddle_onnx_node_attribute (self->call, attribute->ref)) == NULL)
        continue;
      copy = g_memdup2 (given, sizeof *given);
      copy->name = attribute->name;
      g_ptr_array_add (made, copy);
      g_ptr_array_add (resolved.attributes, copy);
    }
  return resolved;
}

/* Runs the nodes of a function in place of its call: they read what the call is given. */
static gboolean
call_function (Importer *self, const HeddleOnnxGraph *function)
{
  const HeddleOnnxNode *around = self->call;
  g_autoptr (GHashTable) flows = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autofree HeddleFlow *given = g_new0 (HeddleFlow, function->inputs->len + 1);
  g_autofree HeddleFlow *results = NULL;

  if (self->depth >= DEEPEST_CALLS)
    return heddle_import_refuse (
        &self->import, _ ("functions call one another more than %d deep"), DEEPEST_CALLS);
  for (guint i = 0; i < function->inputs->len; i++)
    {
      const HeddleFlow *flow = heddle_import_input (&self->import, i);

      if (flow == NULL)
        return heddle_import_refuse (&self->import, _ ("an input is missing"));
      given[i] = *flow;
    }
  if (!may_run (self, function, function->inputs->len))
    return FALSE;
  self->call = self->import.node;
  self->depth++;
  results = run_apart (self, function, given, function->inputs->len, flows, FALSE);
  self->depth--;
  self->call = around;
  for (guint i = 0; results != NULL && i < MIN (function->outputs->len, self->import.node->outputs->len); i++)
    heddle_import_give (&self->import, i, &results[i]);
  return results != NULL;
}

/* --- nodes -------------------------------------------------------------------------------------------- */

static gboolean
inputs_are_typed (Importer *self)
{
  for (guint i = 0; i < self->import.node->inputs->len; i++)
    {
      const HeddleFlow *flow = heddle_import_input (&self->import, i);

      if (flow != NULL && (flow->untyped || heddle_onnx_dtype (flow->type) == HEDDLE_DTYPE_UNSET))
        return heddle_import_refuse (&self->import,
            flow->untyped ? _ ("nothing is known of the shape of “%s”")
                          : _ ("“%s” is not an array of numbers"),
            (const char *) g_ptr_array_index (self->import.node->inputs, i));
    }
  return TRUE;
}

/* Returns whether all outputs can be used: one without elements must have known numbers, such as an empty
 * list of axes. */
static gboolean
outputs_are_good (Importer *self)
{
  for (guint i = 0; i < self->import.node->outputs->len; i++)
    {
      const char *name = g_ptr_array_index (self->import.node->outputs, i);
      const HeddleFlow *flow = *name != '\0' ? g_hash_table_lookup (self->import.flows, name) : NULL;

      if (*name != '\0' && flow == NULL)
        return heddle_import_refuse (&self->import, _ ("output %u"), i);
      if (flow != NULL && !heddle_importer_has_good_sizes (flow)
          && !(heddle_flow_count (flow) == 0 && heddle_sketch_is_known (self->import.sketch, flow->value)))
        return heddle_import_refuse (&self->import, _ ("an array without elements, or too large"));
    }
  return TRUE;
}

/* Runs the operator; refuses it where it would compute with an array without elements, such as the place of the
 * largest of none. */
static gboolean
run_row (Importer *self, const HeddleOnnxOperator *row)
{
  const guint n_empty = heddle_sketch_count_empty (self->import.sketch);

  return row->run (&self->import, row)
         && (heddle_sketch_count_empty (self->import.sketch) == n_empty
             || heddle_import_refuse (&self->import, _ ("an array without elements")));
}

static gboolean
understand (Importer *self)
{
  const HeddleOnnxNode *node = self->import.node;
  const HeddleOnnxOperator *row = NULL;
  g_autofree char *key = g_strdup_printf ("%s/%s", node->domain, node->op);
  const HeddleOnnxGraph *function;

  if (*node->domain == '\0')
    row = heddle_onnx_operator_find (node->op, self->import.opset);
  function = row == NULL ? g_hash_table_lookup (self->import.model->functions, key) : NULL;
  if (function != NULL)
    return inputs_are_typed (self) && call_function (self, function) && outputs_are_good (self);
  if (row == NULL)
    return heddle_import_refuse (&self->import, _ ("no such operator is known"));
  return inputs_are_typed (self) && run_row (self, row) && outputs_are_good (self);
}

/* Adds a box for what is not understood; its results have the types that the model gives. */
static void
add_box (Importer *self)
{
  const HeddleOnnxNode *node = self->import.node;
  g_autoptr (GArray) operands = g_array_new (FALSE, FALSE, sizeof (int));
  g_autoptr (GArray) results = g_array_new (FALSE, FALSE, sizeof (int));
  g_autofree char *likeness = heddle_onnx_node_likeness (node);

  for (guint i = 0; i < node->inputs->len; i++)
    {
      const HeddleFlow *flow = heddle_import_input (&self->import, i);

      if (flow != NULL && heddle_flow_count (flow) > 0)
        g_array_append_val (operands, flow->value);
    }
  for (guint i = 0; i < node->outputs->len; i++)
    {
      const char *name = g_ptr_array_index (node->outputs, i);
      HeddleFlow flow;

      if (*name == '\0')
        continue;
      heddle_importer_read_info (self, g_hash_table_lookup (self->import.infos, name), &flow);
      if (!heddle_importer_has_good_sizes (&flow))
        flow = (HeddleFlow){ .untyped = TRUE };
      heddle_importer_store (self, &flow, HEDDLE_ROLE_INTERMEDIATE, name);
      g_array_append_val (results, flow.value);
    }
  if (results->len > 0)
    heddle_sketch_box (self->import.sketch, *node->op != '\0' ? node->op : "unknown", likeness,
        (const int *) operands->data, operands->len, (const int *) results->data, results->len);
}

static void
note_opaque (Importer *self)
{
  const HeddleOnnxNode *node = self->import.node;
  HeddleOnnxOpaque *opaque = g_new0 (HeddleOnnxOpaque, 1);

  opaque->node = g_strdup (*node->name != '\0'      ? node->name
                           : node->outputs->len > 0 ? g_ptr_array_index (node->outputs, 0)
                                                    : "");
  opaque->op = *node->domain != '\0' ? g_strconcat (node->domain, ".", node->op, NULL) : g_strdup (node->op);
  opaque->why = g_steal_pointer (&self->import.why);
  g_ptr_array_add (self->report->opaque, opaque);
}

static gboolean
fail_at (const HeddleOnnxNode *node, GError **error, const char *message, const char *name)
{
  g_set_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_FORMAT, _ ("byte %zu: node “%s” (%s): %s “%s”"),
      node->place, node->name, node->op, message, name);
  return FALSE;
}

/* Checks that a node comes after those that it reads from: what reads something else is wrong, or part of a
 * cycle. */
static gboolean
check_node (Importer *self, GError **error)
{
  const HeddleOnnxNode *node = self->import.node;

  for (guint i = 0; i < node->inputs->len; i++)
    {
      const char *name = g_ptr_array_index (node->inputs, i);

      if (*name != '\0' && !g_hash_table_contains (self->import.flows, name))
        return fail_at (node, error, _ ("nothing before it makes"), name);
    }
  for (guint i = 0; i < node->outputs->len; i++)
    {
      const char *name = g_ptr_array_index (node->outputs, i);

      if (*name != '\0' && g_hash_table_contains (self->import.flows, name))
        return fail_at (node, error, _ ("something else already makes"), name);
    }
  return TRUE;
}

/* Enters the module of a node, which is its name without the last part, as in
 * "/layers.0/attention/MatMul". */
static void
enter_module (Importer *self, const char *name)
{
  const char *start = *name == '/' ? name + 1 : name, *slash = strrchr (start, '/');
  g_autofree char *path = slash != NULL && slash > start ? g_strndup (start, (gsize) (slash - start)) : NULL;

  heddle_sketch_set_module (self->import.sketch, path);
}

static gboolean
run_node (Importer *self, const HeddleOnnxNode *node, GError **error)
{
  self->import.node = node;
  if (!check_node (self, error))
    return FALSE;
  self->report->n_operators++;
  enter_module (self, self->call != NULL ? self->call->name : node->name);
  heddle_sketch_set_source (self->import.sketch, node->source);
  if (understand (self))
    self->report->n_understood++;
  else
    {
      note_opaque (self);
      add_box (self);
    }
  return TRUE;
}

static gboolean
run_resolved (Importer *self, const HeddleOnnxNode *node, GError **error)
{
  g_autoptr (GPtrArray) made = g_ptr_array_new_with_free_func (g_free);
  HeddleOnnxNode resolved = resolve (self, node, made);
  gboolean good = run_node (self, &resolved, error);

  g_ptr_array_unref (resolved.attributes);
  return good;
}

static gboolean
run_nodes (Importer *self, const HeddleOnnxGraph *graph, GError **error)
{
  for (guint i = 0; i < graph->nodes->len; i++)
    {
      const HeddleOnnxNode *node = g_ptr_array_index (graph->nodes, i);

      if (!(self->call != NULL ? run_resolved (self, node, error) : run_node (self, node, error)))
        return FALSE;
    }
  return TRUE;
}

gboolean
heddle_importer_run (Importer *self, const HeddleOnnxGraph *graph, GError **error)
{
  self->import.run = run_for_operator;
  return run_nodes (self, graph, error);
}
