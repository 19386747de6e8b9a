/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "diagram/base/array.h"
#include "diagram/evaluate/walk.h"
#include "diagram/expression/program-private.h"
#include "diagram/graph/diagram.h"

/* A mark of where a value stands for reads outside an array. Such terms are left out of the innermost
 * reduction over an axis of the read; what is made of them before that carries the mark on. */
typedef struct
{
  guint ref_count;
  GArray *read_axes; /* ids: the indices of the read */
  GArray *axes; /* ids: what `inside` depends on */
  guint8 *inside; /* row-major over axes; FALSE: outside */
} HeddleOutside;

/* The state of one evaluation. */
typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleSizes *sizes;
  GCancellable *cancellable;
  GHashTable *arrays; /* value id -> HeddleArray */
  GHashTable *outsides; /* value id -> GPtrArray of HeddleOutside; absent: none */
} HeddleEvaluation;

/* Does the items from @begin to before @end, of which each thread takes a piece at a time. Pieces must write
 * different places. Returns FALSE with @error set if it was cancelled or failed. */
typedef gboolean (*HeddleShare) (gint64 begin, gint64 end, gpointer data, GError **error);
/* The number of points in a piece that is worth a thread's while. */
#define HEDDLE_POINTS_PER_PIECE (1 << 16)

/* points of some axes in row-major order, a batch at a time, as runs along the last axis */
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

static inline const GArray *
heddle_run_operand_axes (const HeddleRun *self, guint i)
{
  return ((const HeddleValue *) g_ptr_array_index (self->operand_values, i))->axes;
}

/* The cells of the operand that a REINDEX reads, for the points of a batch. */
typedef struct _HeddleReader HeddleReader;

typedef enum
{
  HEDDLE_HELD_GIVEN, /* inputs and parameters */
  HEDDLE_HELD_SOME, /* those, and what is computed, one after the other */
  HEDDLE_HELD_ALL,
} HeddleHeld;
