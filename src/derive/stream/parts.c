/* SPDX-License-Identifier: MIT */
#include "derive/region/definition.h"
#include "derive/region/inputs.h"
#include "derive/stream/factor-parts.h"
#include "derive/stream/parts.h"
#include "derive/stream/plan.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

/* This file splits definitions into a sum of parts, each with a buffer or a state of its own. */

HeddleExpr *
heddle_sizes_product (const GArray *axes)
{
  HeddleExpr *product = heddle_expr_number (1.);

  for (guint i = 0; i < axes->len; i++)
    {
      HeddleExpr *size = heddle_expr_size (heddle_ids_index (axes, i));

      product = i == 0 ? (heddle_expr_unref (product), size)
                       : heddle_expr_binary (HEDDLE_EXPR_MUL, product, size);
    }
  return product;
}

static gboolean
varies_along (const HeddleStreamPlan *plan, const HeddleExpr *expr, const char *axis)
{
  g_autoptr (GArray) arguments = heddle_expr_arguments (expr);

  for (guint i = 0; i < arguments->len; i++)
    if (heddle_ids_contain (
            heddle_stream_plan_definition (plan, g_array_index (arguments, guint, i))->axes, axis))
      return TRUE;
  return heddle_expr_uses (expr, HEDDLE_EXPR_INDEX, axis);
}

/* Takes the window of axis @axis of @like, at place @at. */
static void
take_window (HeddleDefinition *self, guint at, const HeddleDefinition *like, guint axis)
{
  GPtrArray *window = like->windows != NULL ? g_ptr_array_index (like->windows, axis) : NULL;

  if (axis < 64 && (like->whole >> axis & 1) != 0)
    self->whole |= G_GUINT64_CONSTANT (1) << at;
  if (window == NULL)
    return;
  if (self->windows == NULL)
    self->windows = heddle_windows_new_none (self->axes->len);
  g_ptr_array_index (self->windows, at) = g_ptr_array_ref (window);
}

HeddleDefinition *
heddle_stream_plan_add (HeddleStreamPlan *plan, const HeddleDefinition *like, HeddleExpr *kept)
{
  g_autoptr (GArray) axes = heddle_ids_new ();
  gboolean state = like->reduces && heddle_ids_contain (like->over, plan->axis);
  HeddleStreaming streaming
      = { state ? HEDDLE_PHASE_STATE : HEDDLE_PHASE_STEP, like->monoid, heddle_expr_ref (kept) };
  HeddleDefinition *self;
  guint number = plan->definitions->len;

  for (guint i = 0; i < like->axes->len; i++)
    if (varies_along (plan, kept, heddle_ids_index (like->axes, i)))
      heddle_ids_append (axes, heddle_ids_index (like->axes, i));
  self = heddle_definition_new (NULL, axes);
  for (guint i = 0; i < axes->len; i++)
    take_window (self, i, like, (guint) heddle_ids_find (like->axes, heddle_ids_index (axes, i)));
  self->operation = like->operation;
  self->column = like->column;
  self->reduces = like->reduces;
  self->monoid = like->monoid;
  g_array_unref (self->over);
  self->over = heddle_ids_copy (like->over);
  self->body = heddle_expr_ref (kept);
  g_ptr_array_add (plan->own, self);
  g_ptr_array_add (plan->definitions, self);
  g_array_append_val (plan->streamings, streaming);
  g_array_append_val (plan->order, number);
  return self;
}

guint
heddle_stream_plan_add_before (HeddleStreamPlan *plan, HeddleDefinition *definition, HeddleExpr *kept)
{
  HeddleStreaming streaming = { HEDDLE_PHASE_BEFORE, definition->monoid, kept };
  guint number = plan->definitions->len;

  g_ptr_array_add (plan->own, definition);
  g_ptr_array_add (plan->definitions, definition);
  g_array_append_val (plan->streamings, streaming);
  g_array_append_val (plan->order, number);
  return number;
}

static const char *
part_name (const HeddleStreamPlan *plan, const HeddleDefinition *whole, guint number)
{
  g_autofree char *label
      = whole->value != NULL ? heddle_diagram_value_label (plan->region->diagram, whole->value) : NULL;
  g_autofree char *lower = g_ascii_strdown (label != NULL ? label : whole->name, -1);
  g_autofree char *name = g_strdup_printf ("%s_%u", lower, number + 1);

  return g_intern_string (name);
}

/* Returns the state that sums @term as @whole is summed; -1 if there is none. */
static int
find_sum (const HeddleStreamPlan *plan, const HeddleDefinition *whole, const HeddleExpr *term)
{
  for (guint i = 0; i < plan->definitions->len; i++)
    {
      const HeddleDefinition *other = heddle_stream_plan_definition (plan, i);
      const HeddleStreaming *streaming = heddle_stream_plan_get (plan, i);

      if (other->reduces && streaming->phase == HEDDLE_PHASE_STATE && streaming->monoid == HEDDLE_MONOID_SUM
          && other->form == HEDDLE_COMPUTE_FOLD && streaming->deferred == NULL && streaming->running == NULL
          && other->indices == NULL && heddle_ids_equal (other->over, whole->over) && streaming->kept != NULL
          && heddle_expr_equal (streaming->kept, term))
        return (int) i;
    }
  return -1;
}

