/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "diagram/flatten-private.h"
#include "diagram/sizes-private.h"

/* A call's operations are those of what it calls, each mapped over the axes that the call is mapped over: a flat value has these first, then
 * its own. A repetition is written out, each time with its slice of the parameters. */

void
heddle_flatten_fail (HeddleFlattener *self, int code, const char *format, ...)
{
  va_list arguments;
  if (self->error != NULL)
    return;
  va_start (arguments, format);
  self->error = g_error_new_valist (HEDDLE_DIAGRAM_ERROR, code, format, arguments);
  va_end (arguments);
}

static gboolean
is_too_large (HeddleFlattener *self)
{
  const HeddleDiagram *flat = self->flat;
  if (flat->operations->len > HEDDLE_MAX_FLAT_OPERATIONS || self->n_calls > HEDDLE_MAX_FLAT_OPERATIONS
      || flat->values->len + flat->axes->len > HEDDLE_MAX_FLAT_OBJECTS)
    heddle_flatten_fail (self, HEDDLE_DIAGRAM_ERROR_LIMIT,
        _ ("What is called comes to more than %d operations"), HEDDLE_MAX_FLAT_OPERATIONS);
  return self->error != NULL;
}

/* --- adding ---------------------------------------------------------------------------- */

static const HeddleValue *
flat_value (const HeddleFlattener *self, const char *id)
{
  return heddle_diagram_get_value (self->flat, id);
}

static GArray *
flat_axes (const HeddleExpansion *frame, const GArray *axes)
{
  GArray *flat = heddle_ids_new ();
  for (guint i = 0; i < axes->len; i++)
    heddle_ids_append (flat, heddle_expansion_axis (frame, heddle_ids_index (axes, i)));
  return flat;
}

/* @own: the operation of the frame's diagram that it is; NULL: it only reads */
static HeddleOperation *
add_operation (HeddleFlattener *self, const HeddleExpansion *frame, const char *own, const char *id,
    const HeddleOperationKind *kind, const GArray *operands, const char *result, const GArray *axes)
{
  HeddleOperation *operation
      = heddle_diagram_add_operation (self->flat, id, kind, operands, result, axes, -1);
  heddle_flat_map_add_operation (self->map, frame->place, operation->id, own);
  return operation;
}

/* A value of the frame that is none of its own diagram's alone. */
static const char *
add_value (HeddleFlattener *self, const HeddleExpansion *frame, const HeddleValue *value, HeddleDtype dtype,
    const GArray *axes)
{
  g_autofree char *id = heddle_flatten_join (frame->ids, value->id);
  g_autofree char *name = heddle_flatten_name (self, frame->name, value->name);
  return heddle_diagram_add_value (
      self->flat, heddle_flatten_id (self, id), name, HEDDLE_ROLE_INTERMEDIATE, dtype, axes)
      ->id;
}

/* @result is @operand at @indices (taken). */
static void
add_read (HeddleFlattener *self, const HeddleExpansion *frame, const char *operand, const char *result,
    GPtrArray *indices)
{
  g_autoptr (GArray) operands = heddle_ids_new ();
  g_autofree char *id = g_strconcat (result, ".read", NULL);
  heddle_ids_append (operands, operand);
  g_ptr_array_set_free_func (indices, (GDestroyNotify) heddle_expr_unref);
  add_operation (self, frame, NULL, heddle_flatten_id (self, id), heddle_operation_kind ("reindex"), operands,
      result, NULL)
      ->indices
      = indices;
}

/* The index of each axis: those before @own as they are, then @own. */
static GPtrArray *
indices_with (const GArray *axes, const GArray *own)
{
  GPtrArray *indices = g_ptr_array_new ();
  guint leading = axes->len - own->len;
  for (guint i = 0; i < leading; i++)
    g_ptr_array_add (indices, heddle_expr_index (heddle_ids_index (axes, i)));
  for (guint i = 0; i < own->len; i++)
    g_ptr_array_add (indices, heddle_expr_index (heddle_ids_index (own, i)));
  return indices;
}

