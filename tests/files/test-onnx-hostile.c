/* SPDX-License-Identifier: MIT */
#include <locale.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "diagram/base/array.h"
#include "diagram/base/problem.h"
#include "diagram/check/snapshot.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "files/equations/document.h"
#include "files/equations/write.h"
#include "files/ncd/read.h"
#include "files/ncd/write.h"
#include "files/onnx/import.h"
#include "files/onnx/names.h"
#include "files/onnx/onnx.h"
#include "files/onnx/safetensors.h"
#include "files/onnx/tensor-file.h"

/* Files that are broken, or that somebody made to break what reads them. */

/* --- writing messages -------------------------------------------------------------------------- */

static void
put_varint (GByteArray *to, guint64 value)
{
  do
    {
      guint8 byte = (guint8) (value & 0x7f) | (value > 0x7f ? 0x80 : 0);

      g_byte_array_append (to, &byte, 1);
      value >>= 7;
    }
  while (value > 0);
}

static void
put_number (GByteArray *to, guint field, guint64 value)
{
  put_varint (to, field << 3);
  put_varint (to, value);
}

static void
put_bytes (GByteArray *to, guint field, gconstpointer data, gsize length)
{
  put_varint (to, field << 3 | 2);
  put_varint (to, length);
  g_byte_array_append (to, data, (guint) length);
}

static void
put_text (GByteArray *to, guint field, const char *text)
{
  put_bytes (to, field, text, strlen (text));
}

/* Takes @message. */
static void
put_message (GByteArray *to, guint field, GByteArray *message)
{
  put_bytes (to, field, message->data, message->len);
  g_byte_array_unref (message);
}

/* ValueInfoProto: floats of these sizes. */
static GByteArray *
info (const char *name, const gint64 *sizes, guint n)
{
  GByteArray *shape = g_byte_array_new (), *array = g_byte_array_new ();
  GByteArray *type = g_byte_array_new (), *self = g_byte_array_new ();

  for (guint i = 0; i < n; i++)
    {
      GByteArray *dim = g_byte_array_new ();

      put_number (dim, 1, (guint64) sizes[i]);
      put_message (shape, 1, dim);
    }
  put_number (array, 1, 1);
  put_message (array, 2, shape);
  put_message (type, 1, array);
  put_text (self, 1, name);
  put_message (self, 2, type);
  return self;
}

static GByteArray *
node (const char *op, const char *a, const char *b, const char *result)
{
  GByteArray *self = g_byte_array_new ();

  put_text (self, 1, a);
  if (b != NULL)
    put_text (self, 1, b);
  put_text (self, 2, result);
  put_text (self, 3, "the node");
  put_text (self, 4, op);
  return self;
}

/* A TensorProto of floats that are all in raw data; @n_bytes of it. */
static GByteArray *
tensor (const char *name, const gint64 *sizes, guint n, gsize n_bytes)
{
  g_autofree guint8 *raw = g_malloc0 (n_bytes + 1);
  GByteArray *self = g_byte_array_new ();

  for (guint i = 0; i < n; i++)
    put_number (self, 1, (guint64) sizes[i]);
  put_number (self, 2, 1);
  put_text (self, 8, name);
  put_bytes (self, 9, raw, n_bytes);
  return self;
}

/* Takes @graph. */
static GByteArray *
model (GByteArray *graph)
{
  GByteArray *self = g_byte_array_new (), *opset = g_byte_array_new ();

  put_number (self, 1, 8);
  put_number (opset, 2, 15);
  put_message (self, 8, opset);
  put_message (self, 7, graph);
  return self;
}

/* A TensorProto of @n whole numbers. */
static GByteArray *
whole_numbers (const char *name, const gint64 *numbers, guint n)
{
  GByteArray *self = g_byte_array_new ();

  put_number (self, 1, n);
  put_number (self, 2, 7);
  put_text (self, 8, name);
  put_bytes (self, 9, numbers, n * sizeof *numbers);
  return self;
}

