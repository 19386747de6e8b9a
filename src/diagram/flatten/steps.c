/* SPDX-License-Identifier: MIT */
#include "diagram/analysis/call.h"
#include "diagram/analysis/sizes.h"
#include "diagram/document/snapshot.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/flatten/flatten.h"
#include "diagram/flatten/steps.h"
#include "diagram/graph/calls.h"
#include "diagram/graph/diagram-names.h"
#include "diagram/graph/diagram-order.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"

/* A document that is being made, of which each scan gets a definition of its step. */
typedef struct
{
  const HeddleSnapshot *from;
  HeddleSnapshot *made;
  GHashTable *overrides;
} Steps;

/* A scan that gets a definition: the step is a diagram whose one operation is a plain call of what is scanned. */
typedef struct
{
  Steps *steps;
  HeddleDiagram *flat, *step;
  const HeddleOperation *call; /* of @flat */
  const HeddleDiagram *callee;
  HeddleSizes *sizes; /* of @flat */
  const char *along;
} Scan;

/* --- the step ------------------------------------------------------------------------------ */

static HeddleExpr *
replace_size (const HeddleExpr *leaf, gpointer data)
{
  const Scan *self = data;
  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_SIZE)
    return NULL;
  const gint64 size = heddle_sizes_get (self->sizes, heddle_expr_get_symbol (leaf));
  return size > 0 ? heddle_expr_number ((double) size) : NULL;
}

/* Adds the axes to the step's diagram, under the ids that they have in the flat one. */
static void
add_axes (Scan *self, const GArray *axes)
{
  for (guint i = 0; i < axes->len; i++)
    {
      const char *id = heddle_ids_index (axes, i);
      const gint64 size = heddle_sizes_get (self->sizes, id);
      if (heddle_diagram_get_axis (self->step, id) == NULL)
        heddle_diagram_add_axis (self->step, id, heddle_axis_name (self->flat, id),
            size > 0 ? heddle_expr_number ((double) size) : NULL);
    }
}

/* Adds a value to the step's diagram and returns its id. Its name is @wish, or one like it. */
static const char *
add_value (Scan *self, const char *wish, HeddleValueRole role, HeddleDtype dtype, const GArray *axes)
{
  g_autoptr (GString) name = g_string_new (wish);
  while (heddle_diagram_find_value (self->step, name->str) != NULL
         || heddle_diagram_find_axis (self->step, name->str) != NULL)
    g_string_append_c (name, '\'');
  return heddle_diagram_add_value (self->step, NULL, name->str, role, dtype, axes)->id;
}

/* Returns the axes of result @i after a step: all but that of the scan. The caller owns the array. */
static GArray *
state_axes (const Scan *self, guint i)
{
  GArray *axes = heddle_ids_copy (
      heddle_diagram_get_value (self->flat, heddle_operation_get_result (self->call, i))->axes);
  g_array_remove_index (axes, (guint) heddle_ids_find (axes, self->along));
  return axes;
}

/* Returns the axes that operand @i has in a step. The caller owns the array. */
static GArray *
operand_axes (const Scan *self, guint i, const HeddleValue *formal)
{
  GArray *axes = heddle_ids_copy (
      heddle_diagram_get_value (self->flat, heddle_ids_index (self->call->operands, i))->axes);
  const int along = heddle_ids_find (axes, self->along);
  if (along >= 0 && (guint) along + formal->axes->len < axes->len)
    g_array_remove_index (axes, (guint) along);
  return axes;
}

/* Makes the diagram of one step: inputs as the call's operands at a place, the states first, and the call. */
static void
make_step (Scan *self)
{
  g_autofree char *label = heddle_diagram_value_label (self->flat, self->call->result);
  g_autofree char *name = g_strconcat (label, ".step", NULL);
  g_autoptr (GArray) formals = heddle_diagram_get_formals (self->callee), operands = heddle_ids_new ();
  const guint n = heddle_operation_n_results (self->call);
  HeddleOperation *call = NULL;
  while (heddle_snapshot_get_diagram (self->steps->made, name) != NULL)
    {
      char *longer = g_strconcat (name, "'", NULL);
      g_free (name);
      name = longer;
    }
  self->step = heddle_diagram_new (name);
  for (guint i = 0; i < formals->len; i++)
    {
      const HeddleValue *formal = heddle_diagram_get_value (self->callee, heddle_ids_index (formals, i));
      const HeddleValue *given
          = heddle_diagram_get_value (self->flat, heddle_ids_index (self->call->operands, i));
      g_autoptr (GArray) axes = i < n ? state_axes (self, i) : operand_axes (self, i, formal);
      add_axes (self, axes);
      heddle_ids_append (operands, add_value (self, formal->name, HEDDLE_ROLE_INPUT, given->dtype, axes));
    }
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GArray) axes = state_axes (self, i);
      g_autofree char *made
          = heddle_diagram_value_label (self->flat, heddle_operation_get_result (self->call, i));
      const char *id = add_value (self, made, HEDDLE_ROLE_INTERMEDIATE, HEDDLE_DTYPE_UNSET, axes);
      if (call == NULL)
        call = heddle_diagram_add_operation (self->step, NULL, self->call->kind, operands, id, NULL, -1);
      else
        heddle_diagram_add_result (self->step, call, id);
      heddle_ids_append (self->step->outputs, id);
    }
  self->step->explicit_outputs = TRUE;
  heddle_operation_copy_details (call, self->call, replace_size, self);
}