/* --- what a diagram is given --------------------------------------------------------------- */

/* The argument with the axes and the data type of the formal. */
static const char *
adapt_argument (
    HeddleFlattener *self, const HeddleExpansion *frame, const char *argument, const HeddleValue *formal)
{
  const HeddleValue *given = flat_value (self, argument);
  g_autoptr (GArray) own = flat_axes (frame, formal->axes);
  g_autoptr (GArray) axes = heddle_ids_copy (given->axes);
  gboolean same_dtype = formal->dtype == HEDDLE_DTYPE_UNSET || formal->dtype == given->dtype;
  g_array_set_size (axes, given->axes->len - own->len);
  g_array_append_vals (axes, own->data, own->len);
  if (heddle_ids_equal (axes, given->axes) && same_dtype)
    return argument;
  const char *adapted = add_value (self, frame, formal, formal->dtype, axes);
  add_read (self, frame, argument, adapted, indices_with (flat_value (self, argument)->axes, own));
  return adapted;
}

static const char *
own_parameter (HeddleFlattener *self, const HeddleExpansion *frame, const HeddleValue *value)
{
  g_autofree char *id = g_strconcat (frame->binding->ids, ".", value->id, NULL);
  const char *known = g_hash_table_lookup (self->parameters, id);
  if (known != NULL)
    return known;
  g_autoptr (GArray) axes = heddle_ids_new (), own = flat_axes (frame, value->axes);
  for (guint i = 0; i < frame->times->len; i++)
    heddle_ids_append (axes, g_array_index (frame->times, HeddleTime, i).axis);
  g_array_append_vals (axes, own->data, own->len);
  g_autofree char *name = heddle_flatten_name (self, frame->binding->name, value->name);
  known = heddle_diagram_add_value (
      self->flat, heddle_flatten_id (self, id), name, HEDDLE_ROLE_PARAMETER, value->dtype, axes)
              ->id;
  g_hash_table_insert (self->parameters, g_steal_pointer (&id), (gpointer) known);
  return known;
}

/* A parameter of the callee's own, or what this time has of it. */
static const char *
take_parameter (HeddleFlattener *self, const HeddleExpansion *frame, const HeddleValue *value)
{
  const char *parameter = own_parameter (self, frame, value);
  g_autoptr (GArray) own = flat_axes (frame, value->axes);
  if (frame->times->len == 0)
    return parameter;
  GPtrArray *indices = g_ptr_array_new ();
  for (guint i = 0; i < frame->times->len; i++)
    g_ptr_array_add (indices, heddle_expr_number (g_array_index (frame->times, HeddleTime, i).index));
  for (guint i = 0; i < own->len; i++)
    g_ptr_array_add (indices, heddle_expr_index (heddle_ids_index (own, i)));
  const char *slice = add_value (self, frame, value, HEDDLE_DTYPE_UNSET, own);
  add_read (self, frame, parameter, slice, indices);
  return slice;
}

static void
take_inputs (HeddleFlattener *self, HeddleExpansion *frame, const char *const *arguments)
{
  g_autoptr (GArray) formals = heddle_diagram_get_formals (frame->diagram);
  for (guint i = 0; i < formals->len; i++)
    {
      const HeddleValue *formal = heddle_diagram_get_value (frame->diagram, heddle_ids_index (formals, i));
      g_hash_table_insert (frame->values, (gpointer) formal->id,
          (gpointer) adapt_argument (self, frame, arguments[i], formal));
    }
  for (guint i = 0; i < frame->diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (frame->diagram->values, i);
      if (value->role == HEDDLE_ROLE_PARAMETER && !heddle_ids_contain (formals, value->id))
        g_hash_table_insert (
            frame->values, (gpointer) value->id, (gpointer) take_parameter (self, frame, value));
    }
}

/* --- what it makes --------------------------------------------------------------------------- */

