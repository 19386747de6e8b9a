/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/region/inputs.h"
#include "derive/region/region.h"
#include "derive/stream/factor-parts.h"
#include "derive/stream/split-combine.h"
#include "derive/stream/split.h"
#include "derive/stream/stream.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram-index.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

#include <math.h>

/* The kernel that merges the states of all groups. */

typedef struct
{
  const HeddleStreamPlan *plan;
  HeddleSplit *split;
  guint *partial, *merged, *complete; /* per definition of the plan: definitions of the combine step */
  const guint *numbers; /* those at hand */
} Merger;

static HeddleExpr *
renumber_leaf (const HeddleExpr *leaf, gpointer data)
{
  const Merger *merger = data;

  return heddle_expr_get_kind (leaf) == HEDDLE_EXPR_ARGUMENT
             ? heddle_expr_argument (merger->numbers[heddle_expr_get_operand (leaf)])
             : NULL;
}

/* @expr over the definitions that @numbers gives. */
static HeddleExpr *
renumber (Merger *merger, HeddleExpr *expr, const guint *numbers)
{
  merger->numbers = numbers;
  return heddle_expr_substitute (expr, renumber_leaf, merger);
}

static GPtrArray *
renumber_all (Merger *merger, const GPtrArray *indices)
{
  GPtrArray *renumbered;

  if (indices == NULL)
    return NULL;
  renumbered = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  for (guint i = 0; i < indices->len; i++)
    g_ptr_array_add (renumbered, renumber (merger, g_ptr_array_index (indices, i), merger->complete));
  return renumbered;
}

static guint
append (Merger *merger, HeddleDefinition *definition)
{
  GPtrArray *definitions = merger->split->combine->definitions;

  g_ptr_array_add (definitions, definition);
  return definitions->len - 1;
}

static HeddleDefinition *
copy_head (const HeddleDefinition *like, const char *value)
{
  HeddleDefinition *self = heddle_definition_new (value, like->axes);

  self->operation = like->operation;
  self->column = like->column;
  self->name = like->name;
  self->title = like->title;
  return self;
}

/* exp (exponent of the whole - exponent of the part); 0 of a part in which nothing was. */
static HeddleExpr *
factor_of (Merger *merger, const HeddleRunning *running)
{
  HeddleExpr *part = heddle_expr_argument (merger->partial[running->state]);
  HeddleExpr *empty = heddle_expr_binary (
      HEDDLE_EXPR_EQ, heddle_expr_unary (HEDDLE_EXPR_ABS, part), heddle_expr_number (INFINITY));
  gboolean negated = heddle_expr_get_kind (running->exponent) == HEDDLE_EXPR_NEG;
  HeddleExpr *exponent = negated ? heddle_expr_get_child (running->exponent, 0) : running->exponent;
  HeddleExpr *moved = heddle_expr_binary (HEDDLE_EXPR_SUB,
      renumber (merger, exponent, negated ? merger->partial : merger->merged),
      renumber (merger, exponent, negated ? merger->merged : merger->partial));

  return heddle_expr_where (empty, heddle_expr_number (0.), heddle_expr_unary (HEDDLE_EXPR_EXP, moved));
}

static guint
append_partial (Merger *merger, guint i, const char *value)
{
  HeddleDefinition *input
      = heddle_definition_new (value, heddle_diagram_get_value (merger->split->diagram, value)->axes);

  input->input = TRUE;
  return append (merger, input);
}

/* The largest of those of all groups; their places go with them. */
static void
append_selected (Merger *merger, guint i, guint n)
{
  const HeddleDefinition *state = heddle_stream_plan_definition (merger->plan, i);
  HeddleDefinition *whole;

  if (state->places)
    return;
  for (guint k = 0; k < 2; k++)
    merger->partial[i + k] = append_partial (merger, i + k, heddle_ids_index (merger->split->values, n + k));
  for (guint k = 0; k < 2; k++)
    {
      const HeddleDefinition *like = heddle_stream_plan_definition (merger->plan, i + k);

      whole = copy_head (like, like->value);
      whole->form = HEDDLE_COMPUTE_SELECT;
      whole->reduces = TRUE;
      whole->monoid = HEDDLE_MONOID_MAX;
      whole->along = state->along;
      whole->ranked = state->along != NULL;
      whole->places = k == 1;
      whole->output = like->output;
      heddle_ids_append (whole->over, merger->split->parts);
      whole->body = heddle_expr_argument (k == 0 ? merger->partial[i] : merger->merged[i]);
      whole->extra = k == 0 ? heddle_expr_argument (merger->partial[i + 1]) : NULL;
      merger->merged[i + k] = merger->complete[i + k] = append (merger, whole);
    }
}

