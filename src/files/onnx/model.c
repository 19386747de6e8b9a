/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "files/base/files.h"
#include "files/base/open.h"
#include "files/onnx/model.h"
#include "files/onnx/tensor.h"

/* Counts one more part. FALSE means that there are too many, with @error set. */
static gboolean
onnx_count (HeddleOnnxReading *self, const HeddleWire *wire, const HeddleWireField *field, GError **error)
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

static HeddleOnnxNode *onnx_node_parse (
    HeddleOnnxReading *reading, const HeddleWire *message, gsize place, GError **error);
static HeddleOnnxInfo *onnx_info_parse (
    HeddleOnnxReading *reading, const HeddleWire *message, GError **error);

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
  if (!onnx_count (reading, wire, field, error) || !heddle_wire_enter (wire, field, &inner, error))
    return FALSE;
  if (field->number == 1)
    return add (self->nodes, onnx_node_parse (reading, &inner, (gsize) (field->place - wire->start), error));
  if (field->number == 5)
    return add (self->initializers, heddle_onnx_tensor_parse (&inner, error));
  return add (field->number == 11   ? self->inputs
              : field->number == 12 ? self->outputs
                                    : self->infos,
      onnx_info_parse (reading, &inner, error));
}

/* Reads a GraphProto (transfer full); NULL means that @error is set. */
static HeddleOnnxGraph *
onnx_graph_parse (HeddleOnnxReading *reading, const HeddleWire *message, GError **error)
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
      return onnx_count (reading, wire, field, error)
             && read_formal (field->number == 4 ? self->inputs : self->outputs, wire, field, error);
    case 7:
      return onnx_count (reading, wire, field, error) && heddle_wire_enter (wire, field, &inner, error)
             && add (
                 self->nodes, onnx_node_parse (reading, &inner, (gsize) (field->place - wire->start), error));
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
  if (!onnx_count (reading, wire, field, error) || !heddle_wire_enter (wire, field, &inner, error))
    return FALSE;
  if (field->number == 8)
    return read_opset (self, &inner, error);
  if (field->number == 25)
    return read_function (self, reading, &inner, error);
  if (self->graph != NULL)
    return heddle_wire_fail (
        wire, field->place, HEDDLE_FILES_ERROR_FORMAT, error, _ ("the model has two graphs"));
  self->graph = onnx_graph_parse (reading, &inner, error);
  return self->graph != NULL;
}

/* Reads a ModelProto (transfer full), which keeps a reference to @bytes; @folder may hold external data, or
 * is NULL. NULL means that @error is HEDDLE_FILES_ERROR_FORMAT or _LIMIT. */
static HeddleOnnxModel *
onnx_model_parse (GBytes *bytes, const char *folder, GError **error)
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
  return onnx_model_parse (bytes, folder, error);
}

/* This part reads a ValueInfoProto: the name and the type of a value. */

static void
dim_clear (HeddleOnnxDim *self)
{
  g_free (self->name);
}

void
heddle_onnx_info_free (HeddleOnnxInfo *self)
{
  g_free (self->name);
  g_clear_pointer (&self->dims, g_array_unref);
  g_free (self);
}

/* Reads one field of a message. */
typedef gboolean (*ReadField) (HeddleOnnxInfo *self, HeddleOnnxReading *reading, const HeddleWire *wire,
    const HeddleWireField *field, GError **error);

static gboolean
read_message (HeddleOnnxInfo *self, HeddleOnnxReading *reading, const HeddleWire *outer,
    const HeddleWireField *outer_field, ReadField read, GError **error)
{
  HeddleWire wire;
  HeddleWireField field;
  GError *failure = NULL;

  if (!heddle_wire_enter (outer, outer_field, &wire, error))
    return FALSE;
  while (failure == NULL && heddle_wire_next (&wire, &field, &failure))
    read (self, reading, &wire, &field, &failure);
  if (failure != NULL)
    g_propagate_error (error, failure);
  return failure == NULL;
}

static gboolean
read_dim (HeddleOnnxInfo *self, HeddleOnnxReading *reading, const HeddleWire *wire,
    const HeddleWireField *field, GError **error)
{
  HeddleOnnxDim *dim = &g_array_index (self->dims, HeddleOnnxDim, self->dims->len - 1);

  if (field->number == 1)
    {
      dim->size = (gint64) field->value;
      return heddle_wire_expect (wire, field, HEDDLE_WIRE_VARINT, error);
    }
  if (field->number != 2)
    return TRUE;
  g_free (dim->name);
  dim->name = heddle_wire_text (wire, field, error);
  return dim->name != NULL;
}

