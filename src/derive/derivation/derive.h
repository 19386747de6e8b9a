/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "derive/cost/canonical.h"
#include "derive/program/loop-program.h"
#include "derive/machine/machine.h"
#include "diagram/document/document.h"
#include "diagram/evaluate/evaluate.h"

G_BEGIN_DECLS

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

/* Why the machine would have tiles and chunks be multiples of something. */
typedef enum
{
  HEDDLE_DIVISORS_MMA = 1 << 0, /* the shape of the tensor core's instructions */
  HEDDLE_DIVISORS_COPIES = 1 << 1, /* copies of 16 bytes */
  HEDDLE_DIVISORS_LINES = 1 << 2, /* lines of 128 bytes */
  HEDDLE_DIVISORS_WARPS = 1 << 3, /* four warps that each take an instruction's rows */
} HeddleDivisorReasons;

/* "mma,copies,lines,warps", or some of them. FALSE: @text has another. */
gboolean heddle_divisors_from_string (const char *text, guint *flags);
char *heddle_divisors_to_string (guint flags); /* NULL: none; newly allocated */
/* Those of the schedule (NULL: it says nothing) besides @flags. */
guint heddle_schedule_divisors (const HeddleSchedule *schedule, guint flags);

/* What was found for kernels, for others that are the same but for their names: those of the next derivation, too. It is used by one thread at a
 * time and for one machine, which is not changed meanwhile. --- recall.c */
typedef struct _HeddleRecall HeddleRecall;
HeddleRecall *heddle_recall_new (void);
HeddleRecall *heddle_recall_ref (HeddleRecall *self);
void heddle_recall_unref (HeddleRecall *self);

typedef struct
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
      lean; /* labels and prices are all that is wanted: kernels keep no loop program, columns or canonical form, and nothing is told of what is held or why labels are as they are; kernels that differ by names alone are searched once */
  HeddleRecall *recall; /* of searches; NULL: a derivation has one of its own */
} HeddleDeriveOptions;

/* Why a label cannot be, and what would make it legal. */
typedef enum
{
  HEDDLE_REMEDY_NONE,
  HEDDLE_REMEDY_FUSE, /* fuse remedy_operations with the region, then it is legal */
  HEDDLE_REMEDY_STREAM, /* stream the axis instead */
  HEDDLE_REMEDY_AXIS, /* label remedy_axis in the same way instead */
  HEDDLE_REMEDY_CUT, /* run remedy_operations, which are a part of the region, as a kernel of their own: that can have the label */
} HeddleRemedyKind;

typedef struct
{
  const char *axis;
  HeddleLabelKind kind;
  const char *operation; /* the one that forbids it (id) */
  const char *value, *column,
      *level; /* interned; of a place that cannot be, which has no axis and no kind: what, where read (or NULL), where */
  char *reason; /* a sentence */
  char *remedy; /* a sentence; "": there is none */
  char *no_remedy; /* why there is none, a sentence; NULL: there is one */
  HeddleRemedyKind remedy_kind;
  const char *remedy_axis; /* of AXIS; else NULL */
  GArray *remedy_operations; /* of const char *: of FUSE and CUT: all of the region to be */
} HeddleRefusal;

/* What the tiles and chunks of an axis are multiples of. */
typedef struct
{
  const char *axis; /* id */
  guint
      depth; /* number of the lowest level whose tiles it holds for, among those that take labels; it holds for those above, too */
  gint64 size;
  char *reason; /* in words: "the tensor core's tile (f16)" */
} HeddleDivisor;

/* How a kernel goes along the axis it streams. */
typedef enum
{
  HEDDLE_STREAM_NONE, /* nothing streams */
  HEDDLE_STREAM_MAP, /* chunks do not know of one another */
  HEDDLE_STREAM_MONOID, /* states that can be merged: the axis may be split over groups */
  HEDDLE_STREAM_MACHINE, /* states that are carried in order only */
} HeddleStreamKind;

const char *heddle_stream_kind_to_string (
    HeddleStreamKind kind); /* "none", "map", "monoid", "state machine" */

/* The cost at one column of the diagram. */
typedef struct
{
  const char *operation; /* after which operation (id); NULL: the loads before the first */
  gint64 transfer_elements; /* H that happens here */
  gint64 memory_elements; /* M held here (by the chosen convention) */
  gint64 transfer_bytes, memory_bytes;
} HeddleColumnCost;

