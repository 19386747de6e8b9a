/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/ptx/ptx-bulk.h"

/* Tensor maps. What NVIDIA's driver makes of one is nobody's business: here it is a form of our own, made under the same conditions as
 * cuTensorMapEncodeTiled () of the driver's interface states them. */

#define MAGIC G_GUINT64_CONSTANT (0x70616d726f736e74)
#define MOST_BOX 256
#define MOST_STRIDE (G_GUINT64_CONSTANT (1) << 40)
#define MOST_SIZE (G_GUINT64_CONSTANT (1) << 32)

typedef struct
{
  guint64 magic;
  HeddlePtxTensorMap map;
} Packed;

G_STATIC_ASSERT (sizeof (Packed) <= HEDDLE_PTX_TENSOR_MAP_BYTES);

static const char *
find_fault (const HeddlePtxTensorMap *map)
{
  if (map->rank < 1 || map->rank > HEDDLE_PTX_TENSOR_MAP_RANK)
    return _ ("it has no axes, or more than five");
  if (map->element_bytes != 1 && map->element_bytes != 2 && map->element_bytes != 4
      && map->element_bytes != 8)
    return _ ("no element has that many bytes");
  if (map->address % 16 != 0)
    return _ ("the array is not aligned to 16 bytes");
  for (guint i = 0; i < map->rank; i++)
    {
      if (map->sizes[i] < 1 || map->sizes[i] > MOST_SIZE)
        return _ ("a size is 0, or beyond 2^32");
      if (map->box[i] < 1 || map->box[i] > MOST_BOX)
        return _ ("a side of the box is 0, or longer than 256");
      if (i + 1 < map->rank && (map->strides[i] % 16 != 0 || map->strides[i] >= MOST_STRIDE))
        return _ ("a stride is no multiple of 16 bytes, or too long");
    }
  if (map->box[0] * map->element_bytes % 16 != 0)
    return _ ("a row of the box is no multiple of 16 bytes");
  if (map->swizzled && map->box[0] * map->element_bytes > 128)
    return _ ("a row of the box is longer than the 128 bytes that are swizzled");
  return NULL;
}

/**
 * heddle_ptx_tensor_map_encode:
 * @map: an array and a box
 * @bytes: (out caller-allocates) (array fixed-size=128): the tensor map
 * @error: return location for an error
 *
 * Makes the tensor map that a kernel gets as an argument. It means something to heddle_ptx_launch() alone.
 *
 * Returns: whether there is one; else %HEDDLE_PTX_ERROR_ARGUMENT with the condition that is not met
 */
gboolean
heddle_ptx_tensor_map_encode (
    const HeddlePtxTensorMap *map, guint8 bytes[HEDDLE_PTX_TENSOR_MAP_BYTES], GError **error)
{
  const char *fault = find_fault (map);
  const Packed packed = { MAGIC, *map };

  if (fault != NULL)
    {
      g_set_error (error, HEDDLE_PTX_ERROR, HEDDLE_PTX_ERROR_ARGUMENT, _ ("no tensor map: %s"), fault);
      return FALSE;
    }
  memset (bytes, 0, HEDDLE_PTX_TENSOR_MAP_BYTES);
  memcpy (bytes, &packed, sizeof packed);
  return TRUE;
}

gboolean
ptx_tensor_map_decode (const guint8 *bytes, HeddlePtxTensorMap *map)
{
  Packed packed;

  memcpy (&packed, bytes, sizeof packed);
  *map = packed.map;
  return packed.magic == MAGIC;
}