static gboolean
read_shape (HeddleOnnxInfo *self, HeddleOnnxReading *reading, const HeddleWire *wire,
    const HeddleWireField *field, GError **error)
{
  HeddleOnnxDim dim = { NULL, -1 };

  if (field->number != 1)
    return TRUE;
  if (self->dims->len == HEDDLE_ONNX_MAX_RANK)
    return heddle_wire_fail (wire, field->place, HEDDLE_FILES_ERROR_LIMIT, error,
        _ ("an array has more than %d dimensions"), HEDDLE_ONNX_MAX_RANK);
  if (!onnx_count (reading, wire, field, error))
    return FALSE;
  g_array_append_val (self->dims, dim);
  return read_message (self, reading, wire, field, read_dim, error);
}

static gboolean
read_array (HeddleOnnxInfo *self, HeddleOnnxReading *reading, const HeddleWire *wire,
    const HeddleWireField *field, GError **error)
{
  if (field->number == 1)
    {
      self->type = (int) MIN (field->value, G_MAXINT);
      return heddle_wire_expect (wire, field, HEDDLE_WIRE_VARINT, error);
    }
  if (field->number != 2)
    return TRUE;
  g_clear_pointer (&self->dims, g_array_unref);
  self->dims = g_array_new (FALSE, FALSE, sizeof (HeddleOnnxDim));
  g_array_set_clear_func (self->dims, (GDestroyNotify) dim_clear);
  return read_message (self, reading, wire, field, read_shape, error);
}

static gboolean
read_type (HeddleOnnxInfo *self, HeddleOnnxReading *reading, const HeddleWire *wire,
    const HeddleWireField *field, GError **error)
{
  static const char *const others[]
      = { [4] = "sequence", [5] = "map", [8] = "sparse array", [9] = "optional" };

  if (field->number == 1)
    return read_message (self, reading, wire, field, read_array, error);
  if (field->number < G_N_ELEMENTS (others) && others[field->number] != NULL)
    self->other = others[field->number];
  return TRUE;
}

/* Reads a ValueInfoProto (transfer full); NULL means that @error is set. */
static HeddleOnnxInfo *
onnx_info_parse (HeddleOnnxReading *reading, const HeddleWire *message, GError **error)
{
  g_autoptr (HeddleOnnxInfo) self = g_new0 (HeddleOnnxInfo, 1);
  HeddleWire wire = *message;
  HeddleWireField field;
  GError *failure = NULL;

  while (failure == NULL && heddle_wire_next (&wire, &field, &failure))
    if (field.number == 1)
      {
        g_free (self->name);
        self->name = heddle_wire_text (&wire, &field, &failure);
      }
    else if (field.number == 2)
      read_message (self, reading, &wire, &field, read_type, &failure);
  if (failure != NULL)
    {
      if (self->name != NULL)
        g_prefix_error (&failure, _ ("value “%s”: "), self->name);
      g_propagate_error (error, failure);
      return NULL;
    }
  if (self->name == NULL)
    self->name = g_strdup ("");
  return g_steal_pointer (&self);
}

#define LONGEST_LINE 160

/* --- attributes --------------------------------------------------------------------------- */

static void
attribute_free (HeddleOnnxAttribute *self)
{
  g_free (self->name);
  g_free (self->ref);
  g_free (self->s);
  g_clear_pointer (&self->tensor, heddle_onnx_tensor_free);
  g_clear_pointer (&self->graph, heddle_onnx_graph_free);
  g_array_unref (self->floats);
  g_array_unref (self->ints);
  g_ptr_array_unref (self->strings);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleOnnxAttribute, attribute_free)

static HeddleOnnxAttribute *
attribute_new (void)
{
  HeddleOnnxAttribute *self = g_new0 (HeddleOnnxAttribute, 1);

  self->floats = g_array_new (FALSE, FALSE, sizeof (double));
  self->ints = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->strings = g_ptr_array_new_with_free_func (g_free);
  return self;
}

static double
float_of (guint64 value)
{
  guint32 bits = (guint32) value;
  float number;

  memcpy (&number, &bits, sizeof number);
  return heddle_onnx_as_written (number);
}

static gboolean
read_numbers (HeddleOnnxAttribute *self, const HeddleWire *wire, const HeddleWireField *field, GError **error)
{
  gboolean floats = field->number == 7;
  GError *failure = NULL;
  guint64 value;

  for (gsize at = 0; heddle_wire_next_number (
           wire, field, floats ? HEDDLE_WIRE_FIXED32 : HEDDLE_WIRE_VARINT, &at, &value, &failure);)
    if (floats)
      {
        double number = float_of (value);
        g_array_append_val (self->floats, number);
      }
    else
      g_array_append_val (self->ints, value);
  if (failure != NULL)
    g_propagate_error (error, failure);
  return failure == NULL;
}

