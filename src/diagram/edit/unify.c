/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>

#include "diagram/analysis/sizes.h"
#include "diagram/base/error.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/edit.h"
#include "diagram/edit/unify.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram-names.h"
#include "diagram/graph/operation-table.h"

typedef struct
{
  const char *from, *into;
} Unification;

static HeddleExpr *
replace_leaf (const HeddleExpr *leaf, gpointer data)
{
  const Unification *self = data;
  HeddleExprKind kind = heddle_expr_get_kind (leaf);
  if ((kind != HEDDLE_EXPR_SIZE && kind != HEDDLE_EXPR_INDEX) || heddle_expr_get_symbol (leaf) != self->from)
    return NULL;
  return kind == HEDDLE_EXPR_SIZE ? heddle_expr_size (self->into) : heddle_expr_index (self->into);
}

static void
replace_in (const Unification *self, HeddleExpr **place)
{
  if (*place == NULL)
    return;
  HeddleExpr *replaced = heddle_expr_substitute (*place, replace_leaf, (gpointer) self);
  heddle_expr_unref (*place);
  *place = replaced;
}

static void
replace_in_all (const Unification *self, GPtrArray *exprs)
{
  for (guint i = 0; exprs != NULL && i < exprs->len; i++)
    replace_in (self, (HeddleExpr **) &g_ptr_array_index (exprs, i));
}

static void
ignore (const char *axis_id, const char *message, gpointer data)
{
}

static gboolean
sizes_agree (const HeddleDiagram *diagram, const HeddleAxis *from, const HeddleAxis *into, GError **error)
{
  g_autoptr (HeddleSizes) sizes = heddle_sizes_resolve (diagram, NULL, ignore, NULL);
  gint64 a = heddle_sizes_get (sizes, from->id), b = heddle_sizes_get (sizes, into->id);
  if (a == b || a == 0 || b == 0 || from->size == NULL || into->size == NULL)
    return TRUE;
  return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_TYPE,
      _ ("%s is %" PRId64 " and %s is %" PRId64 ": only axes of one size can be one axis"),
      heddle_axis_name (diagram, from->id), a, heddle_axis_name (diagram, into->id), b);
}

static gboolean
no_value_has_both (const HeddleDiagram *diagram, const Unification *self, GError **error)
{
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);
      if (!heddle_ids_contain (value->axes, self->from) || !heddle_ids_contain (value->axes, self->into))
        continue;
      g_autofree char *label = heddle_diagram_value_label (diagram, value->id);
      return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_TYPE,
          _ ("%s is an array over both %s and %s: they cannot be one axis"), label,
          heddle_axis_name (diagram, self->from), heddle_axis_name (diagram, self->into));
    }
  return TRUE;
}

static void
unify_operation (HeddleDiagram *draft, const Unification *self, const char *id)
{
  HeddleOperation *operation = heddle_diagram_edit_operation (draft, id);
  int from = heddle_ids_find (operation->axes, self->from);
  if (from >= 0 && heddle_ids_contain (operation->axes, self->into))
    g_array_remove_index (operation->axes, (guint) from);
  heddle_edit_replace_id (operation->axes, self->from, self->into);
  replace_in (self, &operation->body);
  replace_in (self, &operation->repeat);
  replace_in_all (self, operation->indices);
  replace_in_all (self, operation->sizes);
}

static void
unify (HeddleDiagram *draft, const Unification *self)
{
  for (guint i = 0; i < draft->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (draft->values, i);
      if (heddle_ids_contain (value->axes, self->from))
        heddle_edit_replace_id (heddle_diagram_edit_value (draft, value->id)->axes, self->from, self->into);
    }
  for (guint i = 0; i < draft->operations->len; i++)
    unify_operation (draft, self, ((HeddleOperation *) g_ptr_array_index (draft->operations, i))->id);

  HeddleAxis *into = heddle_diagram_edit_axis (draft, self->into);
  const HeddleAxis *from = heddle_diagram_get_axis (draft, self->from);
  if (into->size == NULL && from->size != NULL)
    into->size = heddle_expr_ref (from->size);
  heddle_edit_replace_id (draft->arguments, self->from, self->into);
  heddle_diagram_remove (draft, self->from);
  for (guint i = 0; i < draft->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (draft->axes, i);
      if (axis->size != NULL && heddle_expr_uses (axis->size, HEDDLE_EXPR_SIZE, self->from))
        replace_in (self, &heddle_diagram_edit_axis (draft, axis->id)->size);
    }
}

