/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "diagram/base/dtype.h"
#include "files/base/files.h"
#include "files/base/open.h"
#include "files/base/npy.h"
#include "files/base/save.h"

/* The format of NumPy's arrays: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. The
 * header is a Python dictionary; only these are read of it: strings, truth values and tuples of whole
 * numbers. */

#define MAGIC "\x93NUMPY"
#define MAX_HEADER (1024 * 1024)
#define MAX_DIMS 64
#define ALIGNMENT 64

/* The layout of elements. */
typedef struct
{
  const char *code;
  HeddleDtype dtype;
  guint bytes;
} Layout;

static const Layout layouts[] = {
  { "f2", HEDDLE_DTYPE_F16, 2 },
  { "f4", HEDDLE_DTYPE_F32, 4 },
  { "f8", HEDDLE_DTYPE_F64, 8 },
  { "V2", HEDDLE_DTYPE_BF16, 2 },
  { "b1", HEDDLE_DTYPE_BOOL, 1 },
  { "i1", HEDDLE_DTYPE_I32, 1 },
  { "u1", HEDDLE_DTYPE_I32, 1 },
  { "i2", HEDDLE_DTYPE_I32, 2 },
  { "u2", HEDDLE_DTYPE_I32, 2 },
  { "i4", HEDDLE_DTYPE_I32, 4 },
  { "u4", HEDDLE_DTYPE_I64, 4 },
  { "i8", HEDDLE_DTYPE_I64, 8 },
};

typedef struct
{
  const Layout *layout;
  gboolean big_endian;
  gboolean fortran_order;
  guint n_dims;
  gint64 shape[MAX_DIMS];
} Header;

typedef struct
{
  const char *path;
  const char *at, *end;
  GError **error;
} Reader;

/* --- the header ---------------------------------------------------------------------- */

G_GNUC_PRINTF (2, 3)
static gboolean
fail (Reader *self, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (self->error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_FORMAT, "%s: %s", self->path, message);
  return FALSE;
}

static void
skip_space (Reader *self)
{
  while (self->at < self->end && g_ascii_isspace (*self->at))
    self->at++;
}

static gboolean
accept (Reader *self, const char *text)
{
  gsize length = strlen (text);

  skip_space (self);
  if ((gsize) (self->end - self->at) < length || strncmp (self->at, text, length) != 0)
    return FALSE;
  self->at += length;
  return TRUE;
}

/* Reads 'text', newly allocated; returns NULL if there is none. */
static char *
read_string (Reader *self)
{
  const char *start, *close;
  char quote;

  skip_space (self);
  if (self->at >= self->end || (*self->at != '\'' && *self->at != '"'))
    return NULL;
  quote = *self->at;
  start = self->at + 1;
  close = memchr (start, quote, (gsize) (self->end - start));
  if (close == NULL)
    return NULL;
  self->at = close + 1;
  return g_strndup (start, (gsize) (close - start));
}

static gboolean
read_descr (Reader *self, Header *header)
{
  g_autofree char *descr = read_string (self);

  if (descr == NULL)
    return fail (self, _ ("records are not supported: expected one data type"));
  if (descr[0] != '\0' && descr[1] == 'O')
    return fail (self, _ ("arrays of Python objects are refused: expected numbers"));
  for (gsize i = 0; i < G_N_ELEMENTS (layouts); i++)
    if (descr[0] != '\0' && strchr ("<>|=", descr[0]) != NULL && g_str_equal (descr + 1, layouts[i].code))
      header->layout = &layouts[i];
  header->big_endian = descr[0] == '>';
  if (header->layout == NULL)
    return fail (self, _ ("the data type “%s” is not supported"), descr);
  return TRUE;
}

