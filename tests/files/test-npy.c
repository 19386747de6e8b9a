/* SPDX-License-Identifier: MIT */
#include <locale.h>
#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "files/base/files.h"
#include "files/base/npy.h"

typedef struct
{
  char *folder, *path;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->folder = g_dir_make_tmp ("heddle-npy-XXXXXX", NULL);
  self->path = g_build_filename (self->folder, "a.npy", NULL);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_unlink (self->path);
  g_rmdir (self->folder);
  g_free (self->folder);
  g_free (self->path);
}

/* A file of version @version with this header and these bytes. */
static HeddleArray *
read_bytes (
    Fixture *self, guint8 version, const char *header, gconstpointer data, gsize length, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint32 n = (guint32) strlen (header);

  g_byte_array_append (bytes, (const guint8 *) "\x93NUMPY", 6);
  g_byte_array_append (bytes, (const guint8[]){ version, 0, n & 0xff, n >> 8 & 0xff }, 4);
  if (version > 1)
    g_byte_array_append (bytes, (const guint8[]){ n >> 16 & 0xff, n >> 24 }, 2);
  g_byte_array_append (bytes, (const guint8 *) header, n);
  g_byte_array_append (bytes, data, (guint) length);
  g_assert_true (g_file_set_contents (self->path, (const char *) bytes->data, bytes->len, NULL));
  return heddle_npy_read (self->path, error);
}

static void
test_round_trip (Fixture *self, gconstpointer data)
{
  static const gint64 shapes[][3] = { { 0 }, { 5 }, { 2, 3 }, { 2, 1, 4 }, { 3, 0 } };
  static const guint dims[] = { 0, 1, 2, 3, 2 };

  for (gsize i = 0; i < G_N_ELEMENTS (dims); i++)
    {
      g_autoptr (HeddleArray) array = heddle_array_new (HEDDLE_DTYPE_F64, dims[i], shapes[i], NULL);
      g_autoptr (HeddleArray) read = NULL;
      g_autofree char *bytes = NULL;
      gsize length;

      heddle_array_fill_random (array, 5);
      g_assert_true (heddle_npy_write (self->path, array, NULL));
      g_assert_true (g_file_get_contents (self->path, &bytes, &length, NULL));
      g_assert_cmpuint ((length - array->n_elements * 8) % 64, ==, 0);
      read = heddle_npy_read (self->path, NULL);
      g_assert_nonnull (read);
      g_assert_cmpuint (read->n_dims, ==, dims[i]);
      g_assert_cmpmem (read->shape, dims[i] * sizeof (gint64), shapes[i], dims[i] * sizeof (gint64));
      g_assert_cmpmem (read->data, read->n_elements * 8, array->data, array->n_elements * 8);
    }
}

static void
assert_elements (Fixture *self, const char *descr, const void *bytes, gsize length, HeddleDtype dtype,
    guint n, const double *expected)
{
  g_autofree char *header
      = g_strdup_printf ("{'descr': '%s', 'fortran_order': False, 'shape': (%u,), }\n", descr, n);
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleArray) array = read_bytes (self, 1, header, bytes, length, &error);

  g_assert_no_error (error);
  g_assert_cmpint (array->dtype, ==, dtype);
  g_assert_cmpint (array->n_elements, ==, n);
  for (guint i = 0; i < n; i++)
    if (isnan (expected[i]))
      g_assert_true (isnan (array->data[i]));
    else
      g_assert_cmpfloat (array->data[i], ==, expected[i]);
}

