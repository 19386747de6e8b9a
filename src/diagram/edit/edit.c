/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "diagram/analysis/sizes.h"
#include "diagram/base/error.h"
#include "diagram/base/problem.h"
#include "diagram/check/check.h"
#include "diagram/document/layout.h"
#include "diagram/document/ornament.h"
#include "diagram/document/presentation.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/edit.h"
#include "diagram/expression/parse.h"
#include "diagram/graph/name.h"

/* The distance, in px, beyond which no note is moved. */
#define FARTHEST 1e6

gboolean
heddle_edit_fail (GError **error, int code, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  GError *made = g_error_new_valist (HEDDLE_DIAGRAM_ERROR, code, format, arguments);
  va_end (arguments);
  g_propagate_error (error, made);
  return FALSE;
}

static gboolean
fail_unknown (GError **error)
{
  return heddle_edit_fail (
      error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("The object to be changed is no longer in the diagram"));
}

/* --- expressions ----------------------------------------------------------------- */

/* Turns the name of an axis into its size, as a HeddleExprSymbol; @data is the diagram. */
static HeddleExpr *
edit_size_symbol (const char *name, gpointer diagram)
{
  const HeddleAxis *axis = heddle_diagram_find_axis (diagram, name);
  return axis != NULL ? heddle_expr_size (axis->id) : NULL;
}

HeddleExpr *
heddle_edit_parse (const HeddleDiagram *diagram, const char *text, GError **error)
{
  g_autoptr (GError) syntax = NULL;
  HeddleExpr *expr = heddle_expr_parse (text, edit_size_symbol, (gpointer) diagram, &syntax);
  if (expr == NULL)
    heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("“%s”, column %s"), text, syntax->message);
  return expr;
}

gboolean
heddle_edit_is_free_name (const HeddleDiagram *diagram, const char *name)
{
  return heddle_diagram_find_axis (diagram, name) == NULL
         && heddle_diagram_find_value (diagram, name) == NULL;
}

void
heddle_edit_replace_id (GArray *ids, const char *from, const char *into)
{
  for (guint i = 0; i < ids->len; i++)
    if (heddle_ids_index (ids, i) == from)
      heddle_ids_index (ids, i) = into;
}

/* --- drafts ---------------------------------------------------------------------- */

/* Returns the set of all errors, each as "object message". */
static GHashTable *
list_errors (const HeddleDiagram *diagram)
{
  GHashTable *errors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) problems = heddle_check_diagram (diagram);
  for (guint i = 0; i < problems->len; i++)
    {
      const HeddleProblem *problem = g_ptr_array_index (problems, i);
      if (problem->severity == HEDDLE_SEVERITY_ERROR)
        g_hash_table_add (errors,
            g_strconcat (problem->object_id != NULL ? problem->object_id : "", " ", problem->message, NULL));
    }
  return errors;
}

gboolean
heddle_edit_verify (const HeddleDiagram *diagram, const HeddleDiagram *draft, GError **error)
{
  g_autoptr (GPtrArray) problems = heddle_check_diagram (draft);
  if (!heddle_problems_have_errors (problems))
    return TRUE;
  g_autoptr (GHashTable) before = list_errors (diagram);
  for (guint i = 0; i < problems->len; i++)
    {
      const HeddleProblem *problem = g_ptr_array_index (problems, i);
      g_autofree char *key
          = g_strconcat (problem->object_id != NULL ? problem->object_id : "", " ", problem->message, NULL);
      if (problem->severity == HEDDLE_SEVERITY_ERROR && !g_hash_table_contains (before, key))
        return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_TYPE, "%s", problem->message);
    }
  return TRUE;
}

static gboolean
has_object (const HeddleDiagram *diagram, const char *id)
{
  return heddle_diagram_get_axis (diagram, id) != NULL || heddle_diagram_get_value (diagram, id) != NULL
         || heddle_diagram_get_operation (diagram, id) != NULL;
}