/* The axes that come before a value's own, in any of the operands. */
static GArray *
woven_axes (HeddleFlattener *self, const HeddleExpansion *frame, const HeddleOperation *operation)
{
  GArray *woven = heddle_ids_new ();
  for (guint i = 0; i < operation->operands->len; i++)
    {
      const char *id = heddle_ids_index (operation->operands, i);
      const HeddleValue *flat = flat_value (self, g_hash_table_lookup (frame->values, id));
      guint own = heddle_diagram_get_value (frame->diagram, id)->axes->len;
      for (guint j = 0; j + own < flat->axes->len; j++)
        if (!heddle_ids_contain (woven, heddle_ids_index (flat->axes, j)))
          heddle_ids_append (woven, heddle_ids_index (flat->axes, j));
    }
  return woven;
}

static gboolean
same_set (const GArray *a, const GArray *b)
{
  for (guint i = 0; i < a->len; i++)
    if (!heddle_ids_contain (b, heddle_ids_index (a, i)))
      return FALSE;
  return a->len == b->len;
}

/* Whether what is made can be the caller's own value at once. Operations of the diagram that read it count on the order of its axes. */
static gboolean
can_be (HeddleFlattener *self, const HeddleExpansion *frame, const HeddleValue *value, const GArray *axes,
    const char *target)
{
  const HeddleValue *wanted = flat_value (self, target);
  if (wanted->dtype != HEDDLE_DTYPE_UNSET && value->dtype != HEDDLE_DTYPE_UNSET
      && wanted->dtype != value->dtype)
    return FALSE;
  return heddle_ids_equal (axes, wanted->axes)
         || (same_set (axes, wanted->axes) && heddle_diagram_count_readers (frame->diagram, value->id) == 0);
}

/* The flat value that @value is to be, made now. */
static const char *
make_value (HeddleFlattener *self, HeddleExpansion *frame, const char *id, const GArray *woven)
{
  const HeddleValue *value = heddle_diagram_get_value (frame->diagram, id);
  if (frame->binding == NULL)
    return id; /* already there */
  g_autoptr (GArray) own = flat_axes (frame, value->axes), axes = heddle_ids_copy (woven);
  g_array_append_vals (axes, own->data, own->len);
  const char *target = g_hash_table_lookup (frame->targets, id);
  if (target == NULL || !can_be (self, frame, value, axes, target))
    target = add_value (self, frame, value, value->dtype, axes);
  else if (flat_value (self, target)->dtype != value->dtype && value->dtype != HEDDLE_DTYPE_UNSET)
    heddle_diagram_edit_value (self->flat, target)->dtype = value->dtype;
  g_hash_table_insert (frame->values, (gpointer) id, (gpointer) target);
  return target;
}

/* Where an operand is read by position, the axes before its own are read as they are. */
static void
weave_indices (HeddleFlattener *self, const HeddleExpansion *frame, HeddleOperation *flat,
    const HeddleOperation *operation)
{
  const char *first = operation->operands->len > 0 ? heddle_ids_index (operation->operands, 0) : NULL;
  if (flat->indices == NULL || first == NULL)
    return;
  const GArray *axes = flat_value (self, heddle_ids_index (flat->operands, 0))->axes;
  guint woven = axes->len - heddle_diagram_get_value (frame->diagram, first)->axes->len;
  for (guint i = 0; i < woven; i++)
    g_ptr_array_insert (flat->indices, (int) i, heddle_expr_index (heddle_ids_index (axes, i)));
}

static gboolean
is_whole (const HeddleExpansion *frame, const HeddleOperation *operation)
{
  gboolean whole = operation->kind != NULL;
  for (guint i = 0; i < operation->operands->len && whole; i++)
    whole = frame->values == NULL
            || g_hash_table_contains (frame->values, heddle_ids_index (operation->operands, i));
  for (guint i = 0; i < operation->axes->len && whole; i++)
    whole = heddle_expansion_axis (frame, heddle_ids_index (operation->axes, i)) != NULL;
  for (guint i = 0; i < heddle_operation_n_results (operation) && whole; i++)
    whole = heddle_diagram_get_value (frame->diagram, heddle_operation_get_result (operation, i)) != NULL;
  return whole;
}

