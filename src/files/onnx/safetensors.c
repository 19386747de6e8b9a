/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>

#include "diagram/base/dtype-bytes.h"
#include "diagram/base/dtype.h"
#include "files/base/files.h"
#include "files/base/json.h"
#include "files/base/open.h"
#include "files/onnx/model.h"
#include "files/onnx/safetensors.h"

/* A file begins with the length of its head, 8 bytes, then the head in JSON, then numbers. */
#define PREFIX 8
#define LARGEST_HEAD (16 * 1024 * 1024)
#define DEEPEST_HEAD 4
#define MOST_ARRAYS 100000

typedef struct
{
  HeddleDtype dtype; /* UNSET: not supported */
  guint bytes;
  guint rank;
  gint64 shape[HEDDLE_ONNX_MAX_RANK];
  const guint8 *data;
} Entry;

struct _HeddleSafetensors
{
  GMappedFile *file;
  GHashTable *entries; /* name -> Entry */
};

typedef struct
{
  const char *name;
  HeddleDtype dtype;
  guint bytes;
} Layout;

static const Layout layouts[] = {
  { "F64", HEDDLE_DTYPE_F64, 8 },
  { "F32", HEDDLE_DTYPE_F32, 4 },
  { "F16", HEDDLE_DTYPE_F16, 2 },
  { "BF16", HEDDLE_DTYPE_BF16, 2 },
  { "F8_E4M3", HEDDLE_DTYPE_E4M3, 1 },
  { "F8_E5M2", HEDDLE_DTYPE_E5M2, 1 },
  { "I64", HEDDLE_DTYPE_I64, 8 },
  { "I32", HEDDLE_DTYPE_I32, 4 },
  { "BOOL", HEDDLE_DTYPE_BOOL, 1 },
  { "U64", HEDDLE_DTYPE_UNSET, 8 },
  { "U32", HEDDLE_DTYPE_UNSET, 4 },
  { "U16", HEDDLE_DTYPE_UNSET, 2 },
  { "I16", HEDDLE_DTYPE_UNSET, 2 },
  { "U8", HEDDLE_DTYPE_UNSET, 1 },
  { "I8", HEDDLE_DTYPE_UNSET, 1 },
};

static gboolean
fail (GError **error, const char *name, const char *why)
{
  g_set_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_FORMAT, _ ("array “%s”: %s"), name, why);
  return FALSE;
}

/* --- the head ---------------------------------------------------------------------------------- */

/* Takes the whole numbers of a member, which must not be below 0. */
static gboolean
take_numbers (JsonObject *object, const char *member, gint64 *numbers, guint most, guint *n)
{
  JsonNode *node = json_object_get_member (object, member);
  JsonArray *array = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;

  if (array == NULL || json_array_get_length (array) > most)
    return FALSE;
  *n = json_array_get_length (array);
  for (guint i = 0; i < *n; i++)
    {
      JsonNode *element = json_array_get_element (array, i);

      if (!JSON_NODE_HOLDS_VALUE (element) || json_node_get_value_type (element) != G_TYPE_INT64
          || json_node_get_int (element) < 0)
        return FALSE;
      numbers[i] = json_node_get_int (element);
    }
  return TRUE;
}

static const Layout *
find_layout (JsonObject *object)
{
  JsonNode *node = json_object_get_member (object, "dtype");
  const char *name = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_string (node) : NULL;

  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (layouts); i++)
    if (g_str_equal (layouts[i].name, name))
      return &layouts[i];
  return NULL;
}

/* Adds an array. Its bytes must be as many as its shape says, and inside the file. */
static gboolean
add_entry (HeddleSafetensors *self, const char *name, JsonNode *node, const guint8 *data, gsize n_data,
    GError **error)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  const Layout *layout = object != NULL ? find_layout (object) : NULL;
  g_autofree Entry *entry = g_new0 (Entry, 1);
  gint64 offsets[2], n_elements;
  guint n;

  if (layout == NULL)
    return fail (error, name, _ ("no data type that is known"));
  if (!take_numbers (object, "shape", entry->shape, HEDDLE_ONNX_MAX_RANK, &entry->rank)
      || !take_numbers (object, "data_offsets", offsets, 2, &n) || n != 2)
    return fail (error, name, _ ("no shape, or no place"));
  n_elements = heddle_array_count_elements (entry->rank, entry->shape);
  if (n_elements < 0 || n_elements > (gint64) n_data / layout->bytes)
    return fail (error, name, _ ("it is larger than the file"));
  if (offsets[0] > offsets[1] || (guint64) offsets[1] > n_data
      || offsets[1] - offsets[0] != n_elements * layout->bytes)
    return fail (error, name, _ ("its place is outside the file, or of another size"));
  entry->dtype = layout->dtype;
  entry->bytes = layout->bytes;
  entry->data = data + offsets[0];
  g_hash_table_replace (self->entries, g_strdup (name), g_steal_pointer (&entry));
  return TRUE;
}

