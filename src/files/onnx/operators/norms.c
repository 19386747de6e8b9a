/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "diagram/expression/expr.h"
#include "files/onnx/context.h"
#include "files/onnx/flow.h"
#include "files/onnx/importer.h"
#include "files/onnx/model.h"
#include "files/onnx/table.h"

/* This file has normalisations. Scale and bias are parameters along the second dimension, or along those that
 * are normalised. */

/* Maps $0 [n, c, …] with further operands [c]. */
static gboolean
map_channels (HeddleImport *self, const HeddleFlow *flow, const HeddleFlow *const *channels, guint n,
    const char *text, double a, HeddleFlow *result)
{
  HeddleLabelled operands[8] = { { .flow = flow } };
  int labels[HEDDLE_ONNX_MAX_RANK];

  for (guint i = 0; i < flow->rank; i++)
    operands[0].labels[i] = labels[i] = (int) i;
  for (guint i = 0; i < n; i++)
    {
      if (channels[i] == NULL || channels[i]->rank != 1 || flow->rank < 2)
        return heddle_import_refuse (self, _ ("a parameter is not along the channels"));
      operands[i + 1] = (HeddleLabelled){ .flow = channels[i], .labels = { 1 } };
    }
  return heddle_flow_map_labelled (self->sketch, operands, n + 1, labels, flow->rank,
             heddle_import_expr (text, a, 0., 0.), flow->type, result)
         || heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
}

/* Computes the mean of @flow along each channel. */
static gboolean
mean_of_channels (HeddleImport *self, const HeddleFlow *flow, HeddleFlow *mean)
{
  gboolean flags[HEDDLE_ONNX_MAX_RANK] = { FALSE };

  if (flow->rank < 2)
    return heddle_import_refuse (self, _ ("a parameter is not along the channels"));
  for (guint i = 0; i < flow->rank; i++)
    flags[i] = i != 1;
  heddle_flow_reduce (self->sketch, flow, "mean", flags, FALSE, flow->type, mean);
  return TRUE;
}

/* Normalises by the batch's own @moments, mean and variance, and moves the running ones: outputs 1 and 2. */
static gboolean
train_batch_norm (
    HeddleImport *self, const HeddleFlow *input, const HeddleFlow **parameters, HeddleFlow *moments)
{
  const double momentum = heddle_onnx_node_float (self->node, "momentum", 0.9);
  const HeddleFlow *mean = &moments[0];
  HeddleFlow squares;

  if (!mean_of_channels (self, input, &moments[0])
      || !map_channels (self, input, &mean, 1, "($0 - $1)*($0 - $1)", 0., &squares)
      || !mean_of_channels (self, &squares, &moments[1]))
    return FALSE;
  for (guint i = 0; i < 2; i++)
    {
      const HeddleFlow *pair[] = { parameters[2 + i], &moments[i] };

      if (heddle_import_has_output (self, 1 + i)
          && !heddle_import_map (
              self, 1 + i, pair, 2, heddle_import_expr ("$0*a + $1*(1 - a)", momentum, 0., 0.), input->type))
        return FALSE;
      parameters[2 + i] = &moments[i];
    }
  return TRUE;
}

static gboolean
batch_norm (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0), *parameters[4];
  double eps = heddle_onnx_node_float (self->node, "epsilon", 1e-5);
  const gboolean trains = heddle_onnx_node_int (self->node, "training_mode", 0) != 0;
  HeddleFlow result, moments[2];

  for (guint i = 0; i < 4; i++)
    parameters[i] = heddle_import_input (self, i + 1);
  if (input == NULL || (!trains && heddle_import_has_output (self, 1)) || heddle_import_has_output (self, 3))
    return heddle_import_refuse (self, _ ("a running mean, as in training"));
  if (trains && !train_batch_norm (self, input, parameters, moments))
    return FALSE;
  return map_channels (self, input, parameters, 4, "($0 - $3)/sqrt($4 + a)*$1 + $2", eps, &result)
         && heddle_import_give (self, 0, &result);
}

static gboolean
instance_norm (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  const HeddleFlow *parameters[] = { heddle_import_input (self, 1), heddle_import_input (self, 2) };
  gboolean flags[HEDDLE_ONNX_MAX_RANK] = { FALSE };
  HeddleFlow flow, result;

  if (input == NULL || input->rank < 3)
    return heddle_import_refuse (self, _ ("an input is missing"));
  for (guint i = 2; i < input->rank; i++)
    flags[i] = TRUE;
  heddle_flow_normalise (
      self->sketch, input, "layernorm", flags, heddle_onnx_node_float (self->node, "epsilon", 1e-5), &flow);
  return map_channels (self, &flow, parameters, 2, "$0*$1 + $2", 0., &result)
         && heddle_import_give (self, 0, &result);
}

