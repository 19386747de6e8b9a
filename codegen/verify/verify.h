/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/gpu/gpu.h"
#include "codegen/ptx/ptx.h"
#include "diagram/evaluate/evaluate.h"

G_BEGIN_DECLS

/* Ways to interpret a kernel: warps as they come, asynchronous copies made as late as may be or at once; or warps and copies in a drawn order. */
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
  GHashTable *reference; /* value id -> HeddleArray: what the kernel at hand has to give, in f64 */
  HeddleGpu *gpu; /* where they run on one */
  gboolean once; /* kernels that are another one on other arrays are not run */
  const HeddleDiagram *
      maker; /* NULL, or that whose operations make inputs of @diagram: those never negative there are not here */
  gboolean (*wants) (const HeddleVerifyRun *run, const HeddleKernel *kernel); /* NULL: all are run */
  guint
      orders; /* of HeddleVerifyOrders: those of warps that a kernel is interpreted in; 0: as many as there is time for */
  guint64
      most_instructions; /* of threads, in one order: beyond, some blocks are run; 0: as many as suit one who waits */
};

/* One kernel of a plan as a plan of its own: what kernels before it make are inputs of its diagram. The rest is the plan's. */
typedef struct
{
  HeddlePlan plan;
  HeddleDerivation derivation;
  const HeddleDiagram *maker; /* of the whole plan */
} HeddlePlanPart;

void heddle_plan_part_init (HeddlePlanPart *self, const HeddlePlan *plan, HeddleKernel *kernel);
void heddle_plan_part_clear (HeddlePlanPart *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddlePlanPart, heddle_plan_part_clear)

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

/* Compares one output with what it should be: as a whole, and row by row. The worst of several outputs is reported. @perturbed: the
 * reference with values on the way half a unit of f32 off, where that alone may be farther off than @tolerance; %NULL: not looked at. */
gboolean heddle_verify_compare (HeddleVerification *self, const char *name, const HeddleArray *array,
    const HeddleArray *reference, const HeddleArray *perturbed, double tolerance);
GPtrArray *heddle_verify_run (
    HeddleVerifyRun *run, const HeddleDerivation *derivation, HeddleVerifyOn on, GError **error);
/* Whether a kernel of the plan has the axis' size as a constant; whether that is worked out from others'. */
gboolean heddle_verify_is_constant (const HeddlePlan *plan, const char *axis);
gboolean heddle_verify_depends (const HeddleAxis *axis);
/* Whether one axis' size is worked out from the other's, directly or not. */
gboolean heddle_verify_goes_with (const HeddleDiagram *diagram, const HeddleAxis *axis, const char *base);
/* Halves sizes of @small until a check is little work, those of axes that are split last: two parts of them are to be merged. */
void heddle_verify_shrink (const HeddlePlan *plan, GHashTable *small);
/* @small, with the axes longer that reads would go farther beyond than at the plan's sizes; of a length that is a multiple of @multiple. */
HeddleSizes *heddle_verify_reach_inside (const HeddlePlan *plan, const HeddleSizes *small, gint64 multiple);
/* Of sizes of some axes, by their ids: gives those that have to agree the larger one, and one that has none the other's; %TRUE: something changed. */
gboolean heddle_verify_agree (const HeddlePlan *plan, GHashTable *small);
/* Takes those out with which the kernels could not run: a constant of theirs follows from it, or it follows from one. Axes that have to agree stay or go
 * together. */
void heddle_verify_keep_what_suits (const HeddlePlan *plan, GHashTable *small);
/* All sizes, of which @small are given, and the others the plan's; %NULL: there are none such. */
HeddleSizes *heddle_verify_complete_sizes (const HeddlePlan *plan, GHashTable *small);
/* Whether the kernels, with the constants they have, can run at the sizes. */
gboolean heddle_verify_suits (const HeddlePlan *plan, const HeddleSizes *sizes);
/* Arrays for all inputs of the diagram, which their data types hold exactly, so that the reference gets what the kernels get. */
gboolean heddle_verify_make_inputs (HeddleVerifyRun *run, GError **error);
/* What a kernel has to give: its operations alone, evaluated on what it gets, which is among the run's arrays. */
GHashTable *heddle_verify_reference (
    const HeddleVerifyRun *run, const HeddleKernel *kernel, HeddlePrecision precision, GError **error);