/* Returns whether the operation is an unnamed rename of the one axis to the other, which does nothing any
 * more. */
static gboolean
is_idle (const HeddleDiagram *draft, const HeddleOperation *operation)
{
  const HeddleValue *result = heddle_diagram_get_value (draft, operation->result);
  if (operation->kind->form != HEDDLE_FORM_REINDEX || operation->indices == NULL || result == NULL
      || result->name != NULL || heddle_diagram_is_output (draft, result->id)
      || operation->indices->len != result->axes->len)
    return FALSE;
  const HeddleValue *operand = heddle_diagram_get_value (draft, heddle_ids_index (operation->operands, 0));
  for (guint i = 0; i < operation->indices->len; i++)
    {
      const HeddleExpr *index = g_ptr_array_index (operation->indices, i);
      if (heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX
          || heddle_expr_get_symbol (index) != heddle_ids_index (result->axes, i))
        return FALSE;
    }
  return operand != NULL && heddle_ids_equal (operand->axes, result->axes);
}

static void
remove_idle (HeddleDiagram *draft)
{
  for (guint i = draft->operations->len; i-- > 0;)
    {
      const HeddleOperation *operation = g_ptr_array_index (draft->operations, i);
      if (!is_idle (draft, operation))
        continue;
      const char *id = operation->id, *result = operation->result;
      const char *operand = heddle_ids_index (operation->operands, 0);
      g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (draft, result);
      for (guint j = 0; j < readers->len; j++)
        {
          const char *reader = ((HeddleOperation *) g_ptr_array_index (readers, j))->id;
          heddle_edit_replace_id (heddle_diagram_edit_operation (draft, reader)->operands, result, operand);
        }
      heddle_diagram_remove (draft, id);
      heddle_diagram_remove (draft, result);
    }
}

/* Moves the labels on the one axis to the other, where that has none of the same kind. */
static void
move_labels (HeddleSchedule *schedule, const Unification *self)
{
  for (guint i = 0; i < schedule->regions->len; i++)
    {
      HeddleRegion *region = g_ptr_array_index (schedule->regions, i);
      for (guint j = 0; j < region->labels->len; j++)
        {
          HeddleLabel *label = g_ptr_array_index (region->labels, j);
          if (label->axis == self->from
              && heddle_region_get_label (region, self->into, label->level, label->kind) == NULL)
            label->axis = self->into;
        }
    }
}

gboolean
heddle_edit_unify_axes (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *from, const char *into, GError **error)
{
  const HeddleAxis *from_axis = heddle_diagram_get_axis (diagram, from);
  const HeddleAxis *into_axis = heddle_diagram_get_axis (diagram, into);
  Unification unification = { from, into };
  if (from_axis == NULL || into_axis == NULL || from == into)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("It takes two axes to unify them"));
  if (!sizes_agree (diagram, from_axis, into_axis, error)
      || !no_value_has_both (diagram, &unification, error))
    return FALSE;
  g_autoptr (HeddleDiagram) draft = heddle_diagram_copy (diagram);
  unify (draft, &unification);
  remove_idle (draft);
  if (!heddle_edit_verify (diagram, draft, error))
    return FALSE;
  g_autoptr (GPtrArray) schedules = heddle_snapshot_list_schedules (snapshot, diagram);
  for (guint i = 0; i < schedules->len; i++)
    move_labels (g_ptr_array_index (schedules, i), &unification);
  heddle_edit_accept (snapshot, diagram, g_steal_pointer (&draft));
  return TRUE;
}
