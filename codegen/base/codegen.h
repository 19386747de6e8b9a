/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/compile/audit.h"
#include "derive/derivation/derive.h"

G_BEGIN_DECLS

#define HEDDLE_CODEGEN_ERROR (heddle_codegen_error_quark ())
GQuark heddle_codegen_error_quark (void);
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
} HeddleFamily;

/* "auto", "general", "sm80", "sm90a", "sm90a-copies" */
const char *heddle_family_to_string (HeddleFamily family);
gboolean heddle_family_from_string (const char *text, HeddleFamily *family);

/* A tensor map that a kernel takes behind its parameters: of an array, and the box of it that a copy brings, both with the contiguous axis
 * last. The elements have 16 bits, and rows of 128 bytes are swizzled. */
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
  GPtrArray *tiles; /* of HeddleKernelTile: how many blocks other sizes take */
  HeddleLoopProgram
      *program; /* what it was made from; its diagram has all values and axes of the interface */
  const HeddleKernelText *
      same; /* the one before it, of the same kernels, that does the same on other arrays and is started in its place; NULL: none */
};

/* A grouped axis of a kernel. */
typedef struct
{
  const char *axis;
  gint64 size;
} HeddleKernelTile;

/* Emits the kernel of a family for a priced kernel. @verification: a line for the head comment ("verified on …") or NULL:
 * "NOT VERIFIED: not run". Deterministic: the same names give the same text. */
HeddleKernelText *heddle_codegen_emit (const HeddleDiagram *diagram, const HeddleKernel *kernel,
    const HeddleSizes *sizes, const HeddleMachine *machine, HeddleDtype dtype, HeddleFamily family,
    const char *verification, GError **error);
/* All kernels of a derivation, in the order they run (several: with named intermediates in one launcher's .cu); what merges the parts of a
 * split axis is one of its own, after that which makes them. Those that differ in names alone know of one another: a launcher starts the first
 * for each. Of HeddleKernelText. */
GPtrArray *heddle_codegen_emit_all (const HeddleDiagram *diagram, const HeddleDerivation *derivation,
    const HeddleSizes *sizes, const HeddleMachine *machine, HeddleDtype dtype, HeddleFamily family,
    const char *verification, GError **error);
/* The one .cu (and, where asked, its .h) of several kernels: kernels, then one launcher with a C interface named after the diagram.
 * Values made by one kernel and read by another live in a workspace that the caller gives. @equations: the diagram as text for the head
 * comment, or NULL. */
char *heddle_codegen_module (const HeddleDiagram *diagram, GPtrArray *texts, const HeddleSizes *sizes,
    HeddleDtype dtype, const char *equations, char **header, GError **error);
void heddle_kernel_text_free (HeddleKernelText *self);

/* --- plan: everything between a diagram and its kernels' text, as the command line, the editor and the exports all do it --- */
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
  HeddleRecall *
      recall; /* private: of the labels found for kernels that are the same but for their names, in this plan and those that share it */
  HeddleDiagram *viewed; /* private: as it was given, and of it */
  GPtrArray *views; /* private: of HeddleOperation: those left out */
} HeddlePlan;

/* @schedule NULL or without regions: everything in one kernel where that is legal and fits, else statement by statement. Labels not given are
 * suggested. @gpu NULL: the schedule's, else "h100-sxm"; @dtype UNSET: the schedule's, else f16. @sizes: overrides by axis name, or NULL.
 * Errors of the derivation, with the reason and remedy of a refused label (%HEDDLE_DERIVE_ERROR_ILLEGAL). */
HeddlePlan *heddle_plan_new (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const char *gpu,
    HeddleDtype dtype, HeddleFamily family, GHashTable *sizes, GCancellable *cancellable, GError **error);
/* Likewise for a machine at hand, which no file need tell of. */
HeddlePlan *heddle_plan_new_on (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleMachine *machine, HeddleDtype dtype, HeddleFamily family, GHashTable *sizes,
    GCancellable *cancellable, GError **error);
