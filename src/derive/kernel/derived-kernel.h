/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/canonical.h"
#include "derive/cost/context.h"
#include "derive/cost/cost.h"
#include "derive/cost/time-part.h"
#include "derive/cost/time.h"
#include "derive/program/loop-program.h"
#include "derive/shard/shard.h"
#include "derive/stream/stream-kind.h"
#include "diagram/graph/diagram.h"

/* A divisor: the tiles and chunks of an axis are multiples of it. */
typedef struct
{
  const char *axis; /* id */
  guint
      depth; /* number of the lowest level whose tiles it holds for, among those that take labels; it holds for those above, too */
  gint64 size;
  char *reason; /* in words: "the tensor core's tile (f16)" */
} HeddleDivisor;

typedef struct
{
  gatomicrefcount holders; /* derivations: nobody changes a kernel that several may have */
  const char *region_id; /* of the schedule, or NULL: a statement on its own */
  GArray *operations; /* of const char * */
  GArray *
      again; /* of const char *: those of them that another kernel runs, too, and that are here only to work values out again */
  GPtrArray *labels; /* of HeddleLabel: as used (given and suggested) */
  GPtrArray *divisors; /* of HeddleDivisor; several of one axis combine by their least common multiple */
  GPtrArray *refusals; /* of HeddleRefusal: labels given that are not legal */
  char *name; /* as its loop program is called */
  char *title; /* as it is called wherever a person reads of it */
  HeddleLoopProgram *program; /* NULL where a label is refused, and for an opaque kernel */
  char *
      opaque_reason; /* why no loop program expresses the kernel, which is then priced as what it reads and writes, and of which no code is made; else NULL */
  HeddleStreamKind stream_kind;
  char *binding; /* of a suggestion: what keeps its tiles from being larger; or NULL */
  char *runner_up; /* and the best other structure, and what it costs; or NULL */
  GPtrArray
      *levels; /* of HeddleLevelCost: the first level that takes labels, then those below it that have some */
  GPtrArray *columns; /* of HeddleColumnCost, at the first labelled level */
  HeddleCanonical *canonical; /* how the least H depends on the memory; NULL where there is no program */
  GPtrArray *
      above; /* of HeddleLevelCost: levels above global memory that what it reads comes from or what it makes goes to: whole values, over their links;
              * held: what of those is there */
  gint64
      kept_bytes; /* of what it reads and writes, what is placed in a cache and costs no traffic of global memory */
  gint64 shared_bytes; /* of a kernel of the general family: must fit too, except on the abstract machine */
  gboolean fits;
  gint64 groups;
  double waves; /* wave efficiency: groups / (ceil (groups / SMs) * SMs) */
  double flops, special_ops; /* counts */
  double tensor_s, special_s, fp32_s; /* time on each unit */
  HeddleDtype tensor_dtype; /* the fastest of the operands that tensor cores multiply */
  double tensor_peak; /* their FLOP/s on it; 0: they have nothing to do */
  gboolean plain; /* plain arithmetic does the products: `tensor_s` is what tensor cores would take */
  double dram_s, l2_s, smem_s;
  double dram_bytes, l2_bytes, smem_bytes; /* that cross each of these memories */
  double above_s, above_bytes; /* over the links to levels above global memory */
  double overlapped_s, serial_s, expected_s;
  double parts[HEDDLE_TIME_N_PARTS]; /* s; their sum, in their order, is `expected_s` */
  const char *bound; /* "tensor", "special", "fp32", "dram", "l2", "smem", "above" */
  double intensity; /* FLOP per byte moved into the first labelled level */
  gint64 ridge_tile; /* 0: not defined */
  double ridge; /* the same, not rounded */
  double tensor_flops, fp32_ops; /* counts, of contractions and of plain arithmetic */
  double joules; /* of the memories whose energy per byte is known */
} HeddleKernel;

typedef struct
{
  GPtrArray *kernels; /* of HeddleKernel, in dependency order */
  gint64 transfer_elements, transfer_bytes;
  double flops, overlapped_s, expected_s;
  GArray *held; /* of gint64: of global memory, while each of them runs, in bytes */
  gint64 held_bytes; /* the most of it */
  guint held_at; /* number of the kernel that runs then */
  guint64 candidates; /* of the search */
  guint64 work; /* of the search, in products of sizes */
  double milliseconds;
  gboolean exact; /* the search proved the optimum */
  const char *unproved; /* why it did not, not translated; NULL: it did */
  gboolean illegal; /* some label was refused */
  HeddleDiagram *
      laid; /* the diagram as the schedule lays its values in memory, which the kernels are of; NULL: as it is */
  GArray *
      copied; /* of const char *: operations that copy inputs into another order, of @laid alone; NULL: none */
  struct _HeddleSharding *
      sharding; /* what several GPUs pass to one another (derive/shard.h): then kernels and totals are those of one of them; else NULL */
} HeddleDerivation;

/* Adds a reference to the kernel and returns it; threads may do so at the same time. */
HeddleKernel *heddle_kernel_ref (HeddleKernel *self);

/* Drops a reference; the last one frees the kernel and its reference to the loop program. */
void heddle_kernel_unref (HeddleKernel *self);

/* Keeps labels and prices alone, of a kernel that nobody else has. */
void heddle_kernel_make_lean (HeddleKernel *self);

/* Returns what the kernel is called, newly allocated: the diagram's name where the kernel is all of it, else
 * the values that its statements make, such as "P_O". */
char *heddle_kernel_name (const HeddleDiagram *diagram, const GArray *operations);
/* Returns the values that the kernel's statements make, as they are called in the diagram, such as "S P O", with
 * @between between two of them, newly allocated. Of a statement of which the kernel has only the beginning it is
 * what the kernel makes of it. */
char *heddle_kernel_values (const HeddleDiagram *diagram, const GArray *operations, const char *between);
/* Returns what a person reads as the kernel's name, newly allocated: the diagram's name where the kernel is all of
 * it, else the same values, or of many the first two and the last, "A B … Y". */
char *heddle_kernel_title (const HeddleDiagram *diagram, const GArray *operations);

/* Returns whether all of the operations (ids) are of one statement. */
gboolean heddle_kernel_is_statement (const HeddleDiagram *diagram, const GArray *operations);

/* Returns whether what the program holds at these tiles fits in the level that it is labelled at. */
gboolean heddle_kernel_fits (
    const HeddleDeriveContext *context, const HeddleCost *cost, const gint64 *tiles, gint64 chunk);

/* Copies the parts of @time, in seconds and operations, into the kernel. */
void heddle_kernel_set_time (HeddleKernel *self, const HeddleTime *time);

/* Returns a kernel with the operations of all kernels of a derivation, ordinary and special ones, and nothing
 * else; @self may be NULL. */
HeddleKernel heddle_derivation_total_work (const HeddleDerivation *self);
