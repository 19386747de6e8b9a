/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "diagram/expression/expr.h"
#include "files/onnx/context.h"
#include "files/onnx/flow.h"
#include "files/onnx/importer.h"
#include "files/onnx/model.h"
#include "files/onnx/sketch.h"
#include "files/onnx/table.h"

/* This file has losses of classes: they read at the right class, with a weight. */

typedef struct
{
  const HeddleFlow *target, *weight; /* weight: or NULL */
  gboolean ignores;
  double ignored; /* the class that does not count */
} Classes;

static HeddleExpr *
class_index (const Classes *classes)
{
  return classes->ignores ? heddle_import_expr ("where($1 == a, 0, $1)", classes->ignored, 0., 0.)
                          : heddle_expr_argument (1);
}

/* Returns whether there is a target for each point of [n, c, d …], and a weight for each class. Arrays of one
 * element are not spread over the others here. */
static gboolean
fits (const HeddleFlow *data, const Classes *classes)
{
  const HeddleFlow *target = classes->target, *weight = classes->weight;

  if (target->rank + 1 != data->rank)
    return FALSE;
  for (guint i = 0; i < target->rank; i++)
    if (target->dims[i].size != data->dims[i == 0 ? 0 : i + 1].size)
      return FALSE;
  return weight == NULL || (weight->rank == 1 && weight->dims[0].size == data->dims[1].size);
}

/* Reads [n, c, d …] at the class of [n, d …]. */
static gboolean
read_classes (HeddleImport *self, const HeddleFlow *data, const Classes *classes, HeddleFlow *result)
{
  HeddleLabelled operands[2] = { { .flow = data }, { .flow = classes->target } };
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK];
  HeddleLabelling labelling = { { 0 } };
  int value;

  for (guint i = 0; i < data->rank; i++)
    {
      operands[0].labels[i] = (int) i;
      if (i > 0)
        operands[1].labels[i - 1] = i == 1 ? 0 : (int) i;
    }
  if (!heddle_label (self->sketch, operands, 2, &labelling))
    return heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
  value = heddle_label_view (self->sketch, &operands[1], &labelling);
  heddle_label_result (&labelling, operands[1].labels, classes->target->rank, data->type, result);
  for (guint i = 0; i < data->rank; i++)
    indices[i] = i == 1 ? class_index (classes)
                 : labelling.axes[i] < 0 || data->dims[i].axis < 0
                     ? heddle_expr_number (0.)
                     : heddle_sketch_index (self->sketch, labelling.axes[i]);
  heddle_flow_reindex (self->sketch, data, indices, &value, 1, result);
  return TRUE;
}

/* Computes the weight of each point: that of its class, or 1; 0 if it does not count. */
static gboolean
weigh (HeddleImport *self, const Classes *classes, int type, HeddleFlow *weights)
{
  const HeddleFlow *inputs[2] = { classes->target, weights };
  HeddleExpr *index;

  if (classes->weight == NULL)
    return heddle_flow_map (self->sketch, inputs, 1,
        classes->ignores ? heddle_import_expr ("where($0 == a, 0, 1)", classes->ignored, 0., 0.)
                         : heddle_expr_number (1.),
        type, weights);
  *weights = *classes->target;
  weights->type = type;
  index = class_index (classes);
  heddle_flow_reindex (self->sketch, classes->weight, &index, &classes->target->value, 1, weights);
  if (!classes->ignores)
    return TRUE;
  HeddleFlow counted;
  if (!heddle_flow_map (self->sketch, inputs, 2,
          heddle_import_expr ("where($0 == a, 0, $1)", classes->ignored, 0., 0.), type, &counted))
    return FALSE;
  *weights = counted;
  return TRUE;
}

static void
total (HeddleImport *self, const HeddleFlow *flow, HeddleFlow *sum)
{
  gboolean flags[HEDDLE_ONNX_MAX_RANK];

  for (guint i = 0; i < flow->rank; i++)
    flags[i] = TRUE;
  heddle_flow_reduce (self->sketch, flow, "sum", flags, FALSE, flow->type, sum);
}

/* Computes the loss from the logarithms of probabilities. */
static gboolean
give_loss (HeddleImport *self, const HeddleFlow *logs)
{
  const char *reduction = heddle_onnx_node_text (self->node, "reduction", "mean");
  const HeddleOnnxAttribute *ignored = heddle_onnx_node_attribute (self->node, "ignore_index");
  Classes classes = { heddle_import_input (self, 1), heddle_import_input (self, 2), ignored != NULL,
    ignored != NULL ? (double) ignored->i : 0. };
  HeddleFlow read, weights, losses, sums[2];
  const HeddleFlow *pair[] = { &read, &weights }, *both[] = { &sums[0], &sums[1] };

  if (classes.target == NULL || logs->rank < 2)
    return heddle_import_refuse (self, _ ("an input is missing"));
  if (!fits (logs, &classes))
    return heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
  if (!heddle_import_check_indices (self, classes.target))
    return FALSE;
  if (!read_classes (self, logs, &classes, &read) || !weigh (self, &classes, logs->type, &weights)
      || !heddle_flow_map (
          self->sketch, pair, 2, heddle_import_expr ("-$0*$1", 0., 0., 0.), logs->type, &losses))
    return heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
  if (g_str_equal (reduction, "none"))
    return heddle_import_give (self, 0, &losses);
  total (self, &losses, &sums[0]);
  if (g_str_equal (reduction, "sum"))
    return heddle_import_give (self, 0, &sums[0]);
  total (self, &weights, &sums[1]);
  return heddle_import_map (self, 0, both, 2, heddle_import_expr ("$0/$1", 0., 0., 0.), logs->type);
}

static gboolean
likelihood (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);

  return input != NULL ? give_loss (self, input) : heddle_import_refuse (self, _ ("an input is missing"));
}

static gboolean
cross_entropy (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  gboolean flags[HEDDLE_ONNX_MAX_RANK] = { FALSE, TRUE };
  HeddleFlow sum, logs;
  const HeddleFlow *pair[] = { input, &sum };

  if (input == NULL || input->rank < 2)
    return heddle_import_refuse (self, _ ("an input is missing"));
  heddle_flow_reduce (self->sketch, input, "logsumexp", flags, TRUE, input->type, &sum);
  if (!heddle_flow_map (
          self->sketch, pair, 2, heddle_import_expr ("$0 - $1", 0., 0., 0.), input->type, &logs))
    return FALSE;
  heddle_import_give (self, 1, &logs);
  return give_loss (self, &logs);
}

const HeddleOnnxOperator heddle_onnx_losses[] = {
  { "NegativeLogLikelihoodLoss", 12, 0, likelihood },
  { "SoftmaxCrossEntropyLoss", 12, 0, cross_entropy },
  { NULL },
};
