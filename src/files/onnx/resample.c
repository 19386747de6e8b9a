/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "files/onnx/context.h"
#include "files/onnx/model.h"
#include "files/onnx/resample.h"
#include "files/onnx/sketch.h"
#include "files/onnx/tensor.h"

/* One dimension at another size: each point is a sum of points near where it comes from, with the weights of
 * a kernel over their distance. */

#define MOST_TAPS 4

/* The weights of the points near by, over what is left of the place behind its whole part; a is the
 * coefficient of the cubic. */
struct _HeddleResamplingKernel
{
  const char *mode;
  int first; /* the first point, from the whole part */
  guint n;
  const char *weights[MOST_TAPS];
  const char *by_distance; /* the same over the distance from the place */
};

#define FAR(r) "((a*(" r ") - 5*a)*(" r ") + 8*a)*(" r ") - 4*a"
#define NEAR(r) "((a + 2)*(" r ") - (a + 3))*(" r ")*(" r ") + 1"

static const HeddleResamplingKernel kernels[] = {
  { "linear", 0, 2, { "1 - $0", "$0" }, "max(0, 1 - $0)" },
  { "cubic", -1, 4, { FAR ("$0 + 1"), NEAR ("$0"), NEAR ("1 - $0"), FAR ("2 - $0") },
      "where($0 <= 1, " NEAR ("$0") ", where($0 < 2, " FAR ("$0") ", 0))" },
};

static const struct
{
  const char *mode, *text;
} nearest[] = {
  { "round_prefer_floor", "ceil($0 - 0.5)" },
  { "round_prefer_ceil", "floor($0 + 0.5)" },
  { "floor", "floor($0)" },
  { "ceil", "ceil($0)" },
};

const HeddleResamplingKernel *
heddle_kernel_find (const char *mode)
{
  for (guint i = 0; i < G_N_ELEMENTS (kernels); i++)
    if (g_str_equal (kernels[i].mode, mode))
      return &kernels[i];
  return NULL;
}

const char *
heddle_rounding_find (const char *mode)
{
  for (guint i = 0; i < G_N_ELEMENTS (nearest); i++)
    if (g_str_equal (nearest[i].mode, mode))
      return nearest[i].text;
  return NULL;
}

static HeddleExpr *
replace_place (const HeddleExpr *leaf, gpointer place)
{
  return heddle_expr_get_kind (leaf) == HEDDLE_EXPR_ARGUMENT ? heddle_expr_ref (place) : NULL;
}

/* Returns @text with @place as $0. */
static HeddleExpr *
at_place (const char *text, HeddleExpr *place, double a, double b, double c)
{
  g_autoptr (HeddleExpr) expr = heddle_import_expr (text, a, b, c);

  return heddle_expr_substitute (expr, replace_place, place);
}

static HeddleExpr *
clamped (HeddleExpr *place, gint64 size)
{
  return heddle_expr_binary (HEDDLE_EXPR_MIN,
      heddle_expr_binary (HEDDLE_EXPR_MAX, place, heddle_expr_number (0.)),
      heddle_expr_number ((double) size - 1.));
}

/* Reads @flow at @index along @dim, in @shape. */
static void
read_dim (HeddleImport *self, const HeddleFlow *flow, guint dim, HeddleExpr *index, HeddleFlow *shape)
{
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK];

  for (guint i = 0; i < flow->rank; i++)
    indices[i] = i == dim ? index : heddle_dim_index (self->sketch, &flow->dims[i]);
  heddle_flow_reindex (self->sketch, flow, indices, NULL, 0, shape);
}

/* --- few points ---------------------------------------------------------------------------------- */

/* Interpolates by a sum that is written out. */
static void
interpolate (HeddleImport *self, HeddleFlow *flow, guint dim, HeddleExpr *place, const HeddleResampling *how,
    const HeddleFlow *shape)
{
  g_autoptr (HeddleExpr) whole = heddle_expr_unary (HEDDLE_EXPR_FLOOR, heddle_expr_ref (place));
  g_autoptr (HeddleExpr) rest
      = heddle_expr_binary (HEDDLE_EXPR_SUB, heddle_expr_ref (place), heddle_expr_ref (whole));
  int values[MOST_TAPS], axes[HEDDLE_ONNX_MAX_RANK];
  HeddleExpr *sum = NULL;
  guint n = 0;

  for (guint i = 0; i < how->kernel->n; i++)
    {
      HeddleExpr *near = heddle_expr_binary (
          HEDDLE_EXPR_ADD, heddle_expr_ref (whole), heddle_expr_number (how->kernel->first + (int) i));
      HeddleExpr *term = heddle_expr_binary (HEDDLE_EXPR_MUL,
          at_place (how->kernel->weights[i], rest, how->coefficient, 0., 0.), heddle_expr_argument (i));
      HeddleFlow read = *shape;

      read_dim (self, flow, dim, clamped (near, flow->dims[dim].size), &read);
      values[i] = read.value;
      sum = sum == NULL ? term : heddle_expr_binary (HEDDLE_EXPR_ADD, sum, term);
    }
  for (guint i = 0; i < shape->rank; i++)
    if (shape->dims[i].axis >= 0)
      axes[n++] = heddle_sketch_find (self->sketch, shape->dims[i].axis);
  *flow = *shape;
  flow->value = heddle_sketch_map (
      self->sketch, values, how->kernel->n, axes, n, sum, heddle_onnx_dtype (flow->type));
}

