/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>

#include "files/base/files.h"
#include "files/onnx/wire.h"

/* The greatest length of a text: longer ones name nothing. */
#define LONGEST_TEXT (64 * 1024)

gboolean
heddle_wire_fail (const HeddleWire *self, const guint8 *at, int code, GError **error, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, HEDDLE_FILES_ERROR, code, _ ("byte %zu: %s"), (size_t) (at - self->start), message);
  return FALSE;
}

void
heddle_wire_init (HeddleWire *self, const guint8 *data, gsize length)
{
  static const guint8 nothing[1];

  if (data == NULL) /* of an empty file */
    data = nothing;
  *self = (HeddleWire){ data, data, data + length, 0 };
}

/* Reads a number with seven bits a byte, the lowest first, and at most ten bytes. */
static gboolean
read_varint (const HeddleWire *self, const guint8 **at, const guint8 *end, guint64 *value, GError **error)
{
  *value = 0;
  for (guint i = 0; i < 10; i++)
    {
      if (*at + i >= end)
        return heddle_wire_fail (
            self, *at, HEDDLE_FILES_ERROR_FORMAT, error, _ ("the file ends within a number"));
      *value |= (guint64) ((*at)[i] & 0x7f) << 7 * i;
      if ((*at)[i] < 0x80)
        {
          *at += i + 1;
          return TRUE;
        }
    }
  return heddle_wire_fail (
      self, *at, HEDDLE_FILES_ERROR_FORMAT, error, _ ("a number is longer than ten bytes"));
}

static gboolean
read_fixed (
    const HeddleWire *self, const guint8 **at, const guint8 *end, guint n, guint64 *value, GError **error)
{
  if ((gsize) (end - *at) < n)
    return heddle_wire_fail (
        self, *at, HEDDLE_FILES_ERROR_FORMAT, error, _ ("the file ends within a number"));
  *value = 0;
  for (guint i = 0; i < n; i++)
    *value |= (guint64) (*at)[i] << 8 * i;
  *at += n;
  return TRUE;
}

static gboolean
read_number (const HeddleWire *self, HeddleWireType type, const guint8 **at, const guint8 *end,
    guint64 *value, GError **error)
{
  if (type == HEDDLE_WIRE_VARINT)
    return read_varint (self, at, end, value, error);
  return read_fixed (self, at, end, type == HEDDLE_WIRE_FIXED64 ? 8 : 4, value, error);
}

gboolean
heddle_wire_next (HeddleWire *self, HeddleWireField *field, GError **error)
{
  guint64 key;

  if (self->at >= self->end)
    return FALSE;
  *field = (HeddleWireField){ .place = self->at };
  if (!read_varint (self, &self->at, self->end, &key, error))
    return FALSE;
  field->type = key & 7;
  if (key >> 3 == 0 || key >> 3 > 0x1fffffff)
    return heddle_wire_fail (
        self, field->place, HEDDLE_FILES_ERROR_FORMAT, error, _ ("this is no field of a message"));
  field->number = (guint32) (key >> 3);
  if (field->type == HEDDLE_WIRE_VARINT || field->type == HEDDLE_WIRE_FIXED64
      || field->type == HEDDLE_WIRE_FIXED32)
    return read_number (self, field->type, &self->at, self->end, &field->value, error);
  if (field->type != HEDDLE_WIRE_BYTES)
    return heddle_wire_fail (self, field->place, HEDDLE_FILES_ERROR_FORMAT, error,
        _ ("fields of wire type %u are not supported"), field->type);
  if (!read_varint (self, &self->at, self->end, &field->value, error))
    return FALSE;
  if (field->value > (guint64) (self->end - self->at))
    return heddle_wire_fail (self, field->place, HEDDLE_FILES_ERROR_FORMAT, error,
        _ ("field %u is to have %" PRIu64 " bytes, but %zu are left"), field->number, field->value,
        (gsize) (self->end - self->at));
  field->data = self->at;
  field->length = (gsize) field->value;
  self->at += field->length;
  return TRUE;
}

gboolean
heddle_wire_expect (const HeddleWire *self, const HeddleWireField *field, HeddleWireType type, GError **error)
{
  if (field->type == type)
    return TRUE;
  return heddle_wire_fail (self, field->place, HEDDLE_FILES_ERROR_FORMAT, error,
      _ ("field %u has wire type %u, where %u is expected"), field->number, field->type, type);
}

gboolean
heddle_wire_enter (const HeddleWire *self, const HeddleWireField *field, HeddleWire *inner, GError **error)
{
  if (!heddle_wire_expect (self, field, HEDDLE_WIRE_BYTES, error))
    return FALSE;
  if (self->depth >= HEDDLE_WIRE_MAX_DEPTH)
    return heddle_wire_fail (self, field->place, HEDDLE_FILES_ERROR_LIMIT, error,
        _ ("messages are nested more than %d deep"), HEDDLE_WIRE_MAX_DEPTH);
  *inner = (HeddleWire){ self->start, field->data, field->data + field->length, self->depth + 1 };
  return TRUE;
}

gboolean
heddle_wire_next_number (const HeddleWire *self, const HeddleWireField *field, HeddleWireType type, gsize *at,
    guint64 *value, GError **error)
{
  if (field->type == HEDDLE_WIRE_BYTES)
    {
      const guint8 *from = field->data + *at;

      if (*at >= field->length || !read_number (self, type, &from, field->data + field->length, value, error))
        return FALSE;
      *at = (gsize) (from - field->data);
      return TRUE;
    }
  if (*at > 0 || !heddle_wire_expect (self, field, type, error))
    return FALSE;
  *at = 1;
  *value = field->value;
  return TRUE;
}

char *
heddle_wire_text (const HeddleWire *self, const HeddleWireField *field, GError **error)
{
  if (!heddle_wire_expect (self, field, HEDDLE_WIRE_BYTES, error))
    return NULL;
  if (field->length > LONGEST_TEXT)
    heddle_wire_fail (self, field->place, HEDDLE_FILES_ERROR_LIMIT, error,
        _ ("a name is longer than %d bytes"), LONGEST_TEXT);
  else if (!g_utf8_validate_len ((const char *) field->data, field->length, NULL))
    heddle_wire_fail (self, field->place, HEDDLE_FILES_ERROR_FORMAT, error, _ ("a name is not valid UTF-8"));
  else
    return g_strndup ((const char *) field->data, field->length);
  return NULL;
}
