/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/ptx/instructions/access.h"
#include "codegen/ptx/machine.h"
#include "codegen/ptx/instructions/tensor-map.h"
#include "codegen/ptx/warp.h"

/* Tensor maps. The form in which NVIDIA's driver has one is not specified: here it is a form of our own, made
 * under the same conditions as cuTensorMapEncodeTiled () of the driver's interface states them. */

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
        return _ ("a stride is not a multiple of 16 bytes, or too long");
    }
  if (map->box[0] * map->element_bytes % 16 != 0)
    return _ ("a row of the box is not a multiple of 16 bytes");
  if (map->swizzle != 0 && map->swizzle != 32 && map->swizzle != 64 && map->swizzle != 128)
    return _ ("no swizzle has that many bytes");
  if (map->swizzle != 0 && map->box[0] * map->element_bytes > map->swizzle)
    return _ ("a row of the box is longer than the bytes that are swizzled");
  return NULL;
}

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

/* A map is aligned to 64 bytes. */
#define HALF (HEDDLE_PTX_TENSOR_MAP_BYTES / 2)

/* Returns the bytes of a map that a lane names, or NULL. */
static guint8 *
find_map (
    PtxWarp *warp, const PtxInstruction *in, PtxSpace space, guint lane, guint64 address, PtxAccess access)
{
  guint8 *bytes = ptx_resolve (warp, in, space, lane, address, HALF, access);

  return bytes != NULL && ptx_resolve (warp, in, space, lane, address + HALF, HALF, access) != NULL ? bytes
                                                                                                    : NULL;
}

static gboolean
unpack (PtxWarp *warp, const PtxInstruction *in, guint lane, const guint8 *bytes, Packed *packed)
{
  memcpy (packed, bytes, sizeof *packed);
  if (packed->magic == MAGIC)
    return TRUE;
  ptx_fail (warp, in, lane, HEDDLE_PTX_ERROR_ACCESS, _ ("there is no tensor map"));
  return FALSE;
}

/* --- which ones are changed --- */

/* Copies read maps by a proxy of their own: who changed one in global memory has to release it, and who uses
 * it to acquire it. Here one fence that acquires it stands for both. */
static void
note_changed (PtxWarp *warp, PtxSpace space, guint64 address)
{
  PtxRun *run = warp->run;

  if (run->races == NULL || (space == PTX_GENERIC ? ptx_space_of (&address) : space) != PTX_GLOBAL)
    return;
  if (run->changed_maps == NULL)
    run->changed_maps = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_hash_table_add (run->changed_maps, g_memdup2 (&address, sizeof address));
}

static PtxStatus
acquire (PtxWarp *warp, const PtxInstruction *in)
{
  PTX_FOR_LANES (warp, l)
  {
    const guint64 address = ptx_source (warp, in, 0)[l] + (guint64) in->operands[0].offset;

    if (warp->run->changed_maps != NULL)
      g_hash_table_remove (warp->run->changed_maps, &address);
  }
  return PTX_NEXT;
}

static gboolean
check_acquired (PtxWarp *warp, const PtxInstruction *in, guint lane, guint64 address)
{
  if (warp->run->changed_maps == NULL || !g_hash_table_contains (warp->run->changed_maps, &address))
    return TRUE;
  ptx_fail (warp, in, lane, HEDDLE_PTX_ERROR_RACE,
      _ ("its tensor map was changed, and no fence.proxy.tensormap::generic.acquire lies between"));
  return FALSE;
}

gboolean
ptx_tensor_map_read (
    PtxWarp *warp, const PtxInstruction *in, guint lane, guint64 address, HeddlePtxTensorMap *map)
{
  const guint8 *bytes = find_map (warp, in, PTX_GENERIC, lane, address, PTX_READ);
  const char *fault;
  Packed packed;

  if (bytes == NULL || !unpack (warp, in, lane, bytes, &packed) || !check_acquired (warp, in, lane, address))
    return FALSE;
  *map = packed.map;
  fault = find_fault (map);
  if (fault == NULL)
    return TRUE;
  ptx_fail (warp, in, lane, HEDDLE_PTX_ERROR_ACCESS, _ ("its tensor map is none: %s"), fault);
  return FALSE;
}

/* --- changing one --- */

typedef enum
{
  ADDRESS,
  RANK,
  BOX,
  SIZE,
  STRIDE,
  STEP,
  TYPE,
  INTERLEAVE,
  SWIZZLE,
  FILL,
} Field;

/* Sets the type of the elements by its number in the PTX ISA: their bytes, and the driver's number. */
static void
set_type (HeddlePtxTensorMap *map, guint64 type)
{
  static const guint8 bytes[] = { 1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2, 4, 4 },
                      numbers[] = { 0, 1, 2, 3, 4, 5, 6, 7, 10, 8, 9, 11, 12 };
  const gboolean known = type < G_N_ELEMENTS (bytes);

  map->element_bytes = known ? bytes[type] : 0;
  map->type = known ? numbers[type] : 0;
}

