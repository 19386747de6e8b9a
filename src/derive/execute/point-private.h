/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/execute/private.h"
#include "derive/program/loop-program.h"
#include "diagram/expression/expr.h"

/* A leaf of a compiled expression and where its value comes from. */
typedef struct
{
  HeddleExprKind kind;
  guint source; /* ARGUMENT: which of the node's sources */
  guint loop; /* INDEX: which loop */
  double size; /* SIZE */
} HeddleLeaf;

typedef struct
{
  HeddleExprProgram *program;
  guint n_leaves;
  HeddleLeaf *leaves;
  double *values;
} HeddleFormula;

/* The way in which a source is read: at the point, or at indices of its own. */
typedef struct
{
  HeddleFormula **indices; /* one per axis of the source, or NULL */
  guint n_axes;
} HeddleReading;

struct _HeddlePointKernel
{
  guint n_points, n_loops; /* the points computed one by one, then what each goes through */
  const char **axes; /* of the loops */
  HeddleFormula *body, *rescale, *extra;
  guint n_sources;
  HeddleReading *readings;
  HeddleReading at; /* of a LOAD */
};

typedef struct
{
  HeddleExecutor *executor;
  const HeddleNode *node;
  HeddlePointKernel *kernel;
  gint64 *index; /* global, per loop */
} HeddlePoint;
