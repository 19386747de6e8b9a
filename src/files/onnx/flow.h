/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/base/array.h"
#include "diagram/expression/expr.h"
#include "files/onnx/model.h"
#include "files/onnx/sketch.h"
#include <glib.h>

/* An array as it flows through a model: by position, while the language uses axes. Its dimensions are in any
 * order of the value's axes, so that a transposition is nothing; one of size 1 may have no axis at all, so
 * that keeping a reduced dimension is nothing either. */
typedef struct
{
  gint64 size;
  int axis; /* -1: none, of size 1 */
} HeddleDim;

typedef struct
{
  int type; /* HeddleOnnxType */
  guint rank;
  HeddleDim dims[HEDDLE_ONNX_MAX_RANK];
  int value; /* of the sketch */
  gboolean untyped; /* nothing is known of its shape */
} HeddleFlow;

/* One operand whose dimensions are known by labels, as in an Einstein sum: the same label is the same
 * dimension. */
typedef struct
{
  const HeddleFlow *flow;
  int labels[HEDDLE_ONNX_MAX_RANK];
} HeddleLabelled;

#define HEDDLE_MAX_LABELS 96

/* The axis of each label; sizes of 1 give way to others. */
typedef struct
{
  gint64 sizes[HEDDLE_MAX_LABELS]; /* 0: no such label */
  int axes[HEDDLE_MAX_LABELS]; /* -1: none */
} HeddleLabelling;

/* Returns the number of elements, G_MAXINT64 where it would be more. */
gint64 heddle_flow_count (const HeddleFlow *self);
/* Returns a dimension with an axis of its own; if its size is 1, without an axis. */
HeddleDim heddle_dim_new (HeddleSketch *sketch, gint64 size, const char *name);
/* Returns the index along a dimension of what is being made. */
HeddleExpr *heddle_dim_index (HeddleSketch *sketch, const HeddleDim *dim);

/* Labels operands, and makes axes one where it can. Returns %FALSE if sizes differ. */
gboolean heddle_label (
    HeddleSketch *sketch, const HeddleLabelled *operands, guint n, HeddleLabelling *labelling);
/* Returns the value of @operand under the axes of its labels. */
int heddle_label_view (HeddleSketch *sketch, const HeddleLabelled *operand, const HeddleLabelling *labelling);
/* Makes a flow over @labels, whose value is not yet known. */
void heddle_label_result (
    const HeddleLabelling *labelling, const int *labels, guint rank, int type, HeddleFlow *result);

/* Maps elementwise: @body (stolen) has the operands as arguments; numbers that are known are written into it.
 * Returns %FALSE if sizes differ. */
gboolean heddle_flow_map_labelled (HeddleSketch *sketch, const HeddleLabelled *operands, guint n,
    const int *labels, guint rank, HeddleExpr *body, int type, HeddleFlow *result);
/* Maps elementwise with NumPy's broadcasting. Returns %FALSE if sizes differ. */
gboolean heddle_flow_map (HeddleSketch *sketch, const HeddleFlow *const *operands, guint n, HeddleExpr *body,
    int type, HeddleFlow *result);
/* Sums the product of the operands over the labels that are not among @labels. */
gboolean heddle_flow_contract (HeddleSketch *sketch, const HeddleLabelled *operands, guint n,
    const int *labels, guint rank, int type, HeddleFlow *result);
/* Reduces dimensions. @reduced has a flag for each; those that are reduced go, or stay with size 1. */
void heddle_flow_reduce (HeddleSketch *sketch, const HeddleFlow *flow, const char *kind,
    const gboolean *reduced, gboolean keep, int type, HeddleFlow *result);
/* Makes @result of @flow by the normalisation @kind along the flagged dimensions. */
void heddle_flow_normalise (HeddleSketch *sketch, const HeddleFlow *flow, const char *kind,
    const gboolean *along, double option, HeddleFlow *result);
/* Reads a flow at indices. @result has its dimensions already; @indices (stolen) has one for each dimension
 * of @flow. @more: what indices read as arguments 1, 2 …, over axes of the result. */
void heddle_flow_reindex (HeddleSketch *sketch, const HeddleFlow *flow, HeddleExpr **indices, const int *more,
    guint n_more, HeddleFlow *result);
/* Returns a flow at @place along its first dimension, which goes. */
HeddleFlow heddle_flow_at_place (HeddleSketch *sketch, const HeddleFlow *flow, guint place);
/* Gives dimension @dim of a flow an axis, if it has none. */
void heddle_flow_need_axis (HeddleSketch *sketch, HeddleFlow *flow, guint dim);
/* Stores a flow as a value of its own whose axes are in the order of the dimensions, one each. */
void heddle_flow_store (HeddleSketch *sketch, HeddleFlow *flow);
/* Returns whether the value is made by an operation, can be called @raw, and has the dimensions, in order, as
 * its axes. */
gboolean heddle_flow_is_plain (HeddleSketch *sketch, const HeddleFlow *flow, const char *raw);
/* Puts the dimensions into another order. */
void heddle_flow_permute (const HeddleFlow *flow, const guint *order, HeddleFlow *result);
/* Returns the numbers of a flow in the order of its dimensions, if they are known. Transfer full. */
HeddleArray *heddle_flow_numbers (HeddleSketch *sketch, const HeddleFlow *flow, GError **error);
/* Finds the one number of a flow. Returns FALSE if it has not one known number. */
gboolean heddle_flow_scalar (HeddleSketch *sketch, const HeddleFlow *flow, double *number);

/* Puts the same numbers under other dimensions. */
void heddle_flow_reshape (
    HeddleSketch *sketch, const HeddleFlow *flow, const gint64 *shape, guint rank, HeddleFlow *result);