static GArray *
flat_operands (const HeddleExpansion *frame, const HeddleOperation *operation)
{
  GArray *operands = heddle_ids_copy (operation->operands);
  for (guint i = 0; i < operands->len; i++)
    heddle_ids_index (operands, i) = g_hash_table_lookup (frame->values, heddle_ids_index (operands, i));
  return operands;
}

/* What is joined end to end has the same axes throughout: an operand that the call is not mapped over is repeated. */
static void
spread_operands (HeddleFlattener *self, const HeddleExpansion *frame, const HeddleOperation *operation,
    GArray *operands, const GArray *woven)
{
  for (guint i = 0; i < operands->len; i++)
    {
      const HeddleValue *value
          = heddle_diagram_get_value (frame->diagram, heddle_ids_index (operation->operands, i));
      const GArray *axes = flat_value (self, heddle_ids_index (operands, i))->axes;
      if (axes->len == woven->len + value->axes->len)
        continue;
      g_autoptr (GArray) spread = heddle_ids_copy (woven), own = flat_axes (frame, value->axes);
      GPtrArray *indices = g_ptr_array_new ();
      for (guint j = 0; j < axes->len; j++)
        g_ptr_array_add (indices, heddle_expr_index (heddle_ids_index (axes, j)));
      g_array_append_vals (spread, own->data, own->len);
      const char *repeated = add_value (self, frame, value, HEDDLE_DTYPE_UNSET, spread);
      add_read (self, frame, heddle_ids_index (operands, i), repeated, indices);
      heddle_ids_index (operands, i) = repeated;
    }
}

static void
copy_operation (HeddleFlattener *self, HeddleExpansion *frame, const HeddleOperation *operation)
{
  g_autoptr (GArray) operands = flat_operands (frame, operation), axes = flat_axes (frame, operation->axes);
  g_autoptr (GArray) woven = woven_axes (self, frame, operation);
  g_autoptr (GArray) results = heddle_ids_new ();
  g_autofree char *id = heddle_flatten_join (frame->ids, operation->id);
  if (operation->kind->form == HEDDLE_FORM_CONCAT)
    spread_operands (self, frame, operation, operands, woven);
  for (guint i = 0; i < heddle_operation_n_results (operation); i++)
    heddle_ids_append (results, make_value (self, frame, heddle_operation_get_result (operation, i), woven));
  HeddleOperation *flat
      = add_operation (self, frame, operation->id, frame->binding == NULL ? id : heddle_flatten_id (self, id),
          operation->kind, operands, heddle_ids_index (results, 0), axes);
  for (guint i = 1; i < results->len; i++)
    heddle_diagram_add_result (self->flat, flat, heddle_ids_index (results, i));
  heddle_operation_copy_details (flat, operation, heddle_expansion_leaf, frame);
  weave_indices (self, frame, flat, operation);
}

/* --- calls -------------------------------------------------------------------------------------- */

static gboolean run_diagram (HeddleFlattener *self, HeddleExpansion *frame);

/* What was made under another name, with other axes or twice is read as what it is to be. */
static void
hand_over (HeddleFlattener *self, const HeddleExpansion *frame, const char *output, const char *target)
{
  const char *made = g_hash_table_lookup (frame->values, output);
  guint own = heddle_diagram_get_value (frame->diagram, output)->axes->len;
  if (made == target)
    return;
  g_autoptr (GArray) axes = heddle_ids_copy (flat_value (self, target)->axes);
  g_array_remove_range (axes, 0, axes->len - own);
  add_read (self, frame, made, target, indices_with (flat_value (self, made)->axes, axes));
}

