/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/verify/launch.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype-bytes.h"
#include "diagram/base/dtype.h"

static gsize
bytes_of (const HeddleVerifyLaunch *self, const HeddleKernelParameter *parameter)
{
  const HeddleValue *value = heddle_diagram_get_value (self->text->program->diagram, parameter->value);

  return heddle_sizes_elements (self->sizes, value) * heddle_dtype_bytes (parameter->dtype);
}

/* Returns an array of the parameter's shape. */
static HeddleArray *
new_array (const HeddleVerifyLaunch *self, const HeddleKernelParameter *parameter, GError **error)
{
  const HeddleValue *value = heddle_diagram_get_value (self->text->program->diagram, parameter->value);
  g_autofree gint64 *shape = g_new (gint64, MAX (value->axes->len, 1));

  for (guint i = 0; i < value->axes->len; i++)
    shape[i] = heddle_sizes_get (self->sizes, heddle_ids_index (value->axes, i));
  return heddle_array_new (parameter->dtype, value->axes->len, shape, error);
}

/* Returns the bytes that lie in memory, which are the same for each launch. */
static GBytes *
encode (HeddleVerifyLaunch *self, const HeddleKernelParameter *parameter)
{
  const HeddleArray *array = g_hash_table_lookup (self->run->arrays, parameter->value);
  guint size = heddle_dtype_bytes (parameter->dtype);
  char *bytes = g_malloc (MAX (1, array->n_elements * size));

  for (gint64 i = 0; i < array->n_elements; i++)
    heddle_dtype_encode (parameter->dtype, array->data[i], bytes + i * size);
  return g_bytes_new_take (bytes, array->n_elements * size);
}

static gboolean
write_array (
    HeddleVerifyLaunch *self, const HeddleKernelParameter *parameter, guint64 address, GError **error)
{
  GBytes *bytes;

  if (self->encoded == NULL)
    self->encoded = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_bytes_unref);
  bytes = g_hash_table_lookup (self->encoded, parameter);
  if (bytes == NULL)
    {
      bytes = encode (self, parameter);
      g_hash_table_insert (self->encoded, (gpointer) parameter, bytes);
    }
  return self->memory->write (
      self->board, address, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), error);
}

static HeddleArray *
read_array (HeddleVerifyLaunch *self, const HeddleKernelParameter *parameter, guint64 address, GError **error)
{
  guint size = heddle_dtype_bytes (parameter->dtype);
  g_autoptr (HeddleArray) array = new_array (self, parameter, error);
  g_autofree char *bytes = array != NULL ? g_malloc (MAX (1, array->n_elements * size)) : NULL;

  if (array == NULL || !self->memory->read (self->board, address, bytes, array->n_elements * size, error))
    return NULL;
  for (gint64 i = 0; i < array->n_elements; i++)
    array->data[i] = heddle_dtype_decode (parameter->dtype, bytes + i * size);
  return g_steal_pointer (&array);
}

/* --- tensor maps --- */

gboolean
heddle_kernel_map_describe (
    const HeddleKernelMap *self, const HeddleSizes *sizes, guint64 address, HeddlePtxTensorMap *map)
{
  const guint bytes = heddle_dtype_bytes (self->dtype);
  guint64 stride = bytes;

  *map = (HeddlePtxTensorMap){
    .address = address, .element_bytes = (guint8) bytes, .rank = (guint8) self->n, .swizzle = 128
  };
  for (guint k = 0; k < self->n; k++)
    {
      guint from = self->n - 1 - k;

      map->sizes[k] = (guint64) heddle_sizes_get (sizes, self->axes[from]);
      map->box[k] = (guint16) self->box[from];
      stride *= map->sizes[k];
      if (k + 1 < self->n)
        map->strides[k] = stride;
    }
  return map->strides[0] % 16 == 0;
}

guint8 *
heddle_kernel_maps_new (const HeddleKernelText *text, guint launches)
{
  return g_aligned_alloc0 (MAX (1, text->maps->len * launches), HEDDLE_PTX_TENSOR_MAP_BYTES, 64);
}

static guint64
address_of (const HeddleVerifyLaunch *self, const char *value)
{
  for (guint i = 0; i < self->text->parameters->len; i++)
    if (((const HeddleKernelParameter *) g_ptr_array_index (self->text->parameters, i))->value == value)
      return self->values[i];
  return 0;
}

static gboolean
make_maps (HeddleVerifyLaunch *self, GError **error)
{
  for (guint i = 0; i < self->text->maps->len; i++)
    {
      const HeddleKernelMap *map = g_ptr_array_index (self->text->maps, i);
      HeddlePtxTensorMap description;

      if (heddle_kernel_map_describe (map, self->sizes, address_of (self, map->value), &description)
          && !self->memory->map (
              self->board, &description, self->maps + i * HEDDLE_PTX_TENSOR_MAP_BYTES, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
heddle_verify_place_arguments (HeddleVerifyLaunch *self, GError **error)
{
  for (guint i = 0; i < self->text->parameters->len; i++)
    {
      const HeddleKernelParameter *parameter = g_ptr_array_index (self->text->parameters, i);

      if (parameter->axis != NULL)
        {
          self->values[i] = heddle_sizes_get (self->sizes, parameter->axis);
          continue;
        }
      self->values[i]
          = self->memory->allocate (self->board, parameter->name, bytes_of (self, parameter), error);
      if (self->values[i] == 0
          || (!parameter->output && !write_array (self, parameter, self->values[i], error)))
        return FALSE;
    }
  return make_maps (self, error);
}

guint
heddle_kernel_text_blocks (const HeddleKernelText *text, const HeddleSizes *sizes)
{
  gint64 blocks = 1;

  for (guint i = 0; i < text->tiles->len; i++)
    {
      const HeddleKernelTile *tile = g_ptr_array_index (text->tiles, i);

      blocks *= (heddle_sizes_get (sizes, tile->axis) + tile->size - 1) / tile->size;
    }
  return MIN (blocks, G_MAXINT);
}

gboolean
heddle_verify_take_outputs (HeddleVerifyLaunch *self, gboolean first, GError **error)
{
  for (guint i = 0; i < self->text->parameters->len; i++)
    {
      const HeddleKernelParameter *parameter = g_ptr_array_index (self->text->parameters, i);
      const HeddleArray *before = g_hash_table_lookup (self->run->arrays, parameter->value);
      g_autoptr (HeddleArray) array = NULL;

      if (!parameter->output)
        continue;
      array = read_array (self, parameter, self->values[i], error);
      if (array == NULL)
        return FALSE;
      if (first)
        g_hash_table_insert (self->run->arrays, (gpointer) parameter->value, g_steal_pointer (&array));
      else if (memcmp (before->data, array->data, array->n_elements * sizeof *array->data) != 0)
        {
          g_set_error (error, HEDDLE_PTX_ERROR, HEDDLE_PTX_ERROR_RACE,
              _ ("another run gives other values of %s"), parameter->name);
          return FALSE;
        }
    }
  return TRUE;
}
