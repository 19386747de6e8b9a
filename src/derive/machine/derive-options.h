/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/machine/machine.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* The options of a derivation: the machine, the conventions of counting, and what is sought. */

typedef enum
{
  HEDDLE_COLUMNS_ALL, /* M counts every live array of the column, states included */
  HEDDLE_COLUMNS_OPERANDS, /* the kernel's inputs, outputs and carried states, except states all of whose axes are grouped */
} HeddleColumns;

typedef enum
{
  HEDDLE_OBJECTIVE_TRANSFERS,
  HEDDLE_OBJECTIVE_TIME,
} HeddleObjective;

/* The reasons why the machine wants tiles and chunks to be multiples of something. */
typedef enum
{
  HEDDLE_DIVISORS_MMA = 1 << 0, /* the shape of the tensor core's instructions */
  HEDDLE_DIVISORS_COPIES = 1 << 1, /* copies of 16 bytes */
  HEDDLE_DIVISORS_LINES = 1 << 2, /* lines of 128 bytes */
  HEDDLE_DIVISORS_WARPS = 1 << 3, /* four warps that each take an instruction's rows */
} HeddleDivisorReasons;

/* A cache of what was found for kernels, for later kernels that are the same but for their names, also in the
 * next derivation. It is used by one thread at a time and for one machine, which is not changed meanwhile. */
typedef struct _HeddleSearchCache HeddleSearchCache;

struct _HeddleLoopProgram;

typedef struct _HeddleDeriveOptions HeddleDeriveOptions;

/* The shares of the units' rates that the products of a kernel reach as it is emitted. */
typedef struct
{
  double
      tensor; /* of the tensor cores': less than 1 where instructions are not the fastest of the machine or work on more than its tiles. 0: products are not done there */
  double plain; /* of plain arithmetic's, where that does the products; 0: it does not, or nothing is known */
  double
      copies_s; /* beside the rates: seconds in which threads copy tiles element by element, with all SMs busy; products wait for it */
  double
      threads_s; /* at least: seconds in which threads of a kernel of plain loops work out indices and wait for what they read, with all SMs busy */
  gint64
      matrices; /* that rows choose from, of which a block reads each at most once; 0: each row reads its own */
  gboolean dealt; /* rows are dealt out to blocks sorted by the matrix that they choose */
  double dealing_s; /* beside the rates: seconds in which blocks do that, with all SMs busy */
  double merging_s; /* the same of the second kernel, which merges the parts of a split axis */
} HeddleProductShares;

/* Returns the shares of the units' rates that the products of a kernel made of @program reach; all are 0 if
 * they are not known. A kernel for the tensor cores fits even if its accumulators have no room beside its
 * tiles, since they are in registers. Whoever makes kernels knows the shares. */
typedef HeddleProductShares (*HeddleProductSharesFunc) (const HeddleDiagram *diagram,
    const struct _HeddleLoopProgram *program, const HeddleSizes *sizes, const HeddleDeriveOptions *options);

struct _HeddleDeriveOptions
{
  const HeddleMachine *machine;
  HeddleDtype dtype; /* of values without their own; UNSET: f16 */
  HeddleColumns columns;
  HeddleObjective objective; /* the abstract machine always minimises transfers */
  guint stages; /* copies of each streamed operand held, for overlap; 0: 1 */
  gboolean suggest; /* complete the labels with the best legal ones */
  gboolean
      plain; /* of suggestions: kernels that stream whole axes, which more families of kernels have, unless that leaves half of the machine idle */
  const char *
      region; /* the one region of the schedule to derive (id), where the others are not asked for; NULL: all */
  guint
      divisors; /* of HeddleDivisorReasons: what tiles are to be multiples of for the machine's sake; 0: nothing */
  gint64 budget_bytes; /* of global memory, that may be held at a time; 0: as much as there is */
  gboolean
      stores_all; /* of suggestions: nothing is computed again, for whom a schedule that says so is of no use */
  gboolean
      lean; /* only labels and prices are wanted: kernels keep no loop program, columns or canonical form, and it is not
              explained what is held or why labels are as they are; kernels that differ by names alone are searched once */
  HeddleSearchCache *search_cache; /* of searches; NULL: a derivation has one of its own */
  HeddleProductSharesFunc
      product_shares; /* of the kernels that are derived, not of those that a search passes over; NULL: not known */
};
