/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "files/base/files.h"
#include "files/base/open.h"
#include "files/onnx/info.h"
#include "files/onnx/model-private.h"
#include "files/onnx/model.h"
#include "files/onnx/node.h"
#include "files/onnx/tensor.h"
#include "files/onnx/wire.h"

gboolean
heddle_onnx_count (
    HeddleOnnxReading *self, const HeddleWire *wire, const HeddleWireField *field, GError **error)
{
  if (++self->n_objects <= HEDDLE_ONNX_MAX_OBJECTS)
    return TRUE;
  return heddle_wire_fail (wire, field->place, HEDDLE_FILES_ERROR_LIMIT, error,
      _ ("the model has more than %d parts"), HEDDLE_ONNX_MAX_OBJECTS);
}

/* --- graphs ----------------------------------------------------------------------------- */

void
heddle_onnx_graph_free (HeddleOnnxGraph *self)
{
  g_free (self->name);
  g_ptr_array_unref (self->nodes);
  g_ptr_array_unref (self->initializers);
  g_ptr_array_unref (self->inputs);
  g_ptr_array_unref (self->outputs);
  g_ptr_array_unref (self->infos);
  g_free (self);
}

static HeddleOnnxGraph *
graph_new (void)
{
  HeddleOnnxGraph *self = g_new0 (HeddleOnnxGraph, 1);

  self->nodes = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_onnx_node_free);
  self->initializers = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_onnx_tensor_free);
  self->inputs = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_onnx_info_free);
  self->outputs = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_onnx_info_free);
  self->infos = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_onnx_info_free);
  return self;
}

static gboolean
add (GPtrArray *list, gpointer object)
{
  if (object != NULL)
    g_ptr_array_add (list, object);
  return object != NULL;
}

static gboolean
read_graph_field (HeddleOnnxGraph *self, HeddleOnnxReading *reading, const HeddleWire *wire,
    const HeddleWireField *field, GError **error)
{
  HeddleWire inner;

  if (field->number == 2)
    {
      g_free (self->name);
      self->name = heddle_wire_text (wire, field, error);
      return self->name != NULL;
    }
  self->n_sparse += field->number == 15;
  if (field->number != 1 && field->number != 5 && (field->number < 11 || field->number > 13))
    return TRUE;
  if (!heddle_onnx_count (reading, wire, field, error) || !heddle_wire_enter (wire, field, &inner, error))
    return FALSE;
  if (field->number == 1)
    return add (
        self->nodes, heddle_onnx_node_parse (reading, &inner, (gsize) (field->place - wire->start), error));
  if (field->number == 5)
    return add (self->initializers, heddle_onnx_tensor_parse (&inner, error));
  return add (field->number == 11   ? self->inputs
              : field->number == 12 ? self->outputs
                                    : self->infos,
      heddle_onnx_info_parse (reading, &inner, error));
}

HeddleOnnxGraph *
heddle_onnx_graph_parse (HeddleOnnxReading *reading, const HeddleWire *message, GError **error)
{
  g_autoptr (HeddleOnnxGraph) self = graph_new ();
  HeddleWire wire = *message;
  HeddleWireField field;
  GError *failure = NULL;

  while (heddle_wire_next (&wire, &field, &failure))
    if (!read_graph_field (self, reading, &wire, &field, error))
      return NULL;
  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return NULL;
    }
  return g_steal_pointer (&self);
}

/* --- models ----------------------------------------------------------------------------- */

void
heddle_onnx_model_free (HeddleOnnxModel *self)
{
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_clear_pointer (&self->graph, heddle_onnx_graph_free);
  g_hash_table_unref (self->opsets);
  g_hash_table_unref (self->functions);
  g_free (self->folder);
  g_free (self);
}

static gboolean
read_opset (HeddleOnnxModel *self, const HeddleWire *message, GError **error)
{
  g_autofree char *domain = g_strdup ("");
  gint64 version = 0;
  HeddleWire wire = *message;
  HeddleWireField field;
  GError *failure = NULL;

  while (heddle_wire_next (&wire, &field, &failure))
    {
      if (field.number == 2 && field.type == HEDDLE_WIRE_VARINT)
        version = (gint64) field.value;
      if (field.number != 1)
        continue;
      g_free (domain);
      domain = heddle_wire_text (&wire, &field, error);
      if (domain == NULL)
        return FALSE;
    }
  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  if (g_str_equal (domain, "ai.onnx"))
    *domain = '\0';
  g_hash_table_replace (self->opsets, g_steal_pointer (&domain), g_memdup2 (&version, sizeof version));
  return TRUE;
}

/* --- functions --------------------------------------------------------------------------- */

static gboolean
read_formal (GPtrArray *list, const HeddleWire *wire, const HeddleWireField *field, GError **error)
{
  HeddleOnnxInfo *info = g_new0 (HeddleOnnxInfo, 1);

  g_ptr_array_add (list, info);
  info->name = heddle_wire_text (wire, field, error);
  return info->name != NULL;
}

