/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "diagram/base/dtype-bytes.h"
#include "files/base/files.h"
#include "files/onnx/external.h"
#include "files/onnx/tensor.h"

/* The layout of elements of each type in raw data, and the field in which they are otherwise. */
typedef struct
{
  const char *name;
  HeddleDtype dtype;
  guint bytes; /* in raw data; 0: not supported */
  guint field; /* of TensorProto */
  HeddleWireType wire;
} Layout;

#define IN_FLOATS 4, HEDDLE_WIRE_FIXED32
#define IN_INT32S 5, HEDDLE_WIRE_VARINT
#define IN_INT64S 7, HEDDLE_WIRE_VARINT
#define IN_DOUBLES 10, HEDDLE_WIRE_FIXED64
#define IN_UINT64S 11, HEDDLE_WIRE_VARINT

static const Layout layouts[] = {
  [HEDDLE_ONNX_UNDEFINED] = { "undefined", HEDDLE_DTYPE_UNSET, 0 },
  [HEDDLE_ONNX_FLOAT] = { "float", HEDDLE_DTYPE_F32, 4, IN_FLOATS },
  [HEDDLE_ONNX_UINT8] = { "uint8", HEDDLE_DTYPE_I32, 1, IN_INT32S },
  [HEDDLE_ONNX_INT8] = { "int8", HEDDLE_DTYPE_I32, 1, IN_INT32S },
  [HEDDLE_ONNX_UINT16] = { "uint16", HEDDLE_DTYPE_I32, 2, IN_INT32S },
  [HEDDLE_ONNX_INT16] = { "int16", HEDDLE_DTYPE_I32, 2, IN_INT32S },
  [HEDDLE_ONNX_INT32] = { "int32", HEDDLE_DTYPE_I32, 4, IN_INT32S },
  [HEDDLE_ONNX_INT64] = { "int64", HEDDLE_DTYPE_I64, 8, IN_INT64S },
  [HEDDLE_ONNX_STRING] = { "string", HEDDLE_DTYPE_UNSET, 0 },
  [HEDDLE_ONNX_BOOL] = { "bool", HEDDLE_DTYPE_BOOL, 1, IN_INT32S },
  [HEDDLE_ONNX_FLOAT16] = { "float16", HEDDLE_DTYPE_F16, 2, IN_INT32S },
  [HEDDLE_ONNX_DOUBLE] = { "double", HEDDLE_DTYPE_F64, 8, IN_DOUBLES },
  [HEDDLE_ONNX_UINT32] = { "uint32", HEDDLE_DTYPE_I64, 4, IN_UINT64S },
  [HEDDLE_ONNX_UINT64] = { "uint64", HEDDLE_DTYPE_I64, 8, IN_UINT64S },
  [HEDDLE_ONNX_COMPLEX64] = { "complex64", HEDDLE_DTYPE_UNSET, 0 },
  [HEDDLE_ONNX_COMPLEX128] = { "complex128", HEDDLE_DTYPE_UNSET, 0 },
  [HEDDLE_ONNX_BFLOAT16] = { "bfloat16", HEDDLE_DTYPE_BF16, 2, IN_INT32S },
  [HEDDLE_ONNX_E4M3] = { "float8e4m3fn", HEDDLE_DTYPE_E4M3, 1, IN_INT32S },
  [HEDDLE_ONNX_E4M3_UZ] = { "float8e4m3fnuz", HEDDLE_DTYPE_UNSET, 0 },
  [HEDDLE_ONNX_E5M2] = { "float8e5m2", HEDDLE_DTYPE_E5M2, 1, IN_INT32S },
};

static const Layout *
layout_of (int type)
{
  return type >= 0 && type < (int) G_N_ELEMENTS (layouts) ? &layouts[type] : &layouts[0];
}

HeddleDtype
heddle_onnx_dtype (int type)
{
  return layout_of (type)->dtype;
}

const char *
heddle_onnx_type_name (int type)
{
  return layout_of (type)->name;
}

/* --- the head ----------------------------------------------------------------------------- */

void
heddle_onnx_tensor_free (HeddleOnnxTensor *self)
{
  g_free (self->name);
  g_free (self->location);
  g_free (self);
}

gint64
heddle_onnx_tensor_count (const HeddleOnnxTensor *self)
{
  gint64 n = 1;

  for (guint i = 0; i < self->rank; i++)
    n = self->shape[i] > 0 && n > G_MAXINT64 / self->shape[i] ? G_MAXINT64 : n * self->shape[i];
  return n;
}

