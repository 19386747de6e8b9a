/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "diagram/analysis/call-private.h"
#include "diagram/analysis/call.h"
#include "diagram/base/error.h"
#include "diagram/flatten/bind.h"
#include "diagram/flatten/call.h"
#include "diagram/flatten/copy.h"
#include "diagram/flatten/expansion.h"
#include "diagram/flatten/linear.h"
#include "diagram/flatten/map.h"
#include "diagram/flatten/names.h"
#include "diagram/flatten/scan.h"
#include "diagram/flatten/values.h"
#include "diagram/graph/calls.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"

static gboolean
is_too_large (HeddleFlattener *self)
{
  const HeddleDiagram *flat = self->flat;
  if (flat->operations->len > HEDDLE_MAX_FLAT_OPERATIONS || self->n_calls > HEDDLE_MAX_FLAT_OPERATIONS
      || flat->values->len + flat->axes->len > HEDDLE_MAX_FLAT_OBJECTS)
    heddle_flatten_fail (self, HEDDLE_DIAGRAM_ERROR_LIMIT,
        _ ("The called definitions expand to more than %d operations"), HEDDLE_MAX_FLAT_OPERATIONS);
  return self->error != NULL;
}

/* Reads a result as its target where it was made under another name, with other axes or twice. */
static void
hand_over (HeddleFlattener *self, const HeddleExpansion *frame, const char *output, const char *target)
{
  const char *made = g_hash_table_lookup (frame->values, output);
  guint own = heddle_diagram_get_value (frame->diagram, output)->axes->len;
  if (made == target)
    return;
  g_autoptr (GArray) axes = heddle_ids_copy (heddle_flatten_value (self, target)->axes);
  g_array_remove_range (axes, 0, axes->len - own);
  heddle_flatten_add_read (
      self, frame, made, target, heddle_flatten_indices (heddle_flatten_value (self, made)->axes, axes));
}

/* Expands one repetition of a call, or one step of a scan: its results become the first of @arguments.
 * @targets holds what they are to be, or is NULL. */
static gboolean
call_once (HeddleFlattener *self, HeddleExpansion *frame, const char **arguments, const GArray *targets)
{
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (frame->diagram);
  for (guint i = 0; targets != NULL && i < outputs->len; i++)
    g_hash_table_insert (
        frame->targets, (gpointer) heddle_ids_index (outputs, i), (gpointer) heddle_ids_index (targets, i));
  heddle_flatten_take_inputs (self, frame, arguments);
  if (!heddle_flatten_run (self, frame))
    return FALSE;
  for (guint i = 0; i < outputs->len; i++)
    {
      const char *output = heddle_ids_index (outputs, i);
      if (!g_hash_table_contains (frame->values, output))
        {
          heddle_flatten_fail (
              self, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("Nothing makes what %s gives"), frame->diagram->name);
          return FALSE;
        }
      if (targets != NULL)
        hand_over (self, frame, output, heddle_ids_index (targets, i));
      else
        arguments[i] = g_hash_table_lookup (frame->values, output);
    }
  return TRUE;
}

void
heddle_expansion_clear (HeddleExpansion *frame)
{
  g_free (frame->ids);
  g_free (frame->name);
  g_hash_table_unref (frame->values);
  g_hash_table_unref (frame->targets);
  g_array_unref (frame->times);
}

/* Returns the axis along which a scan is written out step by step; NULL for another call. */
static const char *
stepped_along (const HeddleBinding *binding)
{
  return binding->recurrences == NULL ? binding->scan_axis : NULL;
}

/* Initialises the frame of one repetition or step. If the callee has other parameters each time, they have an
 * axis for the repetitions. */
