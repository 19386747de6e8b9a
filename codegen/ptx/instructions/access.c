/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "codegen/ptx/instructions/access.h"
#include "codegen/ptx/instructions/cluster.h"
#include "codegen/ptx/memory.h"
#include "codegen/ptx/modifiers.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/races.h"
#include "codegen/ptx/traffic.h"
#include "codegen/ptx/warp.h"

/* Loads and stores. */

/* Returns the state space of a generic address, which becomes the address in that space. Parameters keep
 * theirs. */
PtxSpace
ptx_space_of (guint64 *address)
{
  if (*address - PTX_WINDOW_SHARED < PTX_WINDOW_SIZE)
    {
      *address -= PTX_WINDOW_SHARED;
      return PTX_SHARED;
    }
  if (*address - PTX_WINDOW_LOCAL < PTX_WINDOW_SIZE)
    {
      *address -= PTX_WINDOW_LOCAL;
      return PTX_LOCAL;
    }
  gboolean parameter
      = *address - PTX_WINDOW_PARAMETERS < PTX_WINDOW_SIZE || *address - PTX_WINDOW_CALL < PTX_WINDOW_SIZE;
  return parameter ? PTX_PARAM : PTX_GLOBAL;
}

/* Returns the bytes at @address of a memory with @limit bytes, or NULL. */
static guint8 *
within (guint8 *memory, gsize limit, guint64 address, gsize size)
{
  return memory != NULL && address <= limit && size <= limit - address ? memory + address : NULL;
}

static guint8 *
find_parameter (PtxWarp *warp, guint lane, guint64 address, gsize size, gboolean write)
{
  if (address < PTX_WINDOW_SIZE) /* it went through 32 bits */
    address += PTX_WINDOW_PARAMETERS;
  if (address - PTX_WINDOW_PARAMETERS < PTX_WINDOW_SIZE)
    return write ? NULL
                 : within (warp->run->parameters, warp->run->kernel->parameter_bytes,
                     address - PTX_WINDOW_PARAMETERS, size);
  gsize bytes = warp->frame->function->call_bytes;
  if (warp->frame->parameters == NULL)
    return NULL;
  return within (warp->frame->parameters + lane * bytes, bytes, address - PTX_WINDOW_CALL, size);
}

static guint8 *
find_local (PtxWarp *warp, guint lane, guint64 address, gsize size)
{
  if (warp->local == NULL)
    return NULL;
  return within (warp->local + lane * warp->local_size, warp->local_size, address, size);
}

static const char *
space_name (PtxSpace space)
{
  static const char *const names[] = { "generic", "global", "shared", "local", "const", "param" };
  return names[space];
}

static guint8 *
fail_access (PtxWarp *warp, const PtxInstruction *in, PtxSpace space, guint lane, guint64 address, gsize size,
    PtxAccess access, const char *problem)
{
  g_autofree char *shared
      = g_strdup_printf (_ ("the block has %zu bytes of shared memory"), warp->run->shared_bytes);
  const char *why = problem != NULL       ? problem
                    : space == PTX_SHARED ? shared
                                          : _ ("it lies outside that space");
  ptx_fail (warp, in, lane, HEDDLE_PTX_ERROR_ACCESS, _ ("%s of %zu bytes of %s memory at 0x%" PRIx64 ": %s"),
      access == PTX_READ || access == PTX_PROXY_READ ? _ ("a read") : _ ("a write"), size, space_name (space),
      address, why);
  return NULL;
}

/* Finds bytes of the shared memory of a block whose threads have not ended; @offset receives their place in
 * that of the cluster. */
static guint8 *
find_shared (PtxWarp *warp, guint64 address, gsize size, gsize *offset, char **problem)
{
  const PtxRun *run = warp->run;
  const PtxBlock *block = ptx_cluster_block (warp, &address);

  if (block == NULL)
    {
      *problem = g_strdup (_ ("there is no such block in the cluster"));
      return NULL;
    }
  if (block != warp->block && !ptx_cluster_block_lives (run, block))
    {
      *problem = g_strdup_printf (_ ("block %u of the cluster has ended"), block->rank);
      return NULL;
    }
  *offset = block->base + address;
  return within (run->shared + block->base, run->shared_bytes, address, size);
}