/* Reads a text; one that is no text, such as an image, is skipped. */
static char *
read_bytes_as_text (const HeddleWire *wire, const HeddleWireField *field)
{
  return heddle_wire_text (wire, field, NULL);
}

static gboolean
read_part (HeddleOnnxAttribute *self, HeddleOnnxReading *reading, const HeddleWire *wire,
    const HeddleWireField *field, GError **error)
{
  HeddleWire inner;

  if (!heddle_wire_enter (wire, field, &inner, error))
    return FALSE;
  if (field->number == 5 && self->tensor == NULL)
    return (self->tensor = heddle_onnx_tensor_parse (&inner, error)) != NULL;
  if (field->number == 6 && self->graph == NULL)
    return (self->graph = onnx_graph_parse (reading, &inner, error)) != NULL;
  return heddle_wire_fail (
      wire, field->place, HEDDLE_FILES_ERROR_FORMAT, error, _ ("an attribute has two values"));
}

static gboolean
read_attribute_field (HeddleOnnxAttribute *self, HeddleOnnxReading *reading, const HeddleWire *wire,
    const HeddleWireField *field, GError **error)
{
  switch (field->number)
    {
    case 1:
      g_free (self->name);
      self->name = heddle_wire_text (wire, field, error);
      return self->name != NULL;
    case 2:
      self->f = float_of (field->value);
      return heddle_wire_expect (wire, field, HEDDLE_WIRE_FIXED32, error);
    case 3:
      self->i = (gint64) field->value;
      return heddle_wire_expect (wire, field, HEDDLE_WIRE_VARINT, error);
    case 4:
      g_free (self->s);
      self->s = read_bytes_as_text (wire, field);
      return TRUE;
    case 5:
    case 6:
      return read_part (self, reading, wire, field, error);
    case 7:
    case 8:
      return read_numbers (self, wire, field, error);
    case 9:
      if (!onnx_count (reading, wire, field, error))
        return FALSE;
      g_ptr_array_add (self->strings, read_bytes_as_text (wire, field));
      return TRUE;
    case 21:
      g_free (self->ref);
      self->ref = heddle_wire_text (wire, field, error);
      return self->ref != NULL;
    case 20:
      self->type = (int) field->value;
      return TRUE;
    default:
      return TRUE;
    }
}

static HeddleOnnxAttribute *
attribute_parse (HeddleOnnxReading *reading, const HeddleWire *message, GError **error)
{
  g_autoptr (HeddleOnnxAttribute) self = attribute_new ();
  HeddleWire wire = *message;
  HeddleWireField field;
  GError *failure = NULL;

  self->data = wire.at;
  self->length = (gsize) (wire.end - wire.at);
  while (heddle_wire_next (&wire, &field, &failure))
    if (!read_attribute_field (self, reading, &wire, &field, error))
      return NULL;
  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return NULL;
    }
  if (self->name == NULL)
    self->name = g_strdup ("");
  return g_steal_pointer (&self);
}

/* --- nodes ---------------------------------------------------------------------------------- */

void
heddle_onnx_node_free (HeddleOnnxNode *self)
{
  g_free (self->name);
  g_free (self->op);
  g_free (self->domain);
  g_free (self->source);
  g_ptr_array_unref (self->inputs);
  g_ptr_array_unref (self->outputs);
  g_ptr_array_unref (self->attributes);
  g_free (self);
}

static HeddleOnnxNode *
node_new (gsize place)
{
  HeddleOnnxNode *self = g_new0 (HeddleOnnxNode, 1);

  self->name = g_strdup ("");
  self->op = g_strdup ("");
  self->domain = g_strdup ("");
  self->inputs = g_ptr_array_new_with_free_func (g_free);
  self->outputs = g_ptr_array_new_with_free_func (g_free);
  self->attributes = g_ptr_array_new_with_free_func ((GDestroyNotify) attribute_free);
  self->place = place;
  return self;
}

static gboolean
set_text (char **text, const HeddleWire *wire, const HeddleWireField *field, GError **error)
{
  char *read = heddle_wire_text (wire, field, error);

  if (read == NULL)
    return FALSE;
  g_free (*text);
  *text = read;
  return TRUE;
}

/* Reads the first line of a documentation, which is shown and never needed: the text may have any length, or
 * be none. */
static char *
read_first_line (const HeddleWireField *field)
{
  gsize length = MIN (field->length, LONGEST_LINE);
  g_autofree char *line = NULL;

  if (field->type != HEDDLE_WIRE_BYTES)
    return NULL;
  line = g_utf8_make_valid ((const char *) field->data, (gssize) length);
  line[strcspn (line, "\r\n")] = '\0';
  for (char *at = line; *at != '\0'; at = g_utf8_next_char (at))
    if ((guchar) *at < 0x20 || *at == 0x7f)
      *at = ' ';
  g_strstrip (line);
  return *line != '\0' ? g_steal_pointer (&line) : NULL;
}