/* Makes the outputs of the mean and of one over the root of the variance, if they are asked for. */
static gboolean
give_moments (HeddleImport *self, const HeddleFlow *input, const gboolean *flags, double eps)
{
  HeddleFlow mean, squares, centred;
  const HeddleFlow *pair[] = { input, &mean }, *one = &squares;

  heddle_flow_reduce (self->sketch, input, "mean", flags, TRUE, input->type, &mean);
  heddle_import_give (self, 1, &mean);
  if (!heddle_import_has_output (self, 2))
    return TRUE;
  heddle_flow_map (
      self->sketch, pair, 2, heddle_import_expr ("($0 - $1)*($0 - $1)", 0., 0., 0.), input->type, &centred);
  heddle_flow_reduce (self->sketch, &centred, "mean", flags, TRUE, input->type, &squares);
  return heddle_import_map (self, 2, &one, 1, heddle_import_expr ("rsqrt($0 + a)", eps, 0., 0.), input->type);
}

static gboolean
layer_norm (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *inputs[3] = { NULL, heddle_import_input (self, 1), heddle_import_input (self, 2) };
  const HeddleFlow *input = heddle_import_input (self, 0);
  double eps = heddle_onnx_node_float (self->node, "epsilon", 1e-5);
  gboolean flags[HEDDLE_ONNX_MAX_RANK] = { FALSE }, moments = !g_str_equal (row->text, "rmsnorm");
  HeddleFlow flow;
  guint axis;

  if (input == NULL || inputs[1] == NULL
      || !heddle_import_axis (self, heddle_onnx_node_int (self->node, "axis", -1), input->rank, &axis))
    return heddle_import_refuse (self, _ ("an input is missing"));
  for (guint i = axis; i < input->rank; i++)
    flags[i] = TRUE;
  heddle_flow_normalise (self->sketch, input, row->text, flags, eps, &flow);
  inputs[0] = &flow;
  if (moments && (heddle_import_has_output (self, 1) || heddle_import_has_output (self, 2)))
    give_moments (self, input, flags, eps);
  return heddle_import_map (self, 0, inputs, inputs[2] != NULL ? 3 : 2,
      heddle_import_expr (inputs[2] != NULL ? "$0*$1 + $2" : "$0*$1", 0., 0., 0.), input->type);
}

/* Normalises groups of channels, each over all places. Scale and bias are one for each group before version
 * 21, then one for each channel. */
static gboolean
group_norm (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  const HeddleFlow *parameters[] = { heddle_import_input (self, 1), heddle_import_input (self, 2) };
  gint64 groups = heddle_onnx_node_int (self->node, "num_groups", 1), shape[HEDDLE_ONNX_MAX_RANK];
  gboolean flags[HEDDLE_ONNX_MAX_RANK] = { FALSE };
  HeddleFlow parted, normal, result;

  if (input == NULL || input->rank < 2 || input->rank >= HEDDLE_ONNX_MAX_RANK || groups < 1
      || input->dims[1].size % groups != 0)
    return heddle_import_refuse (self, _ ("the channels do not fit together"));
  shape[0] = input->dims[0].size;
  shape[1] = groups;
  for (guint i = 2; i <= input->rank; i++)
    {
      shape[i] = i == 2 ? input->dims[1].size / groups : input->dims[i - 1].size;
      flags[i] = TRUE;
    }
  heddle_flow_reshape (self->sketch, input, shape, input->rank + 1, &parted);
  heddle_flow_normalise (self->sketch, &parted, "layernorm", flags,
      heddle_onnx_node_float (self->node, "epsilon", 1e-5), &normal);
  if (self->opset < 21)
    {
      if (!map_channels (self, &normal, parameters, 2, "$0*$1 + $2", 0., &result))
        return FALSE;
      normal = result;
    }
  for (guint i = 0; i < input->rank; i++)
    shape[i] = input->dims[i].size;
  heddle_flow_reshape (self->sketch, &normal, shape, input->rank, &result);
  if (self->opset >= 21)
    {
      normal = result;
      if (!map_channels (self, &normal, parameters, 2, "$0*$1 + $2", 0., &result))
        return FALSE;
    }
  return heddle_import_give (self, 0, &result);
}

