/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "files/base/files.h"
#include "files/onnx/info.h"
#include "files/onnx/model-private.h"
#include "files/onnx/model.h"
#include "files/onnx/wire.h"

/* ValueInfoProto: the name and the type of a value. */

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

/* Goes through the messages that lie in one another, each being field @number of the one before. */
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
  if (!heddle_onnx_count (reading, wire, field, error))
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

HeddleOnnxInfo *
heddle_onnx_info_parse (HeddleOnnxReading *reading, const HeddleWire *message, GError **error)
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
