/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/analysis/sizes-keep.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/base/error.h"
#include "diagram/check/check.h"
#include "diagram/differentiate/build.h"
#include "diagram/differentiate/differentiate.h"
#include "diagram/differentiate/forms.h"
#include "diagram/differentiate/private.h"
#include "diagram/differentiate/reduce.h"
#include "diagram/differentiate/reindex.h"
#include "diagram/differentiate/rules.h"
#include "diagram/differentiate/tidy.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/calls.h"
#include "diagram/graph/operation-table.h"

#include <glib/gi18n-lib.h>

/* --- what is asked for ----------------------------------------------------------------- */

static gboolean
refuse (GError **error, const char *format, const char *what)
{
  g_auto (GStrv) parts = g_strsplit (format, "%s", 2);
  g_autofree char *message = g_strjoinv (what, parts);

  g_set_error_literal (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID, message);
  return FALSE;
}

static gboolean
check_asked (const HeddleDiagram *diagram, const char *name, GArray *values, GError **error)
{
  const HeddleValue *value = heddle_diagram_find_value (diagram, name);

  if (value == NULL)
    return refuse (error, _ ("there is no value “%s” to differentiate by"), name);
  if (value->role == HEDDLE_ROLE_INTERMEDIATE)
    return refuse (error, _ ("“%s” is made by an operation; differentiate by inputs and parameters"), name);
  if (!heddle_dtype_is_real (value->dtype))
    return refuse (error, _ ("“%s” does not hold real numbers: it has no derivative"), name);
  if (heddle_ids_contain (values, value->id))
    return refuse (error, _ ("“%s” is named twice"), name);
  heddle_ids_append (values, value->id);
  return TRUE;
}

/* Checks the diagram before it is differentiated; fails with the first error. */
static gboolean
check_diagram (const HeddleDiagram *diagram, GError **error)
{
  g_autoptr (GPtrArray) problems = heddle_check_diagram (diagram);

  if (!heddle_diagram_is_flat (diagram, error))
    return FALSE;
  for (guint i = 0; i < problems->len; i++)
    {
      const HeddleProblem *problem = g_ptr_array_index (problems, i);

      if (problem->severity == HEDDLE_SEVERITY_ERROR && !heddle_check_is_open_size (diagram, problem))
        return refuse (error, "%s", problem->message);
    }
  return TRUE;
}

/* --- beginning and end ----------------------------------------------------------------- */

static void
take_names (HeddleReverse *self)
{
  for (guint i = 0; i < self->forward->axes->len; i++)
    g_hash_table_add (
        self->names, g_strdup (((HeddleAxis *) g_ptr_array_index (self->forward->axes, i))->name));
  for (guint i = 0; i < self->forward->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (self->forward->values, i);

      if (value->name != NULL)
        g_hash_table_add (self->names, g_strdup (value->name));
    }
}

static HeddleDiagram *
backward_of (const HeddleDiagram *diagram)
{
  g_autofree char *name = g_strconcat (diagram->name, "-backward", NULL);
  g_autofree char *part = g_strconcat (diagram->id, "-backward", NULL);
  HeddleDiagram *backward = heddle_diagram_copy (diagram);

  g_free (backward->name);
  backward->name = g_steal_pointer (&name);
  backward->id = (char *) g_intern_string (part);
  return backward;
}

static void
reverse_init (HeddleReverse *self, const HeddleDiagram *diagram, const GArray *wrt)
{
  self->sizes = heddle_sizes_new (diagram, NULL, NULL);
  self->forward = diagram;
  self->backward = backward_of (diagram);
  self->active = g_hash_table_new (NULL, NULL);
  self->contributions = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  self->fresh = g_hash_table_new (NULL, NULL);
  self->shared = g_hash_table_new (NULL, NULL);
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->marks = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) heddle_read_mark_free);
  take_names (self);
  for (guint i = 0; i < wrt->len; i++)
    g_hash_table_add (self->active, (gpointer) heddle_ids_index (wrt, i));
}

static void
reverse_clear (HeddleReverse *self)
{
  g_clear_pointer (&self->backward, heddle_diagram_free);
  g_clear_pointer (&self->sizes, heddle_sizes_unref);
  g_clear_pointer (&self->active, g_hash_table_unref);
  g_clear_pointer (&self->contributions, g_hash_table_unref);
  g_clear_pointer (&self->fresh, g_hash_table_unref);
  g_clear_pointer (&self->shared, g_hash_table_unref);
  g_clear_pointer (&self->names, g_hash_table_unref);
  g_clear_pointer (&self->marks, g_hash_table_unref);
  g_clear_error (&self->error);
}

/* --- forwards -------------------------------------------------------------------------- */

static void
look_forward (HeddleReverse *self)
{
  for (guint i = 0; i < self->forward->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->forward->operations, i);

      for (guint j = 0; j < operation->operands->len; j++)
        if (!operation->kind->whole
            && heddle_reverse_is_active (self, heddle_ids_index (operation->operands, j)))
          g_hash_table_add (self->active, (gpointer) operation->result);
      heddle_reverse_mark (self, operation);
    }
}

/* Adds an input for the cotangent of each output. */
static void
add_cotangents (HeddleReverse *self)
{
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (self->forward);

  for (guint i = 0; i < outputs->len; i++)
    {
      const char *id = heddle_ids_index (outputs, i);
      g_autofree char *label = heddle_diagram_value_label (self->forward, id);
      g_autofree char *name = heddle_reverse_take_name (self, label);
      HeddleDtype dtype = heddle_diagram_dtype (self->forward, id, HEDDLE_DTYPE_UNSET);

      if (!heddle_dtype_is_real (dtype))
        continue; /* whole numbers do not move */
      const HeddleValue *value = heddle_diagram_add_value (self->backward, NULL, name, HEDDLE_ROLE_INPUT,
          heddle_dtype_is_real (dtype) ? dtype : HEDDLE_DTYPE_UNSET,
          heddle_diagram_get_value (self->forward, id)->axes);

      heddle_reverse_contribute (self, id, value->id, FALSE);
    }
}

