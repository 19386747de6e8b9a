/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "files/base/files.h"
#include "files/onnx/model.h"
#include "files/onnx/names.h"
#include "files/onnx/safetensors.h"
#include "files/onnx/tensor.h"
#include "files/onnx/weights.h"

/* Adds the tensors of a graph, and of graphs within its nodes; the first of a name counts. */
static void
add_tensors (GHashTable *tensors, const HeddleOnnxGraph *graph)
{
  for (guint i = 0; i < graph->initializers->len; i++)
    {
      HeddleOnnxTensor *tensor = g_ptr_array_index (graph->initializers, i);

      if (!g_hash_table_contains (tensors, tensor->name))
        g_hash_table_insert (tensors, tensor->name, tensor);
    }
  for (guint i = 0; i < graph->nodes->len; i++)
    {
      const HeddleOnnxNode *node = g_ptr_array_index (graph->nodes, i);
      const HeddleOnnxAttribute *value = heddle_onnx_node_attribute (node, "value");

      if (g_str_equal (node->op, "Constant") && value != NULL && value->tensor != NULL
          && node->outputs->len > 0 && !g_hash_table_contains (tensors, g_ptr_array_index (node->outputs, 0)))
        g_hash_table_insert (tensors, g_ptr_array_index (node->outputs, 0), value->tensor);
      for (guint j = 0; j < node->attributes->len; j++)
        if (((HeddleOnnxAttribute *) g_ptr_array_index (node->attributes, j))->graph != NULL)
          add_tensors (tensors, ((HeddleOnnxAttribute *) g_ptr_array_index (node->attributes, j))->graph);
    }
}

/* Returns the arrays of a model by name: initialisers, and what nodes of type Constant make. */
static GHashTable *
list_tensors (const HeddleOnnxModel *model)
{
  GHashTable *tensors = g_hash_table_new (g_str_hash, g_str_equal);
  GHashTableIter iter;
  gpointer function;

  add_tensors (tensors, model->graph);
  g_hash_table_iter_init (&iter, model->functions);
  while (g_hash_table_iter_next (&iter, NULL, &function))
    add_tensors (tensors, function);
  return tensors;
}

/* Returns the array of @raw; NULL if there is none, with @error set if it exists and cannot be read. */
typedef HeddleArray *(*ReadArray) (gpointer from, const char *raw, GError **error);

typedef struct
{
  HeddleOnnxModel *model;
  GHashTable *tensors;
} Source;

static HeddleArray *
read_of_model (gpointer from, const char *raw, GError **error)
{
  const Source *self = from;
  const HeddleOnnxTensor *tensor = g_hash_table_lookup (self->tensors, raw);

  return tensor != NULL ? heddle_onnx_tensor_read (tensor, self->model->folder, error) : NULL;
}

static HeddleArray *
read_of_safetensors (gpointer from, const char *raw, GError **error)
{
  return heddle_safetensors_contain (from, raw) ? heddle_safetensors_read (from, raw, error) : NULL;
}

/* Returns the parts as one array; the leading axes of @value distinguish them. */
static HeddleArray *
stack_of (const HeddleDiagram *diagram, const HeddleValue *value, GPtrArray *parts, GError **error)
{
  const HeddleArray *first = g_ptr_array_index (parts, 0);
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (diagram, NULL, error);
  g_autofree gint64 *shape = g_new0 (gint64, value->axes->len + 1);
  HeddleArray *all;
  gint64 count = 1;
  guint leading = value->axes->len - MIN (first->n_dims, value->axes->len);

  if (sizes == NULL)
    return NULL;
  for (guint i = 0; i < value->axes->len; i++)
    {
      shape[i] = i < leading ? heddle_sizes_get (sizes, heddle_ids_index (value->axes, i))
                             : first->shape[i - leading];
      count *= i < leading ? shape[i] : 1;
    }
  for (guint i = 0; i < parts->len; i++)
    if (((HeddleArray *) g_ptr_array_index (parts, i))->n_elements != first->n_elements
        || count != parts->len)
      {
        g_set_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_FORMAT,
            _ ("the arrays that %s is made of do not fit together"), value->name);
        return NULL;
      }
  all = heddle_array_new (first->dtype, value->axes->len, shape, error);
  for (guint i = 0; all != NULL && i < parts->len; i++)
    memcpy (all->data + i * first->n_elements, ((HeddleArray *) g_ptr_array_index (parts, i))->data,
        (gsize) first->n_elements * sizeof *all->data);
  return all;
}

/* Returns the array of a value: one of the model, or those of repeated modules as one. */
static HeddleArray *
read_value (
    const HeddleDiagram *diagram, const HeddleValue *value, ReadArray read, gpointer from, GError **error)
{
  g_autofree char *raw = heddle_onnx_raw_name (value);
  g_autoptr (GPtrArray) names = heddle_onnx_raw_parts (value);
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_array_unref);

  if (names->len < 2)
    return read (from, raw, error);
  for (guint i = 0; i < names->len; i++)
    {
      HeddleArray *part = read (from, g_ptr_array_index (names, i), error);

      if (part == NULL)
        return NULL;
      g_ptr_array_add (parts, part);
    }
  return stack_of (diagram, value, parts, error);
}

/* Reads the parameters that are not given yet. */
static gboolean
fill (const HeddleDiagram *diagram, GHashTable *inputs, ReadArray read, gpointer from, GError **error)
{
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);
      GError *failure = NULL;
      HeddleArray *array;

      if (value->role != HEDDLE_ROLE_PARAMETER || g_hash_table_contains (inputs, value->name))
        continue;
      array = read_value (diagram, value, read, from, &failure);
      if (array != NULL)
        g_hash_table_insert (inputs, g_strdup (value->name), array);
      if (failure != NULL)
        {
          g_propagate_error (error, failure);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
fill_from_safetensors (const char *path, const HeddleDiagram *diagram, GHashTable *inputs, GError **error)
{
  g_autoptr (HeddleSafetensors) file = heddle_safetensors_load (path, error);

  return file != NULL && fill (diagram, inputs, read_of_safetensors, file, error);
}

/**
 * heddle_onnx_fill_parameters:
 * @path: a model, or a file `.safetensors`
 * @diagram: what was made of it, taken apart or not
 * @inputs: (element-type utf8 HeddleArray): name of a value -> array, freeing both; those that @path has are added
 * @error: return location for the errors of heddle_onnx_import ()
 *
 * Returns: whether all that was looked for could be read
 */
gboolean
heddle_onnx_fill_parameters (
    const char *path, const HeddleDiagram *diagram, GHashTable *inputs, GError **error)
{
  g_autoptr (HeddleOnnxModel) model = NULL;
  g_autoptr (GHashTable) tensors = NULL;
  Source source;

  if (g_str_has_suffix (path, ".safetensors"))
    return fill_from_safetensors (path, diagram, inputs, error);
  model = heddle_onnx_model_load (path, error);
  if (model == NULL)
    return FALSE;
  tensors = list_tensors (model);
  source = (Source){ model, tensors };
  return fill (diagram, inputs, read_of_model, &source, error);
}
