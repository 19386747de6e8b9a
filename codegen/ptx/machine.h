/* SPDX-License-Identifier: MIT */
#pragma once

/* The machine that executes a module: one cluster of blocks at a time (most have one block), its warps in
 * turn, the lanes of a warp in lockstep. */

#include <string.h>

#include "codegen/ptx/module.h"
#include "codegen/ptx/ptx.h"

/* The number of barriers that kernels number, and after them two of each warpgroup: where it begins products
 * and where it waits for them. */
#define PTX_N_BARRIERS 16
#define PTX_MOST_BARRIERS (PTX_N_BARRIERS + 2 * PTX_MOST_WARPGROUPS)
#define PTX_WARPGROUP_WARPS 4
#define PTX_MOST_WARPGROUPS (PTX_MOST_BLOCK_WARPS / PTX_WARPGROUP_WARPS)
/* The barrier of a cluster: all its threads. */
#define PTX_CLUSTER_BARRIER PTX_MOST_BARRIERS
#define PTX_MOST_BLOCKS 16
#define PTX_MOST_BLOCK_WARPS (PTX_MOST_THREADS / PTX_LANES)
/* The limits of a cluster. */
#define PTX_MOST_WARPS 128
#define PTX_MOST_MBARRIERS 256
#define PTX_MOST_CLOCKS (PTX_MOST_WARPS + PTX_MOST_MBARRIERS)
#define PTX_MOST_CALLS 512
#define PTX_MOST_FRAME_BYTES ((gsize) 1 << 30)

typedef struct _PtxRun PtxRun;
typedef struct _PtxBlock PtxBlock;
typedef struct _PtxFrame PtxFrame;
typedef struct _PtxCopy PtxCopy;
typedef struct _PtxProduct PtxProduct;
typedef struct _PtxMbarrier PtxMbarrier;
typedef struct _PtxBulk PtxBulk;
typedef struct _PtxStore PtxStore;

/* The events that are known to have happened before what is done now. @clocks: up to which clock of each
 * warp, and of the copies that complete on each mbarrier. @proxied: up to which clock of each warp a proxy
 * fence lies between what it did to shared memory and what the asynchronous proxy (copies of boxes, products
 * of warpgroups) does there from now on. */
typedef struct
{
  guint32 clocks[PTX_MOST_CLOCKS];
  guint32 proxied[PTX_MOST_WARPS];
} PtxKnowledge;

/* One activation of a function by the lanes of @mask. Registers hold 32 values each; bit l of @defined says
 * whether lane l ever wrote the register. */
struct _PtxFrame
{
  PtxFrame *parent;
  const PtxFunction *function;
  const PtxCall *call;
  gsize bytes;
  guint64 *registers;
  guint32 *defined;
  guint8 *parameters;
  guint32 mask;
  guint32 return_pc;
  guint depth;
  gsize local_base;
};

/* A warp. @index: among the warps of the cluster, @place: among those of its block. @group: the lanes that
 * stand at the current instruction, @mask: those of them that execute it. @stop: where the group may meet
 * other lanes. @waiting: lanes at a barrier of the block. @blocked: lanes that wait for other lanes of their
 * warp at an instruction for several lanes. @copies: those under way; @committed: how many groups of them
 * each lane has closed. @stores, @stores_committed: the same of the copies of the hardware to global memory.
 * @products: of the warpgroup, begun and not waited for; @products_trace: what they were. @known: what
 * happened before, the warp's own clock among it. @polling: lanes that wait for a phase of the mbarrier
 * @polled. @arrived: lanes that came to the cluster's barrier, and @released those of them that need not wait
 * there any more; @classes: of the instructions that it executed, a bit each; @published: what was known at
 * the last fence. @registers: that each thread asked for, 0: none. */
struct _PtxWarp
{
  PtxRun *run;
  PtxBlock *block;
  const guint64 *bases[3];
  guint32 group;
  guint32 mask;
  guint32 pc;
  guint32 next;
  guint32 stop;
  PtxFrame *frame;
  guint index;
  guint place;
  guint32 live;
  guint32 waiting;
  guint32 blocked;
  guint32 lane_pc[PTX_LANES];
  PtxFrame *lane_frame[PTX_LANES];
  guint8 barrier[PTX_LANES];
  guint32 exit_line[PTX_LANES];
  guint32 carry;
  guint64 special[PTX_N_SPECIALS * PTX_LANES];
  GPtrArray *frames;
  guint8 *local;
  gsize local_size;
  GArray *copies;
  guint committed[PTX_LANES];
  GArray *stores;
  guint stores_committed[PTX_LANES];
  GArray *products;
  guint products_committed;
  gboolean products_fenced;
  guint64 products_trace;
  guint32 polling;
  guint8 polled[PTX_LANES];
  gboolean gave_up;
  guint registers;
  guint32 classes;
  guint32 arrived;
  guint32 released;
  PtxKnowledge known;
  PtxKnowledge published;
};

/* A barrier of the block: how many threads came, how many it wants, and what bar.red gathers. @known: what the
 * warps that came have seen of one another. */
typedef struct
{
  guint arrived;
  guint wanted;
  guint count;
  gboolean all;
  PtxKnowledge known;
} PtxBarrier;

typedef struct _PtxRaces PtxRaces;

/* A block of the current cluster. @id: in the grid; @rank: in the cluster; @base: where its shared memory
 * begins in that of the cluster; @warps: the first of its own. */
