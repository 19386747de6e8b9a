/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "diagram/base/array.h"
#include "diagram/expression/expr.h"
#include "files/onnx/context.h"
#include "files/onnx/flow.h"
#include "files/onnx/importer.h"
#include "files/onnx/model.h"
#include "files/onnx/operators/shapes.h"
#include "files/onnx/sketch.h"
#include "files/onnx/table.h"

/* This file unrolls recurrent networks step by step: the inputs need one product for all steps, the state one
 * for each. */

/* The limits of one network, and of all in a model. */
#define MOST_STEPS 128
#define MOST_PARTS 20000
#define MOST_GATES 4
#define PARTS_OF_A_STEP 10

typedef struct _Network Network;

/* The state after step @t. */
typedef gboolean (*Step) (Network *self, guint t);

struct _Network
{
  HeddleImport *import;
  guint n_gates, hidden, direction;
  gboolean linear_before_reset, is_by_batch;
  HeddleFlow x; /* [steps, batch, input] */
  HeddleFlow inputs[MOST_GATES]; /* what comes of the inputs, [steps, batch, hidden] each */
  HeddleFlow weights[MOST_GATES]; /* of the state, [hidden, hidden] each */
  HeddleFlow bias; /* of the gate that is reset before its bias is added; rank 0: none */
  HeddleFlow h, c;
  gboolean has_state, has_cell;
};

static gboolean
map (Network *self, const char *text, const HeddleFlow *const *operands, guint n, HeddleFlow *result)
{
  return heddle_flow_map (self->import->sketch, operands, n, heddle_import_expr (text, 0., 0., 0.),
             operands[0]->type, result)
         || heddle_import_refuse (self->import, _ ("the shapes of the inputs do not fit together"));
}

/* --- parts of what is given --------------------------------------------------------------------------------------- */

/* Returns @flow at @place along its first dimension, which goes. */
static HeddleFlow
at_place (HeddleImport *import, const HeddleFlow *flow, guint place)
{
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK];
  HeddleFlow part = *flow;

  part.rank--;
  memmove (part.dims, flow->dims + 1, part.rank * sizeof *part.dims);
  indices[0] = heddle_expr_number (place);
  for (guint i = 0; i < part.rank; i++)
    indices[1 + i] = heddle_dim_index (import->sketch, &part.dims[i]);
  heddle_flow_reindex (import->sketch, flow, indices, NULL, 0, &part);
  return part;
}

/* Returns those of a gate, of weights or biases [directions, gates times hidden, …]. */
static HeddleFlow
of_gate (Network *self, const HeddleFlow *flow, guint gate)
{
  HeddleSketch *sketch = self->import->sketch;
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK];
  HeddleFlow part = *flow;

  part.rank--;
  part.dims[0] = heddle_dim_new (sketch, self->hidden, "h");
  for (guint i = 1; i < part.rank; i++)
    part.dims[i] = flow->dims[i + 1];
  indices[0] = heddle_expr_number (self->direction);
  indices[1] = heddle_expr_binary (HEDDLE_EXPR_ADD, heddle_dim_index (sketch, &part.dims[0]),
      heddle_expr_number ((double) (gate * self->hidden)));
  for (guint i = 1; i < part.rank; i++)
    indices[i + 1] = heddle_dim_index (sketch, &part.dims[i]);
  heddle_flow_reindex (sketch, flow, indices, NULL, 0, &part);
  return part;
}

/* Sums the last dimension of @a with that of the matrix @b. */
static gboolean
multiply (Network *self, const HeddleFlow *a, const HeddleFlow *b, HeddleFlow *result)
{
  HeddleLabelled operands[] = { { .flow = a }, { .flow = b, .labels = { 10, 11 } } };
  int labels[HEDDLE_ONNX_MAX_RANK];

  for (guint i = 0; i < a->rank; i++)
    operands[0].labels[i] = labels[i] = (int) i;
  operands[0].labels[a->rank - 1] = 11;
  labels[a->rank - 1] = 10;
  return heddle_flow_contract (self->import->sketch, operands, 2, labels, a->rank, a->type, result)
         || heddle_import_refuse (self->import, _ ("the shapes of the inputs do not fit together"));
}

/* Adds the bias of the gate, both parts of it unless the second waits for the reset. */
static gboolean
add_biases (Network *self, guint gate)
{
  const HeddleFlow *given = heddle_import_input (self->import, 3);
  const gboolean waits = self->linear_before_reset && gate == self->n_gates - 1;
  HeddleFlow first, second, *inputs = &self->inputs[gate], sum;

  if (given == NULL)
    return TRUE;
  first = of_gate (self, given, gate);
  second = of_gate (self, given, self->n_gates + gate);
  if (waits)
    self->bias = second;
  if (!map (self, waits ? "$0 + $1" : "$0 + ($1 + $2)", (const HeddleFlow *[]){ inputs, &first, &second },
          waits ? 2 : 3, &sum))
    return FALSE;
  *inputs = sum;
  return TRUE;
}