/* Gives @node an attribute of @n whole numbers. */
static GByteArray *
with_numbers (GByteArray *node, const char *name, const gint64 *numbers, guint n)
{
  GByteArray *attribute = g_byte_array_new ();

  put_text (attribute, 1, name);
  for (guint i = 0; i < n; i++)
    put_number (attribute, 8, (guint64) numbers[i]);
  put_number (attribute, 20, 7);
  put_message (node, 5, attribute);
  return node;
}

static const gint64 square[] = { 3, 3 };

/* Y = relu (X W + W) */
static GByteArray *
usual_model (void)
{
  GByteArray *graph = g_byte_array_new ();

  put_message (graph, 1, node ("MatMul", "X", "W", "t"));
  put_message (graph, 1, node ("Add", "t", "W", "u"));
  put_message (graph, 1, node ("Relu", "u", NULL, "Y"));
  put_text (graph, 2, "usual");
  put_message (graph, 5, tensor ("W", square, 2, 36));
  put_message (graph, 11, info ("X", square, 2));
  put_message (graph, 12, info ("Y", square, 2));
  return model (graph);
}

/* --- reading them ---------------------------------------------------------------------------------- */

typedef struct
{
  char *folder, *path;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->folder = g_dir_make_tmp ("heddle-onnx-XXXXXX", NULL);
  self->path = g_build_filename (self->folder, "m.onnx", NULL);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_unlink (self->path);
  g_rmdir (self->folder);
  g_free (self->folder);
  g_free (self->path);
}

static HeddleSnapshot *
import (Fixture *self, const void *data, gsize length, HeddleOnnxReport *report, GError **error)
{
  g_unlink (self->path); /* what is there already would not be cut off */
  g_assert_true (
      g_file_set_contents_full (self->path, data, (gssize) length, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
  return heddle_onnx_import (self->path, NULL, NULL, FALSE, report, error);
}

/* Takes @bytes. What is read is whole; what is not says why. */
static gboolean
survives (Fixture *self, const guint8 *bytes, gsize length)
{
  g_auto (HeddleOnnxReport) report = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleSnapshot) snapshot = import (self, bytes, length, &report, &error);
  g_autoptr (GPtrArray) problems = NULL;

  g_assert_true ((snapshot == NULL) == (error != NULL));
  if (snapshot == NULL)
    {
      g_assert_cmpuint (strlen (error->message), >, 8);
      return FALSE;
    }
  problems = heddle_check_snapshot (snapshot);
  g_assert_false (heddle_problems_have_errors (problems));
  return TRUE;
}

/* Takes @bytes. */
static void
expect_failure (Fixture *self, GByteArray *bytes, const char *said)
{
  g_auto (HeddleOnnxReport) report = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleSnapshot) snapshot = import (self, bytes->data, bytes->len, &report, &error);

  g_byte_array_unref (bytes);
  g_assert_null (snapshot);
  g_assert_nonnull (error);
  if (strstr (error->message, said) == NULL)
    g_error ("“%s” does not say “%s”", error->message, said);
}

static void
test_usual (Fixture *self, gconstpointer data)
{
  g_autoptr (GByteArray) bytes = usual_model ();
  g_auto (HeddleOnnxReport) report = { 0 };
  g_autoptr (HeddleSnapshot) snapshot = import (self, bytes->data, bytes->len, &report, NULL);
  g_autofree char *text = NULL;

  g_assert_nonnull (snapshot);
  g_assert_cmpuint (report.n_operators, ==, 3);
  g_assert_cmpuint (report.n_understood, ==, 3);
  text = heddle_equations_write (g_ptr_array_index (snapshot->diagrams, 0));
  g_assert_cmpstr (text, ==,
      "param W : f32[m=3, i=3]\nX : f32[n=3, m]\nt3[n,i] = X[n,m] W[m,i] + W[n,i]\n"
      "Y[n,i] = relu(t3[n,i])\n-> Y\n");
}