/* --- the scan --------------------------------------------------------------------------------- */

/* Adds a read to the flat diagram, and returns @result. */
static const char *
add_read (Scan *self, const char *operand, const char *result, GPtrArray *indices)
{
  g_autoptr (GArray) operands = heddle_ids_new ();
  heddle_ids_append (operands, operand);
  g_ptr_array_set_free_func (indices, (GDestroyNotify) heddle_expr_unref);
  heddle_diagram_add_operation (
      self->flat, NULL, heddle_operation_kind ("reindex"), operands, result, NULL, -1)
      ->indices
      = indices;
  return result;
}

/* Returns the operand of state @i with the axes that the state has after a step: axes that it is not along yet
 * are new, and those of the callee may have other names. */
static const char *
first_state (Scan *self, guint i)
{
  const char *operand = heddle_ids_index (self->call->operands, i);
  const GArray *given = heddle_diagram_get_value (self->flat, operand)->axes;
  g_autoptr (GArray) formals = heddle_diagram_get_formals (self->callee), axes = state_axes (self, i);
  const guint own = heddle_diagram_get_value (self->callee, heddle_ids_index (formals, i))->axes->len;
  GPtrArray *indices;
  if (heddle_ids_equal (given, axes))
    return operand;
  indices = g_ptr_array_new ();
  for (guint k = 0; k < given->len; k++)
    g_ptr_array_add (indices,
        heddle_expr_index (k + own < given->len ? heddle_ids_index (given, k)
                                                : heddle_ids_index (axes, axes->len - given->len + k)));
  return add_read (self, operand,
      heddle_diagram_add_value (self->flat, NULL, NULL, HEDDLE_ROLE_INTERMEDIATE, HEDDLE_DTYPE_UNSET, axes)
          ->id,
      indices);
}

/* Returns operand @i with the axis of the scan as its first one, if it is read at a place. */
static const char *
step_operand (Scan *self, guint i)
{
  const char *operand = heddle_ids_index (self->call->operands, i);
  const GArray *given = heddle_diagram_get_value (self->flat, operand)->axes;
  g_autoptr (GArray) formals = heddle_diagram_get_formals (self->callee);
  g_autoptr (GArray) axes
      = operand_axes (self, i, heddle_diagram_get_value (self->callee, heddle_ids_index (formals, i)));
  if (axes->len == given->len || heddle_ids_index (given, 0) == self->along)
    return operand;
  g_array_insert_val (axes, 0, self->along);
  GPtrArray *indices = g_ptr_array_new ();
  for (guint k = 0; k < given->len; k++)
    g_ptr_array_add (indices, heddle_expr_index (heddle_ids_index (given, k)));
  return add_read (self, operand,
      heddle_diagram_add_value (self->flat, NULL, NULL, HEDDLE_ROLE_INTERMEDIATE, HEDDLE_DTYPE_UNSET, axes)
          ->id,
      indices);
}

/* Adds the step's parameter to the flat diagram, and returns its id. */
static const char *
add_parameter (Scan *self, const HeddleValue *parameter)
{
  g_autoptr (GArray) axes = heddle_ids_new ();
  for (guint i = 0; i < parameter->axes->len; i++)
    {
      const char *id = heddle_ids_index (parameter->axes, i);
      const HeddleAxis *axis = heddle_diagram_get_axis (self->step, id);
      if (heddle_diagram_get_axis (self->flat, id) == NULL)
        heddle_diagram_add_axis (
            self->flat, id, axis->name, axis->size != NULL ? heddle_expr_ref (axis->size) : NULL);
      heddle_ids_append (axes, id);
    }
  return heddle_diagram_add_value (
      self->flat, NULL, parameter->name, HEDDLE_ROLE_PARAMETER, parameter->dtype, axes)
      ->id;
}

/* Adds the values that the scan makes: each is what the call made, or what that is read from if the axis did
 * not lead in it. */
