/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/evaluate.h"
#include "diagram/walk.h"

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
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleOutside, heddle_outside_unref)

/* What is at work during one evaluation. */
typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleSizes *sizes;
  GCancellable *cancellable;
  GHashTable *arrays; /* value id -> HeddleArray */
  GHashTable *outsides; /* value id -> GPtrArray of HeddleOutside; absent: none */
  guint64 work; /* points since the cancellable was last looked at */
} HeddleEvaluation;

/* Counts @points of work done. FALSE: cancelled, @error is set. */
gboolean heddle_evaluation_work (HeddleEvaluation *self, gint64 points, GError **error);

/* A compiled expression whose slots know where their values are. */
typedef struct _HeddleBound HeddleBound;
typedef struct
{
  HeddleEvaluation *evaluation;
  const HeddleWalk *walks[2]; /* whose indices INDEX leaves are; either may be NULL */
  const HeddleWalk *operands; /* cursor i is where ARGUMENT i reads */
  const double *const *data; /* … in this */
  const char *const *names; /* of variables, ends at NULL */
  const double *variables; /* their values */
} HeddleBinding;
/* NULL with %HEDDLE_DIAGRAM_ERROR_UNKNOWN_SYMBOL where a leaf has no value. */
HeddleBound *heddle_bound_new (const HeddleExpr *expr, const HeddleBinding *binding, GError **error);
double heddle_bound_run (HeddleBound *self);
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
gboolean heddle_run_contract (HeddleRun *self, GError **error);
gboolean heddle_run_reduce (
    HeddleRun *self, GError **error); /* CONTRACT, REDUCE and NORMALISE, leaving out what is outside */
gboolean heddle_run_reindex (HeddleRun *self, GError **error);
/* Marks of operand @i, or NULL. */
GPtrArray *heddle_run_get_outsides (const HeddleRun *self, guint i);
/* Marks of all operands that the operation's core axes take: an array of HeddleOutside (none); empty: nothing is left out. */
GPtrArray *heddle_run_taken_outsides (const HeddleRun *self);
/* Finds the marks of the result. */
gboolean heddle_run_mark (HeddleRun *self, GError **error);

/* The cells of the operand that a REINDEX reads, point by point of a walk. */
typedef struct _HeddleReader HeddleReader;
HeddleReader *heddle_reader_new (HeddleRun *run, const GArray *axes, GError **error);
void heddle_reader_free (HeddleReader *self);
HeddleWalk *heddle_reader_get_walk (HeddleReader *self);
/* The offset of the cell read at the walk's point, in an array with @strides along the operand's axes; FALSE: outside. */
gboolean heddle_reader_locate (HeddleReader *self, const gint64 *strides, gint64 *offset);
/* For heddle_reader_locate(): the strides along the operand's axes of an array with @axes. */
gint64 *heddle_reader_strides (HeddleReader *self, const GArray *axes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleReader, heddle_reader_free)

G_END_DECLS
