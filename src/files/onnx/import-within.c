/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "files/onnx/context.h"
#include "files/onnx/flow.h"
#include "files/onnx/import-nodes.h"
#include "files/onnx/import-within.h"
#include "files/onnx/import.h"
#include "files/onnx/importer.h"
#include "files/onnx/model.h"
#include "files/onnx/onnx.h"

/* Graphs within nodes, and functions of the model: their nodes are run where they are called. */

/* What running them may come to, in nodes, and in what is known around them; and what may be known there. */
#define MOST_RUN 20000
#define MOST_COPIED 1000000
#define MOST_AROUND 8000
#define DEEPEST_CALLS 16

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

/* Names within hide nothing of what is around. */
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

/* Whether running it once more stays within bounds; it is counted. */
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

/* In the flows at hand. */
static HeddleFlow *
run_within (Importer *self, const HeddleOnnxGraph *graph, const HeddleFlow *given, guint n)
{
  g_autoptr (GError) error = NULL;

  take_given (self, graph, given, n);
  heddle_importer_note_infos (self, graph->infos);
  heddle_importer_note_infos (self, graph->outputs);
  if (heddle_importer_run_nodes (self, graph, &error))
    return take_results (self, graph);
  heddle_import_refuse (&self->import, "%s", error->message);
  return NULL;
}

/* Runs it where @flows is all that is known, and then is back where it was. */
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

HeddleFlow *
heddle_import_run (
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

/* Within a function, attributes may be those of its call. Frees what it makes by @made. */
HeddleOnnxNode
heddle_importer_resolve (const Importer *self, const HeddleOnnxNode *node, GPtrArray *made)
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

/* Its nodes in the place of the call: what they read is what it is given. */
gboolean
heddle_importer_call (Importer *self, const HeddleOnnxGraph *function)
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