static gboolean
read_head (
    HeddleSafetensors *self, const char *head, gsize length, const guint8 *data, gsize n_data, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  JsonObjectIter iter;
  const char *name;
  JsonNode *node, *root;

  if (!heddle_json_is_shallow (head, length, DEEPEST_HEAD))
    return fail (error, "", _ ("the head is nested too deep"));
  if (!json_parser_load_from_data (parser, head, (gssize) length, error))
    return FALSE;
  root = json_parser_get_root (parser);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root)
      || json_object_get_size (json_node_get_object (root)) > MOST_ARRAYS)
    return fail (error, "", _ ("the head is not a list of arrays"));
  json_object_iter_init (&iter, json_node_get_object (root));
  while (json_object_iter_next (&iter, &name, &node))
    if (!g_str_equal (name, "__metadata__") && !add_entry (self, name, node, data, n_data, error))
      return FALSE;
  return TRUE;
}

void
heddle_safetensors_free (HeddleSafetensors *self)
{
  g_clear_pointer (&self->file, g_mapped_file_unref);
  g_hash_table_unref (self->entries);
  g_free (self);
}

/**
 * heddle_safetensors_load:
 * @path: a file of named arrays
 * @error: return location for errors of files, %HEDDLE_FILES_ERROR_FORMAT or those of JSON
 *
 * Returns: (transfer full): what the file holds; its numbers stay in it
 */
HeddleSafetensors *
heddle_safetensors_load (const char *path, GError **error)
{
  g_autoptr (HeddleSafetensors) self = g_new0 (HeddleSafetensors, 1);
  guint64 length = 0;
  const guint8 *start;
  gsize size;

  g_return_val_if_fail (path != NULL, NULL);
  self->entries = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->file = heddle_file_map (path, error);
  if (self->file == NULL)
    return NULL;
  start = (const guint8 *) g_mapped_file_get_contents (self->file);
  size = g_mapped_file_get_length (self->file);
  for (guint i = 0; size >= PREFIX && i < PREFIX; i++)
    length |= (guint64) start[i] << 8 * i;
  if (size < PREFIX || length > size - PREFIX || length > LARGEST_HEAD)
    fail (error, "", _ ("the head is longer than the file, or than 16 MiB"));
  else if (read_head (self, (const char *) start + PREFIX, (gsize) length, start + PREFIX + length,
               size - PREFIX - (gsize) length, error))
    return g_steal_pointer (&self);
  return NULL;
}

GList *
heddle_safetensors_get_names (const HeddleSafetensors *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_list_sort (g_hash_table_get_keys (self->entries), (GCompareFunc) strcmp);
}

gboolean
heddle_safetensors_contain (const HeddleSafetensors *self, const char *name)
{
  g_return_val_if_fail (self != NULL && name != NULL, FALSE);

  return g_hash_table_contains (self->entries, name);
}

HeddleArray *
heddle_safetensors_read (const HeddleSafetensors *self, const char *name, GError **error)
{
  const Entry *entry;
  HeddleArray *array;

  g_return_val_if_fail (self != NULL && name != NULL, NULL);
  entry = g_hash_table_lookup (self->entries, name);
  if (entry == NULL || entry->dtype == HEDDLE_DTYPE_UNSET)
    {
      fail (error, name, entry == NULL ? _ ("there is none") : _ ("its data type is not supported"));
      return NULL;
    }
  array = heddle_array_new (entry->dtype, entry->rank, entry->shape, error);
  for (gint64 i = 0; array != NULL && i < array->n_elements; i++)
    {
      guint8 bytes[8];

      for (guint j = 0; j < entry->bytes; j++)
        bytes[G_BYTE_ORDER == G_LITTLE_ENDIAN ? j : entry->bytes - 1 - j]
            = entry->data[(gsize) i * entry->bytes + j];
      array->data[i] = heddle_dtype_decode (entry->dtype, bytes);
    }
  return array;
}