/* One of the times: @arguments become what comes out. @targets: NULL, or what that is to be. */
static gboolean
call_once (HeddleFlattener *self, HeddleExpansion *frame, const char **arguments, const GArray *targets)
{
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (frame->diagram);
  for (guint i = 0; targets != NULL && i < outputs->len; i++)
    g_hash_table_insert (
        frame->targets, (gpointer) heddle_ids_index (outputs, i), (gpointer) heddle_ids_index (targets, i));
  take_inputs (self, frame, arguments);
  if (!run_diagram (self, frame))
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

static void
frame_clear (HeddleExpansion *frame)
{
  g_free (frame->ids);
  g_free (frame->name);
  g_hash_table_unref (frame->values);
  g_hash_table_unref (frame->targets);
  g_array_unref (frame->times);
}

/* Where the callee has parameters of its own each time, they are told apart by an axis. */
static void
frame_init (HeddleFlattener *self, HeddleExpansion *frame, const HeddleExpansion *caller,
    const HeddleOperation *call, HeddleBinding *binding, guint time)
{
  g_autofree char *ids = heddle_flatten_join (caller->ids, call->id);
  g_autofree char *label = heddle_diagram_value_label (caller->diagram, call->result);
  g_autofree char *name = heddle_flatten_join (caller->name, label);
  g_autofree char *number = g_strdup_printf ("%u", time + 1);
  *frame = (HeddleExpansion){ .diagram = heddle_call_callee (self->snapshot, call),
    .binding = binding,
    .ids = call->repeat != NULL ? heddle_flatten_join (ids, number) : g_strdup (ids),
    .name = call->repeat != NULL ? heddle_flatten_join (name, number) : g_strdup (name),
    .values = g_hash_table_new (NULL, NULL),
    .targets = g_hash_table_new (NULL, NULL),
    .times = g_array_copy (caller->times),
    .depth = caller->depth + 1 };
  frame->place = heddle_flat_map_add_frame (
      self->map, caller->place, call->id, frame->diagram, frame->ids, binding->axes);
  if (call->repeat == NULL || call->shared)
    return;
  const HeddleTime here = { heddle_flatten_repeat_axis (self, binding), time };
  g_array_append_val (frame->times, here);
}

/* The results as values of the caller's, which are made before what makes them. */
static GArray *
make_targets (HeddleFlattener *self, HeddleExpansion *caller, const HeddleOperation *call)
{
  g_autoptr (GArray) woven = woven_axes (self, caller, call);
  GArray *targets = heddle_ids_new ();
  for (guint i = 0; i < heddle_operation_n_results (call); i++)
    heddle_ids_append (targets, make_value (self, caller, heddle_operation_get_result (call, i), woven));
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

static gboolean
run_call (HeddleFlattener *self, HeddleExpansion *caller, const HeddleOperation *call)
{
  if (!can_call (self, caller, call))
    return FALSE;
  g_autoptr (GArray) operands = flat_operands (caller, call);
  g_autofree const char **arguments = g_new0 (const char *, operands->len + 1);
  for (guint i = 0; i < operands->len; i++)
    arguments[i] = heddle_ids_index (operands, i);
  HeddleBinding *binding = (HeddleBinding *) heddle_flatten_bind (self, caller, call, arguments);
  if (binding == NULL)
    return FALSE;
  g_autoptr (GArray) targets = make_targets (self, caller, call);
  g_ptr_array_add (self->open, heddle_call_callee (self->snapshot, call));
  gboolean good = TRUE;
  for (guint i = 0; i < binding->times && good; i++)
    {
      HeddleExpansion frame;
      self->n_calls++;
      frame_init (self, &frame, caller, call, binding, i);
      good = !is_too_large (self)
             && call_once (self, &frame, arguments, i + 1 == binding->times ? targets : NULL);
      frame_clear (&frame);
    }
  g_ptr_array_set_size (self->open, (int) self->open->len - 1);
  return good;
}

/* Where one call alone is taken apart, those within it stay calls. */
static gboolean
is_expanded (const HeddleFlattener *self, const HeddleExpansion *frame, const HeddleOperation *operation)
{
  return operation->kind->form == HEDDLE_FORM_CALL
         && (self->only == NULL || (frame->binding == NULL && operation->id == self->only));
}

static gboolean
run_diagram (HeddleFlattener *self, HeddleExpansion *frame)
{
  for (guint i = 0; i < frame->diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (frame->diagram->operations, i);
      if (!is_whole (frame, operation))
        heddle_flatten_fail (self, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("%s is not whole"), frame->diagram->name);
      if (is_too_large (self))
        return FALSE;
      if (!is_expanded (self, frame, operation))
        copy_operation (self, frame, operation);
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

/* --- beginning and end -------------------------------------------------------------------------- */

/* Axes and values of the diagram itself are there from the beginning, as they are. */
static void
begin (HeddleFlattener *self, HeddleExpansion *frame)
{
  const HeddleDiagram *diagram = self->diagram;
  self->flat = heddle_diagram_new (diagram->name);
  self->flat->id = diagram->id;
  self->flat->comment = g_strdup (diagram->comment);
  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);
      HeddleExpr *size = axis->size != NULL ? heddle_expr_ref (axis->size) : NULL;
      heddle_diagram_add_axis (self->flat, axis->id, axis->name, size);
      g_hash_table_add (self->names, g_strdup (axis->name));
    }
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);
      heddle_diagram_add_value (self->flat, value->id, value->name, value->role, value->dtype, value->axes)
          ->comment
          = g_strdup (value->comment);
      g_hash_table_insert (frame->values, (gpointer) value->id, (gpointer) value->id);
      if (value->name != NULL)
        g_hash_table_add (self->names, g_strdup (value->name));
    }
  g_array_append_vals (self->flat->arguments, diagram->arguments->data, diagram->arguments->len);
  self->flat->explicit_outputs = TRUE;
  g_array_unref (self->flat->outputs);
  self->flat->outputs = heddle_diagram_get_outputs (diagram);
}

