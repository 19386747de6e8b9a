/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "diagram/base/error.h"
#include "diagram/edit/edit.h"
#include "diagram/edit/insert.h"
#include "diagram/edit/read.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/operation-table.h"

/* This file adds a read of one array at two positions: a reindexing that gives one of its axes another
 * name. */

/* Adds an axis called by the letter after @name, or the next one that is free; a longer name gets a number.
 * Its size follows from what is read. Returns its id. */
static const char *
add_position (HeddleDiagram *diagram, const char *name)
{
  for (guint i = 1; strlen (name) == 1 && g_ascii_islower (*name) && i < 26; i++)
    {
      const char letter[] = { 'a' + (*name - 'a' + i) % 26, '\0' };

      if (heddle_edit_is_free_name (diagram, letter))
        return heddle_diagram_add_axis (diagram, NULL, letter, NULL)->id;
    }
  for (guint i = 2;; i++)
    {
      g_autofree char *numbered = g_strdup_printf ("%s_%u", name, i);

      if (heddle_edit_is_free_name (diagram, numbered))
        return heddle_diagram_add_axis (diagram, NULL, numbered, NULL)->id;
    }
}

static GArray *
exchange (const GArray *axes, const char *axis, const char *into)
{
  GArray *made = heddle_ids_copy (axes);

  heddle_edit_replace_id (made, axis, into);
  return made;
}

/* Returns whether @operation reads its one operand as it is, with the axes of its result in the place of the
 * operand's. */
static gboolean
is_renaming (const HeddleOperation *operation, const HeddleValue *result)
{
  if (operation->kind->form != HEDDLE_FORM_REINDEX || operation->operands->len != 1 || result == NULL
      || operation->indices == NULL || operation->indices->len != result->axes->len)
    return FALSE;
  for (guint i = 0; i < operation->indices->len; i++)
    {
      const HeddleExpr *index = g_ptr_array_index (operation->indices, i);

      if (heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX
          || heddle_expr_get_symbol (index) != heddle_ids_index (result->axes, i))
        return FALSE;
    }
  return TRUE;
}

/* Returns the result of an operation that already reads @value over @axes; NULL if there is none. */
static const char *
find_reading (const HeddleDiagram *diagram, const char *value, const GArray *axes)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, value);

  for (guint i = 0; i < readers->len; i++)
    {
      const HeddleOperation *reader = g_ptr_array_index (readers, i);
      const HeddleValue *result = heddle_diagram_get_value (diagram, reader->result);

      if (is_renaming (reader, result) && heddle_ids_equal (result->axes, axes))
        return result->id;
    }
  return NULL;
}

static const char *
add_reading (HeddleDiagram *diagram, const char *value, const GArray *axes)
{
  g_autoptr (GArray) operands = heddle_ids_new ();
  const char *result = heddle_edit_add_result (diagram, axes);
  HeddleOperation *operation = NULL;

  heddle_ids_append (operands, value);
  operation = heddle_diagram_add_operation (
      diagram, NULL, heddle_operation_kind ("reindex"), operands, result, NULL, -1);
  operation->indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  for (guint i = 0; i < axes->len; i++)
    g_ptr_array_add (operation->indices, heddle_expr_index (heddle_ids_index (axes, i)));
  return result;
}

const char *
heddle_edit_read_at (
    HeddleDiagram *diagram, const char *value_id, const char *axis_id, const char *into_id, GError **error)
{
  g_return_val_if_fail (diagram != NULL, NULL);
  const HeddleValue *value = heddle_diagram_get_value (diagram, value_id);
  if (value == NULL || axis_id == NULL || !heddle_ids_contain (value->axes, axis_id)
      || (into_id != NULL
          && (heddle_ids_contain (value->axes, into_id)
              || heddle_diagram_get_axis (diagram, into_id) == NULL)))
    {
      heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("There is no wire here"));
      return NULL;
    }

  if (into_id == NULL)
    into_id = add_position (diagram, heddle_diagram_get_axis (diagram, axis_id)->name);
  g_autoptr (GArray) axes = exchange (value->axes, axis_id, into_id);
  const char *there = find_reading (diagram, value_id, axes);
  return there != NULL ? there : add_reading (diagram, value_id, axes);
}