static gboolean
prepare (Network *self)
{
  self->bias.rank = 0;
  for (guint gate = 0; gate < self->n_gates; gate++)
    {
      HeddleFlow weights = of_gate (self, heddle_import_input (self->import, 1), gate);

      self->weights[gate] = of_gate (self, heddle_import_input (self->import, 2), gate);
      if (!multiply (self, &self->x, &weights, &self->inputs[gate]) || !add_biases (self, gate))
        return FALSE;
    }
  return TRUE;
}

/* --- steps ---------------------------------------------------------------------------------------------------------- */

/* Computes a gate before its function, from the inputs of step @t and from the state. */
static gboolean
open_gate (Network *self, guint gate, guint t, HeddleFlow *result)
{
  HeddleFlow inputs = at_place (self->import, &self->inputs[gate], t), product;

  *result = inputs;
  return !self->has_state
         || (multiply (self, &self->h, &self->weights[gate], &product)
             && map (self, "$0 + $1", (const HeddleFlow *[]){ &inputs, &product }, 2, result));
}

static gboolean
step_plain (Network *self, guint t)
{
  HeddleFlow gate;

  return open_gate (self, 0, t, &gate)
         && map (self, "tanh($0)", (const HeddleFlow *[]){ &gate }, 1, &self->h);
}

/* Takes a step of an LSTM. Gates: input, output, forget, cell. */
static gboolean
step_lstm (Network *self, guint t)
{
  HeddleFlow i, o, f, g, before = self->c;
  gboolean good = open_gate (self, 0, t, &i) && open_gate (self, 1, t, &o) && open_gate (self, 3, t, &g)
                  && (!self->has_cell || open_gate (self, 2, t, &f));

  good = good
         && (self->has_cell
                 ? map (self, "sigmoid($0)*$1 + sigmoid($2)*tanh($3)",
                     (const HeddleFlow *[]){ &f, &before, &i, &g }, 4, &self->c)
                 : map (self, "sigmoid($0)*tanh($1)", (const HeddleFlow *[]){ &i, &g }, 2, &self->c));
  self->has_cell = TRUE;
  return good && map (self, "sigmoid($0)*tanh($1)", (const HeddleFlow *[]){ &o, &self->c }, 2, &self->h);
}

/* Computes a GRU's third gate where the state is reset after its product, with the bias that waited. */
static gboolean
reset_after (Network *self, guint t, const HeddleFlow *r, HeddleFlow *result)
{
  HeddleFlow inputs = at_place (self->import, &self->inputs[2], t), product, sum;
  const HeddleFlow *state = self->bias.rank > 0 ? &self->bias : NULL;

  if (self->has_state && !multiply (self, &self->h, &self->weights[2], &product))
    return FALSE;
  if (self->has_state && state != NULL
      && !map (self, "$0 + $1", (const HeddleFlow *[]){ &product, state }, 2, &sum))
    return FALSE;
  if (self->has_state)
    state = state != NULL ? &sum : &product;
  *result = inputs;
  return state == NULL
         || map (self, "$0 + sigmoid($1)*$2", (const HeddleFlow *[]){ &inputs, r, state }, 3, result);
}

static gboolean
reset_before (Network *self, guint t, const HeddleFlow *r, HeddleFlow *result)
{
  HeddleFlow inputs = at_place (self->import, &self->inputs[2], t), kept, product;

  *result = inputs;
  return !self->has_state
         || (map (self, "sigmoid($1)*$0", (const HeddleFlow *[]){ &self->h, r }, 2, &kept)
             && multiply (self, &kept, &self->weights[2], &product)
             && map (self, "$0 + $1", (const HeddleFlow *[]){ &inputs, &product }, 2, result));
}

/* Takes a step of a GRU. Gates: update, reset, hidden. */
static gboolean
step_gru (Network *self, guint t)
{
  HeddleFlow z, r, n, before = self->h;

  if (!open_gate (self, 0, t, &z) || !open_gate (self, 1, t, &r)
      || !(self->linear_before_reset ? reset_after : reset_before) (self, t, &r, &n))
    return FALSE;
  if (!self->has_state)
    return map (self, "(1 - sigmoid($0))*tanh($1)", (const HeddleFlow *[]){ &z, &n }, 2, &self->h);
  return map (self, "(1 - sigmoid($0))*tanh($1) + sigmoid($0)*$2", (const HeddleFlow *[]){ &z, &n, &before },
      3, &self->h);
}