static void
check_claims (HeddleFlattener *self, const char **call)
{
  g_autoptr (HeddleSizes) sizes = NULL;
  for (guint i = 0; i < self->claims->len && self->error == NULL; i++)
    {
      const HeddleClaim *claim = g_ptr_array_index (self->claims, i);
      double a, b;
      if (sizes == NULL)
        sizes = heddle_sizes_resolve (self->flat, self->overrides, NULL, NULL);
      if (!heddle_expr_evaluate (claim->a, heddle_sizes_lookup, sizes, &a, NULL)
          || !heddle_expr_evaluate (claim->b, heddle_sizes_lookup, sizes, &b, NULL) || a == b)
        continue;
      self->call = claim->call;
      heddle_flatten_fail (
          self, HEDDLE_DIAGRAM_ERROR_SIZE, _ ("%s: one is %.10g, the other %.10g"), claim->message, a, b);
    }
  if (call != NULL)
    *call = self->call;
}

static HeddleDiagram *
flatten (HeddleFlattener *self, const char **call)
{
  HeddleExpansion frame = { .diagram = self->diagram,
    .ids = g_strdup (""),
    .name = g_strdup (""),
    .values = g_hash_table_new (NULL, NULL),
    .targets = g_hash_table_new (NULL, NULL),
    .times = g_array_new (FALSE, FALSE, sizeof (HeddleTime)),
    .place = heddle_flat_map_add_frame (self->map, NULL, NULL, self->diagram, "", NULL) };
  begin (self, &frame);
  g_ptr_array_add (self->open, (gpointer) self->diagram);
  if (run_diagram (self, &frame))
    check_claims (self, call);
  else if (call != NULL)
    *call = self->call;
  frame_clear (&frame);
  return self->error == NULL ? g_steal_pointer (&self->flat) : NULL;
}

/* --- the document --------------------------------------------------------------------------------- */

static void
flattener_init (HeddleFlattener *self, const HeddleSnapshot *snapshot, const HeddleDiagram *diagram,
    GHashTable *overrides)
{
  *self = (HeddleFlattener){ .snapshot = snapshot,
    .diagram = diagram,
    .overrides = overrides,
    .names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .bindings = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_binding_free),
    .parameters = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .map = heddle_flat_map_new (),
    .claims = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_claim_free),
    .open = g_ptr_array_new () };
}

