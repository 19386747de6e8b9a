/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/base/array.h"
#include "diagram/expression/expr.h"
#include "files/onnx/model.h"
#include "files/onnx/sketch.h"
#include <glib.h>

G_BEGIN_DECLS

/* An array as it flows through a model: by position where the language goes by axes. Its dimensions are in any order of the value's axes, so that
 * a transposition is nothing; one of size 1 may have no axis at all, so that keeping a reduced dimension is nothing either. */
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

/* One operand whose dimensions are known by labels, as in an Einstein sum: the same label is the same dimension. */
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
/* A dimension of its own; of size 1: without an axis. */
HeddleDim heddle_dim_new (HeddleSketch *sketch, gint64 size, const char *name);
/* The index along a dimension of what is being made. */
HeddleExpr *heddle_dim_index (HeddleSketch *sketch, const HeddleDim *dim);

/* %FALSE: sizes differ. Makes axes one where it can. */
gboolean heddle_label (
    HeddleSketch *sketch, const HeddleLabelled *operands, guint n, HeddleLabelling *labelling);
/* The value of @operand under the axes of its labels. */
int heddle_label_view (HeddleSketch *sketch, const HeddleLabelled *operand, const HeddleLabelling *labelling);
/* A flow over @labels, its value not yet known. */
void heddle_label_result (
    const HeddleLabelling *labelling, const int *labels, guint rank, int type, HeddleFlow *result);

/* Elementwise, @body (stolen) over the operands as arguments; numbers that are known are written into it. %FALSE: sizes differ. */
gboolean heddle_flow_map_labelled (HeddleSketch *sketch, const HeddleLabelled *operands, guint n,
    const int *labels, guint rank, HeddleExpr *body, int type, HeddleFlow *result);
/* The same with NumPy's broadcasting. */
gboolean heddle_flow_map (HeddleSketch *sketch, const HeddleFlow *const *operands, guint n, HeddleExpr *body,
    int type, HeddleFlow *result);
/* The sum over the labels that are not among @labels of the product. */
gboolean heddle_flow_contract (HeddleSketch *sketch, const HeddleLabelled *operands, guint n,
    const int *labels, guint rank, int type, HeddleFlow *result);
/* @reduced: a flag for each dimension. They go, or stay with size 1. */
void heddle_flow_reduce (HeddleSketch *sketch, const HeddleFlow *flow, const char *kind,
    const gboolean *reduced, gboolean keep, int type, HeddleFlow *result);
/* Makes @result of @flow by the normalisation @kind along the flagged dimensions. */
void heddle_flow_normalise (HeddleSketch *sketch, const HeddleFlow *flow, const char *kind,
    const gboolean *along, double option, HeddleFlow *result);
/* @result has its dimensions; @indices (stolen): one for each dimension of @flow. @more: what indices read as arguments 1, 2 …, over
 * axes of the result. */
void heddle_flow_reindex (HeddleSketch *sketch, const HeddleFlow *flow, HeddleExpr **indices, const int *more,
    guint n_more, HeddleFlow *result);
/* The same with an axis for each dimension, or for @dim alone. */
void heddle_flow_need_axis (HeddleSketch *sketch, HeddleFlow *flow, guint dim);
/* The same as a value of its own whose axes are in the order of the dimensions, one each. */
void heddle_flow_store (HeddleSketch *sketch, HeddleFlow *flow);
/* Whether the value is made by an operation, can be called @raw, and its axes are the dimensions, in order. */
gboolean heddle_flow_is_plain (HeddleSketch *sketch, const HeddleFlow *flow, const char *raw);
/* Dimensions in another order. */
void heddle_flow_permute (const HeddleFlow *flow, const guint *order, HeddleFlow *result);
/* Its numbers in the order of its dimensions, where they are known. Transfer full. */
HeddleArray *heddle_flow_numbers (HeddleSketch *sketch, const HeddleFlow *flow, GError **error);
/* Its one number. */
gboolean heddle_flow_scalar (HeddleSketch *sketch, const HeddleFlow *flow, double *number);

/* The same numbers under other dimensions. */
void heddle_flow_reshape (
    HeddleSketch *sketch, const HeddleFlow *flow, const gint64 *shape, guint rank, HeddleFlow *result);

G_END_DECLS