/* Returns whether @id was in the diagram and no longer is; ids of other things (annotations) never count as
 * gone. */
static gboolean
is_gone (const HeddleDiagram *before, const HeddleDiagram *after, const char *id)
{
  return id != NULL && has_object (before, id) && !has_object (after, id);
}

static void
sweep_region (HeddleRegion *region, const HeddleDiagram *before, const HeddleDiagram *after)
{
  for (guint i = region->operations->len; i-- > 0;)
    if (is_gone (before, after, heddle_ids_index (region->operations, i)))
      g_array_remove_index (region->operations, i);
  for (guint i = region->labels->len; i-- > 0;)
    if (is_gone (before, after, ((HeddleLabel *) g_ptr_array_index (region->labels, i))->axis))
      g_ptr_array_remove_index (region->labels, i);
}

static void
sweep_schedule (HeddleSchedule *schedule, const HeddleDiagram *before, const HeddleDiagram *after)
{
  for (guint i = schedule->regions->len; i-- > 0;)
    {
      HeddleRegion *region = g_ptr_array_index (schedule->regions, i);
      sweep_region (region, before, after);
      if (region->operations->len == 0)
        g_ptr_array_remove_index (schedule->regions, i);
    }
  for (guint i = schedule->residency->len; i-- > 0;)
    {
      const HeddleResidency *residency = g_ptr_array_index (schedule->residency, i);
      if (is_gone (before, after, residency->value) || is_gone (before, after, residency->column))
        g_ptr_array_remove_index (schedule->residency, i);
    }
  for (guint i = schedule->recomputed->len; i-- > 0;)
    {
      const HeddleRecompute *recompute = &g_array_index (schedule->recomputed, HeddleRecompute, i);
      if (is_gone (before, after, recompute->value) || is_gone (before, after, recompute->column))
        g_array_remove_index (schedule->recomputed, i);
    }
  for (guint i = schedule->layouts->len; i-- > 0;)
    if (!heddle_value_layout_is_for (g_ptr_array_index (schedule->layouts, i), after))
      g_ptr_array_remove_index (schedule->layouts, i);
}

/* Returns whether nothing is left of what the ornament is about. A call-out whose target was deleted stays
 * where it is, as a note. */
static gboolean
sweep_ornament (const HeddleOrnamentKind *kind, gpointer ornament, const HeddleDiagram *before,
    const HeddleDiagram *after)
{
  gboolean empty = FALSE;
  for (const HeddleField *field = kind->fields; field->name != NULL; field++)
    if (field->kind == HEDDLE_FIELD_OBJECT)
      {
        const char **object = &heddle_field_at (field, ornament, const char *);
        empty |= field->required && is_gone (before, after, *object);
        if (!field->required && is_gone (before, after, *object))
          *object = NULL;
      }
    else if (field->kind == HEDDLE_FIELD_OPERATIONS || field->kind == HEDDLE_FIELD_AXES)
      {
        GArray *ids = heddle_field_at (field, ornament, GArray *);
        for (guint i = ids->len; i-- > 0;)
          if (is_gone (before, after, heddle_ids_index (ids, i)))
            g_array_remove_index (ids, i);
        empty |= ids->len < heddle_field_least (field);
      }
  return empty;
}

static void
sweep_ornaments (
    const HeddleOrnamentKind *kind, GPtrArray *list, const HeddleDiagram *before, const HeddleDiagram *after)
{
  for (guint i = list->len; i-- > 0;)
    if (sweep_ornament (kind, list->pdata[i], before, after))
      g_ptr_array_remove_index (list, i);
}

