/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/ptx/error.h"

/**
 * HEDDLE_PTX_ERROR:
 *
 * Error domain of the PTX interpreter.
 */
#define HEDDLE_PTX_ERROR (heddle_ptx_error_quark ())

/**
 * HeddlePtxError:
 * @HEDDLE_PTX_ERROR_SYNTAX: the text is not PTX
 * @HEDDLE_PTX_ERROR_UNKNOWN: an instruction, modifier, type or directive that the interpreter does not know
 * @HEDDLE_PTX_ERROR_LIMIT: the text or the launch asks for more than the interpreter allows
 * @HEDDLE_PTX_ERROR_ARGUMENT: no such kernel, or arguments or sizes that do not fit it
 * @HEDDLE_PTX_ERROR_ACCESS: an access outside every buffer, to a freed buffer, unaligned or to read-only memory
 * @HEDDLE_PTX_ERROR_UNDEFINED: a register that was never written decides an address, a branch or a stored value
 * @HEDDLE_PTX_ERROR_DEADLOCK: threads wait for others that never come
 * @HEDDLE_PTX_ERROR_RACE: two warps touch one shared byte with no barrier between
 * @HEDDLE_PTX_ERROR_BOUND: the launch executed more instructions than allowed
 * @HEDDLE_PTX_ERROR_TRAP: the kernel executed `trap`, or something that has no defined result
 */
typedef enum
{
  HEDDLE_PTX_ERROR_SYNTAX,
  HEDDLE_PTX_ERROR_UNKNOWN,
  HEDDLE_PTX_ERROR_LIMIT,
  HEDDLE_PTX_ERROR_ARGUMENT,
  HEDDLE_PTX_ERROR_ACCESS,
  HEDDLE_PTX_ERROR_UNDEFINED,
  HEDDLE_PTX_ERROR_DEADLOCK,
  HEDDLE_PTX_ERROR_RACE,
  HEDDLE_PTX_ERROR_BOUND,
  HEDDLE_PTX_ERROR_TRAP,
} HeddlePtxError;

/**
 * HeddlePtxModule:
 *
 * A parsed PTX module. It does not change once made, so that any number of launches, in any threads, may share it.
 */
typedef struct _HeddlePtxModule HeddlePtxModule;

/**
 * HeddlePtxMemory:
 *
 * A simulated device address space: buffers with guard gaps between them. Addresses are never used twice. One launch
 * at a time.
 */
typedef struct _HeddlePtxMemory HeddlePtxMemory;

/**
 * HeddlePtxParameter:
 * @name: the name in the PTX text
 * @size: bytes
 * @align: alignment in bytes
 * @offset: where it lies in the block of parameters
 *
 * One parameter of a kernel.
 */
typedef struct
{
  const char *name;
  gsize size;
  gsize align;
  gsize offset;
} HeddlePtxParameter;

/**
 * HeddlePtxArgument:
 * @data: the value, as the host would lay it out
 * @size: its size in bytes; it has to be the size of the parameter
 *
 * The value of one kernel parameter.
 */
typedef struct
{
  gconstpointer data;
  gsize size;
} HeddlePtxArgument;

/**
 * HeddlePtxCompletion:
 * @HEDDLE_PTX_LATE: when a thread waits for them, as late as may be
 * @HEDDLE_PTX_EARLY: when they are begun
 * @HEDDLE_PTX_DRAWN: at moments drawn between
 *
 * When asynchronous copies are made.
 */
typedef enum
{
  HEDDLE_PTX_LATE,
  HEDDLE_PTX_EARLY,
  HEDDLE_PTX_DRAWN,
} HeddlePtxCompletion;

/**
 * HeddlePtxLaunch:
 * @grid: blocks along x, y, z
 * @only: (nullable) (array length=n_only): the blocks to run, of a grid along x alone; %NULL: all
 * @block: threads of a block along x, y, z; at most 1024 together
 * @cluster: blocks of a cluster along x, y, z, which run side by side; 0: as the kernel says, or 1. At most 16 blocks and 128 warps together
 * @dynamic_shared_bytes: bytes behind `extern __shared__`
 * @seed: 0 runs the warps of a block in order, each until it must wait; other values draw the order, and switch at
 *   random points too, so that a missing barrier shows
 * @max_instructions: the most thread instructions the launch may execute; 0 for 4,000,000,000
 * @completion: when asynchronous copies are made
 * @check_races: whether two accesses of different warps to one byte of shared memory, at least one of them a write
 *   and with no barrier between, are an error; so is an access to bytes that an asynchronous copy not waited for may
 *   write. Lanes of one warp run in lockstep and are not compared.
 *
 * How to launch a kernel.
 */
