/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/ptx/ptx.h"
#include "codegen/base/error.h"
#include "codegen/base/kernel-audit.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/machine.h"
#include "derive/program/loop-program.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

#define HEDDLE_CODEGEN_ERROR (heddle_codegen_error_quark ())
typedef enum
{
  HEDDLE_CODEGEN_ERROR_UNSUPPORTED, /* this program cannot be emitted; says what */
  HEDDLE_CODEGEN_ERROR_MISSING, /* NVRTC, nvcc … is not on this machine; says what and how to get it (exit 3) */
  HEDDLE_CODEGEN_ERROR_COMPILE, /* the compiler refused: its log */
  HEDDLE_CODEGEN_ERROR_VERIFY,
} HeddleCodegenError;

/* One parameter of the C interface, in order: pointers to inputs, to outputs, then sizes of run-time axes. */
typedef struct
{
  char *name; /* an identifier */
  const char *value; /* value id for a pointer; NULL for a size */
  const char *axis; /* axis id for a size */
  HeddleDtype dtype; /* of the elements */
  gboolean output;
  guint alignment; /* bytes that an array has to be aligned to; 0: its elements */
} HeddleKernelParameter;

/* A way to make a kernel of a loop program. */
typedef enum
{
  HEDDLE_FAMILY_AUTO, /* the tensor core where that goes, else general */
  HEDDLE_FAMILY_GENERAL, /* any legal kernel, by the arithmetic units */
  HEDDLE_FAMILY_SM80, /* mma.sync, ldmatrix and cp.async: sm_80 and newer */
  HEDDLE_FAMILY_SM90, /* wgmma on what TMA brings where that goes, else cp.async: sm_90a */
  HEDDLE_FAMILY_SM90_COPIES, /* as asked for: wgmma on what cp.async brings; the kernel is SM90 */
  HEDDLE_FAMILY_ROWS, /* no tensor core, rows in registers */
} HeddleFamily;

/* A tensor map that a kernel takes behind its parameters: of an array, and the box of it that a copy brings,
 * both with the contiguous axis last. The elements have 16 bits, and rows of 128 bytes are swizzled. */
typedef struct
{
  char *name; /* an identifier */
  const char *value;
  HeddleDtype dtype;
  guint n;
  const char *axes[5];
  gint64 box[5];
} HeddleKernelMap;

/* A kernel as text, made from a loop program and nothing else. */
typedef struct _HeddleKernelText HeddleKernelText;
struct _HeddleKernelText
{
  char *name; /* "attention" */
  char *arch; /* "sm_90a" */
  char *entry; /* the __global__ function's name */
  HeddleFamily family; /* which it is of: not AUTO */
  char *
      family_reason; /* GENERAL: why not of the faster one; SM80: what makes it slower than it could be; a sentence, or NULL */
  const char *
      dealt_by; /* the value that says which matrix rows choose, where rows are dealt out to blocks sorted by it; NULL: blocks have rows as they stand */
  const char *matrices; /* the axis along which they choose */
  char *family_choice; /* SM80, where there are warpgroups: why not of theirs; a sentence, or NULL */
  char *tile_program; /* SM80: as text; else NULL */
  char *comment; /* the derivation: labels, costs, the loop program, what was verified */
  char *kernel; /* the __global__ function alone */
  GHashTable *sections; /* of the prelude that it uses: a set of static strings */
  char *device; /* prelude and kernel: what a compiler gets */
  char *cuda; /* comment, prelude and kernel, for reading: heddle_codegen_module () gives the whole .cu */
  GPtrArray *line_operations; /* per line of @cuda: the operation id or NULL */
  GPtrArray *parameters; /* of HeddleKernelParameter */
  GPtrArray *maps; /* of HeddleKernelMap */
  GArray *fixed_axes; /* of const char *: axes whose sizes are constants of the kernel */
  GArray *
      equal_axes; /* of const char *, in pairs: axes read under one another's name, whose sizes have to agree */
  guint threads; /* per block */
  gint64 blocks; /* at the given sizes */
  HeddleDtype rounded; /* the coarsest type that factors of products are rounded to; UNSET: none is */
  gint64 shared_bytes; /* dynamic */
  GPtrArray *
      tiles; /* of HeddleKernelTile, the slowest axis of the grid first: how many blocks other sizes take, and what each has */
  gint64
      swept; /* blocks take so many tiles of the last axis but one for each tile of the last, then the next as many; 0: one axis after the other */
  HeddleLoopProgram
      *program; /* what it was made from; its diagram has all values and axes of the interface */
  const HeddleKernelText *
      duplicate_of; /* the earlier text of these kernels that does the same on other arrays and is started in its place; NULL: none */
};

