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
#include "files/onnx/tensor.h"

/* This file makes scans of recurrent networks: the inputs need one product for all steps, and a definition, the
 * cell, says what a step makes of the state. */

/* The limits of one network, of the operations of all that are written out, of which a step has as many as this
 * for each gate, and of the arrays that a cell takes. */
#define MOST_STEPS 10000
#define MOST_SCANNED 180000
#define OPERATIONS_OF_A_GATE 6
#define MOST_GATES 4
#define MOST_OPERANDS (2 + 2 * MOST_GATES + 1)

/* The dimensions of what a cell takes. */
enum
{
  STEP,
  BATCH,
  UNIT,
  OTHER_UNIT,
};

/* A cell: its equations after its name, with %u for how long the state is. */
typedef struct
{
  const char *name, *text;
  guint n_gates, n_states;
  gboolean has_bias; /* of the last gate, added before the reset */
} Cell;

#define WEIGHTS(gate) "  param R_" gate " : [u, v=u]\n"

static const Cell plain_cell = { "rnn",
  "(h[u=%u], x[u]; R_x) -> h'[u]:\n" WEIGHTS ("x") "  h'[u] = tanh(x[u] + R_x[u,v] h[v])\n", 1, 1, FALSE };

/* Gates: input, output, forget, cell. */
static const Cell lstm_cell = { "lstm",
  "(h[u=%u], c[u], i[u], o[u], f[u], g[u]; R_i, R_o, R_f, R_g) -> h'[u], c'[u]:\n" WEIGHTS ("i") WEIGHTS ("o")
      WEIGHTS ("f")
          WEIGHTS ("g") "  I[u] = sigmoid(i[u] + R_i[u,v] h[v])\n  O[u] = sigmoid(o[u] + R_o[u,v] h[v])\n"
                        "  F[u] = sigmoid(f[u] + R_f[u,v] h[v])\n  G[u] = tanh(g[u] + R_g[u,v] h[v])\n"
                        "  c'[u] = F[u] * c[u] + I[u] * G[u]\n  h'[u] = O[u] * tanh(c'[u])\n",
  4, 2, FALSE };

/* Gates: update, reset, hidden. */
#define GRU_FIRST                                                                                            \
  WEIGHTS ("z")                                                                                              \
  WEIGHTS ("r")                                                                                              \
  WEIGHTS ("n") "  Z[u] = sigmoid(z[u] + R_z[u,v] h[v])\n  R[u] = sigmoid(r[u] + R_r[u,v] h[v])\n"
#define GRU_LAST "  h'[u] = (1 - Z[u]) * tanh(N[u]) + Z[u] * h[u]\n"
#define GRU_TAKES "(h[u=%u], z[u], r[u], n[u]; R_z, R_r, R_n"

static const Cell gru_cell = { "gru",
  GRU_TAKES ") -> h'[u]:\n" GRU_FIRST "  k[u] = R[u] * h[u]\n  N[u] = n[u] + R_n[u,v] k[v]\n" GRU_LAST, 3, 1,
  FALSE };

/* The state is reset after its product. */
static const Cell gru_after_cell = { "gru",
  GRU_TAKES ") -> h'[u]:\n" GRU_FIRST "  k[u] = R_n[u,v] h[v]\n  N[u] = n[u] + R[u] * k[u]\n" GRU_LAST, 3, 1,
  FALSE };

static const Cell gru_after_bias_cell = { "gru",
  GRU_TAKES ", d) -> h'[u]:\n  param d : [u]\n" GRU_FIRST
            "  k[u] = R_n[u,v] h[v] + d[u]\n  N[u] = n[u] + R[u] * k[u]\n" GRU_LAST,
  3, 1, TRUE };

typedef struct
{
  HeddleImport *import;
  guint n_gates, hidden, direction;
  guint places[MOST_GATES]; /* of the gates in what is given */
  gboolean linear_before_reset, is_by_batch;
  HeddleFlow x; /* [steps, batch, input], in the order in which the steps are taken */
  HeddleFlow inputs[MOST_GATES]; /* what comes of the inputs, [steps, batch, hidden] each */
  HeddleFlow weights[MOST_GATES]; /* of the state, [hidden, hidden] each */
  HeddleFlow bias; /* of the gate that is reset before its bias is added; rank 0: none */
  HeddleFlow states[2]; /* after each step, [steps, batch, hidden] each: the output and what a cell keeps */
} Network;

