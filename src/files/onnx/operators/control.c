/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "diagram/base/array.h"
#include "files/onnx/context.h"
#include "files/onnx/flow.h"
#include "files/onnx/importer.h"
#include "files/onnx/model.h"
#include "files/onnx/operators/shapes.h"
#include "files/onnx/sketch.h"
#include "files/onnx/table.h"

/* This file runs graphs within nodes: the branch that is taken, a loop as often as it runs, and a scan step by
 * step. What is not known at import cannot be a diagram. */

/* The greatest number of iterations: with more it is no figure. */
#define MOST_TIMES 64

static const HeddleOnnxGraph *
graph_of (HeddleImport *self, const char *name)
{
  const HeddleOnnxAttribute *attribute = heddle_onnx_node_attribute (self->node, name);

  if (attribute == NULL || attribute->graph == NULL)
    heddle_import_refuse (self, _ ("it has no graph “%s”"), name);
  return attribute != NULL ? attribute->graph : NULL;
}

static gboolean
branch (HeddleImport *self, const HeddleOnnxOperator *row)
{
  g_autoptr (HeddleArray) condition = heddle_import_constant (self, 0);
  g_autofree HeddleFlow *results = NULL;
  const HeddleOnnxGraph *graph;

  if (condition == NULL)
    return FALSE;
  if (condition->n_elements != 1)
    return heddle_import_refuse (self, _ ("input %u is not one number"), 0u);
  graph = graph_of (self, condition->data[0] != 0. ? "then_branch" : "else_branch");
  if (graph == NULL)
    return FALSE;
  results = self->run (self, graph, NULL, 0, FALSE);
  for (guint i = 0; results != NULL && i < MIN (graph->outputs->len, self->node->outputs->len); i++)
    heddle_import_give (self, i, &results[i]);
  return results != NULL;
}

/* --- loops ---------------------------------------------------------------------------------------------- */

/* Stacks what each iteration gives, one after another along a new first dimension. */
static gboolean
stack (HeddleImport *self, guint output, const GArray *parts)
{
  g_autofree HeddleFlow *flows = g_memdup2 (parts->data, parts->len * sizeof (HeddleFlow));

  for (guint i = 0; i < parts->len; i++)
    {
      if (flows[i].rank + 1 > HEDDLE_ONNX_MAX_RANK)
        return heddle_import_refuse (self, _ ("output %u"), output);
      memmove (flows[i].dims + 1, flows[i].dims, flows[i].rank * sizeof *flows[i].dims);
      flows[i].dims[0] = (HeddleDim){ 1, -1 };
      flows[i].rank++;
    }
  return heddle_import_concat (self, output, flows, parts->len, 0);
}

typedef struct
{
  const HeddleOnnxGraph *body;
  guint n_carried;
  HeddleFlow *given; /* to the body: the time, whether to go on, what is carried */
  GPtrArray *scans; /* of GArray of HeddleFlow */
} Loop;

static gboolean
is_true (HeddleImport *self, const HeddleFlow *flow, gboolean *known)
{
  g_autoptr (HeddleArray) numbers = NULL;

  *known = heddle_sketch_is_known (self->sketch, flow->value)
           && (numbers = heddle_flow_numbers (self->sketch, flow, NULL)) != NULL && numbers->n_elements == 1;
  return *known && numbers->data[0] != 0.;
}

/* Runs the body once. @on receives whether it is to be run again. */
static gboolean
go_through (HeddleImport *self, Loop *loop, gint64 time, gboolean *on)
{
  g_autofree HeddleFlow *results = NULL;
  gboolean known;

  loop->given[0] = heddle_import_known_ints (self, &time, 1);
  loop->given[0].rank = 0;
  results = self->run (self, loop->body, loop->given, 2 + loop->n_carried, time > 0);
  if (results == NULL)
    return FALSE;
  for (guint i = 0; i < loop->n_carried; i++)
    loop->given[2 + i] = results[1 + i];
  for (guint i = 0; i < loop->scans->len; i++)
    g_array_append_val (g_ptr_array_index (loop->scans, i), results[1 + loop->n_carried + i]);
  loop->given[1] = results[0];
  *on = is_true (self, &results[0], &known);
  return known || heddle_import_refuse (self, _ ("its number of iterations depends on computed values"));
}

static gboolean
run_loop (HeddleImport *self, Loop *loop, double most)
{
  g_autoptr (HeddleArray) condition
      = heddle_import_input (self, 1) != NULL ? heddle_import_constant (self, 1) : NULL;
  gboolean on = condition == NULL || (condition->n_elements == 1 && condition->data[0] != 0.);
  gint64 time;

  if (heddle_import_input (self, 1) != NULL && condition == NULL)
    return FALSE;
  for (time = 0; on && (double) time < most; time++)
    {
      if (time >= MOST_TIMES)
        return heddle_import_refuse (self, _ ("it has more than %d iterations"), MOST_TIMES);
      if (!go_through (self, loop, time, &on))
        return FALSE;
    }
  for (guint i = 0; i < loop->n_carried; i++)
    heddle_import_give (self, i, &loop->given[2 + i]);
  for (guint i = 0; i < loop->scans->len; i++)
    if (time == 0 || !stack (self, loop->n_carried + i, g_ptr_array_index (loop->scans, i)))
      return heddle_import_refuse (self, _ ("an array without elements"));
  return TRUE;
}

