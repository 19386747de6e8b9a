/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "diagram/base/array.h"
#include "diagram/graph/diagram.h"
#include "files/base/files.h"
#include "files/onnx/context.h"
#include "files/onnx/flow.h"
#include "files/onnx/import-nodes.h"
#include "files/onnx/import.h"
#include "files/onnx/importer.h"
#include "files/onnx/model.h"
#include "files/onnx/sketch-emit.h"
#include "files/onnx/sketch.h"

/* --- what there is before any node -------------------------------------------------------------- */

static gboolean
add_known (Importer *self, const HeddleOnnxInfo *info, HeddleArray *numbers)
{
  HeddleFlow flow = heddle_import_known (&self->import, numbers, info->type);

  g_hash_table_replace (self->import.flows, g_strdup (info->name), g_memdup2 (&flow, sizeof flow));
  return TRUE;
}

/* Adds an input without elements: all of its numbers are known. */
static gboolean
add_empty (Importer *self, const HeddleOnnxInfo *info, const HeddleFlow *flow)
{
  const HeddleFlow empty = heddle_import_empty (&self->import, flow);

  g_hash_table_replace (self->import.flows, g_strdup (info->name), g_memdup2 (&empty, sizeof empty));
  return TRUE;
}

static gboolean
add_input (Importer *self, const HeddleOnnxInfo *info, GError **error)
{
  HeddleArray *constant
      = self->import.constants != NULL ? g_hash_table_lookup (self->import.constants, info->name) : NULL;
  HeddleFlow flow;

  if (g_hash_table_contains (self->import.flows, info->name))
    return TRUE;
  heddle_importer_read_info (self, info, &flow);
  if (constant != NULL)
    return add_known (self, info, constant);
  if (heddle_flow_count (&flow) == 0)
    return add_empty (self, info, &flow);
  if (!heddle_importer_has_good_sizes (&flow))
    {
      g_set_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_FORMAT,
          _ ("input “%s”: a size is below 1 or too large"), info->name);
      return FALSE;
    }
  heddle_importer_store (self, &flow, HEDDLE_ROLE_INPUT, info->name);
  return TRUE;
}

static gboolean
begin (Importer *self, const HeddleOnnxGraph *graph, GError **error)
{
  heddle_importer_note_infos (self, graph->infos);
  heddle_importer_note_infos (self, graph->outputs);
  heddle_importer_note_infos (self, graph->inputs);
  for (guint i = 0; i < graph->initializers->len; i++)
    heddle_importer_add_initializer (self, g_ptr_array_index (graph->initializers, i));
  for (guint i = 0; i < graph->inputs->len; i++)
    if (!add_input (self, g_ptr_array_index (graph->inputs, i), error))
      return FALSE;
  return TRUE;
}

/* --- the end ------------------------------------------------------------------------------------------- */

/* Returns whether an output before number @n has its name. */
static gboolean
is_named_before (const HeddleOnnxGraph *graph, guint n)
{
  for (guint i = 0; i < n; i++)
    if (g_str_equal (((const HeddleOnnxInfo *) g_ptr_array_index (graph->outputs, i))->name,
            ((const HeddleOnnxInfo *) g_ptr_array_index (graph->outputs, n))->name))
      return TRUE;
  return FALSE;
}

/* Gives each output a value of its own, called as the model calls it. */
static gboolean
finish_output (Importer *self, const HeddleOnnxInfo *info, GArray *outputs, GError **error)
{
  const HeddleFlow *made = g_hash_table_lookup (self->import.flows, info->name);
  HeddleFlow flow;

  if (made == NULL)
    {
      g_set_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_FORMAT, _ ("nothing makes the output “%s”"),
          info->name);
      return FALSE;
    }
  if (!heddle_importer_has_good_sizes (made))
    return TRUE;
  flow = *made;
  if (!heddle_flow_is_plain (self->import.sketch, &flow, info->name))
    heddle_flow_store (self->import.sketch, &flow);
  heddle_sketch_set_name (self->import.sketch, flow.value, info->name);
  g_array_append_val (outputs, flow.value);
  return TRUE;
}