static gboolean
map (Network *self, const char *text, const HeddleFlow *const *operands, guint n, HeddleFlow *result)
{
  return heddle_flow_map (self->import->sketch, operands, n, heddle_import_expr (text, 0., 0., 0.),
             operands[0]->type, result)
         || heddle_import_refuse (self->import, _ ("the shapes of the inputs do not fit together"));
}

/* --- parts of what is given --------------------------------------------------------------------------------------- */

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
      heddle_expr_number ((double) self->places[gate % self->n_gates] * self->hidden
                          + (double) (gate / self->n_gates * self->n_gates) * self->hidden));
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

/* --- the scan --------------------------------------------------------------------------------------------------------- */

/* Takes the state before the first step, [directions, batch, hidden], if it is given; else it is 0. */
static gboolean
take_state (Network *self, guint input, HeddleFlow *state)
{
  static const guint by_batch[] = { 1, 0, 2 };
  const HeddleFlow *given = heddle_import_input (self->import, input);
  HeddleFlow turned;

  if (given == NULL)
    return heddle_import_fill (
        self->import, heddle_expr_number (0.), &self->inputs[0].dims[1], 2, self->x.type, state);
  turned = *given;
  if (self->is_by_batch)
    heddle_flow_permute (given, by_batch, &turned);
  *state = heddle_flow_at_place (self->import->sketch, &turned, self->direction);
  return TRUE;
}

/* This is what a cell takes, with the dimensions of each. */
typedef struct
{
  HeddleFlow flows[MOST_OPERANDS];
  HeddleLabelled labelled[MOST_OPERANDS];
  HeddleLabelling labelling;
  int values[MOST_OPERANDS]; /* whose axes are in the order of the dimensions, one each */
  guint n;
} Operands;

/* Adds a flow whose dimensions are those from @first on. */
static void
add_operand (Network *self, Operands *operands, const HeddleFlow *flow, int first)
{
  HeddleFlow *added = &operands->flows[operands->n];

  *added = *flow;
  operands->labelled[operands->n].flow = added;
  for (guint i = 0; i < flow->rank; i++)
    {
      heddle_flow_need_axis (self->import->sketch, added, i);
      operands->labelled[operands->n].labels[i] = first + (int) i;
    }
  operands->n++;
}

/* Gives the operands common axes. */
static gboolean
bring_together (Network *self, Operands *operands)
{
  HeddleSketch *sketch = self->import->sketch;

  if (!heddle_label (sketch, operands->labelled, operands->n, &operands->labelling))
    return heddle_import_refuse (self->import, _ ("the shapes of the inputs do not fit together"));
  for (guint i = 0; i < operands->n; i++)
    {
      const HeddleLabelled *labelled = &operands->labelled[i];
      HeddleFlow flow = operands->flows[i];
      gboolean plain = TRUE;

      flow.value = heddle_label_view (sketch, labelled, &operands->labelling);
      for (guint j = 0; j < flow.rank; j++)
        flow.dims[j].axis = operands->labelling.axes[labelled->labels[j]];
      const GArray *axes = heddle_sketch_axes (sketch, flow.value);
      for (guint j = 0; j < flow.rank; j++)
        plain = plain && axes->len == flow.rank
                && g_array_index (axes, int, j) == heddle_sketch_find (sketch, flow.dims[j].axis);
      if (!plain)
        heddle_flow_store (sketch, &flow);
      operands->values[i] = flow.value;
    }
  return TRUE;
}