typedef struct
{
  guint grid[3];
  guint block[3];
  guint cluster[3];
  const guint *only;
  guint n_only;
  gsize dynamic_shared_bytes;
  guint64 seed;
  guint64 max_instructions;
  HeddlePtxCompletion completion;
  gboolean check_races;
} HeddlePtxLaunch;

/**
 * HeddlePtxClass:
 * @HEDDLE_PTX_ARITHMETIC: integers, bits, floating point, comparisons, conversions and moves
 * @HEDDLE_PTX_SPECIAL: what the special-function unit does
 * @HEDDLE_PTX_MEMORY: loads, stores, copies and atomic operations, of any memory
 * @HEDDLE_PTX_PRODUCT: the tensor core's
 * @HEDDLE_PTX_LANES: between the lanes of a warp
 * @HEDDLE_PTX_CONTROL: branches, calls and ends
 * @HEDDLE_PTX_BARRIER: barriers of the block, of the cluster and in shared memory, and fences of products
 *
 * What kind of instruction it is.
 */
typedef enum
{
  HEDDLE_PTX_ARITHMETIC,
  HEDDLE_PTX_SPECIAL,
  HEDDLE_PTX_MEMORY,
  HEDDLE_PTX_PRODUCT,
  HEDDLE_PTX_LANES,
  HEDDLE_PTX_CONTROL,
  HEDDLE_PTX_BARRIER,
  HEDDLE_PTX_N_CLASSES
} HeddlePtxClass;

/**
 * HeddlePtxStats:
 * @instructions: instructions executed, counted per thread
 * @warp_instructions: instructions executed, counted per warp
 * @global_sectors_read: 32-byte sectors of global memory that warps asked for, one instruction at a time, and the copy hardware, one copy at a time: a
 *   box that goes to several blocks is read once
 * @global_sectors_written: the same for stores and atomic operations
 * @global_sectors_least: the fewest that the bytes of those accesses fill
 * @shared_accesses: warp instructions that touch shared memory
 * @bank_conflicts: cycles that those took beyond the least, with 32 banks of 4 bytes
 * @barriers: barriers completed
 * @asynchronous_copies: copies begun, counted per thread
 * @asynchronous_products: products of warpgroups begun, counted per warp
 * @warps: warps of the blocks that ran
 * @warps_working: those that multiplied on the tensor core or touched a memory
 * @of_class: instructions of each class, counted per warp
 *
 * What a launch did. There is no cache in this count.
 */
typedef struct
{
  guint64 instructions;
  guint64 warp_instructions;
  guint64 global_sectors_read;
  guint64 global_sectors_written;
  guint64 global_sectors_least;
  guint64 shared_accesses;
  guint64 bank_conflicts;
  guint64 barriers;
  guint64 asynchronous_copies;
  guint64 asynchronous_products;
  guint64 warps;
  guint64 warps_working;
  guint64 of_class[HEDDLE_PTX_N_CLASSES];
} HeddlePtxStats;

/* The bytes of a tensor map, and the greatest number of its axes. */
#define HEDDLE_PTX_TENSOR_MAP_BYTES 128
#define HEDDLE_PTX_TENSOR_MAP_RANK 5

/**
 * HeddlePtxTensorMap:
 * @address: where the array begins, on the device
 * @sizes: elements along each axis, the contiguous one first
 * @strides: bytes from one element to the next along each axis but the first
 * @box: elements along each axis that one copy brings
 * @element_bytes: bytes of an element
 * @type: the type of elements by the driver's numbers (CUtensorMapDataType): only what combines elements with those in memory looks at it
 * @rank: how many axes
 * @swizzle: within so many bytes, 32, 64 or 128, pieces of 16 bytes are exchanged by as many of the lowest bits of the row of 128 bytes that they are
 *   in; 0: none are
 *
 * An array in global memory, and the box of it that a bulk copy brings into shared memory.
 */
typedef struct
{
  guint64 address;
  guint64 sizes[HEDDLE_PTX_TENSOR_MAP_RANK];
  guint64 strides[HEDDLE_PTX_TENSOR_MAP_RANK - 1];
  guint16 box[HEDDLE_PTX_TENSOR_MAP_RANK];
  guint8 element_bytes;
  guint8 type;
  guint8 rank;
  guint8 swizzle;
} HeddlePtxTensorMap;