/* --- points along an axis of their own ------------------------------------------------------------------- */

/* Returns the point that is number @tap of those near @place. */
static HeddleExpr *
point_near (HeddleImport *self, HeddleExpr *place, const HeddleDim *tap)
{
  return heddle_expr_binary (HEDDLE_EXPR_ADD, heddle_expr_unary (HEDDLE_EXPR_FLOOR, heddle_expr_ref (place)),
      heddle_expr_binary (HEDDLE_EXPR_SUB, heddle_dim_index (self->sketch, tap),
          heddle_expr_number ((double) (tap->size / 2 - 1))));
}

/* Computes the weights of all points of each place, over its dimension and @tap: they sum to 1. */
static void
weigh (HeddleImport *self, HeddleExpr *place, const HeddleDim *out, const HeddleDim *tap, gint64 size,
    const HeddleResampling *how, int type, HeddleFlow *weights)
{
  g_autoptr (HeddleExpr) point = point_near (self, place, tap);
  g_autoptr (HeddleExpr) distance = heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_number (how->narrowing),
      heddle_expr_unary (HEDDLE_EXPR_ABS,
          heddle_expr_binary (HEDDLE_EXPR_SUB, heddle_expr_ref (point), heddle_expr_ref (place))));
  const HeddleDim dims[] = { *out, *tap };
  const gboolean summed[] = { FALSE, TRUE };
  HeddleExpr *weight = at_place (how->kernel->by_distance, distance, how->coefficient, 0., 0.);
  HeddleFlow plain, total;
  const HeddleFlow *pair[] = { &plain, &total };

  if (how->only_inside)
    weight = heddle_expr_where (
        at_place ("$0 >= 0 and $0 < a", point, (double) size, 0., 0.), weight, heddle_expr_number (0.));
  heddle_import_fill (self, weight, dims, 2, type, &plain);
  heddle_flow_reduce (self->sketch, &plain, "sum", summed, TRUE, type, &total);
  heddle_flow_map (self->sketch, pair, 2, heddle_import_expr ("$0/$1", 0., 0., 0.), type, weights);
}

/* Gathers as many points as the kernel reaches, or fewer with their weights made to sum to 1. */
static void
gather (HeddleImport *self, HeddleFlow *flow, guint dim, HeddleExpr *place, const HeddleResampling *how,
    const HeddleFlow *shape)
{
  const double reach = how->kernel->n / 2;
  const HeddleDim tap = heddle_dim_new (self->sketch, 2 * (gint64) ceil (reach / how->narrowing), "t");
  HeddleFlow near = *shape, weights, result;
  HeddleLabelled operands[] = { { .flow = &near }, { .flow = &weights } };
  int labels[HEDDLE_ONNX_MAX_RANK];

  near.dims[near.rank++] = tap;
  read_dim (self, flow, dim, clamped (point_near (self, place, &tap), flow->dims[dim].size), &near);
  weigh (self, place, &shape->dims[dim], &tap, flow->dims[dim].size, how, flow->type, &weights);
  for (guint i = 0; i < near.rank; i++)
    operands[0].labels[i] = labels[i] = (int) i;
  operands[1].labels[0] = (int) dim;
  operands[1].labels[1] = (int) shape->rank;
  heddle_flow_contract (self->sketch, operands, 2, labels, shape->rank, flow->type, &result);
  *flow = result;
}

/* --- one dimension --------------------------------------------------------------------------------------- */

static void
crop (HeddleImport *self, HeddleFlow *flow, HeddleExpr *place, gint64 size, double outside)
{
  const HeddleFlow before = *flow, *one = &before;

  heddle_flow_map (self->sketch, &one, 1,
      heddle_expr_where (at_place ("$0 >= 0 and $0 <= a", place, (double) size - 1., 0., 0.),
          heddle_expr_argument (0), heddle_expr_number (outside)),
      flow->type, flow);
}

void
heddle_import_resample (
    HeddleImport *self, HeddleFlow *flow, guint dim, gint64 size, const HeddleResampling *how)
{
  gint64 before = flow->dims[dim].size;
  HeddleFlow shape = *flow;
  g_autoptr (HeddleExpr) index = NULL;
  g_autoptr (HeddleExpr) place = NULL;

  shape.dims[dim] = heddle_dim_new (self->sketch, size, "r");
  index = heddle_dim_index (self->sketch, &shape.dims[dim]);
  place = at_place (how->place, index, how->a, how->b, how->c);
  if (how->kernel == NULL)
    {
      read_dim (self, flow, dim, clamped (at_place (how->rounding, place, 0., 0., 0.), before), &shape);
      *flow = shape;
    }
  else if ((how->only_inside || how->narrowing < 1.) && shape.rank < HEDDLE_ONNX_MAX_RANK)
    gather (self, flow, dim, place, how, &shape);
  else
    interpolate (self, flow, dim, place, how, &shape);
  if (how->crops)
    crop (self, flow, place, before, how->outside);
}