/* Divides by the sum of squares over neighbouring channels: Krizhevsky et al. 2012. */
static gboolean
local_response (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0), *pair[2];
  gint64 size = heddle_onnx_node_int (self->node, "size", 1);
  double alpha = heddle_onnx_node_float (self->node, "alpha", 1e-4) / (double) MAX (size, 1);
  double beta = heddle_onnx_node_float (self->node, "beta", 0.75);
  double bias = heddle_onnx_node_float (self->node, "bias", 1.);
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK];
  gboolean flags[HEDDLE_ONNX_MAX_RANK] = { FALSE };
  HeddleFlow near, squares, sum;
  const HeddleFlow *one = &near;

  if (input == NULL || input->rank < 2 || input->rank >= HEDDLE_ONNX_MAX_RANK || size < 1 || size > 65536)
    return heddle_import_refuse (self, _ ("the size of the window"));
  near = *input;
  near.dims[near.rank++] = heddle_dim_new (self->sketch, size, "k");
  flags[input->rank] = TRUE;
  for (guint i = 0; i < input->rank; i++)
    indices[i] = heddle_dim_index (self->sketch, &input->dims[i]);
  if (input->dims[1].axis >= 0)
    indices[1] = heddle_expr_binary (HEDDLE_EXPR_SUB,
        heddle_expr_binary (
            HEDDLE_EXPR_ADD, indices[1], heddle_dim_index (self->sketch, &near.dims[input->rank])),
        heddle_expr_number ((double) ((size - 1) / 2)));
  heddle_flow_reindex (self->sketch, input, indices, NULL, 0, &near);
  heddle_flow_map (self->sketch, &one, 1, heddle_import_expr ("$0*$0", 0., 0., 0.), input->type, &squares);
  heddle_flow_reduce (self->sketch, &squares, "sum", flags, FALSE, input->type, &sum);
  pair[0] = input;
  pair[1] = &sum;
  return heddle_import_map (
      self, 0, pair, 2, heddle_import_expr ("$0/(c + a*$1)^b", alpha, beta, bias), input->type);
}

static gboolean
mean_variance (HeddleImport *self, const HeddleOnnxOperator *row)
{
  static const gint64 usual[] = { 0, 2, 3 };
  const HeddleFlow *input = heddle_import_input (self, 0);
  const GArray *given = heddle_onnx_node_ints (self->node, "axes");
  const gint64 *axes = given != NULL ? (const gint64 *) given->data : usual;
  gboolean flags[HEDDLE_ONNX_MAX_RANK] = { FALSE };
  HeddleFlow flow;

  for (guint i = 0; i < (given != NULL ? given->len : 3); i++)
    {
      guint axis;

      if (input == NULL || !heddle_import_axis (self, axes[i], input->rank, &axis))
        return heddle_import_refuse (self, _ ("an input is missing"));
      flags[axis] = TRUE;
    }
  heddle_flow_normalise (self->sketch, input, "layernorm", flags, 0., &flow);
  return heddle_import_give (self, 0, &flow);
}

static gboolean
lp_norm (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  gboolean flags[HEDDLE_ONNX_MAX_RANK] = { FALSE };
  gboolean first = heddle_onnx_node_int (self->node, "p", 2) == 1;
  HeddleFlow flow, total;
  const HeddleFlow *inputs[] = { input, &total }, *one = input;
  guint axis;

  if (input == NULL
      || !heddle_import_axis (self, heddle_onnx_node_int (self->node, "axis", -1), input->rank, &axis))
    return heddle_import_refuse (self, _ ("an input is missing"));
  flags[axis] = TRUE;
  if (!first)
    {
      heddle_flow_normalise (self->sketch, input, "l2norm", flags, 0., &flow);
      return heddle_import_give (self, 0, &flow);
    }
  heddle_flow_map (self->sketch, &one, 1, heddle_import_expr ("abs($0)", 0., 0., 0.), input->type, &flow);
  heddle_flow_reduce (self->sketch, &flow, "sum", flags, TRUE, input->type, &total);
  return heddle_import_map (self, 0, inputs, 2, heddle_import_expr ("$0/$1", 0., 0., 0.), input->type);
}

const HeddleOnnxOperator heddle_onnx_norms[] = {
  { "BatchNormalization", 1, 0, batch_norm },
  { "GroupNormalization", 18, 0, group_norm },
  { "InstanceNormalization", 1, 0, instance_norm },
  { "LRN", 1, 0, local_response },
  { "LayerNormalization", 17, 0, layer_norm, "layernorm" },
  { "LpNormalization", 1, 0, lp_norm },
  { "MeanVarianceNormalization", 9, 0, mean_variance },
  { "RMSNormalization", 23, 0, layer_norm, "rmsnorm" },
  { NULL },
};
