/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/execute/private.h"

G_BEGIN_DECLS

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

/* How a source is read: at the point, or at indices of its own. */
typedef struct
{
  HeddleFormula **indices; /* one per axis of the source, or NULL */
  guint n_axes;
} HeddleReading;

struct _HeddlePointKernel
{
  guint n_points, n_loops; /* the points worked out one by one, then what each goes through */
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

double heddle_point_run (const HeddlePoint *point, HeddleFormula *formula, gboolean *outside);
/* Moves loops @first to the last on by one; %FALSE: they are through and back at their beginnings. */
gboolean heddle_point_advance (const HeddlePoint *point, const HeddleRange *ranges, guint first, guint end);
HeddlePointKernel *heddle_executor_get_kernel (HeddleExecutor *self, const HeddleNode *node);
/* Where in @buffer's memory the element at the point is, along @along at @place (@along NULL: at its own index). */
gint64 heddle_point_offset (const HeddlePoint *point, guint buffer, const char *along, gint64 place);

/* --- execute-forms.c: SCAN and SELECT --- */
void heddle_point_scan (const HeddlePoint *point, const HeddleRange *ranges);
void heddle_point_select (const HeddlePoint *point, const HeddleRange *ranges);

G_END_DECLS