static void
frame_init (HeddleFlattener *self, HeddleExpansion *frame, const HeddleExpansion *caller,
    const HeddleOperation *call, HeddleBinding *binding, guint time)
{
  g_autofree char *ids = heddle_flatten_join (caller->ids, call->id);
  g_autofree char *label = heddle_diagram_value_label (caller->diagram, call->result);
  g_autofree char *name = heddle_flatten_join (caller->name, label);
  g_autofree char *number = g_strdup_printf ("%u", time + 1);
  const gboolean numbered = call->repeat != NULL || stepped_along (binding) != NULL;
  *frame = (HeddleExpansion){ .diagram = heddle_call_callee (self->snapshot, call),
    .binding = binding,
    .ids = numbered ? heddle_flatten_join (ids, number) : g_strdup (ids),
    .name = numbered ? heddle_flatten_join (name, number) : g_strdup (name),
    .values = g_hash_table_new (NULL, NULL),
    .targets = g_hash_table_new (NULL, NULL),
    .times = g_array_copy (caller->times),
    .depth = caller->depth + 1 };
  frame->place = heddle_flat_map_add_frame (
      self->map, caller->place, call->id, frame->diagram, frame->ids, binding->axes);
  if (call->repeat == NULL || call->shared)
    return;
  const HeddleFlatTime here = { heddle_flatten_repeat_axis (self, binding), time };
  g_array_append_val (frame->times, here);
}

/* Returns the results as values of the caller, which exist before the operations that make them. */
static GArray *
make_targets (HeddleFlattener *self, HeddleExpansion *caller, const HeddleOperation *call)
{
  g_autoptr (GArray) woven = heddle_expansion_woven (self, caller, call);
  GArray *targets = heddle_ids_new ();
  for (guint i = 0; i < heddle_operation_n_results (call); i++)
    heddle_ids_append (
        targets, heddle_expansion_make (self, caller, heddle_operation_get_result (call, i), woven));
  return targets;
}

static gboolean
can_call (HeddleFlattener *self, const HeddleExpansion *caller, const HeddleOperation *call)
{
  const HeddleDiagram *callee = heddle_call_callee (self->snapshot, call);
  g_autofree char *why = heddle_call_problem (self->snapshot, caller->diagram, call);
  if (why != NULL)
    heddle_flatten_fail (self, HEDDLE_DIAGRAM_ERROR_TYPE, "%s", why);
  else if (g_ptr_array_find (self->open, callee, NULL))
    heddle_flatten_fail (self, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("%s calls itself"), callee->name);
  else if (caller->depth >= HEDDLE_MAX_CALL_DEPTH)
    heddle_flatten_fail (self, HEDDLE_DIAGRAM_ERROR_LIMIT,
        _ ("Definitions call one another more than %d deep"), HEDDLE_MAX_CALL_DEPTH);
  return self->error == NULL;
}

/* Makes the results of a scan of the states after its steps. The operations count with the last step. */
static void
stack_states (HeddleFlattener *self, const HeddleExpansion *frame, GPtrArray *states, const GArray *targets)
{
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (frame->diagram);
  for (guint i = 0; i < outputs->len; i++)
    heddle_flatten_stack (self, frame, states->pdata[i],
        heddle_diagram_get_value (frame->diagram, heddle_ids_index (outputs, i))->axes->len,
        heddle_ids_index (targets, i), frame->binding->scan_axis);
}

/* A call being expanded, with what goes round. */
typedef struct
{
  const HeddleOperation *call;
  HeddleBinding *binding;
  const char **arguments; /* flat values, of which the first become the results */
  guint n_arguments;
  GArray *targets; /* what the results are to be */
  GPtrArray *states; /* of a scan, for each result: GArray of flat values, one for each step */
} Round;

/* Expands repetition or step @time. FALSE means that the error is in @self. */
static gboolean
go_round (HeddleFlattener *self, const HeddleExpansion *caller, Round *round, guint time)
{
  const char *axis = stepped_along (round->binding);
  const gboolean last = time + 1 == round->binding->times;
  g_autofree const char **given
      = g_memdup2 (round->arguments, (round->n_arguments + 1) * sizeof *round->arguments);
  HeddleExpansion frame;
  self->n_calls++;
  frame_init (self, &frame, caller, round->call, round->binding, time);
  if (axis != NULL)
    heddle_flatten_take_place (self, &frame, given, axis, time);
  gboolean good
      = !is_too_large (self) && call_once (self, &frame, given, last && axis == NULL ? round->targets : NULL);
  for (guint i = 0; good && i < round->targets->len; i++)
    round->arguments[i] = given[i];
  for (guint i = 0; good && axis != NULL && i < round->targets->len; i++)
    heddle_ids_append (round->states->pdata[i], given[i]);
  if (good && axis != NULL && last)
    stack_states (self, &frame, round->states, round->targets);
  heddle_expansion_clear (&frame);
  return good;
}

