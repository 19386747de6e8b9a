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
#include "files/onnx/import-within.h"
#include "files/onnx/import.h"
#include "files/onnx/importer.h"
#include "files/onnx/model.h"
#include "files/onnx/onnx.h"
#include "files/onnx/sketch.h"
#include "files/onnx/table.h"
#include "files/onnx/tensor.h"

/* The nodes of a graph, each understood by its row of the table or kept as a box. */

static gboolean
inputs_are_typed (Importer *self)
{
  for (guint i = 0; i < self->import.node->inputs->len; i++)
    {
      const HeddleFlow *flow = heddle_import_input (&self->import, i);

      if (flow != NULL && (flow->untyped || heddle_onnx_dtype (flow->type) == HEDDLE_DTYPE_UNSET))
        return heddle_import_refuse (&self->import,
            flow->untyped ? _ ("nothing is known of the shape of “%s”") : _ ("“%s” is no array of numbers"),
            (const char *) g_ptr_array_index (self->import.node->inputs, i));
    }
  return TRUE;
}

/* An output without elements may only be one whose numbers are known, such as an empty list of axes. */
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
    return inputs_are_typed (self) && heddle_importer_call (self, function) && outputs_are_good (self);
  if (row == NULL)
    return heddle_import_refuse (&self->import, _ ("no such operator is known"));
  return inputs_are_typed (self) && row->run (&self->import, row) && outputs_are_good (self);
}

/* What is not understood is a box whose results have the types that the model gives. */
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

void
heddle_opaque_free (HeddleOnnxOpaque *self)
{
  g_free (self->node);
  g_free (self->op);
  g_free (self->why);
  g_free (self);
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

/* Nodes come after those they read from: what reads something else is wrong, or part of a cycle. */
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

/* "/layers.0/attention/MatMul": all but the last part. */
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
  HeddleOnnxNode resolved = heddle_importer_resolve (self, node, made);
  gboolean good = run_node (self, &resolved, error);

  g_ptr_array_unref (resolved.attributes);
  return good;
}

gboolean
heddle_importer_run_nodes (Importer *self, const HeddleOnnxGraph *graph, GError **error)
{
  for (guint i = 0; i < graph->nodes->len; i++)
    {
      const HeddleOnnxNode *node = g_ptr_array_index (graph->nodes, i);

      if (!(self->call != NULL ? run_resolved (self, node, error) : run_node (self, node, error)))
        return FALSE;
    }
  return TRUE;
}