struct _PtxBlock
{
  guint id[3];
  guint rank;
  gsize base;
  PtxWarp *warps;
  PtxBarrier barriers[PTX_MOST_BARRIERS];
};

/* A run. @shared: of all blocks of a cluster, one behind another; @shared_bytes: of one, which has
 * @shared_stride. @cluster: blocks of a cluster along each axis, @n_blocks in all. @n_warps: of the cluster;
 * @block_warps of a block, with @n_threads. @cluster_known: what is known to who has waited at the cluster's
 * barrier. @changed_maps: where tensor maps in global memory lie that the kernel changed, with no fence for
 * readers of them since; NULL: none was. */
struct _PtxRun
{
  const HeddlePtxModule *module;
  const PtxFunction *kernel;
  HeddlePtxMemory *memory;
  const HeddlePtxLaunch *config;
  GCancellable *cancellable;
  guint64 *constants;
  guint8 *parameters;
  guint8 *shared;
  gsize shared_bytes;
  gsize shared_stride;
  gsize n_threads;
  guint cluster[3];
  guint n_blocks;
  guint block_warps;
  guint n_warps;
  PtxWarp *warps;
  PtxBlock *blocks;
  PtxKnowledge cluster_known;
  GArray *mbarriers;
  GArray *bulks;
  PtxRaces *races;
  GHashTable *changed_maps;
  gsize frame_bytes;
  guint64 random;
  guint64 bound;
  HeddlePtxStats stats;
  GError *error;
};

/* Begins a loop over the lanes that execute the instruction. */
#define PTX_FOR_LANES(warp, lane)                                                                            \
  for (guint32 lanes_left_ = (warp)->mask, lane = 0;                                                         \
       lanes_left_ != 0 && ((lane = (guint32) __builtin_ctz (lanes_left_)), TRUE);                           \
       lanes_left_ &= lanes_left_ - 1)

/* Returns the number of clocks: those of the warps, then of the copies that complete on each mbarrier. */
static inline guint
ptx_n_clocks (const PtxRun *run)
{
  return run->n_warps + run->mbarriers->len;
}

/* Adds to @into everything that @from knows. */
static inline void
ptx_knowledge_join (const PtxRun *run, PtxKnowledge *into, const PtxKnowledge *from)
{
  for (guint i = 0; i < ptx_n_clocks (run); i++)
    into->clocks[i] = MAX (into->clocks[i], from->clocks[i]);
  for (guint i = 0; i < run->n_warps; i++)
    into->proxied[i] = MAX (into->proxied[i], from->proxied[i]);
}

/* Advances the clock of a warp: what it does from now on comes later than what others know of it. */
static inline void
ptx_warp_advance (PtxWarp *warp)
{
  warp->known.clocks[warp->index]++;
}

/* Returns the 32 values of a slot. */
static inline const guint64 *
ptx_values (const PtxWarp *warp, guint32 slot)
{
  return warp->bases[PTX_SLOT_BASE (slot)] + (gsize) PTX_SLOT_INDEX (slot) * PTX_LANES;
}

static inline const guint64 *
ptx_source (const PtxWarp *warp, const PtxInstruction *in, guint operand)
{
  return ptx_values (warp, in->operands[operand].slot);
}

static inline guint64 *
ptx_register (const PtxWarp *warp, guint32 slot)
{
  return warp->frame->registers + (gsize) PTX_SLOT_INDEX (slot) * PTX_LANES;
}

static inline guint64 *
ptx_result (const PtxWarp *warp, const PtxInstruction *in)
{
  return ptx_register (warp, in->operands[0].slot);
}

/* Returns the bits of @value up to the width @bits. */
static inline guint64
ptx_cut (guint64 value, guint bits)
{
  return bits >= 64 ? value : value & ((G_GUINT64_CONSTANT (1) << bits) - 1);
}

/* Returns @value of @bits bits, sign-extended. */
static inline gint64
ptx_extend (guint64 value, guint bits)
{
  guint shift = 64 - bits;
  return (gint64) (value << shift) >> shift;
}

/* The place of a lane's access: the bytes, or NULL with the error set. */
typedef enum
{
  PTX_READ,
  PTX_WRITE,
  PTX_ATOMIC_ACCESS,
  PTX_ASYNC_ACCESS,
  PTX_PROXY_READ, /* by a product of a warpgroup */
} PtxAccess;

/* Returns a value of 1, 2, 4 or 8 bytes. */
static inline guint64
ptx_load_bytes (const guint8 *bytes, gsize size)
{
  guint64 value = 0;
  switch (size)
    {
    case 1:
      return *bytes;
    case 2:
      memcpy (&value, bytes, 2);
      break;
    case 4:
      memcpy (&value, bytes, 4);
      break;
    default:
      memcpy (&value, bytes, 8);
      break;
    }
  return GUINT64_FROM_LE (value);
}

static inline void
ptx_store_bytes (guint8 *bytes, gsize size, guint64 value)
{
  value = GUINT64_TO_LE (value);
  switch (size)
    {
    case 1:
      *bytes = (guint8) value;
      break;
    case 2:
      memcpy (bytes, &value, 2);
      break;
    case 4:
      memcpy (bytes, &value, 4);
      break;
    default:
      memcpy (bytes, &value, 8);
      break;
    }
}

/* The accesses of one warp instruction to the memories, for the statistics. */
typedef struct
{
  guint n_global;
  guint n_shared;
  gsize size;
  gboolean write;
  guint64 global[PTX_LANES];
  guint64 shared[PTX_LANES];
} PtxTraffic;