static gboolean
read_dims (HeddleOnnxTensor *self, const HeddleWire *wire, const HeddleWireField *field, GError **error)
{
  GError *failure = NULL;
  guint64 value;

  for (gsize at = 0; heddle_wire_next_number (wire, field, HEDDLE_WIRE_VARINT, &at, &value, &failure);)
    {
      if (self->rank == HEDDLE_ONNX_MAX_RANK)
        return heddle_wire_fail (wire, field->place, HEDDLE_FILES_ERROR_LIMIT, error,
            _ ("an array has more than %d dimensions"), HEDDLE_ONNX_MAX_RANK);
      if (value > G_MAXINT64)
        return heddle_wire_fail (
            wire, field->place, HEDDLE_FILES_ERROR_FORMAT, error, _ ("an array has a size below 0"));
      self->shape[self->rank++] = (gint64) value;
    }
  if (failure != NULL)
    g_propagate_error (error, failure);
  return failure == NULL;
}

/* Reads a StringStringEntryProto, which says where external data is. */
static gboolean
read_external (
    HeddleOnnxTensor *self, const HeddleWire *outer, const HeddleWireField *outer_field, GError **error)
{
  g_autofree char *key = NULL;
  g_autofree char *value = NULL;
  GError *failure = NULL;
  HeddleWireField field;
  HeddleWire wire;

  if (!heddle_wire_enter (outer, outer_field, &wire, error))
    return FALSE;
  while (failure == NULL && heddle_wire_next (&wire, &field, &failure))
    if (field.number == 1 && key == NULL)
      key = heddle_wire_text (&wire, &field, &failure);
    else if (field.number == 2 && value == NULL)
      value = heddle_wire_text (&wire, &field, &failure);
  if (failure == NULL && key != NULL && value != NULL)
    heddle_onnx_tensor_external (self, key, value, &failure);
  if (failure != NULL)
    g_propagate_error (error, failure);
  return failure == NULL;
}

static gboolean
read_field (HeddleOnnxTensor *self, const HeddleWire *wire, const HeddleWireField *field, GError **error)
{
  switch (field->number)
    {
    case 1:
      return read_dims (self, wire, field, error);
    case 2:
      self->type = (int) MIN (field->value, G_MAXINT);
      return heddle_wire_expect (wire, field, HEDDLE_WIRE_VARINT, error);
    case 8:
      g_free (self->name);
      self->name = heddle_wire_text (wire, field, error);
      return self->name != NULL;
    case 13:
      return read_external (self, wire, field, error);
    case 14:
      self->external = field->value == 1;
      return heddle_wire_expect (wire, field, HEDDLE_WIRE_VARINT, error);
    default:
      return TRUE;
    }
}

/**
 * heddle_onnx_tensor_parse:
 * @message: a TensorProto
 * @error: return location for %HEDDLE_FILES_ERROR_FORMAT or _LIMIT
 *
 * Returns: (transfer full): its name, type and shape; the numbers stay where they are
 */
/**
 * heddle_onnx_as_written:
 * @number: of single precision
 *
 * Returns: the number of fewest digits that is @number in single precision: 1e-5 and not 9.99999975e-6; whole and large ones as they are
 */
double
heddle_onnx_as_written (float number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (number) || fabsf (number) > 1e6f || number == truncf (number))
    return (double) number;
  for (guint digits = 5; digits < 9; digits++)
    {
      char format[] = "%.5g";
      double read;

      format[2] = (char) ('0' + digits);
      read = g_ascii_strtod (g_ascii_formatd (text, sizeof text, format, (double) number), NULL);
      if ((float) read == number)
        return read;
    }
  return (double) number;
}

HeddleOnnxTensor *
heddle_onnx_tensor_parse (const HeddleWire *message, GError **error)
{
  g_autoptr (HeddleOnnxTensor) self = g_new0 (HeddleOnnxTensor, 1);
  HeddleWire wire = *message;
  HeddleWireField field;
  GError *failure = NULL;

  self->message = *message;
  while (failure == NULL && heddle_wire_next (&wire, &field, &failure))
    read_field (self, &wire, &field, &failure);
  if (failure != NULL)
    {
      if (self->name != NULL)
        g_prefix_error (&failure, _ ("array “%s”: "), self->name);
      g_propagate_error (error, failure);
      return NULL;
    }
  if (self->name == NULL)
    self->name = g_strdup ("");
  return g_steal_pointer (&self);
}

/* --- the numbers ---------------------------------------------------------------------------- */

static double
number_of (const Layout *layout, int type, guint64 bits)
{
  guint8 bytes[8];

  if (heddle_dtype_is_real (layout->dtype))
    {
      for (guint i = 0; i < 8; i++)
        bytes[i] = (guint8) (bits >> 8 * (G_BYTE_ORDER == G_LITTLE_ENDIAN ? i : layout->bytes - 1 - i));
      return heddle_dtype_decode (layout->dtype, bytes);
    }
  if (type == HEDDLE_ONNX_BOOL)
    return bits != 0;
  if (type == HEDDLE_ONNX_UINT8 || type == HEDDLE_ONNX_UINT16 || type == HEDDLE_ONNX_UINT32)
    return (double) (bits & (G_MAXUINT64 >> (64 - 8 * layout->bytes)));
  if (type == HEDDLE_ONNX_UINT64)
    return (double) bits;
  return (double) ((gint64) (bits << (64 - 8 * layout->bytes)) >> (64 - 8 * layout->bytes));
}