static gboolean
read_function_field (HeddleOnnxGraph *self, char **domain, HeddleOnnxReading *reading, const HeddleWire *wire,
    const HeddleWireField *field, GError **error)
{
  char **text = field->number == 1 ? &self->name : domain;
  HeddleWire inner;

  switch (field->number)
    {
    case 1:
    case 10:
      g_free (*text);
      *text = heddle_wire_text (wire, field, error);
      return *text != NULL;
    case 4:
    case 5:
      return heddle_onnx_count (reading, wire, field, error)
             && read_formal (field->number == 4 ? self->inputs : self->outputs, wire, field, error);
    case 7:
      return heddle_onnx_count (reading, wire, field, error) && heddle_wire_enter (wire, field, &inner, error)
             && add (self->nodes,
                 heddle_onnx_node_parse (reading, &inner, (gsize) (field->place - wire->start), error));
    default:
      return TRUE;
    }
}

static gboolean
read_function (HeddleOnnxModel *self, HeddleOnnxReading *reading, const HeddleWire *message, GError **error)
{
  g_autoptr (HeddleOnnxGraph) function = graph_new ();
  g_autofree char *domain = NULL;
  HeddleWire wire = *message;
  HeddleWireField field;
  GError *failure = NULL;
  char *key;

  while (heddle_wire_next (&wire, &field, &failure))
    if (!read_function_field (function, &domain, reading, &wire, &field, error))
      return FALSE;
  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  key = g_strdup_printf ("%s/%s", domain != NULL ? domain : "", function->name != NULL ? function->name : "");
  g_hash_table_replace (self->functions, key, g_steal_pointer (&function));
  return TRUE;
}

static gboolean
read_model_field (HeddleOnnxModel *self, HeddleOnnxReading *reading, const HeddleWire *wire,
    const HeddleWireField *field, GError **error)
{
  HeddleWire inner;

  if (field->number == 1 && field->type == HEDDLE_WIRE_VARINT)
    self->ir_version = (gint64) field->value;
  if (field->number != 7 && field->number != 8 && field->number != 25)
    return TRUE;
  if (!heddle_onnx_count (reading, wire, field, error) || !heddle_wire_enter (wire, field, &inner, error))
    return FALSE;
  if (field->number == 8)
    return read_opset (self, &inner, error);
  if (field->number == 25)
    return read_function (self, reading, &inner, error);
  if (self->graph != NULL)
    return heddle_wire_fail (
        wire, field->place, HEDDLE_FILES_ERROR_FORMAT, error, _ ("the model has two graphs"));
  self->graph = heddle_onnx_graph_parse (reading, &inner, error);
  return self->graph != NULL;
}

/**
 * heddle_onnx_model_parse:
 * @bytes: a ModelProto
 * @folder: (nullable): where external data may lie
 * @error: return location for %HEDDLE_FILES_ERROR_FORMAT or _LIMIT, with the place in bytes
 *
 * Returns: (transfer full): the model, whose arrays of numbers are still in @bytes
 */
HeddleOnnxModel *
heddle_onnx_model_parse (GBytes *bytes, const char *folder, GError **error)
{
  g_autoptr (HeddleOnnxModel) self = g_new0 (HeddleOnnxModel, 1);
  HeddleOnnxReading reading = { 0 };
  GError *failure = NULL;
  HeddleWireField field;
  HeddleWire wire;
  gsize length;
  const guint8 *data;

  g_return_val_if_fail (bytes != NULL, NULL);
  data = g_bytes_get_data (bytes, &length);
  self->bytes = g_bytes_ref (bytes);
  self->folder = g_strdup (folder);
  self->opsets = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->functions
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_onnx_graph_free);
  heddle_wire_init (&wire, data, length);
  while (heddle_wire_next (&wire, &field, &failure))
    if (!read_model_field (self, &reading, &wire, &field, error))
      return NULL;
  if (failure != NULL)
    g_propagate_error (error, failure);
  else if (self->graph == NULL)
    heddle_wire_fail (&wire, wire.end, HEDDLE_FILES_ERROR_FORMAT, error,
        _ ("the file ends without a graph: no model of ONNX"));
  else
    return g_steal_pointer (&self);
  return NULL;
}

HeddleOnnxModel *
heddle_onnx_model_load (const char *path, GError **error)
{
  g_autoptr (GMappedFile) file = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *folder = NULL;

  g_return_val_if_fail (path != NULL, NULL);
  file = heddle_file_map (path, error);
  if (file == NULL)
    return NULL;
  bytes = g_mapped_file_get_bytes (file);
  folder = g_path_get_dirname (path);
  return heddle_onnx_model_parse (bytes, folder, error);
}