/* Returns a sum of multiples of what is summed anyway as a multiple of that sum; NULL if it is no such
 * sum. */
static HeddleExpr *
find_multiple (const HeddleStreamPlan *plan, const HeddleDefinition *whole, const HeddleSummand *part)
{
  gboolean multiple = heddle_expr_get_kind (part->kept) == HEDDLE_EXPR_MUL
                      && heddle_expr_get_kind (heddle_expr_get_child (part->kept, 0)) == HEDDLE_EXPR_NUMBER;
  HeddleExpr *term = multiple ? heddle_expr_get_child (part->kept, 1) : part->kept;
  g_autoptr (HeddleExpr) state = NULL;
  int sum;

  if (!whole->reduces || whole->monoid != HEDDLE_MONOID_SUM || whole->indices != NULL || part->running != NULL
      || (sum = find_sum (plan, whole, term)) < 0)
    return NULL;
  state = heddle_expr_argument ((guint) sum);
  return heddle_factor_multiply (multiple ? heddle_expr_get_child (part->kept, 0) : NULL, state);
}

/* Returns what stands for part @number of @whole where it is read: an expression that is the same everywhere,
 * an existing value, or a new definition. */
static HeddleExpr *
stand_in (HeddleStreamPlan *plan, const HeddleDefinition *whole, const HeddleSummand *part, guint number)
{
  HeddleDefinition *self;
  HeddleStreaming *streaming;
  HeddleExpr *multiple;

  if (heddle_expr_is_same_everywhere (part->kept))
    {
      g_autoptr (HeddleExpr) times = heddle_sizes_product (whole->over);

      return heddle_factor_multiply (part->kept, times);
    }
  if (!whole->reduces && heddle_expr_get_n_children (part->kept) == 0)
    return heddle_expr_ref (part->kept);
  if ((multiple = find_multiple (plan, whole, part)) != NULL)
    return multiple;
  self = heddle_stream_plan_add (plan, whole, part->kept);
  self->name = part_name (plan, whole, number);
  self->title = number == 0 ? whole->title : NULL;
  streaming = &g_array_index (plan->streamings, HeddleStreaming, plan->streamings->len - 1);
  streaming->running
      = part->running != NULL && streaming->phase == HEDDLE_PHASE_STATE ? g_array_ref (part->running) : NULL;
  return heddle_expr_argument (plan->definitions->len - 1);
}

/* Returns the whole, put together from its parts after the loop. */
static HeddleExpr *
recombine (const GPtrArray *parts)
{
  HeddleExpr *sum = NULL;

  for (guint i = 0; i < parts->len; i++)
    {
      const HeddleSummand *part = g_ptr_array_index (parts, i);
      HeddleExpr *term = part->deferred != NULL ? heddle_factor_apply (part->deferred, part->kept)
                                                : heddle_expr_ref (part->kept);

      sum = sum == NULL ? term : heddle_expr_binary (HEDDLE_EXPR_ADD, sum, term);
    }
  return sum;
}

/* Replaces a state that is no state any more: its parts are. */
static void
replace_state (HeddleStreamPlan *plan, guint i, HeddleExpr *body)
{
  const HeddleDefinition *state = heddle_stream_plan_definition (plan, i);
  HeddleDefinition *self = heddle_definition_new (state->value, state->axes);

  self->operation = state->operation;
  self->column = state->column;
  self->name = state->name;
  self->title = state->title;
  self->output = state->output;
  self->body = heddle_expr_ref (body);
  g_ptr_array_add (plan->own, self);
  g_ptr_array_index (plan->definitions, i) = self;
}

void
heddle_stream_plan_split (HeddleStreamPlan *plan, guint i, GPtrArray *parts, HeddleStreaming *streaming)
{
  const HeddleDefinition *whole = heddle_stream_plan_definition (plan, i);

  for (guint k = 0; k < parts->len; k++)
    {
      HeddleSummand *part = g_ptr_array_index (parts, k);
      HeddleExpr *kept = stand_in (plan, whole, part, k);

      heddle_expr_unref (part->kept);
      part->kept = kept;
    }
  if (streaming->phase == HEDDLE_PHASE_STEP)
    {
      streaming->parts = parts;
      return;
    }
  streaming->phase = HEDDLE_PHASE_AFTER;
  streaming->kept = recombine (parts);
  g_ptr_array_unref (parts);
  replace_state (plan, i, streaming->kept);
}