static void
flattener_clear (HeddleFlattener *self)
{
  g_clear_pointer (&self->flat, heddle_diagram_free);
  g_hash_table_unref (self->names);
  g_hash_table_unref (self->bindings);
  g_hash_table_unref (self->parameters);
  g_clear_pointer (&self->map, heddle_flat_map_free);
  g_ptr_array_unref (self->claims);
  g_ptr_array_unref (self->open);
}

HeddleDiagram *
heddle_flatten_call (
    const HeddleSnapshot *snapshot, const HeddleDiagram *diagram, const char *call, GError **error)
{
  HeddleFlattener flattener;
  flattener_init (&flattener, snapshot, diagram, NULL);
  flattener.only = call;
  HeddleDiagram *flat = flatten (&flattener, NULL);
  if (flat == NULL)
    g_propagate_error (error, g_steal_pointer (&flattener.error));
  flattener_clear (&flattener);
  return flat;
}

/**
 * heddle_snapshot_flatten:
 * @self: a document
 * @diagram: a diagram of it
 * @overrides: (nullable) (element-type utf8 gint64): sizes by axis name that take the place of the diagram's own: a repetition may depend on
 *   them
 * @call: (out) (optional) (transfer none): with an error, the call of @diagram where it shows, or %NULL
 * @error: return location for %HEDDLE_DIAGRAM_ERROR_TYPE, _SIZE, _INVALID (a definition that calls itself) or _LIMIT (more than 200,000
 *   operations, or 64 definitions deep)
 *
 * Puts what is called in the place of the calls. The axes, values and operations of @diagram keep their ids; what comes from a call has ids and
 * names that begin with those of the call and of its first result: the parameter W of what makes Z is "Z.W". Where a call is repeated, what is
 * made the second time is in "Z.2", and parameters have the times as their first axis unless they are shared. An input of the callee is what
 * it is given, read under other axes where one of the caller's stands for two of the callee's.
 *
 * Returns: (transfer full): a document whose one diagram is @diagram without calls, with its schedule; @self where there are none
 */
HeddleSnapshot *
heddle_snapshot_flatten (HeddleSnapshot *self, const HeddleDiagram *diagram, GHashTable *overrides,
    const char **call, GError **error)
{
  g_return_val_if_fail (self != NULL && diagram != NULL, NULL);
  if (call != NULL)
    *call = NULL;
  if (!heddle_diagram_has_calls (diagram))
    return heddle_snapshot_ref (self);
  return heddle_snapshot_flatten_mapped (self, diagram, overrides, NULL, call, error);
}

/**
 * heddle_snapshot_flatten_mapped:
 * @self: a document
 * @diagram: a diagram of it
 * @overrides: (nullable) (element-type utf8 gint64): as of heddle_snapshot_flatten ()
 * @map: (out) (optional) (transfer full): where everything comes from; holds pointers into @self
 * @call: (out) (optional) (transfer none): with an error, the call of @diagram where it shows, or %NULL
 * @error: return location for the errors of heddle_snapshot_flatten ()
 *
 * Returns: (transfer full): a document whose one diagram is @diagram without calls, with its schedule; always another one than @self
 */
HeddleSnapshot *
heddle_snapshot_flatten_mapped (HeddleSnapshot *self, const HeddleDiagram *diagram, GHashTable *overrides,
    HeddleFlatMap **map, const char **call, GError **error)
{
  g_return_val_if_fail (self != NULL && diagram != NULL, NULL);
  HeddleFlattener flattener;
  flattener_init (&flattener, self, diagram, overrides);
  HeddleSnapshot *flat = NULL;
  HeddleDiagram *made = flatten (&flattener, call);
  if (made != NULL)
    {
      flat = heddle_snapshot_new ();
      heddle_snapshot_add_diagram (flat, made);
      HeddleSchedule *schedule = heddle_flat_map_lift_schedule (flattener.map, self, made);
      if (schedule != NULL)
        g_ptr_array_add (flat->schedules, schedule);
      if (map != NULL)
        *map = g_steal_pointer (&flattener.map);
    }
  else
    g_propagate_error (error, g_steal_pointer (&flattener.error));
  flattener_clear (&flattener);
  return flat;
}