typedef struct
{
  char *level;
  gint64 transfer_elements, transfer_bytes; /* G_MAXINT64: beyond 64 bits */
  gint64 step_elements, step_bytes; /* what one group moves in one step of its stream */
  HeddleExpr *
      transfer_symbolic; /* over SIZE leaves and VARIABLEs "g_NAME", "s_NAME" (NAME: the axis' name); "share": what of a loaded stream is not
                               skipped */
  gint64 memory_elements, memory_bytes; /* the peak */
  HeddleExpr *memory_symbolic;
  gint64 capacity_bytes; /* capacity in elements for the abstract machine */
  gint64
      instances; /* of a level below the first: groups of one group of the level above, all held at the same time; else 1 */
} HeddleLevelCost;

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
  HeddleLoopProgram *program; /* NULL when a label is refused, or where it is unmade */
  char *
      unmade; /* why no loop program says what it does: it is priced as what it reads and writes, and no code is made of it; else NULL */
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
  double dram_s, l2_s, smem_s;
  double above_s, above_bytes; /* over the links to levels above global memory */
  double overlapped_s, serial_s, expected_s;
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
  double milliseconds;
  gboolean exact; /* the search proved the optimum */
  const char *unproved; /* why it did not, not translated; NULL: it did */
  gboolean illegal; /* some label was refused */
  struct _HeddleSharding *
      sharding; /* what several GPUs pass to one another (derive/shard.h): then kernels and totals are those of one of them; else NULL */
} HeddleDerivation;

/* %HEDDLE_DERIVE_ERROR_EMPTY: there is nothing to compute. */
void heddle_derive_set_empty (GError **error);
/* Whether the diagram has an operation; else that error. heddle_derive () itself prices a diagram without any at nothing, as an editor shows it; what
 * needs a kernel asks here first. */
gboolean heddle_derive_check_work (const HeddleDiagram *diagram, GError **error);
/**
 * heddle_derive:
 *
 * Covers @diagram with kernels (the schedule's regions; every other named value's statement on its own), checks the labels, builds each
 * kernel's loop program and prices it. With @options->suggest the labels are completed with the best legal ones. Fast enough to be
 * called at each frame of a drag (well under 5 ms without suggest for one region).
 * Errors: %HEDDLE_DIAGRAM_ERROR_SIZE…, %HEDDLE_DERIVE_ERROR_LABEL, _REGION. Refused labels are no error: see refusals.
 */
HeddleDerivation *heddle_derive (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleSizes *sizes, const HeddleDeriveOptions *options, GCancellable *cancellable, GError **error);
/**
 * heddle_derive_from:
 *
 * The same as heddle_derive(), of @earlier's diagram, sizes and options, which was derived with the schedule @then: kernels of which the two
 * schedules say the same are not made again, but those of @earlier. It takes as long as what is new, and as much memory.
 */
HeddleDerivation *heddle_derive_from (const HeddleDerivation *earlier, const HeddleSchedule *then,
    const HeddleDiagram *diagram, const HeddleSchedule *schedule, const HeddleSizes *sizes,
    const HeddleDeriveOptions *options, GCancellable *cancellable, GError **error);
void heddle_derivation_free (HeddleDerivation *self);
void heddle_refusal_free (HeddleRefusal *self);

/* Whether one more label would be legal on the region that holds @operation (or, without one, on its statement): NULL if legal. */
HeddleRefusal *heddle_derive_try_label (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const char *operation, const char *axis, HeddleLabelKind kind);

void heddle_derive_find_cut (
    const HeddleDiagram *diagram, const HeddleSchedule *schedule, HeddleRefusal *refusal);
HeddleRefusal *heddle_derive_try_place (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleSizes *sizes, const HeddleDeriveOptions *options, const char *value, const char *column,
    const char *level);

/* Fuses as `--fuse` says: "all", "none", "file" (as the schedule has it), or names of values "S,P,O" whose statements become one
 * kernel. Returns a new schedule. */
HeddleSchedule *heddle_schedule_fuse (
    const HeddleDiagram *diagram, const HeddleSchedule *schedule, const char *how, GError **error);
/* Makes one region of @operations, in the diagram's order: they leave those they were in, whose labels it takes. */
HeddleRegion *heddle_schedule_fuse_operations (
    HeddleSchedule *schedule, const HeddleDiagram *diagram, const GArray *operations);
/* How a diagram was cut into kernels. Costs are seconds (with what passes between kernels), bytes, or elements on the abstract machine. */
typedef struct
{
  double cost,
      second_cost; /* of the best cut, and of the best other one; infinite: not all its kernels fit */
  double least; /* no cut costs less */
  char *chosen, *second; /* in words: "S P O | Y" */
  guint priced; /* kernels */
  guint places; /* given, that each was priced with */
  gboolean exact; /* every way to cut was considered */
  gboolean by_time;
} HeddleFusion;

void heddle_fusion_clear (HeddleFusion *self);
/* The cut of the least cost with the places of @given (may be NULL); a region for each kernel. */
HeddleSchedule *heddle_schedule_suggest (const HeddleDiagram *diagram, const HeddleSchedule *given,
    const HeddleSizes *sizes, const HeddleDeriveOptions *options, GCancellable *cancellable,
    HeddleFusion *report, GError **error);
/* Adds a label in the form of the command line: "[REGION/]axis:group|stream|divisor|order@level=n". REGION: a region id or value name;
 * without one, every region that has the axis. */
