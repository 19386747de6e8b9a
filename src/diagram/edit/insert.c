/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "diagram/base/dtype.h"
#include "diagram/base/error.h"
#include "diagram/base/problem.h"
#include "diagram/check/operation.h"
#include "diagram/check/private.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/edit.h"
#include "diagram/edit/insert.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram-names.h"

/* Returns the title of an operation as it stands within a sentence. */
static char *
title_of (const HeddleOperationKind *kind)
{
  const char *title = _ (kind->title);
  g_autofree char *first = g_utf8_substring (title, 0, 1);
  g_autofree char *lower = g_utf8_strdown (first, -1);
  const char *rest = g_utf8_next_char (title);
  /* LayerNorm and L2 norm are names */
  gboolean is_name = *rest != '\0' && !g_unichar_islower (g_utf8_get_char (rest));
  for (const char *p = rest; *p != '\0' && *p != ' '; p = g_utf8_next_char (p))
    is_name |= g_unichar_isupper (g_utf8_get_char (p));
  return is_name ? g_strdup (title) : g_strconcat (lower, rest, NULL);
}

const char *
heddle_edit_add_result (HeddleDiagram *diagram, const GArray *axes)
{
  return heddle_diagram_add_value (diagram, NULL, NULL, HEDDLE_ROLE_INTERMEDIATE, HEDDLE_DTYPE_UNSET, axes)
      ->id;
}

GArray *
heddle_edit_operand_axes (const HeddleDiagram *diagram, const GArray *operands)
{
  GArray *axes = heddle_ids_new ();
  for (guint i = 0; i < operands->len; i++)
    {
      const HeddleValue *value = heddle_diagram_get_value (diagram, heddle_ids_index (operands, i));
      for (guint j = 0; j < value->axes->len; j++)
        if (!heddle_ids_contain (axes, heddle_ids_index (value->axes, j)))
          heddle_ids_append (axes, heddle_ids_index (value->axes, j));
    }
  return axes;
}

/* --- whether it fits ------------------------------------------------------------- */

static gboolean
check_core (const HeddleDiagram *diagram, const HeddleOperationKind *kind, const HeddleValue *value,
    const char *axis_id, GError **error)
{
  g_autofree char *label = heddle_diagram_value_label (diagram, value->id);
  g_autofree char *axes = heddle_axes_to_string (diagram, value->axes);
  g_autofree char *title = title_of (kind);
  if (kind->form == HEDDLE_FORM_MAP)
    return TRUE;
  if (kind->form == HEDDLE_FORM_CONTRACT)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_TYPE,
        _ ("A contraction joins two arrays: drag the end of a wire onto another wire"));
  if (kind->form == HEDDLE_FORM_REINDEX)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_TYPE,
        _ ("A reindexing needs its indices: write it as an equation, such as Y[i] = X[2 i]"));
  if (kind->form == HEDDLE_FORM_CONCAT || kind->form == HEDDLE_FORM_SELECT || kind->min_operands > 1)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_TYPE,
        _ ("%s takes several axes or arrays: write it as an equation"), _ (kind->title));
  if (value->axes->len == 0)
    return heddle_edit_fail (
        error, HEDDLE_DIAGRAM_ERROR_TYPE, _ ("%s is a single number: %s needs an axis"), label, title);
  if (axis_id == NULL)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_TYPE, _ ("%s needs an axis of %s: choose one of %s"),
        _ (kind->title), label, axes);
  if (!heddle_ids_contain (value->axes, axis_id))
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_TYPE,
        _ ("%s is not an array over %s: %s needs one of its axes %s"), label,
        heddle_axis_name (diagram, axis_id), title, axes);
  return TRUE;
}

static gboolean
another_operand_has (
    const HeddleDiagram *diagram, const HeddleOperation *reader, const char *value_id, const char *axis_id)
{
  for (guint i = 0; i < reader->operands->len; i++)
    {
      const char *id = heddle_ids_index (reader->operands, i);
      const HeddleValue *operand = heddle_diagram_get_value (diagram, id);
      if (id != value_id && operand != NULL && heddle_ids_contain (operand->axes, axis_id))
        return TRUE;
    }
  return FALSE;
}

/* Returns whether @reader still makes what it makes when the value it reads loses the axis. */
static gboolean
can_do_without (
    const HeddleDiagram *diagram, const HeddleOperation *reader, const char *value_id, const char *axis_id)
{
  HeddleOperationForm form = reader->kind->form;
  return (form == HEDDLE_FORM_MAP || form == HEDDLE_FORM_CONTRACT)
         && another_operand_has (diagram, reader, value_id, axis_id);
}

/* Returns the operations that are to read the result: all readers, or the one given. Transfer container; NULL
 * if that one does not read it. */
static GPtrArray *
find_readers (const HeddleDiagram *diagram, const char *value_id, const char *reader_id, GError **error)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, value_id);
  for (guint i = readers->len; reader_id != NULL && i-- > 0;)
    if (((HeddleOperation *) g_ptr_array_index (readers, i))->id != reader_id)
      g_ptr_array_remove_index (readers, i);
  if (reader_id == NULL || readers->len > 0)
    return g_steal_pointer (&readers);
  g_autofree char *label = heddle_diagram_value_label (diagram, value_id);
  heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("That operation does not read %s"), label);
  return NULL;
}

