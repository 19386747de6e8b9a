/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/base/codegen.h"
#include "codegen/gpu/gpu.h"
#include "codegen/ptx/ptx.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/machine.h"
#include "diagram/base/dtype.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/graph/diagram.h"

/* The ways to interpret a kernel: warps as they come, asynchronous copies made as late as possible or at
 * once; or warps and copies in a drawn order. */
typedef enum
{
  HEDDLE_VERIFY_LATE = 1 << 0,
  HEDDLE_VERIFY_EARLY = 1 << 1,
  HEDDLE_VERIFY_DRAWN = 1 << 2,
} HeddleVerifyOrders;

/* One verification at work. */
typedef struct _HeddleVerifyRun HeddleVerifyRun;
struct _HeddleVerifyRun
{
  const HeddleDiagram *diagram;
  const HeddleSizes *sizes; /* what it runs at */
  const GPtrArray *texts; /* of HeddleKernelText: the kernels, where their PTX is interpreted */
  HeddleDtype dtype;
  guint64 seed;
  GCancellable *cancellable;
  GHashTable *arrays; /* value id -> HeddleArray: inputs, and what the kernels made */
  GHashTable *reference; /* value id -> HeddleArray: the expected results of the current kernel, in f64 */
  HeddleGpu *gpu; /* where they run on one */
  gboolean once; /* kernels that are another one on other arrays are not run */
  const HeddleKernel *failed; /* receives the first kernel that is wrong or could not be run */
  /* The diagram whose operations make inputs of @diagram, or NULL. Inputs that it never makes negative get no
   * negative values. */
  const HeddleDiagram *maker;
  gboolean (*wants) (const HeddleVerifyRun *run, const HeddleKernel *kernel); /* NULL: all are run */
  guint
      orders; /* of HeddleVerifyOrders: those of warps that a kernel is interpreted in; 0: as many as there is time for */
  guint64
      most_instructions; /* of threads, in one order: beyond, some blocks are run; 0: as many as suit one who waits */
};

/* One kernel of a plan as a plan of its own: what kernels before it make are inputs of its diagram. The rest
 * is the plan's. */
typedef struct
{
  HeddlePlan plan;
  HeddleDerivation derivation;
  const HeddleDiagram *maker; /* of the whole plan */
} HeddlePlanPart;

/* The memory that a kernel works on: simulated, or a GPU's. @board is what the functions get. */
typedef struct
{
  guint64 (*allocate) (gpointer board, const char *name, gsize bytes, GError **error); /* 0: the error */
  gboolean (*write) (gpointer board, guint64 address, gconstpointer data, gsize bytes, GError **error);
  gboolean (*read) (gpointer board, guint64 address, gpointer data, gsize bytes, GError **error);
  gboolean (*map) (
      gpointer board, const HeddlePtxTensorMap *map, guint8 *bytes, GError **error); /* of 128 bytes */
} HeddleVerifyMemory;

/* One launch of a kernel. */
typedef struct
{
  HeddleVerifyRun *run;
  HeddleSizes *sizes; /* of the kernel's own axes */
  const HeddleKernelText *text;
  const HeddleVerifyMemory *memory;
  gpointer board;
  guint64 *values; /* the kernel's arguments: addresses and sizes, as many as it has parameters */
  GHashTable *
      encoded; /* parameter -> GBytes: inputs as they lie in memory, for another launch; NULL: nothing was launched */
  guint8 *maps; /* then its tensor maps, one after the other */
} HeddleVerifyLaunch;

/* Returns the expected results of a kernel: its operations alone, evaluated on what it gets, which is among
 * the run's arrays. */
GHashTable *heddle_verify_reference (
    const HeddleVerifyRun *run, const HeddleKernel *kernel, HeddlePrecision precision, GError **error);
/* Returns the diagram of the kernel's operations alone; what it reads is an input, of its own type, or @dtype
 * if nothing says it. */
HeddleDiagram *heddle_verify_isolate (
    const HeddleDiagram *diagram, const HeddleKernel *kernel, HeddleDtype dtype);
/* Returns the same result for a kernel that does on other arrays what that kernel does. */
HeddleVerification *heddle_verification_repeat (const HeddleVerification *before, const HeddleKernel *kernel);
/* Returns whether the text is the kernel's, or that of the one that merges its parts. */
gboolean heddle_verify_is_of (const HeddleKernelText *text, const HeddleKernel *kernel);
/* Runs a kernel on the run's arrays, and compares with its reference. */
HeddleVerification *heddle_verify_one (
    HeddleVerifyRun *run, const HeddleKernel *kernel, HeddleVerifyOn on, GError **error);

/* Frees @self and its texts; @self may be NULL. */
void heddle_verification_free (HeddleVerification *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleVerification, heddle_verification_free)