/* Calls the cell along the steps. */
static gboolean
scan (Network *self, const Cell *cell)
{
  static const int labels[] = { STEP, BATCH, UNIT };
  HeddleSketch *sketch = self->import->sketch;
  Operands operands = { .n = 0 };
  int results[2], axes[3];
  char length[16];

  for (guint i = 0; i < cell->n_states; i++)
    {
      HeddleFlow first;
      if (!take_state (self, 5 + i, &first))
        return FALSE;
      add_operand (self, &operands, &first, BATCH);
    }
  for (guint i = 0; i < cell->n_gates; i++)
    add_operand (self, &operands, &self->inputs[i], STEP);
  for (guint i = 0; i < cell->n_gates; i++)
    add_operand (self, &operands, &self->weights[i], UNIT);
  if (cell->has_bias)
    add_operand (self, &operands, &self->bias, UNIT);
  if (!bring_together (self, &operands))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
    axes[i] = heddle_sketch_find (sketch, operands.labelling.axes[labels[i]]);
  for (guint i = 0; i < cell->n_states; i++)
    {
      heddle_label_result (
          &operands.labelling, labels, G_N_ELEMENTS (labels), self->x.type, &self->states[i]);
      self->states[i].value = results[i] = heddle_sketch_add_value (
          sketch, HEDDLE_ROLE_INTERMEDIATE, heddle_onnx_dtype (self->x.type), axes, G_N_ELEMENTS (axes));
    }
  g_snprintf (length, sizeof length, "%u", self->hidden);
  g_auto (GStrv) pieces = g_strsplit (cell->text, "%u", -1);
  g_autofree char *text = g_strjoinv (length, pieces);
  heddle_sketch_scan (
      sketch, cell->name, text, axes[0], operands.values, operands.n, results, cell->n_states);
  return TRUE;
}

/* --- the whole ------------------------------------------------------------------------------------------------------- */

/* Returns a flow with a new dimension of size 1 as its dimension @dim. */
static HeddleFlow
alone (const HeddleFlow *flow, guint dim)
{
  HeddleFlow result = *flow;

  memmove (result.dims + dim + 1, flow->dims + dim, (flow->rank - dim) * sizeof *flow->dims);
  result.dims[dim] = (HeddleDim){ 1, -1 };
  result.rank++;
  return result;
}

/* Returns a flow with its first dimension from the end. */
static HeddleFlow
turned_round (HeddleImport *import, const HeddleFlow *flow)
{
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK];
  HeddleFlow turned = *flow;

  for (guint i = 0; i < flow->rank; i++)
    indices[i] = heddle_dim_index (import->sketch, &flow->dims[i]);
  indices[0] = heddle_expr_binary (
      HEDDLE_EXPR_SUB, heddle_expr_number ((double) (flow->dims[0].size - 1)), indices[0]);
  heddle_flow_reindex (import->sketch, flow, indices, NULL, 0, &turned);
  return turned;
}

/* Gives output @output: the last states of each direction, as [directions, batch, hidden], or with the batch
 * first. */
static gboolean
give_last (HeddleImport *import, guint output, HeddleFlow *states, guint n_directions, gboolean is_by_batch)
{
  static const guint by_batch[] = { 1, 0, 2 };
  HeddleFlow joined, turned;

  if (!heddle_import_has_output (import, output))
    return TRUE;
  if (!heddle_import_join (import, states, n_directions, 0, &joined))
    return FALSE;
  turned = joined;
  if (is_by_batch)
    heddle_flow_permute (&joined, by_batch, &turned);
  return heddle_import_give (import, output, &turned);
}