/* A grouped axis of a kernel. */
typedef struct
{
  const char *axis;
  gint64 size;
  gboolean backwards; /* the first block has the last tile */
} HeddleKernelTile;

/* --- plan: everything between a diagram and its kernels' text, as the command line, the editor and the exports all do it */
typedef struct
{
  HeddleDiagram *
      diagram; /* what kernels are made of: a copy, with products of three arrays split, softmaxes and norms that fit no memory written out, and no operations that only say where in an input something lies */
  HeddleDiagram *whole; /* with those: what a module is made of, which reads them where they lie */
  HeddleMachine *machine;
  HeddleSizes *sizes;
  HeddleDtype dtype;
  HeddleFamily family; /* as asked for */
  HeddleDerivation *derivation; /* all labels legal and fitting */
  GPtrArray *texts; /* of HeddleKernelText, one per kernel */
  gboolean thorough; /* private: as asked for */
  gboolean
      by_units; /* private: the search uses the rates of units alone, and not what threads of plain loops take */
  HeddleSearchCache *
      search_cache; /* private: of the labels found for kernels that are the same but for their names, in this plan and those that share it */
  HeddleDiagram *viewed; /* private: as it was given, and of it */
  GPtrArray *views; /* private: of HeddleOperation: those left out */
} HeddlePlan;

/* --- compile: NVRTC opened at run time, or nvcc */
typedef struct
{
  char *ptx;
  GBytes *cubin;
  int registers;
  gint64 shared_bytes; /* static + dynamic */
  gint64 spill_bytes, local_bytes; /* per thread */
  double milliseconds;
  gboolean audited; /* whether @audit is known */
  HeddleAudit audit;
  char *log;
  char *compiler; /* "NVRTC 13.0" or "nvcc 13.0" */
} HeddleCompilation;

/* --- what a person takes away */

/* The kernels of a diagram for one GPU. */
typedef struct
{
  HeddlePlan *plan;
  GPtrArray *texts; /* of HeddleKernelText, as the plan's, with what was verified in their comments */
  GPtrArray *cubins; /* of GBytes, one for each; NULL: not compiled */
} HeddleGpuKernels;
typedef enum
{
  HEDDLE_LIBRARY_FATBIN, /* the kernels alone, for each architecture */
  HEDDLE_LIBRARY_SHARED, /* with the launcher, to be linked or loaded */
} HeddleLibraryKind;

/* --- verify */
typedef enum
{
  HEDDLE_VERIFY_MODEL, /* the loop program executed, every level a real memory, counts compared with the cost */
  HEDDLE_VERIFY_CPU, /* the kernel's PTX interpreted */
  HEDDLE_VERIFY_GPU, /* the kernel run by the GPU of this machine */
} HeddleVerifyOn;

typedef struct
{
  char *kernel;
  const char *on; /* "model", "cpu", "gpu" */
  const char *method; /* "loop-program", "ptx", "run" */
  double relative_error, max_abs_error, tolerance;
  gboolean passed;
  char *detail; /* why it failed; or what was checked */
  gint64 transfer_elements,
      memory_elements; /* MODEL: what crossed into the first level and was held there at most */
  HeddlePtxStats *counts; /* CPU: what the launches did, of the blocks that ran; else NULL */
} HeddleVerification;

/* --- bench */

/* The seconds that launches of one kernel took on a GPU. */
typedef struct
{
  char *kernel;
  double median_s, least_s, most_s;
  double expected_s; /* what the model says, on the plan's machine */
} HeddleTiming;

/**
 * HeddleBench: a plan's kernels timed on the GPU of this machine, one after the other as they feed each other.
 */
typedef struct
{
  char *gpu; /* "NVIDIA H100 80GB HBM3" */
  char *date; /* when, UTC: "2026-11-22T22:41:07Z" */
  guint launches; /* timed, of each kernel */
  guint sets; /* of all arrays, taken in turn so that no launch finds its own in the L2 */
  GPtrArray *timings; /* of HeddleTiming, a kernel of the derivation each; what merges its parts is in it */
  HeddleTiming total; /* from the first kernel's beginning to the last one's end */
} HeddleBench;

/* --- the GPU of this machine as a machine */