/* --- backwards ------------------------------------------------------------------------- */

static void
reverse_operation (HeddleReverse *self, const HeddleOperation *operation)
{
  const char *cotangent;

  if (!heddle_reverse_is_active (self, operation->result))
    return;
  cotangent = heddle_reverse_total (self, operation->result);
  if (cotangent == NULL)
    return;
  switch (operation->kind->form)
    {
    case HEDDLE_FORM_MAP:
      heddle_reverse_map_rule (self, operation, cotangent);
      break;
    case HEDDLE_FORM_CONTRACT:
      heddle_reverse_contract_rule (self, operation, cotangent);
      break;
    case HEDDLE_FORM_REDUCE:
    case HEDDLE_FORM_NORMALISE:
      heddle_reverse_reduce_rule (self, operation, cotangent);
      break;
    case HEDDLE_FORM_REINDEX:
      heddle_reverse_reindex_rule (self, operation, cotangent);
      break;
    case HEDDLE_FORM_CONCAT:
      heddle_reverse_concat_rule (self, operation, cotangent);
      break;
    case HEDDLE_FORM_SCAN:
      heddle_reverse_scan_rule (self, operation, cotangent);
      break;
    case HEDDLE_FORM_SELECT: /* places do not move */
      break;
    case HEDDLE_FORM_CALL:
      g_assert_not_reached ();
    }
}

/* Returns the cotangent of @id as a result of its own with the axes of the value in their order; it is 0
 * where no output depends on the value. */
static const char *
finish (HeddleReverse *self, const char *id)
{
  const HeddleValue *value = heddle_reverse_value (self, id);
  g_autoptr (GArray) operands = heddle_ids_new ();
  const char *total = heddle_reverse_total (self, id);
  const char *result;

  if (total != NULL && heddle_reverse_is_own (self, id, total))
    return total;
  if (total != NULL)
    heddle_ids_append (operands, total);
  result = heddle_reverse_map (
      self, value->axes, total != NULL ? heddle_expr_argument (0) : heddle_expr_number (0.), operands);
  heddle_diagram_edit_value (self->backward, result)->name = heddle_reverse_take_name (self, value->name);
  return result;
}

/* --- what is not needed ---------------------------------------------------------------- */

static GHashTable *
needed_values (const HeddleDiagram *diagram)
{
  GHashTable *needed = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < diagram->outputs->len; i++)
    g_hash_table_add (needed, (gpointer) heddle_ids_index (diagram->outputs, i));
  for (guint i = diagram->operations->len; i-- > 0;)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      for (guint j = 0; g_hash_table_contains (needed, operation->result) && j < operation->operands->len;
           j++)
        g_hash_table_add (needed, (gpointer) heddle_ids_index (operation->operands, j));
    }
  return needed;
}

/* Removes the forward operations that no rule reads. Inputs stay. */
static void
prune (HeddleReverse *self)
{
  HeddleDiagram *diagram = self->backward;
  g_autoptr (GHashTable) needed = needed_values (diagram);
  g_autoptr (GHashTable) used = NULL;

  for (guint i = diagram->operations->len; i-- > 0;)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      const char *result = operation->result;

      if (g_hash_table_contains (needed, result))
        continue;
      heddle_diagram_remove (diagram, operation->id);
      heddle_diagram_remove (diagram, result);
    }
  heddle_sizes_keep (diagram, self->forward);
  used = heddle_diagram_used_axes (diagram);
  for (guint i = diagram->axes->len; i-- > 0;)
    {
      const char *id = ((HeddleAxis *) g_ptr_array_index (diagram->axes, i))->id;

      if (!g_hash_table_contains (used, id))
        heddle_diagram_remove (diagram, id);
    }
}

static void
run (HeddleReverse *self, const GArray *wrt)
{
  g_autoptr (GArray) outputs = heddle_ids_new ();

  look_forward (self);
  add_cotangents (self);
  for (guint i = self->forward->operations->len; i-- > 0 && self->error == NULL;)
    reverse_operation (self, g_ptr_array_index (self->forward->operations, i));
  for (guint i = 0; i < wrt->len && self->error == NULL; i++)
    heddle_ids_append (outputs, finish (self, heddle_ids_index (wrt, i)));
  g_array_set_size (self->backward->outputs, 0);
  g_array_append_vals (self->backward->outputs, outputs->data, outputs->len);
  self->backward->explicit_outputs = TRUE;
  if (self->error != NULL)
    return;
  heddle_reverse_slide_reads (self);
  prune (self);
}

HeddleDiagram *
heddle_diagram_differentiate (const HeddleDiagram *diagram, GPtrArray *wrt, GError **error)
{
  HeddleReverse self = { NULL };
  g_autoptr (GArray) values = heddle_ids_new ();
  HeddleDiagram *backward = NULL;

  g_return_val_if_fail (diagram != NULL && wrt != NULL && wrt->len > 0, NULL);

  if (!check_diagram (diagram, error))
    return NULL;
  for (guint i = 0; i < wrt->len; i++)
    if (!check_asked (diagram, g_ptr_array_index (wrt, i), values, error))
      return NULL;
  reverse_init (&self, diagram, values);
  run (&self, values);
  if (self.error != NULL)
    g_propagate_error (error, g_steal_pointer (&self.error));
  else
    backward = g_steal_pointer (&self.backward);
  reverse_clear (&self);
  return backward;
}