/* Gives the first output: [steps, directions, batch, hidden], or with the batch first. */
static gboolean
give_all (HeddleImport *import, HeddleFlow *states, guint n_directions, gboolean is_by_batch)
{
  static const guint by_batch[] = { 2, 0, 1, 3 };
  HeddleFlow joined, turned;

  if (!heddle_import_has_output (import, 0))
    return TRUE;
  if (!heddle_import_join (import, states, n_directions, 1, &joined))
    return FALSE;
  turned = joined;
  if (is_by_batch)
    heddle_flow_permute (&joined, by_batch, &turned);
  return heddle_import_give (import, 0, &turned);
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

/* Returns the cell of the network; that of a GRU depends on what is given. */
static const Cell *
choose_cell (Network *self)
{
  if (self->n_gates != 3)
    return self->n_gates == 4 ? &lstm_cell : &plain_cell;
  if (!self->linear_before_reset)
    return &gru_cell;
  return heddle_import_input (self->import, 3) != NULL ? &gru_after_bias_cell : &gru_after_cell;
}

/* Goes through the steps in one direction. The states of @self are in the order of the steps afterwards; @last and
 * @cell are those after the last one. */
static gboolean
go_through (Network *self, gboolean is_reverse, HeddleFlow *last, HeddleFlow *cell)
{
  const Cell *chosen = choose_cell (self);
  const guint end = (guint) self->x.dims[0].size - 1;
  const HeddleFlow x = self->x;
  gboolean good;

  if (is_reverse)
    self->x = turned_round (self->import, &x);
  good = prepare (self) && scan (self, chosen);
  self->x = x;
  if (!good)
    return FALSE;
  *last = heddle_flow_at_place (self->import->sketch, &self->states[0], end);
  *cell = chosen->n_states > 1 ? heddle_flow_at_place (self->import->sketch, &self->states[1], end) : *last;
  if (is_reverse)
    self->states[0] = turned_round (self->import, &self->states[0]);
  return TRUE;
}

/* Learns where the gates are in weights and biases: in ONNX's order, unless the node says otherwise, as one that
 * stands for a network of another library does. */
static gboolean
find_gates (Network *self)
{
  const GArray *given = heddle_onnx_node_ints (self->import->node, "gates");
  guint met = 0;

  for (guint i = 0; i < self->n_gates; i++)
    {
      const gint64 place = given == NULL ? i : i < given->len ? g_array_index (given, gint64, i) : -1;

      if (place >= 0 && place < self->n_gates)
        met |= 1u << place;
      self->places[i] = (guint) CLAMP (place, 0, self->n_gates - 1);
    }
  return met == (1u << self->n_gates) - 1
         || heddle_import_refuse (self->import, _ ("the attribute “%s”"), "gates");
}

/* Counts the steps. */
static gboolean
may_take (HeddleImport *import, gint64 n_steps, guint n_parts)
{
  if (n_steps > MOST_STEPS)
    return heddle_import_refuse (import, _ ("it has more than %d iterations"), MOST_STEPS);
  import->n_scanned += (guint) n_steps * n_parts * OPERATIONS_OF_A_GATE;
  return import->n_scanned <= MOST_SCANNED
         || heddle_import_refuse (import, _ ("what is within comes to too much"));
}

static gboolean
run (HeddleImport *import, guint n_gates)
{
  const char *direction = heddle_onnx_node_text (import->node, "direction", "forward");
  const guint n_directions = g_str_equal (direction, "bidirectional") ? 2 : 1;
  Network self = { .import = import, .n_gates = n_gates };
  HeddleFlow all[2], last[2], cells[2];

  self.linear_before_reset
      = n_gates == 3 && heddle_onnx_node_int (import->node, "linear_before_reset", 0) != 0;
  if (!find_gates (&self) || !take_input (&self, heddle_onnx_node_int (import->node, "hidden_size", 0))
      || !is_usual (import) || !fits (&self, n_directions)
      || !are_lengths_whole (import, self.x.dims[0].size))
    return FALSE;
  if (heddle_flow_count (&self.x) == 0)
    return heddle_import_refuse (import, _ ("an array without elements"));
  if (!may_take (import, self.x.dims[0].size, n_gates * n_directions))
    return FALSE;
  for (self.direction = 0; self.direction < n_directions; self.direction++)
    {
      const guint i = self.direction;

      if (!go_through (&self, i > 0 || g_str_equal (direction, "reverse"), &last[i], &cells[i]))
        return FALSE;
      all[i] = alone (&self.states[0], 1);
      last[i] = alone (&last[i], 0);
      cells[i] = alone (&cells[i], 0);
    }
  return give_all (import, all, n_directions, self.is_by_batch)
         && give_last (import, 1, last, n_directions, self.is_by_batch)
         && give_last (import, 2, cells, n_directions, self.is_by_batch);
}

static gboolean
plain (HeddleImport *self, const HeddleOnnxOperator *row)
{
  return run (self, 1);
}

static gboolean
gru (HeddleImport *self, const HeddleOnnxOperator *row)
{
  return run (self, 3);
}

static gboolean
lstm (HeddleImport *self, const HeddleOnnxOperator *row)
{
  return run (self, 4);
}

const HeddleOnnxOperator heddle_onnx_recurrent[] = {
  { "GRU", 7, 0, gru },
  { "LSTM", 7, 0, lstm },
  { "RNN", 7, 0, plain },
  { NULL },
};