/* Without a schedule, and looks longer for what to fuse: among all ways to cut the diagram. @recall (nullable): what is known from plans for the
 * same machine, and what is found now. */
HeddlePlan *heddle_plan_new_thorough (const HeddleDiagram *diagram, const char *gpu, HeddleDtype dtype,
    HeddleFamily family, HeddleRecall *recall, GCancellable *cancellable, GError **error);
/* Of a schedule that says all, such as heddle_plan_get_schedule () gives: nothing is looked for. */
HeddlePlan *heddle_plan_new_given (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const char *gpu, HeddleDtype dtype, HeddleFamily family, GHashTable *sizes, GCancellable *cancellable,
    GError **error);
/* A kernel for each named value, to compare with: without texts, and some may not fit. */
HeddlePlan *heddle_plan_new_apart (const HeddleDiagram *diagram, const char *gpu, HeddleDtype dtype,
    HeddleFamily family, GCancellable *cancellable, GError **error);
HeddleSchedule *heddle_plan_get_schedule (const HeddlePlan *self);
/* The best labels, for kernels that are as fast as that: see there. */
HeddleDerivation *heddle_plan_suggest (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleSizes *sizes, const HeddleDeriveOptions *options, GCancellable *cancellable, GError **error);
/* How long one of its kernels takes by the model, with what passes before the next one starts: what plans are compared by. */
double heddle_plan_kernel_seconds (const HeddlePlan *self, const HeddleKernel *kernel);
/* Why two of its kernels, one after the other, are not one: a sentence. */
char *heddle_plan_explain_apart (
    const HeddlePlan *plan, const HeddleKernel *one, const HeddleKernel *two, GCancellable *cancellable);
void heddle_plan_free (HeddlePlan *self);

/* --- compile: NVRTC opened at run time, or nvcc --- */
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

HeddleCompilation *heddle_compile (const HeddleKernelText *text, GCancellable *cancellable, GError **error);
void heddle_compile_async (
    const HeddleKernelText *text, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);
HeddleCompilation *heddle_compile_finish (GAsyncResult *result, GError **error);
void heddle_compilation_free (HeddleCompilation *self);
/* Whether a compiler is here; @why: what is missing and how to get it. */
gboolean heddle_compile_is_available (char **why);

/* --- what a person takes away --- */

/* The kernels of a diagram for one GPU. */
typedef struct
{
  HeddlePlan *plan;
  GPtrArray *texts; /* of HeddleKernelText, as the plan's, with what was verified in their comments */
  GPtrArray *cubins; /* of GBytes, one for each; NULL: not compiled */
} HeddleGpuKernels;
void heddle_gpu_kernels_free (HeddleGpuKernels *self);
/* Compiles each kernel into @cubins. */
gboolean heddle_gpu_kernels_compile (HeddleGpuKernels *self, GCancellable *cancellable, GError **error);
/* A Python module in one file: an operator of PyTorch with the kernels of each GPU inside (of HeddleGpuKernels, compiled). */
char *heddle_codegen_python (
    const HeddleDiagram *diagram, GPtrArray *gpus, const char *equations, GError **error);
/* All kernels as one text for a compiler, without a launcher: to be compiled as it is, or by heddle_compile_device (). */
char *heddle_codegen_device (GPtrArray *texts);
/* Their derivations and how each is started, in comments. */
char *heddle_codegen_launches (
    const HeddleDiagram *diagram, GPtrArray *texts, const HeddleSizes *sizes, HeddleDtype dtype);
HeddleCompilation *heddle_compile_device (GPtrArray *texts, GCancellable *cancellable, GError **error);
typedef enum
{
  HEDDLE_LIBRARY_FATBIN, /* the kernels alone, for each architecture */
  HEDDLE_LIBRARY_SHARED, /* with the launcher, to be linked or loaded */
} HeddleLibraryKind;
/* Builds @source, what heddle_codegen_module () gave, by nvcc for the architecture of each machine (of HeddleMachine). The program never loads
 * what it built. A kernel that one of them cannot run is %HEDDLE_CODEGEN_ERROR_COMPILE or %HEDDLE_CODEGEN_ERROR_UNSUPPORTED. */