gboolean
heddle_edit_can_insert (const HeddleDiagram *diagram, const HeddleOperationKind *kind, const char *value_id,
    const char *axis_id, const char *reader_id, GError **error)
{
  g_return_val_if_fail (diagram != NULL && kind != NULL, FALSE);
  const HeddleValue *value = heddle_diagram_get_value (diagram, value_id);
  if (value == NULL)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("There is no wire here"));
  if (!check_core (diagram, kind, value, axis_id, error))
    return FALSE;
  g_autoptr (GPtrArray) readers = find_readers (diagram, value_id, reader_id, error);
  if (readers == NULL)
    return FALSE;
  for (guint i = 0; kind->form == HEDDLE_FORM_REDUCE && i < readers->len; i++)
    {
      const HeddleOperation *reader = g_ptr_array_index (readers, i);
      if (can_do_without (diagram, reader, value_id, axis_id))
        continue;
      g_autofree char *label = heddle_diagram_value_label (diagram, value_id);
      g_autofree char *result = heddle_diagram_value_label (diagram, reader->result);
      g_autofree char *title = title_of (kind);
      const char *axis = heddle_axis_name (diagram, axis_id);
      return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_TYPE,
          _ ("%s reads %s along %s, which %s over %s would take away"), result, label, axis, title, axis);
    }
  return TRUE;
}

/* --- doing it -------------------------------------------------------------------- */

static int
position_after (const HeddleDiagram *diagram, const char *value_id, const GPtrArray *readers)
{
  const HeddleOperation *producer = heddle_diagram_get_producer (diagram, value_id);
  if (producer != NULL)
    return heddle_diagram_index_of_operation (diagram, producer->id) + 1;
  if (readers->len == 0)
    return -1;
  /* readers come in order */
  return heddle_diagram_index_of_operation (diagram, ((HeddleOperation *) readers->pdata[0])->id);
}

/* Adds the new operation to the region of its producer if its readers are in it too: the region would have a
 * hole otherwise. */
static void
join_region (HeddleSchedule *schedule, const HeddleDiagram *diagram, const HeddleOperation *operation)
{
  const HeddleOperation *producer
      = heddle_diagram_get_producer (diagram, heddle_ids_index (operation->operands, 0));
  HeddleRegion *region = producer != NULL ? heddle_schedule_region_of (schedule, producer->id) : NULL;
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, operation->result);
  for (guint i = 0; region != NULL && i < readers->len; i++)
    if (heddle_schedule_region_of (schedule, ((HeddleOperation *) readers->pdata[i])->id) == region)
      {
        guint after = (guint) heddle_ids_find (region->operations, producer->id) + 1;
        g_array_insert_val (region->operations, after, operation->id);
        return;
      }
}

/* Returns the body of a map on @n operands. */
static HeddleExpr *
parse_body (const HeddleDiagram *diagram, const char *body, guint n, GError **error)
{
  if (body != NULL)
    return heddle_edit_parse (diagram, body, error);
  if (n == 1)
    return heddle_expr_argument (0);
  heddle_edit_fail (
      error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("Say what to make of the operands, such as $0 + $1"));
  return NULL;
}

/* Checks the operation just put into @draft, whose label is of no help to anyone yet. */
static gboolean
check_new (const HeddleDiagram *draft, const HeddleOperation *operation, GError **error)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  HeddleCheck check = { draft, problems };
  heddle_check_operation (&check, operation);
  if (problems->len == 0)
    return TRUE;
  return heddle_edit_fail (
      error, HEDDLE_DIAGRAM_ERROR_TYPE, "%s", ((HeddleProblem *) g_ptr_array_index (problems, 0))->message);
}

const char *
heddle_edit_insert_operation (HeddleSnapshot *snapshot, HeddleDiagram *diagram,
    const HeddleOperationKind *kind, const char *value_id, const char *axis_id, const char *reader_id,
    const char *body, GError **error)
{
  g_autoptr (HeddleExpr) function = NULL;
  if (!heddle_edit_can_insert (diagram, kind, value_id, axis_id, reader_id, error)
      || (kind->form == HEDDLE_FORM_MAP && (function = parse_body (diagram, body, 1, error)) == NULL))
    return NULL;

  g_autoptr (HeddleDiagram) draft = heddle_diagram_copy (diagram);
  g_autoptr (GPtrArray) readers = find_readers (draft, value_id, reader_id, NULL);
  g_autoptr (GArray) operands = heddle_ids_new (), core = heddle_ids_new ();
  g_autoptr (GArray) axes = heddle_ids_copy (heddle_diagram_get_value (draft, value_id)->axes);
  heddle_ids_append (operands, value_id);
  if (kind->form != HEDDLE_FORM_MAP)
    heddle_ids_append (core, axis_id);
  if (kind->form == HEDDLE_FORM_REDUCE)
    heddle_ids_remove_all (axes, core);
  int position = position_after (draft, value_id, readers);
  const char *result = heddle_edit_add_result (draft, axes);
  for (guint i = 0; i < readers->len; i++)
    {
      const char *id = ((HeddleOperation *) g_ptr_array_index (readers, i))->id;
      heddle_edit_replace_id (heddle_diagram_edit_operation (draft, id)->operands, value_id, result);
    }
  if (reader_id == NULL)
    heddle_edit_replace_id (draft->outputs, value_id, result);
  HeddleOperation *operation
      = heddle_diagram_add_operation (draft, NULL, kind, operands, result, core, position);
  operation->body = g_steal_pointer (&function);
  if (!check_new (draft, operation, error))
    return NULL;
  const char *id = operation->id;
  heddle_edit_accept (snapshot, diagram, g_steal_pointer (&draft));
  g_autoptr (GPtrArray) schedules = heddle_snapshot_list_schedules (snapshot, diagram);
  for (guint i = 0; i < schedules->len; i++)
    join_region (g_ptr_array_index (schedules, i), diagram, heddle_diagram_get_operation (diagram, id));
  return id;
}