/* Returns the bytes that a lane touches, or NULL with the error set. @space says how to read @address; @size
 * is a power of two. */
guint8 *
ptx_resolve (PtxWarp *warp, const PtxInstruction *in, PtxSpace space, guint lane, guint64 address, gsize size,
    PtxAccess access)
{
  g_autofree char *problem = NULL;
  guint8 *bytes = NULL;
  gsize offset = 0;
  if (space == PTX_GENERIC)
    space = ptx_space_of (&address);
  if ((address & (size - 1)) != 0)
    return fail_access (warp, in, space, lane, address, size, access, _ ("it is not aligned to its size"));
  if (space == PTX_SHARED)
    bytes = find_shared (warp, address, size, &offset, &problem);
  else if (space == PTX_LOCAL)
    bytes = find_local (warp, lane, address, size);
  else if (space == PTX_PARAM)
    bytes = find_parameter (warp, lane, address, size, access != PTX_READ);
  else
    bytes = ptx_memory_find (warp->run->memory, address, size, access != PTX_READ, &problem);
  if (bytes == NULL)
    return fail_access (warp, in, space, lane, address, size, access, problem);
  if (space == PTX_SHARED && warp->run->races != NULL
      && !ptx_races_access (warp->run->races, warp, in, lane, offset, size, access))
    return NULL;
  return bytes;
}

/* Notes what a lane touches, for the statistics. */
static void
note (PtxTraffic *traffic, PtxSpace space, guint64 address)
{
  if (space == PTX_GENERIC)
    space = ptx_space_of (&address);
  if (space == PTX_SHARED)
    traffic->shared[traffic->n_shared++] = address % PTX_BLOCK_WINDOW;
  else if (space == PTX_GLOBAL || space == PTX_CONST)
    traffic->global[traffic->n_global++] = address;
}

/* The part of an access that does not change from lane to lane. */
typedef struct
{
  const guint64 *base;
  gint64 offset;
  PtxSpace space;
  gsize element;
  gsize size;
} Shape;

static Shape
shape_of (const PtxWarp *warp, const PtxInstruction *in, guint address, guint data)
{
  gsize element = ptx_type_bits (in->type) / 8;
  return (Shape){ ptx_source (warp, in, address), in->operands[address].offset, in->modifier[PTX_SPACE],
    element, element * in->operands[data].count };
}

/* Returns whether one address is the same bytes for all lanes; what several read is then examined only
 * once. */
static gboolean
is_shared_by_lanes (PtxSpace space)
{
  return space == PTX_SHARED || space == PTX_GLOBAL || space == PTX_CONST;
}

static PtxStatus
load (PtxWarp *warp, const PtxInstruction *in)
{
  const Shape shape = shape_of (warp, in, 1, 0);
  const PtxOperand *result = &in->operands[0];
  const guint bits = ptx_type_bits (in->type);
  const gboolean extend = ptx_type_is_signed (in->type) && result->bits > bits;
  const guint8 *bytes = NULL;
  guint64 last = 0;
  PtxTraffic traffic = { .size = shape.size };
  PTX_FOR_LANES (warp, l)
  {
    const guint64 address = shape.base[l] + (guint64) shape.offset;
    if (bytes == NULL || address != last || !is_shared_by_lanes (shape.space))
      {
        bytes = ptx_resolve (warp, in, shape.space, l, address, shape.size, PTX_READ);
        if (bytes == NULL)
          return PTX_FAILED;
        last = address;
      }
    note (&traffic, shape.space, address);
    for (guint i = 0; i < result->count; i++)
      {
        guint64 value = ptx_load_bytes (bytes + i * shape.element, shape.element);
        ptx_register (warp, result->elements[i])[l]
            = extend ? ptx_cut ((guint64) ptx_extend (value, bits), result->bits) : value;
      }
  }
  ptx_traffic_count (&traffic, &warp->run->stats);
  return PTX_NEXT;
}

/* Checks the lanes of @slot whose value is not defined; only the spaces of the thread itself may take such a
 * value, as poison. */