GBytes *heddle_compile_library (const char *source, GPtrArray *texts, GPtrArray *machines,
    HeddleLibraryKind kind, GCancellable *cancellable, GError **error);

/* --- verify --- */
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
} HeddleVerification;

/* Runs every kernel of the derivation in order on random inputs and compares outputs with the reference evaluator, by the norm, by row and by
 * element. Of HeddleVerification. */
GPtrArray *heddle_verify (const HeddleDiagram *diagram, const HeddleDerivation *derivation,
    const HeddleSizes *sizes, const HeddleMachine *machine, HeddleDtype dtype, HeddleVerifyOn on,
    guint64 seed, GCancellable *cancellable, GError **error);
/* The same for a plan, at other sizes of the axes that its kernels take as arguments. */
GPtrArray *heddle_plan_verify (const HeddlePlan *plan, const HeddleSizes *sizes, HeddleVerifyOn on,
    guint64 seed, GCancellable *cancellable, GError **error);
/* The same at sizes that are quick, which go into @sizes; %NULL there: the whole is too large at any, and its kernels were interpreted each on
 * its own, on random values in place of what the one before makes, at sizes that are in their details. */
GPtrArray *heddle_plan_verify_small (const HeddlePlan *plan, HeddleVerifyOn on, guint64 seed,
    HeddleSizes **sizes, GCancellable *cancellable, GError **error);
/* Sizes at which the plan's very kernels are quick to check: a whole tile or chunk and a ragged one of each axis that is an argument. */
HeddleSizes *heddle_plan_small_sizes (const HeddlePlan *plan);
/* Likewise of loop programs alone, which can run at any. */
HeddleSizes *heddle_derivation_small_sizes (
    const HeddleDiagram *diagram, HeddleDerivation *derivation, HeddleSizes *sizes);
/* Verifies a plan at such sizes by the best way this machine has, and says so in one line for a kernel's head comment: "verified on the
 * CPU …" or "NOT VERIFIED: reason". A kernel that fails is %HEDDLE_CODEGEN_ERROR_VERIFY. */
char *heddle_plan_verify_line (
    const HeddlePlan *plan, guint64 seed, GCancellable *cancellable, GError **error);
/* That line, where these very kernels were verified on the CPU since the program began, for whatever purpose; %NULL: they were not, or it is
 * forgotten. */
char *heddle_plan_recall_line (const HeddlePlan *plan);
void heddle_verification_free (HeddleVerification *self);

/* --- bench --- */

/* What launches of one kernel took on a GPU, in seconds. */
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

/* Times every kernel of the plan @launches times, by events of the GPU, at the plan's own sizes, on normal values and indices inside their
 * arrays; three launches before are not counted. %HEDDLE_CODEGEN_ERROR_MISSING without a compiler, a driver or a GPU,
 * %HEDDLE_CODEGEN_ERROR_UNSUPPORTED where the kernels are for another one. */
HeddleBench *heddle_plan_bench (
    const HeddlePlan *plan, guint launches, GCancellable *cancellable, GError **error);
/* Likewise, all launches on the same arrays: what fits in the L2 is read there. */
HeddleBench *heddle_plan_bench_in_place (
    const HeddlePlan *plan, guint launches, GCancellable *cancellable, GError **error);
void heddle_bench_free (HeddleBench *self);

/* --- the GPU of this machine as a machine --- */

/* What its driver says of the first GPU: its memories, processors and clock, and what follows from those. Rates are what the architecture has by
 * the clock, until they are measured. @driver: (out): "CUDA 13.0". %HEDDLE_CODEGEN_ERROR_MISSING without a driver or a GPU. */
HeddleMachine *heddle_gpu_describe (char **driver, gsize *free_bytes, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleBench, heddle_bench_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddlePlan, heddle_plan_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleGpuKernels, heddle_gpu_kernels_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleKernelText, heddle_kernel_text_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleCompilation, heddle_compilation_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleVerification, heddle_verification_free)

G_END_DECLS