/* The state of all groups, and its value where a factor waited for that. */
static void
append_merged (Merger *merger, guint i, const char *partial)
{
  const HeddleDefinition *state = heddle_stream_plan_definition (merger->plan, i);
  const HeddleStreaming *streaming = heddle_stream_plan_get (merger->plan, i);
  gboolean waits = streaming->deferred != NULL;
  HeddleDefinition *whole = copy_head (state, waits ? NULL : state->value), *value;
  g_autofree char *label
      = state->value != NULL ? heddle_diagram_value_label (merger->split->diagram, state->value) : NULL;
  g_autofree char *lower = label != NULL ? g_ascii_strdown (label, -1) : NULL;

  merger->partial[i] = append_partial (merger, i, partial);
  whole->body = heddle_expr_argument (merger->partial[i]);
  for (guint k = 0; streaming->running != NULL && k < streaming->running->len; k++)
    whole->body = heddle_expr_binary (HEDDLE_EXPR_MUL, whole->body,
        factor_of (merger, &g_array_index (streaming->running, HeddleRunning, k)));
  whole->reduces = TRUE;
  whole->monoid = streaming->monoid;
  heddle_ids_append (whole->over, merger->split->parts);
  if (waits && lower != NULL)
    whole->name = g_intern_string (lower);
  whole->output = !waits && state->output;
  merger->merged[i] = merger->complete[i] = append (merger, whole);
  if (!waits)
    return;
  value = copy_head (state, state->value);
  value->output = state->output;
  {
    g_autoptr (HeddleExpr) deferred = renumber (merger, streaming->deferred, merger->complete);
    g_autoptr (HeddleExpr) argument = heddle_expr_argument (merger->merged[i]);

    value->body = heddle_factor_apply (deferred, argument);
  }
  merger->complete[i] = append (merger, value);
}

/* What the groups have no part in: inputs held whole, and all that waits for complete states. */
static void
append_rest (Merger *merger, guint i)
{
  const HeddleDefinition *definition = heddle_stream_plan_definition (merger->plan, i);
  HeddleDefinition *copy = copy_head (definition, definition->value);

  copy->input = definition->input;
  copy->output = definition->output;
  copy->whole = definition->whole;
  copy->windows = definition->windows != NULL ? g_ptr_array_ref (definition->windows) : NULL;
  copy->reduces = definition->reduces;
  copy->monoid = definition->monoid;
  g_array_unref (copy->over);
  copy->over = heddle_ids_copy (definition->over);
  copy->indices = renumber_all (merger, definition->indices);
  copy->at = renumber_all (merger, definition->at);
  copy->form = definition->form;
  copy->along = definition->along;
  copy->ranked = definition->ranked;
  copy->places = definition->places;
  if (definition->extra != NULL)
    copy->extra = renumber (merger, definition->extra, merger->complete);
  if (!definition->input)
    copy->body = renumber (merger, heddle_stream_plan_get (merger->plan, i)->kept, merger->complete);
  merger->complete[i] = append (merger, copy);
}

static void
append_definitions (Merger *merger, const gboolean *needed)
{
  HeddleSplit *self = merger->split;
  guint n = 0;

  for (guint k = 0; k < merger->plan->order->len; k++)
    {
      guint i = g_array_index (merger->plan->order, guint, k);
      HeddlePhase phase = heddle_stream_plan_get (merger->plan, i)->phase;

      if (!needed[i] || phase == HEDDLE_PHASE_STEP)
        continue;
      if (phase == HEDDLE_PHASE_STATE && heddle_split_is_folded (merger->plan, i))
        append_merged (merger, i, heddle_ids_index (self->values, n++));
      else if (phase == HEDDLE_PHASE_STATE)
        append_selected (merger, i, n++);
      else
        append_rest (merger, i);
    }
}

static void
collect (HeddleRegionTerm *region)
{
  for (guint i = 0; i < region->definitions->len; i++)
    {
      const HeddleDefinition *definition = heddle_region_term_get (region, i);

      if (definition->input)
        heddle_ids_append_once (region->inputs, definition->value);
      if (definition->output)
        heddle_ids_append (region->outputs, definition->value);
      for (guint k = 0; k < definition->axes->len; k++)
        heddle_ids_append_once (region->axes, heddle_ids_index (definition->axes, k));
      for (guint k = 0; k < definition->over->len; k++)
        heddle_ids_append_once (region->axes, heddle_ids_index (definition->over, k));
    }
}

HeddleRegionTerm *
heddle_split_combine_new (const HeddleStreamPlan *plan, HeddleSplit *split, const gboolean *needed)
{
  guint n = plan->definitions->len;
  g_autofree guint *partial = g_new0 (guint, n), *merged = g_new0 (guint, n), *complete = g_new0 (guint, n);
  Merger merger = { plan, split, partial, merged, complete };
  HeddleRegionTerm *region = g_new0 (HeddleRegionTerm, 1);

  split->combine = region;
  region->diagram = split->diagram;
  region->operations = heddle_ids_copy (plan->region->operations);
  region->definitions = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_definition_free);
  region->inputs = heddle_ids_new ();
  region->outputs = heddle_ids_new ();
  region->axes = heddle_ids_new ();
  append_definitions (&merger, needed);
  collect (region);
  return region;
}
