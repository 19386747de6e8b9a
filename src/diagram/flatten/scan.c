/* SPDX-License-Identifier: MIT */
#include "diagram/expression/expr.h"
#include "diagram/flatten/expansion.h"
#include "diagram/flatten/names.h"
#include "diagram/flatten/scan.h"
#include "diagram/flatten/values.h"
#include "diagram/graph/calls.h"

/* The greatest number of states that are joined at once: an operation has at most 256 operands. */
#define MOST_JOINED 256

/* --- what a step reads ------------------------------------------------------------------- */

/* Returns the argument at its place along the axis, with the axes of @formal. */
static const char *
at_place (HeddleFlattener *self, const HeddleExpansion *frame, const char *argument,
    const HeddleValue *formal, const char *axis, guint place)
{
  const GArray *given = heddle_flatten_value (self, argument)->axes;
  g_autoptr (GArray) own = heddle_expansion_axes (frame, formal->axes), axes = heddle_ids_copy (given);
  GPtrArray *indices = heddle_flatten_indices (given, own);
  const guint along = (guint) heddle_ids_find (given, axis);

  g_array_set_size (axes, given->len - own->len);
  g_array_append_vals (axes, own->data, own->len);
  g_array_remove_index (axes, along);
  heddle_expr_unref (indices->pdata[along]);
  indices->pdata[along] = heddle_expr_number (place);
  const char *part = heddle_flatten_add_value (self, frame, formal, formal->dtype, axes);
  heddle_flatten_add_read (self, frame, argument, part, indices);
  return part;
}

void
heddle_flatten_take_place (HeddleFlattener *self, const HeddleExpansion *frame, const char **arguments,
    const char *axis, guint place)
{
  g_autoptr (GArray) formals = heddle_diagram_get_formals (frame->diagram);
  for (guint i = 0; i < formals->len; i++)
    {
      const HeddleValue *formal = heddle_diagram_get_value (frame->diagram, heddle_ids_index (formals, i));
      const GArray *given = heddle_flatten_value (self, arguments[i])->axes;
      const int along = heddle_ids_find (given, axis);
      if (along >= 0 && (guint) along + formal->axes->len < given->len)
        arguments[i] = at_place (self, frame, arguments[i], formal, axis, place);
    }
}

/* --- what becomes of the states ---------------------------------------------------------- */

/* States being joined. */
typedef struct
{
  HeddleFlattener *flattener;
  const HeddleExpansion *frame;
  const char *target, *axis;
  guint own; /* axes of the states that are the callee's */
  const char *step; /* the axis of length 1 that each part has in the place of @axis */
} Stack;

/* Adds a value with the axes of the target, but for @axis in the place of the one that is scanned along. Its id
 * begins with that of @state, the first that is in it. */
static const char *
add_part (const Stack *self, const char *state, const char *axis)
{
  const GArray *wanted = heddle_flatten_value (self->flattener, self->target)->axes;
  g_autoptr (GArray) axes = heddle_ids_copy (wanted);
  g_autofree char *id = g_strconcat (state, ".part", NULL);
  heddle_ids_index (axes, (guint) heddle_ids_find (axes, self->axis)) = axis;
  return heddle_diagram_add_value (self->flattener->flat, heddle_flatten_id (self->flattener, id), NULL,
      HEDDLE_ROLE_INTERMEDIATE, HEDDLE_DTYPE_UNSET, axes)
      ->id;
}

/* Reads a state as @part, which has all axes of the target and one axis more than the state. */
static void
read_state (const Stack *self, const char *state, const char *part)
{
  g_autoptr (GArray) own = heddle_ids_copy (heddle_flatten_value (self->flattener, self->target)->axes);
  g_array_remove_range (own, 0, own->len - self->own);
  heddle_flatten_add_read (self->flattener, self->frame, state, part,
      heddle_flatten_indices (heddle_flatten_value (self->flattener, state)->axes, own));
}

static void
join (const Stack *self, const GArray *parts, const char *axis, const char *result)
{
  g_autoptr (GArray) axes = heddle_ids_new ();
  g_autofree char *id = g_strconcat (result, ".joined", NULL);
  heddle_ids_append (axes, axis);
  heddle_flatten_add_operation (self->flattener, self->frame, NULL, heddle_flatten_id (self->flattener, id),
      heddle_operation_kind ("concat"), parts, result, axes);
}

/* Returns the states from @from on, at most as many as may be joined at once, as one array. */
static const char *
join_run (const Stack *self, const GArray *states, guint from)
{
  const guint n = MIN (MOST_JOINED, states->len - from);
  g_autoptr (GArray) parts = heddle_ids_new ();
  for (guint i = 0; i < n; i++)
    {
      const char *state = heddle_ids_index (states, from + i), *part = add_part (self, state, self->step);
      read_state (self, state, part);
      heddle_ids_append (parts, part);
    }
  if (n == 1)
    return heddle_ids_index (parts, 0);
  if (n == states->len)
    {
      join (self, parts, self->axis, self->target);
      return self->target;
    }
  g_autofree char *id = g_strconcat (self->frame->ids, ".run", NULL);
  const char *axis = heddle_flatten_add_axis (
      self->flattener, id, self->frame->binding->name, "run", heddle_expr_number (n))
                         ->id;
  const char *joined = add_part (self, heddle_ids_index (states, from), axis);
  join (self, parts, axis, joined);
  return joined;
}

void
heddle_flatten_stack (HeddleFlattener *self, const HeddleExpansion *frame, const GArray *states, guint own,
    const char *target, const char *axis)
{
  Stack stack = { self, frame, target, axis, own, NULL };
  if (states->len == 1)
    {
      read_state (&stack, heddle_ids_index (states, 0), target);
      return;
    }
  g_autofree char *id = g_strconcat (frame->ids, ".step", NULL);
  stack.step = heddle_flatten_add_axis (self, id, frame->binding->name, "step", heddle_expr_number (1.))->id;
  g_autoptr (GArray) runs = heddle_ids_new ();
  for (guint from = 0; from < states->len; from += MOST_JOINED)
    heddle_ids_append (runs, join_run (&stack, states, from));
  if (runs->len > 1)
    join (&stack, runs, axis, target);
}