static gboolean
wrong_count (const HeddleOnnxTensor *self, GError **error)
{
  return heddle_wire_fail (&self->message, self->message.at, HEDDLE_FILES_ERROR_FORMAT, error,
      _ ("array “%s” has fewer or more numbers than its shape says"), self->name);
}

static gboolean
fill_raw (HeddleArray *array, const HeddleOnnxTensor *self, const guint8 *data, gsize length, GError **error)
{
  const Layout *layout = layout_of (self->type);

  if (length / layout->bytes != (gsize) array->n_elements || length % layout->bytes != 0)
    return wrong_count (self, error);
  for (gint64 i = 0; i < array->n_elements; i++)
    {
      guint64 bits = 0;

      for (guint j = 0; j < layout->bytes; j++)
        bits |= (guint64) data[(gsize) i * layout->bytes + j] << 8 * j;
      array->data[i] = number_of (layout, self->type, bits);
    }
  return TRUE;
}

static gboolean
fill_external (HeddleArray *array, const HeddleOnnxTensor *self, GMappedFile *file, GError **error)
{
  const guint8 *data = (const guint8 *) g_mapped_file_get_contents (file);

  return fill_raw (
      array, self, data + self->offset, (gsize) array->n_elements * layout_of (self->type)->bytes, error);
}

static gboolean
fill_field (HeddleArray *array, const HeddleOnnxTensor *self, const HeddleWire *wire,
    const HeddleWireField *field, gint64 *n, GError **error)
{
  const Layout *layout = layout_of (self->type);
  GError *failure = NULL;
  guint64 value;

  for (gsize at = 0; heddle_wire_next_number (wire, field, layout->wire, &at, &value, &failure); (*n)++)
    {
      if (*n >= array->n_elements)
        return wrong_count (self, error);
      array->data[*n] = number_of (layout, self->type, value);
    }
  if (failure != NULL)
    g_propagate_error (error, failure);
  return failure == NULL;
}

static gboolean
fill (HeddleArray *array, const HeddleOnnxTensor *self, GError **error)
{
  HeddleWire wire = self->message;
  HeddleWireField field;
  GError *failure = NULL;
  gint64 n = 0;

  while (heddle_wire_next (&wire, &field, &failure))
    {
      if (field.number == 9)
        return heddle_wire_expect (&wire, &field, HEDDLE_WIRE_BYTES, error)
               && fill_raw (array, self, field.data, field.length, error);
      if (field.number == layout_of (self->type)->field
          && !fill_field (array, self, &wire, &field, &n, error))
        return FALSE;
    }
  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  return n == array->n_elements || wrong_count (self, error);
}

/* Checks that the numbers can exist at all, before memory is allocated for them: no element takes less than a
 * byte. */
static gboolean
check_size (const HeddleOnnxTensor *self, GMappedFile *file, GError **error)
{
  gint64 n = heddle_onnx_tensor_count (self);
  guint bytes = layout_of (self->type)->bytes;
  gsize there
      = file != NULL ? g_mapped_file_get_length (file) : (gsize) (self->message.end - self->message.at);

  if (bytes == 0)
    return heddle_wire_fail (&self->message, self->message.at, HEDDLE_FILES_ERROR_FORMAT, error,
        _ ("array “%s”: elements of type %s are not supported"), self->name,
        heddle_onnx_type_name (self->type));
  if (file == NULL)
    return n <= (gint64) there || wrong_count (self, error);
  if (self->offset > there || (guint64) n > (there - self->offset) / bytes)
    return heddle_wire_fail (&self->message, self->message.at, HEDDLE_FILES_ERROR_FORMAT, error,
        _ ("array “%s”: “%s” ends before the array does"), self->name, self->location);
  return self->length == 0 || self->length == (guint64) n * bytes || wrong_count (self, error);
}

/**
 * heddle_onnx_tensor_read:
 * @self: an array of a model, whose bytes are still there
 * @folder: (nullable): where external data may lie
 * @error: return location for %HEDDLE_FILES_ERROR_FORMAT, _LIMIT or those of files
 *
 * Returns: (transfer full): its numbers
 */
HeddleArray *
heddle_onnx_tensor_read (const HeddleOnnxTensor *self, const char *folder, GError **error)
{
  g_autoptr (HeddleArray) array = NULL;
  g_autoptr (GMappedFile) file = NULL;

  g_return_val_if_fail (self != NULL, NULL);
  if (self->external && (file = heddle_onnx_external_open (folder, self->location, error)) == NULL)
    return NULL;
  if (!check_size (self, file, error))
    return NULL;
  array = heddle_array_new (layout_of (self->type)->dtype, self->rank, self->shape, error);
  if (array == NULL)
    return NULL;
  if (file != NULL ? fill_external (array, self, file, error) : fill (array, self, error))
    return g_steal_pointer (&array);
  return NULL;
}