/* Sets the indices of a reindexing that puts the axes of its operand into another order. */
static gboolean
set_permutation (
    const HeddleDiagram *draft, HeddleOperation *operation, const GArray *operand_axes, GError **error)
{
  operation->indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  for (guint i = 0; i < operand_axes->len; i++)
    g_ptr_array_add (operation->indices, heddle_expr_index (heddle_ids_index (operand_axes, i)));
  return check_new (draft, operation, error);
}

/* Returns the axes of the result of @kind, newly allocated. */
static GArray *
result_axes (
    const HeddleDiagram *diagram, const HeddleOperationKind *kind, const GArray *operands, const GArray *axes)
{
  if (kind->form == HEDDLE_FORM_REINDEX)
    return heddle_ids_copy (axes);
  GArray *result = heddle_edit_operand_axes (diagram, operands);
  if (axes != NULL && (kind->form == HEDDLE_FORM_REDUCE || kind->form == HEDDLE_FORM_CONTRACT))
    heddle_ids_remove_all (result, axes);
  return result;
}

const char *
heddle_edit_add_operation (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const HeddleOperationKind *kind,
    const GArray *operands, const GArray *axes, const char *body, GError **error)
{
  g_return_val_if_fail (kind != NULL && operands != NULL, NULL);
  for (guint i = 0; i < operands->len; i++)
    if (heddle_diagram_get_value (diagram, heddle_ids_index (operands, i)) == NULL)
      {
        heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("An operand is no longer in the diagram"));
        return NULL;
      }
  g_autoptr (HeddleExpr) function = NULL;
  if (kind->form == HEDDLE_FORM_MAP && (function = parse_body (diagram, body, operands->len, error)) == NULL)
    return NULL;

  g_autoptr (HeddleDiagram) draft = heddle_diagram_copy (diagram);
  g_autoptr (GArray) made = result_axes (draft, kind, operands, axes);
  g_autoptr (GArray) read = heddle_edit_operand_axes (draft, operands);
  gboolean permutes = kind->form == HEDDLE_FORM_REINDEX;
  const char *result = heddle_edit_add_result (draft, made);
  HeddleOperation *operation
      = heddle_diagram_add_operation (draft, NULL, kind, operands, result, permutes ? NULL : axes, -1);
  operation->body = g_steal_pointer (&function);
  if (permutes ? !set_permutation (draft, operation, read, error) : !check_new (draft, operation, error))
    return NULL;
  if (draft->explicit_outputs)
    heddle_ids_append (draft->outputs, result);
  const char *id = operation->id;
  heddle_edit_accept (snapshot, diagram, g_steal_pointer (&draft));
  return id;
}

const char *
heddle_edit_connect (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *left_value,
    const char *left_axis, const char *right_value, const char *right_axis, GError **error)
{
  const HeddleValue *left = heddle_diagram_get_value (diagram, left_value);
  const HeddleValue *right = heddle_diagram_get_value (diagram, right_value);
  if (left == NULL || right == NULL || !heddle_ids_contain (left->axes, left_axis)
      || !heddle_ids_contain (right->axes, right_axis))
    {
      heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("There is no wire's end here"));
      return NULL;
    }
  if (left_axis != right_axis)
    {
      g_autofree char *left_label = heddle_diagram_value_label (diagram, left_value);
      g_autofree char *right_label = heddle_diagram_value_label (diagram, right_value);
      heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_TYPE,
          _ ("%s of %s and %s of %s are different axes: rename one of them, or unify the two"),
          heddle_axis_name (diagram, left_axis), left_label, heddle_axis_name (diagram, right_axis),
          right_label);
      return NULL;
    }
  g_autoptr (GArray) operands = heddle_ids_new (), axes = heddle_ids_new ();
  heddle_ids_append (operands, left_value);
  heddle_ids_append (operands, right_value);
  heddle_ids_append (axes, left_axis);
  return heddle_edit_add_operation (
      snapshot, diagram, heddle_operation_kind ("contract"), operands, axes, NULL, error);
}
