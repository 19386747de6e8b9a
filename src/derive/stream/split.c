/* SPDX-License-Identifier: MIT */
#include "derive/region/definition.h"
#include "derive/index/window.h"
#include "derive/stream/split.h"
#include "diagram/expression/expr.h"
#include "derive/region/inputs.h"
#include "derive/stream/factor-parts.h"
#include "derive/stream/plan.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"
#include <math.h>

/* --- whether ---------------------------------------------------------------------------- */

static gboolean
runs_under (const HeddleStreaming *streaming, guint state)
{
  for (guint i = 0; streaming->running != NULL && i < streaming->running->len; i++)
    if (g_array_index (streaming->running, HeddleRunning, i).state == state)
      return TRUE;
  return FALSE;
}

/* Returns whether all states that the steps of @streaming read, however indirectly, are ones that it is
 * rescaled by. */
static gboolean
reads_known (const HeddleStreamPlan *plan, const HeddleStreaming *streaming, const HeddleExpr *body)
{
  g_autoptr (GArray) arguments = heddle_expr_arguments (body);

  for (guint i = 0; i < arguments->len; i++)
    {
      guint argument = g_array_index (arguments, guint, i);
      const HeddleStreaming *read = heddle_stream_plan_get (plan, argument);

      if (read->phase == HEDDLE_PHASE_STATE && !runs_under (streaming, argument))
        return FALSE;
      if (read->phase == HEDDLE_PHASE_STEP && read->kept != NULL
          && !reads_known (plan, streaming, read->kept))
        return FALSE;
    }
  return TRUE;
}

/* Returns whether the definition is a state that moves along the axis in order. */
static gboolean
is_scanned (const HeddleStreamPlan *plan, guint i)
{
  const HeddleDefinition *definition = heddle_stream_plan_definition (plan, i);

  return definition->form == HEDDLE_COMPUTE_SCAN && definition->along == plan->axis;
}

/* Returns whether the state of definition @i is one of a sum, a product or an extremum. */
static gboolean
split_is_folded (const HeddleStreamPlan *plan, guint i)
{
  return heddle_stream_plan_definition (plan, i)->form == HEDDLE_COMPUTE_FOLD;
}

gboolean
heddle_split_can_merge (const HeddleStreamPlan *plan, guint *definition)
{
  for (guint i = 0; i < plan->definitions->len; i++)
    {
      const HeddleStreaming *streaming = heddle_stream_plan_get (plan, i);

      *definition = i;
      /* Neighbours both have a part of a state with a halo: it is not stored. */
      if (is_scanned (plan, i)
          || (streaming->phase == HEDDLE_PHASE_STATE && heddle_stream_plan_definition (plan, i)->whole != 0))
        return FALSE;
      if (streaming->phase == HEDDLE_PHASE_STATE && streaming->kept != NULL && split_is_folded (plan, i)
          && !reads_known (plan, streaming, streaming->kept))
        return FALSE;
    }
  return TRUE;
}

const char *
heddle_stream_kind_to_string (HeddleStreamKind kind)
{
  static const char *const names[] = { "none", "map", "monoid", "state machine" };

  return kind < G_N_ELEMENTS (names) ? names[kind] : "none";
}

HeddleStreamKind
heddle_stream_plan_kind (const HeddleStreamPlan *plan)
{
  g_autoptr (HeddleStreamPlan) split = NULL;
  gboolean states = FALSE;
  guint definition;

  if (plan->axis == NULL)
    return HEDDLE_STREAM_NONE;
  for (guint i = 0; i < plan->definitions->len; i++)
    states = states || heddle_stream_plan_get (plan, i)->phase == HEDDLE_PHASE_STATE || is_scanned (plan, i);
  if (!states)
    return HEDDLE_STREAM_MAP;
  if (heddle_split_can_merge (plan, &definition))
    return HEDDLE_STREAM_MONOID;
  /* States that move with their mean may be merged if they are carried in another way. */
  split = heddle_stream_plan_new_split (plan->region, plan->axis);
  return split != NULL && heddle_split_can_merge (split, &definition) ? HEDDLE_STREAM_MONOID
                                                                      : HEDDLE_STREAM_MACHINE;
}

/* --- the diagram with partial states ------------------------------------------------------ */

/* Returns an id that no other kernel's partial states have. */
static char *
own_id (const HeddleRegionTerm *region, const char *what)
{
  return g_strdup_printf ("%s-%s", what, heddle_ids_index (region->operations, 0));
}

static const char *
add_parts_axis (const HeddleRegionTerm *region, HeddleDiagram *diagram, const char *axis)
{
  g_autofree char *own = own_id (region, axis);
  GString *name = g_string_new (heddle_diagram_get_axis (diagram, axis)->name);
  const char *id;

  g_string_append (name, "_part");
  while (heddle_diagram_find_axis (diagram, name->str) != NULL)
    g_string_append_c (name, '\'');
  id = heddle_diagram_add_axis (diagram, own, name->str, NULL)->id;
  g_string_free (name, TRUE);
  return id;
}

static char *
state_name (const HeddleDiagram *diagram, const HeddleDefinition *state)
{
  g_autofree char *label
      = state->value != NULL ? heddle_diagram_value_label (diagram, state->value) : g_strdup (state->name);
  g_autofree char *lower = g_ascii_strdown (label, -1);
  GString *name = g_string_new (lower);

  g_string_append (name, "_part");
  while (heddle_diagram_find_value (diagram, name->str) != NULL)
    g_string_append_c (name, '\'');
  return g_string_free (name, FALSE);
}