/* The diagram of the kernel's operations alone; what it reads is an input, of its own type, or @dtype where nothing says it. */
HeddleDiagram *heddle_verify_isolate (
    const HeddleDiagram *diagram, const HeddleKernel *kernel, HeddleDtype dtype);
/* The same result for a kernel that does what that one does on other arrays. */
HeddleVerification *heddle_verification_repeat (const HeddleVerification *before, const HeddleKernel *kernel);
/* Whether the plan is too large to be evaluated as a whole at the sizes. */
gboolean heddle_plan_is_large (const HeddlePlan *plan, const HeddleSizes *sizes);
/* Interprets each kernel on its own, on random values in place of what the one before makes, at sizes that suit it. */
GPtrArray *heddle_plan_verify_apart (
    const HeddlePlan *plan, guint64 seed, GCancellable *cancellable, GError **error);
/* The sizes that rows of arrays go along made multiples of 8, which aligns rows of two bytes an element; %NULL: they are, or
 * cannot be. */
HeddleSizes *heddle_plan_aligned_sizes (const HeddlePlan *plan, const HeddleSizes *sizes);
/* Whether it is the kernel, or that which merges its parts. */
gboolean heddle_verify_is_of (const HeddleKernelText *text, const HeddleKernel *kernel);
/* Runs a kernel on the run's arrays, and compares with its reference. */
HeddleVerification *heddle_verify_one (
    HeddleVerifyRun *run, const HeddleKernel *kernel, HeddleVerifyOn on, GError **error);
/* How many points the axes of an operation's own have: terms of its sum, steps of its scan. */
double heddle_verify_count_points (const HeddleOperation *operation, const HeddleSizes *sizes);
/* What the values of an input are scaled by: a parameter contracted over n terms by 1/sqrt(n), so that what is made of it is neither beyond its
 * type nor where a softmax or a gate no longer moves; what maps make rates of a recurrence of n steps of, likewise. 1 for others. */
double heddle_verify_scale (const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleValue *value);
/* Room for each array, with what an input holds. */
gboolean heddle_verify_place_arguments (HeddleVerifyLaunch *self, GError **error);
/* What the copy hardware is to know of an array that lies at @address; %FALSE: rows are not aligned, and kernels do without. */
gboolean heddle_kernel_map_describe (
    const HeddleKernelMap *self, const HeddleSizes *sizes, guint64 address, HeddlePtxTensorMap *map);
/* Room for the tensor maps of so many launches of a kernel, as the driver wants them aligned: freed by g_aligned_free (). */
guint8 *heddle_kernel_maps_new (const HeddleKernelText *text, guint launches);
/* How many blocks the kernel takes at the sizes of its own axes. */
guint heddle_kernel_text_blocks (const HeddleKernelText *text, const HeddleSizes *sizes);
/* Keeps the outputs of the first launch; every other has to give the same ones to the last bit. */
gboolean heddle_verify_take_outputs (HeddleVerifyLaunch *self, gboolean first, GError **error);
/* Which blocks to run where one takes @each instructions and all together may take @most: %NULL: all of them, as a kernel that shares its outputs out
 * in no such way has to. */
GArray *heddle_verify_sample (const HeddleVerifyLaunch *self, guint64 each, guint64 most);
/* Puts what should be there in place of what other blocks would have written; what the sample wrote there goes into @result->detail. */
void heddle_verify_complete (HeddleVerifyLaunch *self, const GArray *sample, HeddleVerification *result);
/* Compiles the kernel and interprets its PTX, warps in order and in drawn orders, shared memory watched for races. A fault of the
 * kernel goes into @result->detail, else what was done into @summary; %FALSE where it could not be run. */
gboolean heddle_verify_interpret (HeddleVerifyRun *run, const HeddleKernelText *text,
    HeddleVerification *result, char **summary, GError **error);
/* Compiles the kernel and runs it on the GPU, several times. */
gboolean heddle_verify_on_gpu (HeddleVerifyRun *run, const HeddleKernelText *text, HeddleVerification *result,
    char **summary, GError **error);

G_END_DECLS
