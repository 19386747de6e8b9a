/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* A pull reader of the wire format of protocol buffers: https://protobuf.dev/programming-guides/encoding. It
 * copies nothing; what it gives points into the bytes. Messages within messages are entered one by one, no
 * deeper than HEDDLE_WIRE_MAX_DEPTH. */

#define HEDDLE_WIRE_MAX_DEPTH 64

typedef enum
{
  HEDDLE_WIRE_VARINT = 0,
  HEDDLE_WIRE_FIXED64 = 1,
  HEDDLE_WIRE_BYTES = 2,
  HEDDLE_WIRE_FIXED32 = 5,
} HeddleWireType;

typedef struct
{
  const guint8 *start; /* of the file: places are counted from here */
  const guint8 *at, *end; /* of the message */
  guint depth;
} HeddleWire;

typedef struct
{
  guint32 number;
  HeddleWireType type;
  guint64 value; /* VARINT, FIXED64, FIXED32 */
  const guint8 *data; /* BYTES */
  gsize length;
  const guint8 *place; /* where the field begins */
} HeddleWireField;

/* Makes a reader of @length bytes, which it borrows. */
void heddle_wire_init (HeddleWire *self, const guint8 *data, gsize length);
/* Reads the next field. Returns %FALSE if the message ends here, or if @error is set (of
 * %HEDDLE_FILES_ERROR_FORMAT or _LIMIT, with the place in bytes). */
gboolean heddle_wire_next (HeddleWire *self, HeddleWireField *field, GError **error);
/* Makes a reader of the message that @field holds. */
gboolean heddle_wire_enter (
    const HeddleWire *self, const HeddleWireField *field, HeddleWire *inner, GError **error);
/* Reads the next number of a repeated field, packed or one at a time, each of type @type. @at begins at 0.
 * Returns %FALSE if there are no more, or if @error is set. */
gboolean heddle_wire_next_number (const HeddleWire *self, const HeddleWireField *field, HeddleWireType type,
    gsize *at, guint64 *value, GError **error);
/* Returns the text of a field, valid UTF-8 without zeros. Newly allocated. */
char *heddle_wire_text (const HeddleWire *self, const HeddleWireField *field, GError **error);
/* Returns whether the field has that type; else sets @error. */
gboolean heddle_wire_expect (
    const HeddleWire *self, const HeddleWireField *field, HeddleWireType type, GError **error);
/* Sets @error with the place of @at and gives %FALSE. */
gboolean heddle_wire_fail (const HeddleWire *self, const guint8 *at, int code, GError **error,
    const char *format, ...) G_GNUC_PRINTF (5, 6);