/* Returns whether the map can have that value; @place is the number of an axis. */
static gboolean
set_field (HeddlePtxTensorMap *map, Field field, guint place, guint64 value)
{
  static const guint8 swizzles[] = { 0, 32, 64, 128 };

  if (place >= HEDDLE_PTX_TENSOR_MAP_RANK - (field == STRIDE))
    return FALSE;
  if (field == ADDRESS)
    map->address = value;
  else if (field == RANK)
    map->rank = (guint8) (value + 1);
  else if (field == BOX)
    map->box[place] = (guint16) MIN (value, G_MAXUINT16);
  else if (field == SIZE)
    map->sizes[place] = value;
  else if (field == STRIDE)
    map->strides[place] = value;
  else if (field == TYPE)
    set_type (map, value);
  else if (field == SWIZZLE && value < G_N_ELEMENTS (swizzles))
    map->swizzle = swizzles[value];
  else
    return field == STEP ? value == 1 : (field == INTERLEAVE || field == FILL) && value == 0;
  return TRUE;
}

/* Replaces a field. Whether the value is right is seen when the map is used: fields may be changed one after
 * the other. */
static PtxStatus
replace (PtxWarp *warp, const PtxInstruction *in, Field field)
{
  const guint last = in->n_operands - 1u;

  PTX_FOR_LANES (warp, l)
  {
    const guint64 address = ptx_source (warp, in, 0)[l] + (guint64) in->operands[0].offset;
    const guint64 value = ptx_source (warp, in, last)[l];
    guint8 *bytes = find_map (warp, in, in->modifier[PTX_SPACE], l, address, PTX_WRITE);
    Packed packed;

    if (bytes == NULL || !unpack (warp, in, l, bytes, &packed))
      return PTX_FAILED;
    if (!set_field (&packed.map, field, last > 1 ? (guint) ptx_source (warp, in, 1)[l] : 0, value))
      return ptx_fail (warp, in, l, HEDDLE_PTX_ERROR_UNKNOWN, _ ("an unknown kind of tensor map"));
    memcpy (bytes, &packed, sizeof packed);
    note_changed (warp, in->modifier[PTX_SPACE], address);
  }
  return PTX_NEXT;
}

#define REPLACE(name, field)                                                                                 \
  static PtxStatus name (PtxWarp *warp, const PtxInstruction *in)                                            \
  {                                                                                                          \
    return replace (warp, in, field);                                                                        \
  }

REPLACE (replace_address, ADDRESS)
REPLACE (replace_rank, RANK)
REPLACE (replace_box, BOX)
REPLACE (replace_size, SIZE)
REPLACE (replace_stride, STRIDE)
REPLACE (replace_step, STEP)
REPLACE (replace_type, TYPE)
REPLACE (replace_interleave, INTERLEAVE)
REPLACE (replace_swizzle, SWIZZLE)
REPLACE (replace_fill, FILL)

/* Copies a map from shared to global memory, for all lanes of a warp at once. */
static PtxStatus
copy_map (PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 to = ptx_source (warp, in, 0)[0] + (guint64) in->operands[0].offset;
  const guint64 from = ptx_source (warp, in, 1)[0] + (guint64) in->operands[1].offset;
  const guint8 *source;
  guint8 *target;

  if (!ptx_warp_gather (warp, G_MAXUINT32))
    return PTX_JUMPED;
  if (ptx_source (warp, in, 2)[0] != HEDDLE_PTX_TENSOR_MAP_BYTES)
    return ptx_fail (
        warp, in, 0, HEDDLE_PTX_ERROR_TRAP, _ ("a tensor map has %d bytes"), HEDDLE_PTX_TENSOR_MAP_BYTES);
  source = find_map (warp, in, PTX_SHARED, 0, from, PTX_READ);
  target = source != NULL ? find_map (warp, in, PTX_GLOBAL, 0, to, PTX_WRITE) : NULL;
  if (target == NULL)
    return PTX_FAILED;
  memcpy (target, source, HEDDLE_PTX_TENSOR_MAP_BYTES);
  note_changed (warp, PTX_GLOBAL, to);
  return PTX_NEXT;
}

/* Executes a release: see note_changed (). */
static PtxStatus
nothing (PtxWarp *warp, const PtxInstruction *in)
{
  return PTX_NEXT;
}

/* The rows of one field. The memory has 1024 bits, and its space stands before that. */
#define FIELD(name, type, operands, handler)                                                                 \
  {                                                                                                          \
    "tensormap.replace.tile." name, 0, PTX_M (OBJECT) | PTX_M (SPACE), PTX_T (type), 0, operands, handler,   \
        PTX_UNDEFINED_FAILS                                                                                  \
  }

const PtxRow ptx_rows_tensor_map[] = {
  FIELD ("global_address", B64, "mq", replace_address),
  FIELD ("rank", B32, "mu", replace_rank),
  FIELD ("box_dim", B32, "muu", replace_box),
  FIELD ("global_dim", B32, "muu", replace_size),
  FIELD ("global_stride", B64, "muq", replace_stride),
  FIELD ("element_stride", B32, "muu", replace_step),
  FIELD ("elemtype", B32, "mu", replace_type),
  FIELD ("interleave_layout", B32, "mu", replace_interleave),
  FIELD ("swizzle_mode", B32, "mu", replace_swizzle),
  FIELD ("fill_mode", B32, "mu", replace_fill),
  { "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned", 0, 0, 0, 0,
      "mmu", copy_map, PTX_UNDEFINED_FAILS },
  { "fence.proxy.tensormap::generic.acquire", 0, PTX_M (SCOPE), 0, 0, "mu", acquire, PTX_UNDEFINED_FAILS },
  { "fence.proxy.tensormap::generic.release", 0, PTX_M (SCOPE), 0, 0, "", nothing },
  { NULL },
};