#define ELEMENTS(descr, type, bytes, ...)                                                                    \
  {                                                                                                          \
    const double expected[] = { __VA_ARGS__ };                                                               \
    assert_elements (                                                                                        \
        self, descr, bytes, sizeof bytes - 1, HEDDLE_DTYPE_##type, G_N_ELEMENTS (expected), expected);       \
  }

static void
test_dtypes (Fixture *self, gconstpointer data)
{
  ELEMENTS (
      "<f2", F16, "\x00\x3c\x00\xc0\x01\x00\xff\x7b\x00\xfc\x01\x7c", 1, -2, 0x1p-24, 65504, -INFINITY, NAN);
  ELEMENTS ("|V2", BF16, "\x80\x3f\x49\x40\x80\xff", 1, 3.140625, -INFINITY);
  ELEMENTS ("<f4", F32, "\x00\x00\x20\xc1", -10);
  ELEMENTS (">f4", F32, "\xc1\x20\x00\x00", -10);
  ELEMENTS ("<f8", F64, "\x00\x00\x00\x00\x00\x00\xf0\x3f", 1);
  ELEMENTS (">f8", F64, "\x3f\xf0\x00\x00\x00\x00\x00\x00", 1);
  ELEMENTS ("<i4", I32, "\xff\xff\xff\xff\x02\x00\x00\x00", -1, 2);
  ELEMENTS (">i2", I32, "\xff\xfe", -2);
  ELEMENTS ("<i8", I64, "\xfe\xff\xff\xff\xff\xff\xff\xff", -2);
  ELEMENTS ("|i1", I32, "\x80\x7f", -128, 127);
  ELEMENTS ("|u1", I32, "\x80", 128);
  ELEMENTS ("<u4", I64, "\xff\xff\xff\xff", 4294967295.);
  ELEMENTS ("|b1", BOOL, "\x01\x00\x02", 1, 0, 1);
}

static void
test_orders (Fixture *self, gconstpointer data)
{
  static const guint8 bytes[] = { 0, 1, 2, 3, 4, 5 };
  static const double expected[] = { 0, 2, 4, 1, 3, 5 };
  g_autoptr (GError) error = NULL;

  for (guint8 version = 1; version <= 3; version++)
    {
      g_autoptr (HeddleArray) array = read_bytes (self, version,
          "{\"shape\": (2L, 3L), 'descr': '|u1', 'fortran_order': True}", bytes, sizeof bytes, &error);

      g_assert_no_error (error);
      g_assert_cmpmem (array->data, sizeof expected, expected, sizeof expected);
    }
}

/* A header, and what is said of it. */
static const char *const wrong[][2] = {
  { "", "not a dictionary" },
  { "{", "not a dictionary" },
  { "{'descr': '<f8'}", "lacks" },
  { "{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "objects are refused" },
  { "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}", "records" },
  { "{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", "“<c8” is not supported" },
  { "{'descr': '<f8', 'fortran_order': 1, 'shape': (1,)}", "neither True nor False" },
  { "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}", "not a tuple of whole numbers" },
  { "{'descr': '<f8', 'fortran_order': False, 'shape': (2)", "not a dictionary" },
  { "{'descr': '<f8', 'fortran_order': False, 'shape': (2", "not a tuple of whole numbers" },
  { "{'descr': '<f8', 'fortran_order': False, 'shape': __import__('os')}", "no shape" },
  { "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,)}", "too large" },
  { "{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 4611686018427387904)}",
      "ends before its data" },
  { "{'descr': '<f8', 'fortran_order': False, 'shape': (3,)}", "ends before its data: 16 bytes are there" },
  { "{'descr': '<f8', 'x': 1, 'shape': (1,)}", "unknown key “x”" },
  { "{'descr': '<f8", "one data type" },
};

static void
test_wrong (Fixture *self, gconstpointer data)
{
  static const guint8 bytes[16];

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (read_bytes (self, 1, wrong[i][0], bytes, sizeof bytes, &error));
      g_assert_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_FORMAT);
      if (strstr (error->message, wrong[i][1]) == NULL || !g_str_has_prefix (error->message, self->path))
        g_error ("%s: %s", wrong[i][0], error->message);
    }
}

/* An empty dimension beside huge ones takes no bytes, and no memory, in whichever order they come. */
static void
test_empty (Fixture *self, gconstpointer data)
{
  static const char *const shapes[]
      = { "(0, 9000000000)", "(9000000000, 9000000000, 0)", "(9000000000, 0, 9000000000)" };

  for (gsize i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_autofree char *header
          = g_strdup_printf ("{'descr': '<f8', 'fortran_order': True, 'shape': %s}", shapes[i]);
      g_autoptr (HeddleArray) array = read_bytes (self, 1, header, "", 0, NULL);

      g_assert_nonnull (array);
      g_assert_cmpint (array->n_elements, ==, 0);
    }
}

/* Every beginning of a right file is refused, whatever it ends in. */
static void
test_truncated (Fixture *self, gconstpointer data)
{
  const gint64 shape[] = { 2, 2 };
  g_autoptr (HeddleArray) array = heddle_array_new (HEDDLE_DTYPE_F64, 2, shape, NULL);
  g_autofree char *bytes = NULL;
  gsize length;

  g_assert_true (heddle_npy_write (self->path, array, NULL));
  g_assert_true (g_file_get_contents (self->path, &bytes, &length, NULL));
  for (gsize i = 0; i < length; i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents (self->path, bytes, (gssize) i, NULL));
      g_assert_null (heddle_npy_read (self->path, &error));
      g_assert_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_FORMAT);
    }
}

static void
test_no_file (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (heddle_npy_read (self->path, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
}

int
main (int argc, char *argv[])
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/npy/round-trip", Fixture, NULL, set_up, test_round_trip, tear_down);
  g_test_add ("/npy/dtypes", Fixture, NULL, set_up, test_dtypes, tear_down);
  g_test_add ("/npy/orders", Fixture, NULL, set_up, test_orders, tear_down);
  g_test_add ("/npy/wrong", Fixture, NULL, set_up, test_wrong, tear_down);
  g_test_add ("/npy/empty", Fixture, NULL, set_up, test_empty, tear_down);
  g_test_add ("/npy/truncated", Fixture, NULL, set_up, test_truncated, tear_down);
  g_test_add ("/npy/no-file", Fixture, NULL, set_up, test_no_file, tear_down);
  return g_test_run ();
}