static void
sweep_presentation (HeddlePresentation *presentation, const HeddleDiagram *before, const HeddleDiagram *after)
{
  for (guint i = presentation->nudges->len; i-- > 0;)
    if (is_gone (before, after, g_array_index (presentation->nudges, HeddleNudge, i).object))
      g_array_remove_index (presentation->nudges, i);
  for (guint i = presentation->fills->len; i-- > 0;)
    if (is_gone (before, after, ((HeddleFill *) g_ptr_array_index (presentation->fills, i))->object))
      g_ptr_array_remove_index (presentation->fills, i);
  for (const HeddleOrnamentKind *kind = heddle_ornament_kinds (); kind->element != NULL; kind++)
    sweep_ornaments (kind, heddle_ornament_list (kind, presentation), before, after);
}

void
heddle_edit_accept (HeddleSnapshot *snapshot, HeddleDiagram *diagram, HeddleDiagram *draft)
{
  g_autoptr (GPtrArray) schedules = heddle_snapshot_list_schedules (snapshot, diagram);
  HeddlePresentation *presentation = heddle_snapshot_find_presentation (snapshot, diagram);
  for (guint i = 0; i < schedules->len; i++)
    sweep_schedule (g_ptr_array_index (schedules, i), diagram, draft);
  if (presentation != NULL)
    sweep_presentation (presentation, diagram, draft);
  HeddleDiagram before = *diagram;
  *diagram = *draft;
  *draft = before;
  heddle_diagram_free (draft);
}

/* --- names, sizes, types --------------------------------------------------------- */

/* Returns whether @id (or a new object, if NULL) may be called @name. */
static gboolean
may_be_called (const HeddleDiagram *diagram, const char *id, const char *name, GError **error)
{
  g_autofree char *why = NULL;
  if (!heddle_name_is_valid (name, &why))
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, "%s", why);
  const HeddleAxis *axis = heddle_diagram_find_axis (diagram, name);
  const HeddleValue *value = heddle_diagram_find_value (diagram, name);
  if (axis != NULL && axis->id != id && heddle_diagram_get_axis (diagram, id) != NULL)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID,
        _ ("There is an axis %s already; to make the two one, unify them"), name);
  if (axis != NULL && axis->id != id)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("There is an axis %s already"), name);
  if (value != NULL && value->id != id)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("There is a value %s already"), name);
  return TRUE;
}

gboolean
heddle_edit_rename (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *id, const char *name, GError **error)
{
  const HeddleOperation *operation = heddle_diagram_get_operation (diagram, id);
  if (operation != NULL)
    id = operation->result;
  gboolean is_axis = heddle_diagram_get_axis (diagram, id) != NULL;
  if (!is_axis && heddle_diagram_get_value (diagram, id) == NULL)
    return fail_unknown (error);
  if (!may_be_called (diagram, id, name, error))
    return FALSE;
  char **place = is_axis ? &heddle_diagram_edit_axis (diagram, id)->name
                         : &heddle_diagram_edit_value (diagram, id)->name;
  g_free (*place);
  *place = g_strdup (name);
  return TRUE;
}

static void
collect (const char *axis_id, const char *message, gpointer messages)
{
  g_ptr_array_add (messages, g_strdup (message));
}

static GPtrArray *
size_faults (const HeddleDiagram *diagram)
{
  GPtrArray *faults = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (HeddleSizes) sizes = heddle_sizes_resolve (diagram, NULL, collect, faults);
  return faults;
}

/* Refuses a fault that was not there before. */
static gboolean
sizes_stay_sound (const HeddleDiagram *diagram, const HeddleDiagram *draft, GError **error)
{
  g_autoptr (GPtrArray) before = size_faults (diagram), after = size_faults (draft);
  for (guint i = 0; i < after->len; i++)
    if (!g_ptr_array_find_with_equal_func (before, g_ptr_array_index (after, i), g_str_equal, NULL))
      return heddle_edit_fail (
          error, HEDDLE_DIAGRAM_ERROR_INVALID, "%s", (const char *) g_ptr_array_index (after, i));
  return TRUE;
}