gboolean heddle_schedule_add_label_text (HeddleSchedule *schedule, const HeddleDiagram *diagram,
    const HeddleMachine *machine, const char *text, GError **error);

/* Puts a value at a level, in the form of the command line: "VALUE@LEVEL", or "VALUE:READER@LEVEL" for one column of it. */
gboolean heddle_schedule_add_place_text (HeddleSchedule *schedule, const HeddleDiagram *diagram,
    const HeddleMachine *machine, const char *text, GError **error);

/* Has values worked out again, in the form of the command line: "VALUE:READER". */
gboolean heddle_schedule_add_recompute_text (
    HeddleSchedule *schedule, const HeddleDiagram *diagram, const char *text, GError **error);

/* Which values to work out again rather than to store: those for which that takes less time, and where more than @options->budget_bytes are held
 * at a time, those by which the least time is lost. @schedule: which operations are fused. Returns a new one, and in @explanation a sentence
 * for each and, where no more can be done, how much is still held; NULL: nothing to say. */
HeddleSchedule *heddle_schedule_suggest_recomputed (const HeddleDiagram *diagram,
    const HeddleSchedule *schedule, const HeddleSizes *sizes, const HeddleDeriveOptions *options,
    GCancellable *cancellable, char **explanation, GError **error);

/* What tiles and chunks of the axis are multiples of at level number @depth of those that take labels; 1: anything, %G_MAXINT64: beyond 64
 * bits. And why: "16: its tiles at registers; 3: as it was labelled", newly allocated. */
gint64 heddle_kernel_divisor (const HeddleKernel *self, const char *axis, guint depth);
char *heddle_kernel_explain_divisor (const HeddleKernel *self, const char *axis, guint depth);

/* How many groups one instance of the level has room for; 0: not bounded. */
double heddle_level_cost_workers (const HeddleLevelCost *self, const HeddleMachine *machine);

/* --- executor --------------------------------------------------------------------- */

/* What crossed and what was held while a loop program ran with each level as a real, bounded memory. */
typedef struct
{
  gint64 transfer_elements;
  gint64 peak_elements; /* all */
  gint64 peak_operands_elements; /* operands convention */
} HeddleLevelCounts;

typedef struct
{
  gint64 transfer_elements, peak_elements, peak_operands_elements; /* of the first level */
  HeddleLevelCounts levels[HEDDLE_MAX_LEVELS]; /* per level of the program; held: by one group of it */
  gint64
      above_elements[HEDDLE_MAX_ABOVE]; /* over the link of each level above global memory, by its number */
} HeddleCounts;

/* Runs the program: @arrays value id -> HeddleArray holds the kernel's inputs, and receives its outputs. Every buffer is allocated at its
 * tile's size and poisoned with NaN. Values equal the evaluator's to 1e-12; counts equal the cost's exactly. */
gboolean heddle_execute (const HeddleLoopProgram *program, const HeddleSizes *sizes, GHashTable *arrays,
    HeddleCounts *counts, GCancellable *cancellable, GError **error);

/* --- roofline --------------------------------------------------------------------- */

typedef struct
{
  char *name; /* "gmem", "l2", "smem": a slope; "tensor", "special", "fp32": a ceiling */
  gboolean ceiling;
  double rate; /* bytes/s or FLOP/s */
} HeddleRoof;

typedef struct
{
  double intensity; /* FLOP/byte */
  double flops_per_s;
} HeddleRooflinePoint;

GPtrArray *heddle_roofline_roofs (const HeddleMachine *machine, HeddleDtype dtype,
    const HeddleKernel *kernel); /* of HeddleRoof; kernel for the special-function ceiling, may be NULL */
HeddleRooflinePoint heddle_roofline_point (
    const HeddleDerivation *derivation); /* of the whole derivation, at the level below GMEM */
void heddle_roof_free (HeddleRoof *self);

/* What the kernels of a derivation took on a GPU, all after one another. */
typedef struct
{
  char *diagram; /* its name */
  char *machine; /* the one that they were derived for: "h100-sxm" */
  char *gpu; /* the one that they ran on: "NVIDIA H100 80GB HBM3" */
  char *date; /* when, UTC: "2026-11-22T22:41:07Z" */
  char *path; /* of the file that tells of it, or NULL */
  HeddleDtype dtype;
  double flops, bytes; /* counted: of the work, and moved into the first labelled level */
  double median_s, least_s, most_s; /* of many launches */
} HeddleBenchResult;

void heddle_bench_result_free (HeddleBenchResult *self);
/* At the median. */
HeddleRooflinePoint heddle_bench_result_point (const HeddleBenchResult *self);
/* "2026-11-22" */
char *heddle_bench_result_day (const HeddleBenchResult *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleDerivation, heddle_derivation_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleBenchResult, heddle_bench_result_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleRecall, heddle_recall_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleRefusal, heddle_refusal_free)

G_END_DECLS
