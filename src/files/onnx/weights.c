/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "files/files.h"
#include "files/onnx/model.h"
#include "files/onnx/onnx.h"
#include "files/onnx/safetensors.h"

/* The arrays of a model by name: initialisers, and what nodes of type Constant make. */
static GHashTable *
list_tensors (const HeddleOnnxModel *model)
{
  GHashTable *tensors = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < model->graph->initializers->len; i++)
    {
      HeddleOnnxTensor *tensor = g_ptr_array_index (model->graph->initializers, i);

      g_hash_table_insert (tensors, tensor->name, tensor);
    }
  for (guint i = 0; i < model->graph->nodes->len; i++)
    {
      const HeddleOnnxNode *node = g_ptr_array_index (model->graph->nodes, i);
      const HeddleOnnxAttribute *value = heddle_onnx_node_attribute (node, "value");

      if (g_str_equal (node->op, "Constant") && value != NULL && value->tensor != NULL
          && node->outputs->len > 0)
        g_hash_table_insert (tensors, g_ptr_array_index (node->outputs, 0), value->tensor);
    }
  return tensors;
}

/* The parameter that is called so and not given yet; or NULL. */
static const HeddleValue *
find_parameter (const HeddleDiagram *diagram, const char *raw, GHashTable *inputs)
{
  const HeddleValue *value = heddle_onnx_find_value (diagram, raw);

  return value != NULL && value->role == HEDDLE_ROLE_PARAMETER && !g_hash_table_contains (inputs, value->name)
             ? value
             : NULL;
}

static gboolean
fill_from_safetensors (const char *path, const HeddleDiagram *diagram, GHashTable *inputs, GError **error)
{
  g_autoptr (HeddleSafetensors) file = heddle_safetensors_load (path, error);
  g_autoptr (GList) names = file != NULL ? heddle_safetensors_get_names (file) : NULL;

  for (GList *name = names; name != NULL; name = name->next)
    {
      const HeddleValue *value = find_parameter (diagram, name->data, inputs);
      HeddleArray *array;

      if (value == NULL)
        continue;
      array = heddle_safetensors_read (file, name->data, error);
      if (array == NULL)
        return FALSE;
      g_hash_table_insert (inputs, g_strdup (value->name), array);
    }
  return file != NULL;
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
  GHashTableIter iter;
  gpointer raw, tensor;

  if (g_str_has_suffix (path, ".safetensors"))
    return fill_from_safetensors (path, diagram, inputs, error);
  model = heddle_onnx_model_load (path, error);
  if (model == NULL)
    return FALSE;
  tensors = list_tensors (model);
  g_hash_table_iter_init (&iter, tensors);
  while (g_hash_table_iter_next (&iter, &raw, &tensor))
    {
      const HeddleValue *value = heddle_onnx_find_value (diagram, raw);
      HeddleArray *array;

      if (value == NULL || value->role != HEDDLE_ROLE_PARAMETER
          || g_hash_table_contains (inputs, value->name))
        continue;
      array = heddle_onnx_tensor_read (tensor, model->folder, error);
      if (array == NULL)
        return FALSE;
      g_hash_table_insert (inputs, g_strdup (value->name), array);
    }
  return TRUE;
}
