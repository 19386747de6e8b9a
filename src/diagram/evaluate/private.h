/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/evaluate/forms.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/expression/program-private.h"
#include "diagram/evaluate/walk.h"

G_BEGIN_DECLS

/* Where a value stands for reads outside an array. Such terms are left out of the innermost reduction over an axis of the read; what is
 * made of them before that carries the mark on. */
typedef struct
{
  guint ref_count;
  GArray *read_axes; /* ids: the indices of the read */
  GArray *axes; /* ids: what `inside` depends on */
  guint8 *inside; /* row-major over axes; FALSE: outside */
} HeddleOutside;

HeddleOutside *heddle_outside_ref (HeddleOutside *self);
void heddle_outside_unref (HeddleOutside *self);
/* All inside at first. */
HeddleOutside *heddle_outside_new (
    const HeddleSizes *sizes, const GArray *read_axes, const GArray *axes, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleOutside, heddle_outside_unref)

/* What is at work during one evaluation. */
typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleSizes *sizes;
  GCancellable *cancellable;
  GHashTable *arrays; /* value id -> HeddleArray */
  GHashTable *outsides; /* value id -> GPtrArray of HeddleOutside; absent: none */
} HeddleEvaluation;

/* --- evaluate-share.c: does @n items, of which each thread takes @piece at a time: those from @begin to before @end. Pieces must write
 * different places. FALSE: cancelled, or one of them failed; @error is set. --- */
typedef gboolean (*HeddleShare) (gint64 begin, gint64 end, gpointer data, GError **error);
gboolean heddle_evaluation_share (
    HeddleEvaluation *self, gint64 n, gint64 piece, HeddleShare share, gpointer data, GError **error);
/* So many points are a piece that is worth a thread's while. */
#define HEDDLE_POINTS_PER_PIECE (1 << 16)

/* --- evaluate-batch.c: points of some axes in row-major order, a batch at a time, as runs along the last axis --- */
#define HEDDLE_BATCH HEDDLE_EXPR_BATCH /* points at most */
typedef struct
{
  HeddleWalk *walk; /* at the first point after the batch */
  guint n_points;
  guint n_runs;
  guint *lengths; /* of the runs */
  gint64 *indices; /* of each run's first point: one for each axis */
  gint64 *offsets; /* … one for each cursor */
} HeddleBatch;
/* @axes must outlive the batch. */
HeddleBatch *heddle_batch_new (const HeddleSizes *sizes, const GArray *axes);
void heddle_batch_free (HeddleBatch *self);
guint heddle_batch_add_cursor (HeddleBatch *self, const GArray *array_axes);
/* The next batch begins at this point. */
void heddle_batch_seek (HeddleBatch *self, gint64 point);
/* Takes at most @most points. Returns how many. There must be so many left. */
guint heddle_batch_take (HeddleBatch *self, gint64 most);
gint64 heddle_batch_offset (const HeddleBatch *self, guint run, guint cursor);
/* The elements of @data under a cursor: in place where they lie side by side, else in @room. */
const double *heddle_batch_gather (const HeddleBatch *self, guint cursor, const double *data, double *room);
void heddle_batch_scatter (const HeddleBatch *self, guint cursor, const double *values, double *data);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleBatch, heddle_batch_free)

/* A compiled expression whose slots know where their values are. */
typedef struct _HeddleBound HeddleBound;
typedef struct
{
  const HeddleBatch *batch; /* whose indices INDEX leaves are */
  guint n_operands;
  const double *const *data; /* of ARGUMENT i, at cursor i of the batch */
  const char *const *names; /* of variables, ends at NULL */
  const double *const *variables; /* their values, one for each point of a batch */
} HeddleBinding;
/* NULL with %HEDDLE_DIAGRAM_ERROR_UNKNOWN_SYMBOL where a leaf has no value, or _LIMIT. */
HeddleBound *heddle_bound_new (const HeddleExpr *expr, const HeddleBinding *binding, GError **error);
/* The values at the @n points of the batch, until the next run. */
const double *heddle_bound_run (HeddleBound *self, guint n);
void heddle_bound_free (HeddleBound *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleBound, heddle_bound_free)

/* An operation ready to run. Not owned but for the result and the list. */
typedef struct
{
  HeddleEvaluation *evaluation;
  const HeddleOperation *operation;
  const HeddleValue *value; /* the result */
  GPtrArray *operand_values; /* of HeddleValue (none) */
  const double **data; /* of the operands */
  HeddleArray *result;
} HeddleRun;

/* The parts of evaluation; each gives FALSE with an error set when it cannot go on. */
gboolean heddle_run_map (HeddleRun *self, GError **error);
gboolean heddle_run_contract (HeddleRun *self, GError **error); /* leaving out what is outside */
gboolean heddle_run_reduce (HeddleRun *self, GError **error); /* any form with stages; the same */
gboolean heddle_run_reindex (HeddleRun *self, GError **error);
gboolean heddle_run_concat (HeddleRun *self, GError **error);
gboolean heddle_run_scan (HeddleRun *self, GError **error);
gboolean heddle_run_select (HeddleRun *self, GError **error);
/* Where along the core axis operand @operand of a CONCAT begins. */
gint64 heddle_run_concat_start (const HeddleRun *self, guint operand);
/* A mark of that operand as one of the result. */
HeddleOutside *heddle_run_concat_mark (
    HeddleRun *self, guint operand, const HeddleOutside *outside, GError **error);
/* Marks of operand @i, or NULL. */
GPtrArray *heddle_run_get_outsides (const HeddleRun *self, guint i);
/* Marks of all operands that the operation's core axes take: an array of HeddleOutside (none); empty: nothing is left out. */
GPtrArray *heddle_run_taken_outsides (const HeddleRun *self);
/* Finds the marks of the result. */
gboolean heddle_run_mark (HeddleRun *self, GError **error);

/* A batch of points of @axes with a cursor into each operand. */
HeddleBatch *heddle_run_batch (const HeddleRun *self, const GArray *axes);
static inline const GArray *
heddle_run_operand_axes (const HeddleRun *self, guint i)
{
  return ((const HeddleValue *) g_ptr_array_index (self->operand_values, i))->axes;
}

/* The cells of the operand that a REINDEX reads, for the points of a batch. */
typedef struct _HeddleReader HeddleReader;
/* @batch: of heddle_run_batch(). @strides: how far apart neighbours along the operand's axes are in the array that is read. */
HeddleReader *heddle_reader_new (
    HeddleRun *run, const HeddleBatch *batch, const gint64 *strides, GError **error);
void heddle_reader_free (HeddleReader *self);
/* The offset of the cell read at each point of the batch; -1: outside. */
const gint64 *heddle_reader_locate (HeddleReader *self);
/* The strides along the operand's axes of an array with @axes. */
gint64 *heddle_run_operand_strides (const HeddleRun *self, const GArray *axes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleReader, heddle_reader_free)

/* --- evaluate-memory.c --- */
typedef enum
{
  HEDDLE_HELD_GIVEN, /* inputs and parameters */
  HEDDLE_HELD_SOME, /* those, and what is worked out, one after the other */
  HEDDLE_HELD_ALL,
} HeddleHeld;

/* Whether this machine's memory has room for them: told before the first of them is made. Error: %HEDDLE_DIAGRAM_ERROR_LIMIT. */
gboolean heddle_evaluate_check_memory (
    const HeddleDiagram *diagram, const HeddleSizes *sizes, HeddleHeld held, GError **error);

G_END_DECLS