static HeddleSnapshot *
run (Importer *self, GError **error)
{
  const HeddleOnnxGraph *graph = self->import.model->graph;
  g_autoptr (GArray) outputs = g_array_new (FALSE, FALSE, sizeof (int));

  if (!begin (self, graph, error) || !heddle_importer_run (self, graph, error))
    return NULL;
  for (guint i = 0; i < graph->outputs->len; i++)
    if (!is_named_before (graph, i)
        && !finish_output (self, g_ptr_array_index (graph->outputs, i), outputs, error))
      return NULL;
  return heddle_sketch_finish (self->import.sketch,
      graph->name != NULL && *graph->name != '\0' ? graph->name : "model", outputs, error);
}

static void
free_opaque (HeddleOnnxOpaque *self)
{
  g_free (self->node);
  g_free (self->op);
  g_free (self->why);
  g_free (self);
}

static void
report_wanted (Importer *self)
{
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (self->import.wants), (GCompareFunc) strcmp);

  for (GList *name = names; name != NULL; name = name->next)
    g_ptr_array_add (self->report->wanted, g_strdup (name->data));
}

void
heddle_onnx_report_clear (HeddleOnnxReport *self)
{
  g_clear_pointer (&self->opaque, g_ptr_array_unref);
  g_clear_pointer (&self->wanted, g_ptr_array_unref);
  g_clear_pointer (&self->assumed, g_ptr_array_unref);
  g_clear_pointer (&self->unused, g_ptr_array_unref);
}

/* Reports sizes that were given and that the model does not leave open. */
static void
report_unused (Importer *self)
{
  g_autoptr (GList) names = self->sizes != NULL ? g_hash_table_get_keys (self->sizes) : NULL;

  names = g_list_sort (names, (GCompareFunc) strcmp);
  for (GList *name = names; name != NULL; name = name->next)
    if (!g_hash_table_contains (self->open, name->data))
      g_ptr_array_add (self->report->unused, g_strdup (name->data));
}

static gint64
opset_of (const HeddleOnnxModel *model)
{
  const gint64 *version = g_hash_table_lookup (model->opsets, "");

  return version != NULL ? *version : 1;
}

gboolean
heddle_onnx_is (const char *path)
{
  return g_str_has_suffix (path, ".onnx");
}

/**
 * heddle_onnx_import:
 * @path: a model
 * @constants: (nullable) (element-type utf8 HeddleArray): inputs that are known, by name
 * @sizes: (nullable) (element-type utf8 gint64): sizes that the model leaves open, by name
 * @unrolled: whether layers that are alike stay one by one, each with parameters of its own
 * @report: what was understood; to be cleared
 * @error: return location for errors of files, %HEDDLE_FILES_ERROR_FORMAT and _LIMIT, with the place and the node
 *
 * Returns: (transfer full): the document; the arrays of numbers are parameters without values
 */
HeddleSnapshot *
heddle_onnx_import (const char *path, GHashTable *constants, GHashTable *sizes, gboolean unrolled,
    HeddleOnnxReport *report, GError **error)
{
  g_autoptr (HeddleOnnxModel) model = NULL;
  g_autoptr (HeddleSketch) sketch = heddle_sketch_new ();
  g_autoptr (GHashTable) flows = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable) infos = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) wants = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) named = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) open = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Importer self = { .sizes = sizes, .named_axes = named, .open = open, .report = report };
  HeddleSnapshot *snapshot;

  g_return_val_if_fail (path != NULL && report != NULL, NULL);
  *report = (HeddleOnnxReport){ .opaque = g_ptr_array_new_with_free_func ((GDestroyNotify) free_opaque),
    .wanted = g_ptr_array_new_with_free_func (g_free),
    .assumed = g_ptr_array_new_with_free_func (g_free),
    .unused = g_ptr_array_new_with_free_func (g_free) };
  model = heddle_onnx_model_load (path, error);
  if (model == NULL)
    return NULL;
  self.import = (HeddleImport){ .model = model,
    .sketch = sketch,
    .flows = flows,
    .constants = constants,
    .infos = infos,
    .wants = wants,
    .opset = opset_of (model) };
  if (unrolled)
    heddle_sketch_keep_unrolled (sketch);
  snapshot = run (&self, error);
  report_wanted (&self);
  report_unused (&self);
  g_free (self.import.why);
  return snapshot;
}