/* --- the whole ------------------------------------------------------------------------------------------------------- */

/* Takes the state before the first step, [directions, batch, hidden], if it is given. */
static gboolean
take_state (Network *self, guint input, HeddleFlow *state)
{
  static const guint by_batch[] = { 1, 0, 2 };
  const HeddleFlow *given = heddle_import_input (self->import, input);
  HeddleFlow turned;

  if (given == NULL)
    return FALSE;
  turned = *given;
  if (self->is_by_batch)
    heddle_flow_permute (given, by_batch, &turned);
  *state = at_place (self->import, &turned, self->direction);
  return TRUE;
}

/* Returns a flow with a new first dimension of size 1. */
static HeddleFlow
alone (const HeddleFlow *flow)
{
  HeddleFlow result = *flow;

  memmove (result.dims + 1, flow->dims, flow->rank * sizeof *flow->dims);
  result.dims[0] = (HeddleDim){ 1, -1 };
  result.rank++;
  return result;
}

/* Goes through the steps in one direction; notes all states in @states, of which each step has @n_directions. */
static gboolean
go_through (
    Network *self, Step step, guint n_steps, guint n_directions, gboolean is_reverse, HeddleFlow *states)
{
  if (!prepare (self))
    return FALSE;
  self->has_state = take_state (self, 5, &self->h);
  self->has_cell = take_state (self, 6, &self->c);
  for (guint i = 0; i < n_steps; i++)
    {
      const guint t = is_reverse ? n_steps - 1 - i : i;

      if (!step (self, t))
        return FALSE;
      self->has_state = TRUE;
      states[t * n_directions + self->direction] = alone (&self->h);
    }
  return TRUE;
}

/* Gives output @output: the states, joined, as [directions, batch, hidden], or with the batch first. */
static gboolean
give_last (Network *self, guint output, HeddleFlow *states, guint n_directions)
{
  static const guint by_batch[] = { 1, 0, 2 };
  HeddleFlow joined, turned;

  if (!heddle_import_has_output (self->import, output))
    return TRUE;
  if (!heddle_import_join (self->import, states, n_directions, 0, &joined))
    return FALSE;
  turned = joined;
  if (self->is_by_batch)
    heddle_flow_permute (&joined, by_batch, &turned);
  return heddle_import_give (self->import, output, &turned);
}

/* Gives the first output: [steps, directions, batch, hidden], or with the batch first. */
static gboolean
give_all (Network *self, HeddleFlow *states, guint n_steps, guint n_directions)
{
  static const guint by_batch[] = { 2, 0, 1, 3 };
  const gint64 shape[] = { n_steps, n_directions, self->h.dims[0].size, self->hidden };
  HeddleFlow joined, apart, turned;

  if (!heddle_import_has_output (self->import, 0))
    return TRUE;
  if (!heddle_import_join (self->import, states, n_steps * n_directions, 0, &joined))
    return FALSE;
  heddle_flow_reshape (self->import->sketch, &joined, shape, G_N_ELEMENTS (shape), &apart);
  turned = apart;
  if (self->is_by_batch)
    heddle_flow_permute (&apart, by_batch, &turned);
  return heddle_import_give (self->import, 0, &turned);
}

/* Returns whether all rows of the batch are as long as the longest. */
static gboolean
are_lengths_whole (HeddleImport *import, gint64 n_steps)
{
  g_autoptr (HeddleArray) lengths = NULL;

  if (heddle_import_input (import, 4) == NULL)
    return TRUE;
  lengths = heddle_import_constant (import, 4);
  for (gint64 i = 0; lengths != NULL && i < lengths->n_elements; i++)
    if (lengths->data[i] != (double) n_steps)
      return heddle_import_refuse (import, _ ("sequences of several lengths"));
  return lengths != NULL;
}

/* Returns whether the node asks for nothing beyond what such networks usually are. */
static gboolean
is_usual (HeddleImport *import)
{
  static const char *const unusual[] = { "activations", "activation_alpha", "activation_beta", "clip" };

  for (guint i = 0; i < G_N_ELEMENTS (unusual); i++)
    if (heddle_onnx_node_attribute (import->node, unusual[i]) != NULL)
      return heddle_import_refuse (import, _ ("the attribute “%s”"), unusual[i]);
  if (heddle_onnx_node_int (import->node, "input_forget", 0) != 0)
    return heddle_import_refuse (import, _ ("the attribute “%s”"), "input_forget");
  return heddle_import_input (import, 7) == NULL || heddle_import_refuse (import, _ ("peepholes"));
}