static void
test_truncated (Fixture *self, gconstpointer data)
{
  g_autoptr (GByteArray) bytes = usual_model ();

  for (guint n = 0; n < bytes->len; n++)
    g_assert_false (survives (self, bytes->data, n));
  g_assert_true (survives (self, bytes->data, bytes->len));
}

/* Some are still models, most are not. */
static void
test_mutated (Fixture *self, gconstpointer data)
{
  g_autoptr (GByteArray) bytes = usual_model ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  guint good = 0, n = 2000;

  for (guint i = 0; i < n; i++)
    {
      g_autofree guint8 *changed = g_memdup2 (bytes->data, bytes->len);
      guint times = (guint) g_rand_int_range (rand, 1, 5);

      for (guint j = 0; j < times; j++)
        changed[g_rand_int_range (rand, 0, (gint32) bytes->len)] = (guint8) g_rand_int_range (rand, 0, 256);
      good += survives (self, changed, bytes->len);
    }
  g_assert_cmpuint (good, >, 10);
  g_assert_cmpuint (good, <, n - 10);
}

/* Graphs within attributes of nodes of graphs: what reads each by a call would run out of its stack. */
static void
test_deep (Fixture *self, gconstpointer data)
{
  GByteArray *graph = g_byte_array_new ();

  for (guint i = 0; i < 2000; i++)
    {
      GByteArray *attribute = g_byte_array_new (), *within = g_byte_array_new ();
      GByteArray *around = g_byte_array_new ();

      put_message (attribute, 6, graph);
      put_message (within, 5, attribute);
      put_message (around, 1, within);
      graph = around;
    }
  expect_failure (self, model (graph), "nested more than 64 deep");
}

static void
test_cyclic (Fixture *self, gconstpointer data)
{
  GByteArray *graph = g_byte_array_new ();

  put_message (graph, 1, node ("Add", "X", "u", "t"));
  put_message (graph, 1, node ("Relu", "t", NULL, "u"));
  put_message (graph, 11, info ("X", square, 2));
  put_message (graph, 12, info ("u", square, 2));
  expect_failure (self, model (graph), "node “the node” (Add): nothing before it makes “u”");

  graph = g_byte_array_new ();
  put_message (graph, 1, node ("Relu", "X", NULL, "X"));
  put_message (graph, 11, info ("X", square, 2));
  expect_failure (self, model (graph), "something else already makes “X”");
}

/* Sizes that no memory holds cost nothing as long as nobody computes with them. */
static void
test_huge (Fixture *self, gconstpointer data)
{
  static const gint64 long_ago[] = { G_MAXINT64 }, negative[] = { -3 };
  static const gint64 wide[] = { 1 << 20, 1 << 20, 1 << 20, 1 << 20 };
  static const gint64 nothing[] = { G_GINT64_CONSTANT (1) << 39, 0 };
  g_autoptr (GByteArray) bytes = NULL;
  GByteArray *graph = g_byte_array_new ();

  put_message (graph, 11, info ("X", long_ago, 1));
  expect_failure (self, model (graph), "input “X”");
  graph = g_byte_array_new ();
  put_message (graph, 11, info ("X", wide, 4));
  expect_failure (self, model (graph), "input “X”");
  graph = g_byte_array_new ();
  put_message (graph, 5, tensor ("W", negative, 1, 4));
  expect_failure (self, model (graph), "byte 10: an array has a size below 0");
  graph = g_byte_array_new ();
  put_message (graph, 1, node ("Relu", "X", NULL, "Y"));
  put_message (graph, 11, info ("X", nothing, 2)); /* no elements at all, however long a row would be */
  put_message (graph, 12, info ("Y", nothing, 2));
  bytes = model (graph);
  g_assert_true (survives (self, bytes->data, bytes->len));
  graph = g_byte_array_new ();
  for (guint i = 0; i < 500000; i++)
    put_bytes (graph, 1, "", 0);
  expect_failure (self, model (graph), "more than 400000 parts");
}