static gboolean
repeat (HeddleImport *self, const HeddleOnnxOperator *row)
{
  g_autoptr (GPtrArray) scans = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  guint n_inputs = MAX (self->node->inputs->len, 2);
  g_autofree HeddleFlow *given = g_new0 (HeddleFlow, n_inputs);
  Loop loop = { graph_of (self, "body"), n_inputs - 2, NULL, scans };
  const gint64 yes = 1;
  double most;

  if (loop.body == NULL || !heddle_import_number (self, 0, INFINITY, &most))
    return FALSE;
  if (loop.body->inputs->len != n_inputs || loop.body->outputs->len < 1 + loop.n_carried)
    return heddle_import_refuse (self, _ ("its graph does not fit its inputs"));
  given[1] = heddle_import_known_ints (self, &yes, 1);
  given[1].rank = 0;
  given[1].type = HEDDLE_ONNX_BOOL;
  for (guint i = 1; i < n_inputs; i++)
    {
      const HeddleFlow *input = heddle_import_input (self, i);

      if (input == NULL && i > 1)
        return heddle_import_refuse (self, _ ("an input is missing"));
      if (input != NULL)
        given[i] = *input;
    }
  for (guint i = 1 + loop.n_carried; i < loop.body->outputs->len; i++)
    g_ptr_array_add (scans, g_array_new (FALSE, FALSE, sizeof (HeddleFlow)));
  loop.given = given;
  return run_loop (self, &loop, most);
}

/* --- scans ---------------------------------------------------------------------------------------------- */

/* Returns whether the scan goes forwards along the first dimension of all that it reads and makes. */
static gboolean
goes_straight (HeddleImport *self)
{
  static const char *const names[]
      = { "scan_input_axes", "scan_input_directions", "scan_output_axes", "scan_output_directions" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const GArray *ints = heddle_onnx_node_ints (self->node, names[i]);

      for (guint k = 0; ints != NULL && k < ints->len; k++)
        if (g_array_index (ints, gint64, k) != 0)
          return heddle_import_refuse (self, _ ("the attribute “%s”"), names[i]);
    }
  return TRUE;
}

/* Finds the number of steps: how long all are that are read at a place. */
static gboolean
count_steps (HeddleImport *self, guint n_carried, gint64 *steps)
{
  for (guint i = 0; i < self->node->inputs->len; i++)
    {
      const HeddleFlow *input = heddle_import_input (self, i);

      if (input == NULL)
        return heddle_import_refuse (self, _ ("an input is missing"));
      if (i < n_carried)
        continue;
      if (input->rank == 0 || (i > n_carried && input->dims[0].size != *steps))
        return heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
      *steps = input->dims[0].size;
    }
  if (*steps == 0)
    return heddle_import_refuse (self, _ ("an array without elements"));
  return *steps <= MOST_TIMES
         || heddle_import_refuse (self, _ ("it has more than %d iterations"), MOST_TIMES);
}

/* Takes a step of a scan: what the loop carries becomes the next, and what is scanned is read at @time. */
static gboolean
take_step (HeddleImport *self, Loop *loop, guint time)
{
  const guint n = self->node->inputs->len;
  g_autofree HeddleFlow *results = NULL;

  for (guint i = loop->n_carried; i < n; i++)
    loop->given[i] = heddle_flow_at_place (self->sketch, heddle_import_input (self, i), time);
  results = self->run (self, loop->body, loop->given, n, time > 0);
  for (guint i = 0; results != NULL && i < loop->n_carried; i++)
    loop->given[i] = results[i];
  for (guint i = 0; results != NULL && i < loop->scans->len; i++)
    g_array_append_val (g_ptr_array_index (loop->scans, i), results[loop->n_carried + i]);
  return results != NULL;
}

static gboolean
scan (HeddleImport *self, const HeddleOnnxOperator *row)
{
  g_autoptr (GPtrArray) scans = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  const HeddleOnnxGraph *body = graph_of (self, "body");
  const guint n = self->node->inputs->len;
  const gint64 scanned = heddle_onnx_node_int (self->node, "num_scan_inputs", 0);
  g_autofree HeddleFlow *given = g_new0 (HeddleFlow, n + 1);
  Loop loop = { body, 0, given, scans };
  gint64 steps = 0;

  if (body == NULL)
    return FALSE;
  if (scanned < 1 || scanned > n || body->inputs->len != n || body->outputs->len < n - scanned)
    return heddle_import_refuse (self, _ ("its graph does not fit its inputs"));
  loop.n_carried = n - (guint) scanned;
  if (!goes_straight (self) || !count_steps (self, loop.n_carried, &steps))
    return FALSE;
  for (guint i = 0; i < loop.n_carried; i++)
    given[i] = *heddle_import_input (self, i);
  for (guint i = loop.n_carried; i < body->outputs->len; i++)
    g_ptr_array_add (scans, g_array_new (FALSE, FALSE, sizeof (HeddleFlow)));
  for (guint time = 0; time < steps; time++)
    if (!take_step (self, &loop, time))
      return FALSE;
  for (guint i = 0; i < loop.n_carried; i++)
    heddle_import_give (self, i, &given[i]);
  for (guint i = 0; i < scans->len; i++)
    if (!stack (self, loop.n_carried + i, g_ptr_array_index (scans, i)))
      return FALSE;
  return TRUE;
}

const HeddleOnnxOperator heddle_onnx_control[] = {
  { "If", 1, 0, branch },
  { "Loop", 1, 0, repeat },
  { "Scan", 9, 0, scan },
  { NULL },
};
