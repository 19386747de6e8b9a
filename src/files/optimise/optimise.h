/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/base/codegen.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/machine.h"
#include "diagram/base/dtype.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* This file makes a whole model faster: it is covered with kernels, rewritten where that helps, and each
 * kernel is verified. Layers that are alike are one piece, which is optimised once. */

typedef struct
{
  const char *diagram; /* name or NULL */
  const char *gpu; /* NULL: the schedule's, else h100-sxm */
  HeddleDtype dtype;
  HeddleFamily family;
  GHashTable *sizes; /* overrides: axis name -> gint64 *, or NULL */
  gboolean no_verify;
  gboolean no_cache; /* nothing is remembered, or taken from what was */
  guint64 seed; /* of the random inputs; 0: 1 */
  guint64 most_steps; /* of the search for the kernels of all parts; 0: HEDDLE_OPTIMISE_STEPS */
} HeddleOptimiseOptions;

/* The number of steps that the search takes for all parts, a few minutes: operations of kernels whose tiles are
 * searched. It counts no seconds, so that the result is the same on each machine. Each part has an equal share of
 * those that are left, and a model beyond that has kernels of quick plans. */
#define HEDDLE_OPTIMISE_STEPS 150000

/* Reports progress. @fraction is the share of the work that is done, 0 to 1; @what says in words what is
 * being done. */
typedef void (*HeddleOptimiseProgress) (double fraction, const char *what, gpointer data);

/* A change that keeps the meaning, and what came of trying it. */
typedef struct
{
  const char *title; /* in words; translated */
  guint places; /* at which it was made */
  double before_s, after_s; /* by the model; infinite: no kernels could be made */
  gboolean kept;
} HeddleOptimiseStep;

/* Two kernels that run one after the other and share values, and why they are not one. */
typedef struct
{
  char *first, *second; /* the values they make */
  char *reason; /* a sentence */
} HeddleOptimiseRefusal;

/* A kernel that did not compile, or was wrong, whose statements became kernels of their own. */
typedef struct
{
  GArray *operations; /* ids, of the plan's diagram */
  char *values; /* that it made */
  char *reason;
} HeddleOptimiseUnfused;

/* A part of the model that occurs once or more. */
typedef struct
{
  guint times;
  HeddleDiagram *before;
  HeddlePlan *plan;
  HeddlePlan *apart; /* a kernel for each named value */
  GPtrArray *steps; /* of HeddleOptimiseStep */
  GPtrArray *refusals; /* of HeddleOptimiseRefusal */
  GPtrArray *unfused; /* of HeddleOptimiseUnfused: kernels of the plan that were bad */
  char *fallback; /* why its kernels are the unfused ones; NULL: they are not */
  char *verification; /* "verified on the CPU …" or "NOT VERIFIED: reason" */
  gboolean remembered; /* from the cache */
  guint ways,
      searched; /* to make its kernels, and how many of them the steps of the search were enough for */
} HeddleOptimisedPiece;

/* A kernel of the result that took the place of several. */
typedef struct
{
  const HeddleKernel *kernel; /* of the piece's plan */
  const char *title; /* what it does, in words; to be translated */
  gboolean is_attention;
  char *values; /* that it makes */
  guint kernels_before;
  double before_bytes, after_bytes; /* of global memory */
  double before_s, after_s; /* by the model */
  char *sentence; /* all of that, translated */
} HeddleOptimiseFinding;

/* The figures of a model that are reported before and after. */
typedef struct
{
  guint kernels;
  guint different; /* of them, printed and compiled once each */
  double transfer_bytes; /* into and out of the memories of blocks */
  double dram_bytes; /* of them, of global memory: what the second-level cache does not hold */
  double flops, expected_s;
} HeddleOptimisedCost;

typedef struct
{
  HeddleDiagram *original; /* flat */
  HeddleSizes *sizes; /* of it */
  HeddlePlan *plan; /* of the whole result; its diagram is the result */
  HeddleDiagram *result;
  HeddleSchedule *schedule; /* of it */
  HeddleMachine *machine;
  GPtrArray *pieces; /* of HeddleOptimisedPiece */
  HeddleOptimisedCost before, after;
  /* What PyTorch would run of the original, without and with its compiler Inductor; a time of NaN: some kernel
   * of them has no price. */
  HeddleOptimisedCost eager, inductor;
  double
      difference; /* of the original's and the result's outputs in f64, relative; no number: they were not compared */
  char *compared_at; /* the sizes: "x=8 m=8"; NULL: they were not compared */
  char *not_compared; /* why not, or NULL */
} HeddleOptimised;

/**
 * heddle_optimise:
 * @snapshot: a document without errors
 * @progress: (nullable) (scope call): is told how far it is
 *
 * Optimises a diagram for a GPU. Runs for seconds; what was found of a piece is remembered under the user's cache, so that it goes on where it
 * was stopped. A fused kernel that does not compile or is wrong is left to a kernel for each of its statements, and a piece for which no fused
 * kernels can be made, or whose kernels change the result, to a kernel for each named value; both say why.
 *
 * Returns: (transfer full): what came of it; %NULL with an error of the rooms below, or %G_IO_ERROR_CANCELLED
 */
HeddleOptimised *heddle_optimise (HeddleSnapshot *snapshot, const HeddleOptimiseOptions *options,
    HeddleOptimiseProgress progress, gpointer data, GCancellable *cancellable, GError **error);
/* Returns the diagram that @options name, of their sizes, with calls replaced by the operations of what they
 * call; the caller owns it. A GPU and a type that are not asked for are settled in @options. %NULL means that
 * @error is set. */
HeddleDiagram *heddle_optimise_flatten (
    HeddleSnapshot *snapshot, HeddleOptimiseOptions *options, GError **error);
/* Frees the result of an optimisation with its plan and pieces; NULL is allowed. */
void heddle_optimised_free (HeddleOptimised *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleOptimised, heddle_optimised_free)