/* Takes @node, which makes Y of X, of the shape @sizes, and of the whole numbers N. It stays a box, for the reason @why. */
static void
expect_refusal (Fixture *self, GByteArray *node, const gint64 *sizes, guint rank, const gint64 *numbers,
    guint n, const char *why)
{
  GByteArray *graph = g_byte_array_new ();
  g_auto (HeddleOnnxReport) report = { 0 };
  g_autoptr (HeddleSnapshot) snapshot = NULL;
  g_autoptr (GByteArray) bytes = NULL;
  g_autoptr (GError) error = NULL;
  const HeddleOnnxOpaque *opaque;

  put_message (graph, 1, node);
  put_message (graph, 5, whole_numbers ("N", numbers, n));
  put_message (graph, 11, info ("X", sizes, rank));
  put_message (graph, 12, info ("Y", sizes, rank));
  bytes = model (graph);
  snapshot = import (self, bytes->data, bytes->len, &report, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (report.opaque->len, ==, 1);
  opaque = g_ptr_array_index (report.opaque, 0);
  g_assert_nonnull (strstr (opaque->why, why));
}

/* Numbers of nodes whose products and sums no integer holds. */
static void
test_beyond_integers (Fixture *self, gconstpointer data)
{
  static const gint64 shape[] = { 12, G_GINT64_CONSTANT (2449958197289549824) };
  static const gint64 image[] = { 3, 3, 3, 3 };
  static const gint64 pads[] = { G_MININT64, 0, G_MAXINT64, 0 };

  expect_refusal (self, node ("Reshape", "X", "N", "Y"), square, 2, shape, 2, "a size of");
  expect_refusal (self, node ("Pad", "X", "N", "Y"), square, 2, pads, 4, "a size of");
  expect_refusal (self, with_numbers (node ("ConvTranspose", "X", "X", "Y"), "pads", pads, 4), image, 4,
      shape, 1, "a size of");
  expect_refusal (self, with_numbers (node ("ConvTranspose", "X", "X", "Y"), "output_padding", pads + 1, 2),
      image, 4, shape, 1, "a size of");
}

/* The place of the largest of no elements. */
static void
test_nothing (Fixture *self, gconstpointer data)
{
  static const gint64 empty[] = { 0, 2 };

  expect_refusal (self, node ("ArgMin", "X", NULL, "Y"), empty, 2, square, 2, "an array without elements");
  expect_refusal (self, node ("Hardmax", "X", NULL, "Y"), empty, 2, square, 2, "an array without elements");
}

/* An array that says it is large, in a file that is small. */
static void
test_lying (Fixture *self, gconstpointer data)
{
  static const gint64 large[] = { 1 << 30 };
  g_autoptr (GByteArray) bytes = tensor ("W", large, 1, 16), fewer = tensor ("W", square, 2, 35);
  g_autofree char *path = g_build_filename (self->folder, "t.pb", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
  g_assert_null (heddle_onnx_tensor_load (path, &error));
  g_assert_nonnull (strstr (error->message, "fewer or more numbers"));
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (path, (const char *) fewer->data, fewer->len, NULL));
  g_assert_null (heddle_onnx_tensor_load (path, &error));
  g_assert_nonnull (strstr (error->message, "fewer or more numbers"));
  g_unlink (path);
}

/* --- external data ------------------------------------------------------------------------------------ */

/* A model whose initialiser W, a number that has to be known, lies in @location. */
static GByteArray *
external_model (const char *location, const char *offset)
{
  static const gint64 one[] = { 1 };
  const char *const entries[][2] = { { "location", location }, { "offset", offset } };
  GByteArray *graph = g_byte_array_new (), *weight = g_byte_array_new ();

  put_number (weight, 1, 1);
  put_number (weight, 2, 7);
  put_text (weight, 8, "W");
  for (guint i = 0; i < 2; i++)
    {
      GByteArray *entry = g_byte_array_new ();

      put_text (entry, 1, entries[i][0]);
      put_text (entry, 2, entries[i][1]);
      put_message (weight, 13, entry);
    }
  put_number (weight, 14, 1);
  put_message (graph, 1, node ("Reshape", "X", "W", "Y"));
  put_message (graph, 5, weight);
  put_message (graph, 11, info ("X", one, 1));
  put_message (graph, 12, info ("Y", one, 1));
  return model (graph);
}

static void
expect_external (Fixture *self, const char *location, const char *offset, const char *why)
{
  g_autoptr (GByteArray) bytes = external_model (location, offset);
  g_auto (HeddleOnnxReport) report = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleSnapshot) snapshot = import (self, bytes->data, bytes->len, &report, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (report.n_understood, ==, why == NULL ? 1 : 0);
  if (why != NULL)
    g_assert_nonnull (strstr (((HeddleOnnxOpaque *) report.opaque->pdata[0])->why, why));
}

static void
test_external (Fixture *self, gconstpointer data)
{
  static const guint8 numbers[] = { 9, 9, 9, 9, 1, 0, 0, 0, 0, 0, 0, 0 };
  g_autofree char *plain = g_build_filename (self->folder, "w.bin", NULL);
  g_autofree char *link = g_build_filename (self->folder, "link", NULL);

  g_assert_true (g_file_set_contents (plain, (const char *) numbers, sizeof numbers, NULL));
  g_assert_cmpint (symlink (plain, link), ==, 0);
  expect_external (self, "w.bin", "4", NULL);
  expect_external (self, "w.bin", "5", "ends before the array does");
  expect_external (self, "w.bin", "9223372036854775807", "ends before the array does");
  expect_external (self, "link", "4", "links are not followed");
  expect_external (self, "../w.bin", "4", "only files in the folder of the model");
  expect_external (self, plain, "4", "only files in the folder of the model");
  expect_external (self, "w.bin/..", "4", "external data in");
  expect_external (self, ".", "0", "only files in the folder of the model");
  expect_external (self, "", "0", "external data in");
  g_unlink (link);
  g_unlink (plain);
}

/* --- names --------------------------------------------------------------------------------------------- */

/* Names of all kinds become names of the language; what they were stands in a comment of one line. */
static void
test_names (Fixture *self, gconstpointer data)
{
  static const char *const names[] = { "a/b:0", "<script>alert(1)</script>", "$(rm -rf ~)", "x\n-> Z",
    "\\input{x}", "\xc3\xa4/\xe2\x82\xac", "max", "\x01\x02", "_{_{", "0" };
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      GByteArray *graph = g_byte_array_new ();
      g_autoptr (GByteArray) bytes = NULL;
      g_auto (HeddleOnnxReport) report = { 0 };
      g_autoptr (HeddleSnapshot) snapshot = NULL, again = NULL;
      const HeddleDiagram *diagram;
      g_autofree char *text = NULL, *ncd = NULL, *other = NULL;
      gsize length;

      put_message (graph, 1, node ("Relu", names[i], NULL, "Y"));
      put_text (graph, 2, names[i]);
      put_message (graph, 11, info (names[i], square, 2));
      put_message (graph, 12, info ("Y", square, 2));
      bytes = model (graph);
      snapshot = import (self, bytes->data, bytes->len, &report, NULL);
      g_assert_nonnull (snapshot);
      diagram = g_ptr_array_index (snapshot->diagrams, 0);
      g_assert_cmpint (heddle_onnx_find_value (diagram, names[i])->role, ==, HEDDLE_ROLE_INPUT);
      text = heddle_equations_write (diagram);
      again = heddle_equations_read (text, -1, "again.eq", problems);
      g_assert_nonnull (again);
      other = heddle_equations_write (g_ptr_array_index (again->diagrams, 0));
      g_assert_cmpstr (text, ==, other);
      ncd = heddle_ncd_write (snapshot, &length, NULL);
      g_assert_nonnull (ncd);
      g_assert_null (strstr (ncd, "<script"));
      g_clear_pointer (&again, heddle_snapshot_unref);
      again = heddle_ncd_read (ncd, length, "again.ncd", problems);
      g_assert_nonnull (again);
    }
}