static gboolean
read_node_field (HeddleOnnxNode *self, HeddleOnnxReading *reading, const HeddleWire *wire,
    const HeddleWireField *field, GError **error)
{
  char *text;
  HeddleWire inner;
  HeddleOnnxAttribute *attribute;

  if (field->number == 3 || field->number == 4 || field->number == 7)
    return set_text (field->number == 3   ? &self->name
                     : field->number == 4 ? &self->op
                                          : &self->domain,
        wire, field, error);
  if (field->number == 6)
    {
      g_free (self->source);
      self->source = read_first_line (field);
    }
  if (field->number != 1 && field->number != 2 && field->number != 5)
    return TRUE;
  if (!onnx_count (reading, wire, field, error))
    return FALSE;
  if (field->number == 5)
    {
      if (!heddle_wire_enter (wire, field, &inner, error)
          || (attribute = attribute_parse (reading, &inner, error)) == NULL)
        return FALSE;
      g_ptr_array_add (self->attributes, attribute);
      return TRUE;
    }
  text = heddle_wire_text (wire, field, error);
  if (text != NULL)
    g_ptr_array_add (field->number == 1 ? self->inputs : self->outputs, text);
  return text != NULL;
}

/* Reads a NodeProto at byte @place of the file (transfer full); NULL means that @error is set. */
static HeddleOnnxNode *
onnx_node_parse (HeddleOnnxReading *reading, const HeddleWire *message, gsize place, GError **error)
{
  g_autoptr (HeddleOnnxNode) self = node_new (place);
  HeddleWire wire = *message;
  HeddleWireField field;
  GError *failure = NULL;
  gboolean good = TRUE;

  while (good && heddle_wire_next (&wire, &field, &failure))
    good = read_node_field (self, reading, &wire, &field, &failure);
  if (failure != NULL)
    {
      if (*self->name != '\0' || *self->op != '\0')
        g_prefix_error (&failure, _ ("node “%s” (%s): "), self->name, self->op);
      g_propagate_error (error, failure);
      return NULL;
    }
  if (g_str_equal (self->domain, "ai.onnx"))
    *self->domain = '\0';
  return g_steal_pointer (&self);
}

/* --- looking ---------------------------------------------------------------------------------- */

const HeddleOnnxAttribute *
heddle_onnx_node_attribute (const HeddleOnnxNode *self, const char *name)
{
  for (guint i = 0; i < self->attributes->len; i++)
    {
      const HeddleOnnxAttribute *attribute = g_ptr_array_index (self->attributes, i);

      if (g_str_equal (attribute->name, name))
        return attribute;
    }
  return NULL;
}

gint64
heddle_onnx_node_int (const HeddleOnnxNode *self, const char *name, gint64 otherwise)
{
  const HeddleOnnxAttribute *attribute = heddle_onnx_node_attribute (self, name);

  return attribute != NULL ? attribute->i : otherwise;
}

double
heddle_onnx_node_float (const HeddleOnnxNode *self, const char *name, double otherwise)
{
  const HeddleOnnxAttribute *attribute = heddle_onnx_node_attribute (self, name);

  return attribute != NULL ? attribute->f : otherwise;
}

const char *
heddle_onnx_node_text (const HeddleOnnxNode *self, const char *name, const char *otherwise)
{
  const HeddleOnnxAttribute *attribute = heddle_onnx_node_attribute (self, name);

  return attribute != NULL && attribute->s != NULL ? attribute->s : otherwise;
}

const GArray *
heddle_onnx_node_ints (const HeddleOnnxNode *self, const char *name)
{
  const HeddleOnnxAttribute *attribute = heddle_onnx_node_attribute (self, name);

  return attribute != NULL ? attribute->ints : NULL;
}

char *
heddle_onnx_node_likeness (const HeddleOnnxNode *self)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  /* with the zero at the end of each */
  g_checksum_update (sum, (const guchar *) self->domain, (gssize) strlen (self->domain) + 1);
  g_checksum_update (sum, (const guchar *) self->op, (gssize) strlen (self->op) + 1);
  for (guint i = 0; i < self->attributes->len; i++)
    {
      const HeddleOnnxAttribute *attribute = g_ptr_array_index (self->attributes, i);
      guint64 length = attribute->length;

      g_checksum_update (sum, (const guchar *) &length, sizeof length);
      g_checksum_update (sum, attribute->data, (gssize) attribute->length);
    }
  return g_strdup (g_checksum_get_string (sum));
}