static gboolean
read_shape (Reader *self, Header *header)
{
  if (!accept (self, "("))
    return fail (self, _ ("the header has no shape"));
  while (!accept (self, ")"))
    {
      const char *start = self->at;
      gint64 size = 0;

      if (header->n_dims == MAX_DIMS)
        return fail (self, _ ("more than %d dimensions"), MAX_DIMS);
      for (; self->at < self->end && g_ascii_isdigit (*self->at); self->at++)
        {
          if (size > (G_MAXINT64 - 9) / 10)
            return fail (self, _ ("the shape is too large"));
          size = size * 10 + (*self->at - '0');
        }
      if (self->at == start)
        return fail (self, _ ("the shape is not a tuple of whole numbers"));
      accept (self, "L"); /* as Python 2 wrote them */
      header->shape[header->n_dims++] = size;
      if (!accept (self, ",") && !(self->at < self->end && *self->at == ')'))
        return fail (self, _ ("the shape is not a tuple of whole numbers"));
      skip_space (self);
    }
  return TRUE;
}

static gboolean
read_entry (Reader *self, Header *header, guint *seen)
{
  g_autofree char *key = read_string (self);

  if (key == NULL || !accept (self, ":"))
    return fail (self, _ ("the header is not a dictionary"));
  skip_space (self);
  if (g_str_equal (key, "descr"))
    {
      *seen |= 1;
      return read_descr (self, header);
    }
  if (g_str_equal (key, "shape"))
    {
      *seen |= 2;
      header->n_dims = 0;
      return read_shape (self, header);
    }
  if (g_str_equal (key, "fortran_order"))
    {
      *seen |= 4;
      header->fortran_order = accept (self, "True");
      return header->fortran_order || accept (self, "False")
             || fail (self, _ ("the order is neither True nor False"));
    }
  return fail (self, _ ("the header has an unknown key “%s”"), key);
}

static gboolean
read_header (Reader *self, Header *header)
{
  guint seen = 0;

  if (!accept (self, "{"))
    return fail (self, _ ("the header is not a dictionary"));
  while (!accept (self, "}"))
    {
      if (!read_entry (self, header, &seen))
        return FALSE;
      if (!accept (self, ",") && !(self->at < self->end && *self->at == '}'))
        return fail (self, _ ("the header is not a dictionary"));
    }
  return seen == 7 || fail (self, _ ("the header lacks descr, fortran_order or shape"));
}

/* Finds the header's text, and moves on to what follows it. */
static gboolean
find_header (Reader *self, const char **start, const char **end)
{
  const guchar *bytes = (const guchar *) self->at;
  gsize available = (gsize) (self->end - self->at), fixed, length;

  if (available < 10 || memcmp (bytes, MAGIC, 6) != 0)
    return fail (self, _ ("not a file of NumPy"));
  if (bytes[6] < 1 || bytes[6] > 3)
    return fail (self, _ ("version %u.%u of the format is not known"), bytes[6], bytes[7]);
  fixed = bytes[6] == 1 ? 10 : 12;
  if (available < fixed)
    return fail (self, _ ("the file ends within its header"));
  length = bytes[8] | (gsize) bytes[9] << 8;
  if (bytes[6] > 1)
    length |= (gsize) bytes[10] << 16 | (gsize) bytes[11] << 24;
  if (length > MAX_HEADER)
    return fail (self, _ ("the header is larger than 1 MiB"));
  if (length > available - fixed)
    return fail (self, _ ("the file ends within its header"));
  *start = self->at + fixed;
  *end = *start + length;
  return TRUE;
}

/* --- elements ------------------------------------------------------------------------ */