static gboolean
run_call (HeddleFlattener *self, HeddleExpansion *caller, const HeddleOperation *call)
{
  if (!can_call (self, caller, call))
    return FALSE;
  g_autoptr (GArray) operands = heddle_expansion_operands (caller, call);
  g_autofree const char **arguments
      = g_new0 (const char *, MAX (operands->len, heddle_operation_n_results (call)) + 1);
  for (guint i = 0; i < operands->len; i++)
    arguments[i] = heddle_ids_index (operands, i);
  HeddleBinding *binding = (HeddleBinding *) heddle_flatten_bind (self, caller, call, arguments);
  if (binding == NULL)
    return FALSE;
  g_autoptr (GArray) targets = make_targets (self, caller, call);
  g_autoptr (GPtrArray) states = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  for (guint i = 0; i < targets->len; i++)
    g_ptr_array_add (states, heddle_ids_new ());
  Round round = { call, binding, arguments, MAX (operands->len, targets->len), targets, states };
  g_ptr_array_add (self->open, heddle_call_callee (self->snapshot, call));
  gboolean good = TRUE;
  for (guint i = 0; i < binding->times && good; i++)
    good = go_round (self, caller, &round, i);
  g_ptr_array_set_size (self->open, (int) self->open->len - 1);
  return good;
}

static gboolean
is_box (const HeddleFlattener *self, const HeddleOperation *call)
{
  const HeddleDiagram *callee = heddle_call_callee (self->snapshot, call);
  return callee != NULL && heddle_diagram_is_box (callee);
}

/* Returns whether the call is a scan that would be written out step by step. */
static gboolean
is_stepped (const HeddleFlattener *self, const HeddleOperation *call)
{
  const HeddleDiagram *callee
      = heddle_call_scan_axis (call) != NULL ? heddle_call_callee (self->snapshot, call) : NULL;
  g_autoptr (GHashTable) recurrences = callee != NULL ? heddle_linear_steps (callee) : NULL;
  return callee != NULL && recurrences == NULL;
}

/* Returns whether the call is expanded. Where one call alone is expanded, those within it stay calls; so does
 * a call that cannot be expanded. */
static gboolean
is_expanded (const HeddleFlattener *self, const HeddleExpansion *frame, const HeddleOperation *operation)
{
  return operation->kind->form == HEDDLE_FORM_CALL && !is_box (self, operation)
         && (self->only == NULL || (frame->binding == NULL && operation->id == self->only));
}

static gboolean
is_recurrence (const HeddleExpansion *frame, const HeddleOperation *operation)
{
  GHashTable *recurrences = frame->binding != NULL ? frame->binding->recurrences : NULL;
  return recurrences != NULL && g_hash_table_contains (recurrences, operation->id);
}

gboolean
heddle_flatten_run (HeddleFlattener *self, HeddleExpansion *frame)
{
  for (guint i = 0; i < frame->diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (frame->diagram->operations, i);
      if (!heddle_expansion_is_whole (frame, operation))
        heddle_flatten_fail (self, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("%s is not whole"), frame->diagram->name);
      if (is_too_large (self))
        return FALSE;
      const gboolean kept = self->keeps_scans && is_stepped (self, operation);
      if (kept && !can_call (self, frame, operation))
        return FALSE;
      if (is_recurrence (frame, operation))
        heddle_flatten_recur (self, frame, operation);
      else if (kept || !is_expanded (self, frame, operation))
        heddle_flatten_copy (self, frame, operation);
      else if (frame->binding != NULL && !run_call (self, frame, operation))
        return FALSE;
      else if (frame->binding == NULL)
        {
          self->call = operation->id;
          if (!run_call (self, frame, operation))
            return FALSE;
          self->call = NULL;
        }
    }
  return TRUE;
}