/* Returns the data type of a state: a sum has its own precision, not that in which it is stored. */
static HeddleDtype
state_dtype (const HeddleDiagram *diagram, const HeddleDefinition *state, HeddleDtype fallback)
{
  const char *value = state->value != NULL ? state->value
                                           : heddle_diagram_get_operation (diagram, state->operation)->result;

  return heddle_diagram_dtype (diagram, value, fallback) == HEDDLE_DTYPE_F64 ? HEDDLE_DTYPE_F64
                                                                             : HEDDLE_DTYPE_F32;
}

static void
add_partial (HeddleSplit *self, const HeddleRegionTerm *region, const HeddleDefinition *state, guint i,
    HeddleDtype fallback)
{
  g_autofree char *name = state_name (self->diagram, state);
  g_autofree char *own = own_id (region, name);
  g_autoptr (GArray) axes = heddle_ids_new ();

  heddle_ids_append (axes, self->parts);
  g_array_append_vals (axes, state->axes->data, state->axes->len);
  heddle_ids_append (
      self->values, heddle_diagram_add_value (self->diagram, own, name, HEDDLE_ROLE_INTERMEDIATE,
                        state_dtype (self->diagram, state, fallback), axes)
                        ->id);
  g_array_append_val (self->states, i);
}

static HeddleRegionTerm *split_combine_new (
    const HeddleStreamPlan *plan, HeddleSplit *split, const gboolean *needed);

HeddleSplit *
heddle_split_new (const HeddleStreamPlan *plan, const gboolean *needed, HeddleDtype dtype)
{
  HeddleSplit *self = g_new0 (HeddleSplit, 1);

  self->diagram = heddle_diagram_copy (plan->region->diagram);
  self->parts = add_parts_axis (plan->region, self->diagram, plan->axis);
  self->states = g_array_new (FALSE, FALSE, sizeof (guint));
  self->values = heddle_ids_new ();
  for (guint k = 0; k < plan->order->len; k++)
    {
      guint i = g_array_index (plan->order, guint, k);

      if (needed[i] && heddle_stream_plan_get (plan, i)->phase == HEDDLE_PHASE_STATE)
        add_partial (self, plan->region, heddle_stream_plan_definition (plan, i), i, dtype);
    }
  split_combine_new (plan, self, needed);
  return self;
}

void
heddle_split_free (HeddleSplit *self)
{
  g_clear_pointer (&self->diagram, heddle_diagram_free);
  g_clear_pointer (&self->combine, heddle_region_term_free);
  g_array_unref (self->states);
  g_array_unref (self->values);
  g_free (self);
}

/* The kernel that merges the states of all groups. */

typedef struct
{
  const HeddleStreamPlan *plan;
  HeddleSplit *split;
  guint *partial, *merged, *complete; /* per definition of the plan: definitions of the combine step */
  const guint *numbers; /* the current ones */
} Merger;

static HeddleExpr *
renumber_leaf (const HeddleExpr *leaf, gpointer data)
{
  const Merger *merger = data;

  return heddle_expr_get_kind (leaf) == HEDDLE_EXPR_ARGUMENT
             ? heddle_expr_argument (merger->numbers[heddle_expr_get_operand (leaf)])
             : NULL;
}

/* Returns @expr over the definitions that @numbers gives. */
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

/* Returns exp (exponent of the whole - exponent of the part); 0 for a part in which nothing was. */
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

/* Appends the largest elements of all groups, with their places. */
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

/* Appends the state of all groups, and its value if a factor waited for that. */
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

/* Appends what the groups take no part in: inputs held whole, and everything that waits for complete
 * states. */
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
      if (phase == HEDDLE_PHASE_STATE && split_is_folded (merger->plan, i))
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

static gboolean
goes_along (const HeddleRegionTerm *region, const HeddleExpr *index)
{
  g_autoptr (GPtrArray) one = g_ptr_array_new ();
  g_autoptr (GArray) axes = NULL;

  g_ptr_array_add (one, (gpointer) index);
  axes = heddle_window_axes (one);
  for (guint i = 0; i < axes->len; i++)
    if (!heddle_ids_contain (region->axes, heddle_ids_index (axes, i)))
      return FALSE;
  return TRUE;
}

/* Returns those indices of a window that the second kernel goes through. */
static GPtrArray *
narrow_window (const HeddleRegionTerm *region, const GPtrArray *window)
{
  GPtrArray *narrow = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);

  for (guint i = 0; i < window->len; i++)
    if (goes_along (region, g_ptr_array_index (window, i)))
      g_ptr_array_add (narrow, heddle_expr_ref (g_ptr_array_index (window, i)));
  return narrow;
}

/* Narrows the windows of what both kernels read to what the second one reads: the first one's own axes have
 * no loop and no size there. */
static void
narrow_windows (HeddleRegionTerm *region, HeddleDefinition *definition)
{
  GPtrArray *windows;

  if (definition->windows == NULL)
    return;
  windows = heddle_windows_new_none (definition->axes->len);
  for (guint k = 0; k < definition->windows->len; k++)
    {
      const GPtrArray *window = g_ptr_array_index (definition->windows, k);
      g_autoptr (GPtrArray) narrow = window != NULL ? narrow_window (region, window) : NULL;

      if (narrow != NULL && narrow->len > 0)
        g_ptr_array_index (windows, k) = g_steal_pointer (&narrow);
    }
  g_ptr_array_unref (definition->windows);
  definition->windows = windows;
}

/* Returns the region of the second kernel, over the values that @split has for the states. */
static HeddleRegionTerm *
split_combine_new (const HeddleStreamPlan *plan, HeddleSplit *split, const gboolean *needed)
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
  for (guint i = 0; i < region->definitions->len; i++)
    narrow_windows (region, g_ptr_array_index (region->definitions, i));
  return region;
}