static gboolean
check_stored (PtxWarp *warp, const PtxInstruction *in, const Shape *shape, guint32 slot, guint32 *poison)
{
  *poison = warp->mask & ~ptx_defined (warp, slot);
  if (*poison == 0 || shape->space == PTX_LOCAL || shape->space == PTX_PARAM)
    return TRUE;
  ptx_fail (warp, in, (guint) __builtin_ctz (*poison), HEDDLE_PTX_ERROR_UNDEFINED,
      _ ("it stores a value that was never computed"));
  return FALSE;
}

static PtxStatus
store (PtxWarp *warp, const PtxInstruction *in)
{
  const Shape shape = shape_of (warp, in, 0, 1);
  const PtxOperand *source = &in->operands[1];
  const guint32 lost = warp->mask & ~ptx_defined (warp, in->operands[0].slot);
  guint32 poison[8];
  PtxTraffic traffic = { .size = shape.size, .write = TRUE };
  if (lost != 0)
    return ptx_fail (warp, in, (guint) __builtin_ctz (lost), HEDDLE_PTX_ERROR_UNDEFINED,
        _ ("its address was never computed"));
  for (guint i = 0; i < source->count; i++)
    if (!check_stored (warp, in, &shape, source->elements[i], &poison[i]))
      return PTX_FAILED;
  PTX_FOR_LANES (warp, l)
  {
    guint64 address = shape.base[l] + (guint64) shape.offset;
    guint8 *bytes = ptx_resolve (warp, in, shape.space, l, address, shape.size, PTX_WRITE);
    if (bytes == NULL)
      return PTX_FAILED;
    note (&traffic, shape.space, address);
    for (guint i = 0; i < source->count; i++)
      ptx_store_bytes (bytes + i * shape.element, shape.element,
          (poison[i] >> l & 1) != 0 ? G_MAXUINT64 : ptx_values (warp, source->elements[i])[l]);
  }
  ptx_traffic_count (&traffic, &warp->run->stats);
  return PTX_NEXT;
}

/* Executes a hint or an order between accesses: this machine performs every access at once and in order. */
static PtxStatus
nothing (PtxWarp *warp, const PtxInstruction *in)
{
  return PTX_NEXT;
}

/* Makes a policy of caches, which is a hint too: its bits mean nothing. */
static PtxStatus
make_policy (PtxWarp *warp, const PtxInstruction *in)
{
  guint64 *d = ptx_result (warp, in);
  PTX_FOR_LANES (warp, l)
  d[l] = 0;
  return PTX_NEXT;
}

/* Executes a fence: arrivals at the cluster's barrier pass on what is known now, even those that pass nothing
 * on themselves. */
static PtxStatus
fence (PtxWarp *warp, const PtxInstruction *in)
{
  if (warp->run->n_blocks > 1)
    ptx_cluster_publish (warp);
  return PTX_NEXT;
}

#define BYTES (PTX_T (B8) | PTX_T (U8) | PTX_T (S8))
#define SHORTS (PTX_T (B16) | PTX_T (U16) | PTX_T (S16))
#define WORDS (PTX_T (B32) | PTX_T (U32) | PTX_T (S32) | PTX_T (F32))
#define LONGS (PTX_T (B64) | PTX_T (U64) | PTX_T (S64) | PTX_T (F64))
#define ALL (BYTES | SHORTS | WORDS | LONGS)
#define HINTS (PTX_M (SPACE) | PTX_M (VECTOR) | PTX_M (CACHE) | PTX_M (ORDER) | PTX_M (SCOPE))

const PtxRow ptx_rows_access[] = {
  { "ld", HINTS, 0, ALL, 0, "Vm/Vmq", load, PTX_UNDEFINED_FAILS },
  { "st", HINTS, 0, ALL, 0, "mW/mWq", store, PTX_UNDEFINED_CUSTOM },
  { "prefetch", PTX_M (SPACE) | PTX_M (CACHE), 0, 0, 0, "m", nothing },
  { "prefetchu", PTX_M (CACHE), 0, 0, 0, "m", nothing },
  { "createpolicy.fractional", PTX_M (CACHE), 0, PTX_T (B64), 0, "d/df", make_policy },
  { "membar", PTX_M (SCOPE), 0, 0, 0, "", fence },
  { "fence", PTX_M (ORDER) | PTX_M (SCOPE), 0, 0, 0, "", fence },
  { NULL },
};