static double
half_to_double (guint16 bits)
{
  int exponent = bits >> 10 & 0x1f;
  double fraction = bits & 0x3ff, magnitude;

  if (exponent == 0x1f)
    magnitude = fraction == 0. ? INFINITY : NAN;
  else
    magnitude = exponent == 0 ? ldexp (fraction, -24) : ldexp (1024. + fraction, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

static double
float_from_bits (guint32 bits)
{
  float value;

  memcpy (&value, &bits, sizeof value);
  return (double) value;
}

static guint64
load_bits (const guchar *bytes, guint n, gboolean big_endian)
{
  guint64 bits = 0;

  for (guint i = 0; i < n; i++)
    bits |= (guint64) bytes[i] << 8 * (big_endian ? n - 1 - i : i);
  return bits;
}

static double
element (const Layout *layout, guint64 bits)
{
  double value;

  switch (layout->dtype)
    {
    case HEDDLE_DTYPE_F16:
      return half_to_double ((guint16) bits);
    case HEDDLE_DTYPE_BF16:
      return float_from_bits ((guint32) bits << 16);
    case HEDDLE_DTYPE_F32:
      return float_from_bits ((guint32) bits);
    case HEDDLE_DTYPE_F64:
      memcpy (&value, &bits, sizeof value);
      return value;
    case HEDDLE_DTYPE_BOOL:
      return bits != 0;
    default:
      if (layout->code[0] == 'u')
        return (double) bits;
      return (double) ((gint64) (bits << (64 - 8 * layout->bytes)) >> (64 - 8 * layout->bytes));
    }
}

/* Returns the place of element @i, in row-major order, in a file in Fortran's order. */
static gint64
fortran_place (const HeddleArray *array, gint64 i)
{
  gint64 place = 0, stride = array->n_elements;

  for (guint j = array->n_dims; j-- > 0;)
    {
      stride /= array->shape[j];
      place += i % array->shape[j] * stride;
      i /= array->shape[j];
    }
  return place;
}

static void
fill (HeddleArray *array, const Header *header, const guchar *bytes)
{
  for (gint64 i = 0; i < array->n_elements; i++)
    {
      gint64 place = header->fortran_order ? fortran_place (array, i) : i;

      array->data[i] = element (header->layout,
          load_bits (bytes + place * header->layout->bytes, header->layout->bytes, header->big_endian));
    }
}

static HeddleArray *
read_array (Reader *self)
{
  Header header = { NULL };
  const char *data = NULL;
  HeddleArray *array;
  gint64 n;

  if (!find_header (self, &self->at, &data))
    return NULL;
  Reader text = { self->path, self->at, data, self->error };
  if (!read_header (&text, &header))
    return NULL;
  n = heddle_array_count_elements (header.n_dims, header.shape);
  if (n < 0 || n > (self->end - data) / header.layout->bytes)
    {
      fail (self, _ ("the file ends before its data: %" PRId64 " bytes are there"),
          (gint64) (self->end - data));
      return NULL;
    }
  array = heddle_array_new (header.layout->dtype, header.n_dims, header.shape, self->error);
  if (array != NULL)
    fill (array, &header, (const guchar *) data);
  return array;
}

HeddleArray *
heddle_npy_read (const char *path, GError **error)
{
  GMappedFile *file;
  HeddleArray *array;

  g_return_val_if_fail (path != NULL, NULL);

  file = heddle_file_map (path, error);
  if (file == NULL)
    return NULL;
  const char *start = g_mapped_file_get_contents (file);
  Reader reader = { path, start, start != NULL ? start + g_mapped_file_get_length (file) : NULL, error };
  array = read_array (&reader);
  g_mapped_file_unref (file);
  return array;
}

/* --- writing ------------------------------------------------------------------------- */

static GString *
header_text (const HeddleArray *array)
{
  GString *text = g_string_new ("{'descr': '<f8', 'fortran_order': False, 'shape': (");
  gsize prefix = strlen (MAGIC) + 4;

  for (guint i = 0; i < array->n_dims; i++)
    g_string_append_printf (text, "%s%" PRId64, i > 0 ? ", " : "", array->shape[i]);
  g_string_append (text, array->n_dims == 1 ? ",), }" : "), }");
  while ((prefix + text->len + 1) % ALIGNMENT != 0)
    g_string_append_c (text, ' ');
  g_string_append_c (text, '\n');
  return text;
}

gboolean
heddle_npy_write (const char *path, const HeddleArray *array, GError **error)
{
  g_autoptr (GString) header = NULL;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (array != NULL, FALSE);

  header = header_text (array);
  g_byte_array_append (bytes, (const guint8 *) MAGIC, strlen (MAGIC));
  g_byte_array_append (bytes, (const guint8[]){ 1, 0, header->len & 0xff, header->len >> 8 }, 4);
  g_byte_array_append (bytes, (const guint8 *) header->str, header->len);
  for (gint64 i = 0; i < array->n_elements; i++)
    {
      guint64 bits;

      memcpy (&bits, &array->data[i], sizeof bits);
      bits = GUINT64_TO_LE (bits);
      g_byte_array_append (bytes, (const guint8 *) &bits, sizeof bits);
    }
  return heddle_file_save (path, (const char *) bytes->data, bytes->len, error);
}