/* --- safetensors -------------------------------------------------------------------------------------------- */

static HeddleSafetensors *
open_safetensors (Fixture *self, const char *header, guint64 length, gsize n_data, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint8 zero = 0;

  for (guint i = 0; i < 8; i++)
    {
      guint8 byte = (guint8) (length >> 8 * i);

      g_byte_array_append (bytes, &byte, 1);
    }
  g_byte_array_append (bytes, (const guint8 *) header, (guint) strlen (header));
  for (gsize i = 0; i < n_data; i++)
    {
      zero = (guint8) (i % 4 == 3 ? 0x40 : 0);
      g_byte_array_append (bytes, &zero, 1);
    }
  g_assert_true (g_file_set_contents (self->path, (const char *) bytes->data, bytes->len, NULL));
  return heddle_safetensors_load (self->path, error);
}

static void
refuse_safetensors (Fixture *self, const char *header, guint64 length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleSafetensors) file
      = open_safetensors (self, header, length > 0 ? length : strlen (header), 8, &error);

  g_assert_null (file);
  g_assert_nonnull (error);
}

static void
test_safetensors (Fixture *self, gconstpointer data)
{
  static const char good[] = "{\"__metadata__\":{\"a\":\"b\"},\"w\":{\"dtype\":\"F32\",\"shape\":[1,2],"
                             "\"data_offsets\":[0,8]}}";
  g_autoptr (HeddleSafetensors) file = open_safetensors (self, good, strlen (good), 8, NULL);
  g_autoptr (HeddleArray) array = NULL;
  g_autofree char *deep = g_strnfill (200000, '[');

  g_assert_nonnull (file);
  g_assert_true (heddle_safetensors_contain (file, "w"));
  g_assert_false (heddle_safetensors_contain (file, "__metadata__"));
  array = heddle_safetensors_read (file, "w", NULL);
  g_assert_nonnull (array);
  g_assert_cmpuint (array->n_dims, ==, 2);
  g_assert_cmpfloat (array->data[1], ==, 2.);
  refuse_safetensors (self, good, G_MAXUINT64);
  refuse_safetensors (self, good, 1000);
  refuse_safetensors (self, deep, 0);
  refuse_safetensors (self, "{\"w\":[]}", 0);
  refuse_safetensors (self, "{\"w\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[0,8]}}", 0);
  refuse_safetensors (self, "{\"w\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[4,12]}}", 0);
  refuse_safetensors (self, "{\"w\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,0]}}", 0);
  refuse_safetensors (self, "{\"w\":{\"dtype\":\"F32\",\"shape\":[-2],\"data_offsets\":[0,8]}}", 0);
  refuse_safetensors (
      self, "{\"w\":{\"dtype\":\"F32\",\"shape\":[4611686018427387904,8],\"data_offsets\":[0,0]}}", 0);
}

#define CASE(name, test) g_test_add ("/onnx/hostile/" name, Fixture, NULL, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  CASE ("usual", test_usual);
  CASE ("truncated", test_truncated);
  CASE ("mutated", test_mutated);
  CASE ("deep", test_deep);
  CASE ("cyclic", test_cyclic);
  CASE ("huge", test_huge);
  CASE ("beyond-integers", test_beyond_integers);
  CASE ("nothing", test_nothing);
  CASE ("lying", test_lying);
  CASE ("external", test_external);
  CASE ("names", test_names);
  CASE ("safetensors", test_safetensors);
  return g_test_run ();
}