static gboolean
has_shape (const HeddleFlow *flow, guint rank, gint64 first, gint64 second)
{
  return flow != NULL && flow->rank == rank && flow->dims[0].size == first && flow->dims[1].size == second;
}

/* Checks the sizes of weights, biases and states. */
static gboolean
fits (Network *self, gint64 n_directions)
{
  const gint64 wide = (gint64) self->n_gates * self->hidden, batch = self->x.dims[1].size;
  const HeddleFlow *w = heddle_import_input (self->import, 1), *r = heddle_import_input (self->import, 2),
                   *b = heddle_import_input (self->import, 3);
  gboolean good = has_shape (w, 3, n_directions, wide) && has_shape (r, 3, n_directions, wide)
                  && w->dims[2].size == self->x.dims[2].size && r->dims[2].size == self->hidden
                  && (b == NULL || has_shape (b, 2, n_directions, 2 * wide));

  for (guint i = 5; i < 7; i++)
    {
      const HeddleFlow *state = heddle_import_input (self->import, i);

      good = good
             && (state == NULL
                 || (has_shape (state, 3, self->is_by_batch ? batch : n_directions,
                         self->is_by_batch ? n_directions : batch)
                     && state->dims[2].size == self->hidden));
    }
  return good || heddle_import_refuse (self->import, _ ("the shapes of the inputs do not fit together"));
}

/* Counts the steps. */
static gboolean
may_take (HeddleImport *import, gint64 n_steps, guint n_directions)
{
  if (n_steps > MOST_STEPS)
    return heddle_import_refuse (import, _ ("it has more than %d iterations"), MOST_STEPS);
  import->n_run += (guint) n_steps * n_directions * PARTS_OF_A_STEP;
  return import->n_run <= MOST_PARTS || heddle_import_refuse (import, _ ("what is within comes to too much"));
}

static gboolean
take_input (Network *self, gint64 hidden)
{
  static const guint by_step[] = { 1, 0, 2 };
  const HeddleFlow *x = heddle_import_input (self->import, 0);

  if (x == NULL || x->rank != 3 || hidden < 1 || hidden > G_MAXINT32 / 8)
    return heddle_import_refuse (self->import, _ ("an input is missing"));
  self->hidden = (guint) hidden;
  self->x = *x;
  self->is_by_batch = heddle_onnx_node_int (self->import->node, "layout", 0) != 0;
  if (self->is_by_batch)
    heddle_flow_permute (x, by_step, &self->x);
  return TRUE;
}

static gboolean
unroll (HeddleImport *import, guint n_gates, Step step)
{
  const char *direction = heddle_onnx_node_text (import->node, "direction", "forward");
  const guint n_directions = g_str_equal (direction, "bidirectional") ? 2 : 1;
  Network self = { .import = import, .n_gates = n_gates };
  HeddleFlow last[2], cells[2];
  g_autofree HeddleFlow *states = NULL;
  guint n_steps;

  self.linear_before_reset
      = n_gates == 3 && heddle_onnx_node_int (import->node, "linear_before_reset", 0) != 0;
  if (!take_input (&self, heddle_onnx_node_int (import->node, "hidden_size", 0)) || !is_usual (import)
      || !fits (&self, n_directions) || !are_lengths_whole (import, self.x.dims[0].size)
      || heddle_flow_count (&self.x) == 0 || !may_take (import, self.x.dims[0].size, n_directions))
    return FALSE;
  n_steps = (guint) self.x.dims[0].size;
  states = g_new0 (HeddleFlow, n_steps * n_directions);
  for (self.direction = 0; self.direction < n_directions; self.direction++)
    {
      if (!go_through (&self, step, n_steps, n_directions,
              self.direction > 0 || g_str_equal (direction, "reverse"), states))
        return FALSE;
      last[self.direction] = alone (&self.h);
      cells[self.direction] = self.has_cell ? alone (&self.c) : last[self.direction];
    }
  return give_all (&self, states, n_steps, n_directions) && give_last (&self, 1, last, n_directions)
         && give_last (&self, 2, cells, n_directions);
}

static gboolean
plain (HeddleImport *self, const HeddleOnnxOperator *row)
{
  return unroll (self, 1, step_plain);
}

static gboolean
gru (HeddleImport *self, const HeddleOnnxOperator *row)
{
  return unroll (self, 3, step_gru);
}

static gboolean
lstm (HeddleImport *self, const HeddleOnnxOperator *row)
{
  return unroll (self, 4, step_lstm);
}

const HeddleOnnxOperator heddle_onnx_recurrent[] = {
  { "GRU", 7, 0, gru },
  { "LSTM", 7, 0, lstm },
  { "RNN", 7, 0, plain },
  { NULL },
};