static GArray *
make_results (Scan *self)
{
  GArray *results = heddle_ids_new ();
  for (guint i = 0; i < heddle_operation_n_results (self->call); i++)
    {
      const char *id = heddle_operation_get_result (self->call, i);
      const GArray *given = heddle_diagram_get_value (self->flat, id)->axes;
      if (heddle_ids_index (given, 0) != self->along)
        {
          g_autoptr (GArray) axes = state_axes (self, i);
          GPtrArray *indices = g_ptr_array_new ();
          g_array_insert_val (axes, 0, self->along);
          for (guint k = 0; k < axes->len; k++)
            g_ptr_array_add (indices, heddle_expr_index (heddle_ids_index (axes, k)));
          const char *made = heddle_diagram_add_value (
              self->flat, NULL, NULL, HEDDLE_ROLE_INTERMEDIATE, HEDDLE_DTYPE_UNSET, axes)
                                 ->id;
          add_read (self, made, id, indices);
          id = made;
        }
      heddle_ids_append (results, id);
    }
  return results;
}

/* Puts a scan of the step in the place of the call, with the parameters of the step as operands. */
static void
replace_call (Scan *self)
{
  g_autoptr (GArray) operands = heddle_ids_new (), axes = heddle_ids_copy (self->call->axes);
  const HeddleOperationKind *kind = self->call->kind;
  const guint n = heddle_operation_n_results (self->call);
  for (guint i = 0; i < self->call->operands->len; i++)
    heddle_ids_append (operands, i < n ? first_state (self, i) : step_operand (self, i));
  for (guint i = 0; i < self->step->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (self->step->values, i);
      if (value->role != HEDDLE_ROLE_PARAMETER)
        continue;
      heddle_ids_append (operands, add_parameter (self, value));
      heddle_ids_append (self->step->arguments, value->id);
    }
  HeddleOperation *old = heddle_operation_copy (self->call);
  heddle_diagram_remove (self->flat, self->call->id);
  self->call = old;
  g_autoptr (GArray) results = make_results (self);
  HeddleOperation *scan = heddle_diagram_add_operation (
      self->flat, NULL, kind, operands, heddle_ids_index (results, 0), axes, -1);
  for (guint i = 1; i < n; i++)
    heddle_diagram_add_result (self->flat, scan, heddle_ids_index (results, i));
  scan->callee = self->step->id;
  heddle_operation_unref (old);
}

/* --- the whole --------------------------------------------------------------------------------- */

static gboolean define_steps (Steps *self, HeddleDiagram *flat, GError **error);

/* Gives a scan its definition, which becomes a part of the document. */
static gboolean
define_step (Steps *self, HeddleDiagram *flat, const char *call, HeddleSizes *sizes, GError **error)
{
  Scan scan = { .steps = self, .flat = flat, .sizes = sizes };
  scan.call = heddle_diagram_get_operation (flat, call);
  scan.callee = heddle_call_callee (self->from, scan.call);
  scan.along = heddle_call_scan_axis (scan.call);
  make_step (&scan);
  g_autoptr (HeddleDiagram) plain = scan.step;
  scan.step = heddle_flatten_keep_scans (self->from, plain, self->overrides, error);
  if (scan.step == NULL)
    return FALSE;
  scan.step = heddle_snapshot_add_diagram (self->made, scan.step);
  if (!define_steps (self, scan.step, error))
    return FALSE;
  replace_call (&scan);
  return TRUE;
}

/* Gives each scan of a flat diagram its definition. */
static gboolean
define_steps (Steps *self, HeddleDiagram *flat, GError **error)
{
  g_autoptr (HeddleSizes) sizes = heddle_sizes_resolve (flat, self->overrides, NULL, NULL);
  g_autoptr (GArray) calls = heddle_ids_new ();
  for (guint i = 0; i < flat->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (flat->operations, i);
      const HeddleDiagram *callee
          = heddle_call_scan_axis (operation) != NULL ? heddle_call_callee (self->from, operation) : NULL;
      if (callee != NULL && !heddle_diagram_is_box (callee))
        heddle_ids_append (calls, operation->id);
    }
  for (guint i = 0; i < calls->len; i++)
    if (!define_step (self, flat, heddle_ids_index (calls, i), sizes, error))
      return FALSE;
  return heddle_diagram_sort (flat);
}

HeddleSnapshot *
heddle_snapshot_flatten_steps (
    HeddleSnapshot *self, const HeddleDiagram *diagram, GHashTable *overrides, GError **error)
{
  g_return_val_if_fail (self != NULL && diagram != NULL, NULL);
  g_autoptr (HeddleSnapshot) made = heddle_snapshot_new ();
  Steps steps = { self, made, overrides };
  HeddleDiagram *flat = heddle_flatten_keep_scans (self, diagram, overrides, error);
  if (flat == NULL)
    return NULL;
  heddle_snapshot_add_diagram (made, flat);
  return define_steps (&steps, flat, error) ? g_steal_pointer (&made) : NULL;
}