gboolean
heddle_edit_set_size (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *axis_id, const char *size, GError **error)
{
  g_autoptr (HeddleExpr) expr = NULL;
  if (heddle_diagram_get_axis (diagram, axis_id) == NULL)
    return fail_unknown (error);
  if (size != NULL && (expr = heddle_edit_parse (diagram, size, error)) == NULL)
    return FALSE;
  g_autoptr (HeddleDiagram) draft = heddle_diagram_copy (diagram);
  HeddleAxis *axis = heddle_diagram_edit_axis (draft, axis_id);
  g_clear_pointer (&axis->size, heddle_expr_unref);
  axis->size = g_steal_pointer (&expr);
  if (size != NULL && !sizes_stay_sound (diagram, draft, error))
    return FALSE;
  heddle_edit_accept (snapshot, diagram, g_steal_pointer (&draft));
  return TRUE;
}

gboolean
heddle_edit_set_dtype (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *value_id, HeddleDtype dtype, GError **error)
{
  g_return_val_if_fail (dtype < HEDDLE_N_DTYPES, FALSE);
  HeddleValue *value = heddle_diagram_edit_value (diagram, value_id);
  if (value == NULL)
    return fail_unknown (error);
  value->dtype = dtype;
  return TRUE;
}

/* --- inputs ---------------------------------------------------------------------- */

static gboolean
check_axis_names (
    const HeddleDiagram *diagram, const char *name, const char *const *axis_names, GError **error)
{
  for (guint i = 0; axis_names[i] != NULL; i++)
    {
      if (strcmp (axis_names[i], name) == 0)
        return heddle_edit_fail (
            error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("%s cannot be both an array and an axis"), name);
      if (g_strv_contains (axis_names + i + 1, axis_names[i]))
        return heddle_edit_fail (
            error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("%s has the axis %s twice"), name, axis_names[i]);
      if (heddle_diagram_find_axis (diagram, axis_names[i]) == NULL
          && !may_be_called (diagram, NULL, axis_names[i], error))
        return FALSE;
    }
  return TRUE;
}

const char *
heddle_edit_add_input (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *name, HeddleDtype dtype,
    const char *const *axis_names, GError **error)
{
  g_return_val_if_fail (axis_names != NULL, NULL);
  if (!may_be_called (diagram, NULL, name, error) || !check_axis_names (diagram, name, axis_names, error))
    return NULL;
  g_autoptr (GArray) axes = heddle_ids_new ();
  for (guint i = 0; axis_names[i] != NULL; i++)
    {
      const HeddleAxis *axis = heddle_diagram_find_axis (diagram, axis_names[i]);
      heddle_ids_append (
          axes, axis != NULL ? axis->id : heddle_diagram_add_axis (diagram, NULL, axis_names[i], NULL)->id);
    }
  return heddle_diagram_add_value (diagram, NULL, name, HEDDLE_ROLE_INPUT, dtype, axes)->id;
}

/* --- presentation ---------------------------------------------------------------- */

void
heddle_edit_nudge (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const GArray *ids, double dx, double dy)
{
  HeddlePresentation *presentation = heddle_snapshot_get_presentation (snapshot, diagram);
  for (guint i = 0; i < ids->len; i++)
    {
      double x, y;
      const HeddleOrnamentKind *kind = NULL;
      gpointer ornament = heddle_presentation_find (presentation, heddle_ids_index (ids, i), &kind);
      if (ornament != NULL && kind->list == G_STRUCT_OFFSET (HeddlePresentation, annotations))
        {
          HeddleAnnotation *note = ornament;
          note->x = CLAMP (note->x + dx, -FARTHEST, FARTHEST);
          note->y = CLAMP (note->y + dy, -FARTHEST, FARTHEST);
        }
      if (ornament != NULL)
        continue;
      heddle_presentation_get_nudge (presentation, heddle_ids_index (ids, i), &x, &y);
      heddle_presentation_set_nudge (presentation, heddle_ids_index (ids, i), x + dx, y + dy);
    }
}
