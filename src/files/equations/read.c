/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "diagram/analysis/call-size.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation.h"
#include "files/equations/axes.h"
#include "files/equations/comment.h"
#include "files/equations/define.h"
#include "files/equations/merge.h"
#include "files/equations/private.h"
#include "files/equations/read.h"
#include "files/equations/reader.h"
#include "files/equations/report.h"
#include "files/equations/scope.h"
#include "files/equations/tree.h"

/* --- values -------------------------------------------------------------------------- */

static void
set_broken (HeddleEqReader *self, HeddleEqStatement *statement)
{
  if (statement->name != NULL)
    g_hash_table_add (self->names.broken, (gpointer) statement->name);
}

static GArray *
slot_axes (HeddleEqReader *self, const HeddleEqStatement *statement)
{
  GArray *axes = heddle_ids_new ();

  for (guint i = 0; i < statement->slots->len; i++)
    {
      const char *name = g_array_index (statement->slots, HeddleEqSlot, i).name;

      heddle_ids_append (axes, g_hash_table_lookup (self->names.axes, name));
    }
  return axes;
}

static void
add_lines (GString *text, const char *lines)
{
  if (lines != NULL)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", lines);
}

/* What is said at the declaration of a computed value and at its statement. */
static char *
joined_comment (const HeddleEqStatement *declaration, const HeddleEqStatement *statement)
{
  g_autoptr (GString) above = g_string_new (NULL);

  if (declaration != NULL)
    {
      add_lines (above, declaration->above);
      add_lines (above, declaration->trailing);
    }
  add_lines (above, statement->above);
  return heddle_eq_comment_join (above->len > 0 ? above->str : NULL, statement->trailing);
}

static void
add_name (HeddleEqReader *self, HeddleEqStatement *statement, HeddleValue *value,
    const HeddleEqStatement *declaration)
{
  value->comment = joined_comment (declaration, statement);
  g_hash_table_insert (self->names.values, (gpointer) statement->name, value);
  heddle_eq_set_place (self, value->id, &statement->line, statement->column, FALSE);
}

/* --- declarations -------------------------------------------------------------------- */

static gboolean
check_first (HeddleEqReader *self, HeddleEqStatement *statement)
{
  const HeddleEqStatement *first = g_hash_table_lookup (self->arrays, statement->name);

  if (first == statement)
    return TRUE;
  heddle_eq_error (&statement->line, statement->column,
      _ ("%s is defined already, on line %u: expected another name"), statement->name, first->line.number);
  return FALSE;
}

/* Within a definition the type of a formal may be told once more, with what its first line has no room for. */
static gboolean
is_formal_again (HeddleEqReader *self, const HeddleEqStatement *statement)
{
  const HeddleEqStatement *first = g_hash_table_lookup (self->arrays, statement->name);

  return first != NULL && first != statement && first->is_formal && !statement->parameter;
}

static void
refine_formal (HeddleEqReader *self, HeddleEqStatement *statement)
{
  const HeddleValue *value = g_hash_table_lookup (self->names.values, statement->name);
  g_autoptr (GArray) axes = slot_axes (self, statement);
  HeddleValue *formal;

  if (value == NULL)
    return;
  if (!heddle_ids_equal (axes, value->axes) || value->dtype != HEDDLE_DTYPE_UNSET || value->comment != NULL)
    {
      heddle_eq_error (&statement->line, statement->column,
          _ ("%s is defined already, on line %u: expected another name or, once, the same axes"),
          statement->name, self->definition->line.number);
      return;
    }
  formal = heddle_diagram_edit_value (self->diagram, value->id);
  formal->dtype = statement->dtype;
  formal->comment = joined_comment (NULL, statement);
  g_hash_table_insert (self->names.values, (gpointer) statement->name, formal);
}

static void
read_declaration (HeddleEqReader *self, HeddleEqStatement *statement, guint at)
{
  g_autoptr (GArray) axes = NULL;
  HeddleValueRole role = statement->parameter ? HEDDLE_ROLE_PARAMETER : HEDDLE_ROLE_INPUT;

  if (is_formal_again (self, statement))
    {
      refine_formal (self, statement);
      return;
    }
  if (!check_first (self, statement))
    return;
  if (!statement->parameter && GPOINTER_TO_UINT (g_hash_table_lookup (self->computed, statement->name)) > at)
    {
      g_hash_table_insert (self->declared, (gpointer) statement->name, statement);
      return;
    }
  axes = slot_axes (self, statement);
  add_name (self, statement,
      heddle_diagram_add_value (self->diagram, NULL, statement->name, role, statement->dtype, axes), NULL);
}

/* --- statements ---------------------------------------------------------------------- */

/* Whether the name may be computed here; @declaration: its type, or NULL. */
static gboolean
check_assignment (HeddleEqReader *self, HeddleEqStatement *statement, const HeddleEqStatement **declaration)
{
  *declaration = g_hash_table_lookup (self->declared, statement->name);
  if (*declaration == NULL)
    return check_first (self, statement);
  g_hash_table_remove (self->declared, statement->name);
  g_autoptr (GArray) wanted = slot_axes (self, *declaration);
  g_autoptr (GArray) axes = slot_axes (self, statement);
  if (heddle_ids_equal (wanted, axes))
    return TRUE;
  heddle_eq_error (&statement->line, statement->column,
      _ ("the axes of %s differ from those declared on line %u"), statement->name,
      (*declaration)->line.number);
  return FALSE;
}

static HeddleEqTree *
read_tree (HeddleEqReader *self, HeddleEqStatement *statement, const GArray *axes)
{
  HeddleEqScope scope = { self->arena, &self->names, &statement->line };
  guint64 left = heddle_eq_left_bits (&scope, statement);

  if (!heddle_eq_need_definitions (self, &statement->line, statement->expression))
    return NULL;
  heddle_eq_add_indices (self, &statement->line, statement->expression);
  if (statement->line.n_errors > 0 || !heddle_eq_scope (&scope, &statement->expression, left)
      || !heddle_eq_check_renames (self, &statement->line, statement->expression))
    return NULL;
  return heddle_eq_elaborate_left (&scope, statement, axes);
}

static void
place_new_objects (HeddleEqReader *self, HeddleEqStatement *statement, guint values, guint operations)
{
  for (guint i = values; i < self->diagram->values->len; i++)
    heddle_eq_set_place (self, ((HeddleValue *) g_ptr_array_index (self->diagram->values, i))->id,
        &statement->line, statement->expression->column, FALSE);
  for (guint i = operations; i < self->diagram->operations->len; i++)
    heddle_eq_set_place (self, ((HeddleOperation *) g_ptr_array_index (self->diagram->operations, i))->id,
        &statement->line, statement->expression->column, FALSE);
}

static guint
n_left (const HeddleEqStatement *statement)
{
  return 1 + (statement->others != NULL ? statement->others->len : 0);
}

static HeddleEqStatement *
left_at (HeddleEqStatement *statement, guint i)
{
  return i == 0 ? statement : g_ptr_array_index (statement->others, i - 1);
}

static gboolean
check_left (HeddleEqReader *self, HeddleEqStatement *statement, const HeddleEqStatement **declarations)
{
  gboolean good = TRUE;

  for (guint i = 0; i < n_left (statement); i++)
    good &= check_assignment (self, left_at (statement, i), &declarations[i]);
  if (good && statement->others != NULL && statement->expression->kind != HEDDLE_EQ_CALL)
    {
      heddle_eq_error (&statement->line, left_at (statement, 1)->column,
          _ ("the right side makes one array: expected “=”, or a call of a definition that makes several"));
      good = FALSE;
    }
  return good;
}

/* Several arrays on the left have their names and types from the text too. */
static void
name_others (HeddleEqReader *self, HeddleEqStatement *statement, const HeddleOperation *operation,
    const HeddleEqStatement *const *declarations)
{
  for (guint i = 1; i < n_left (statement); i++)
    {
      HeddleValue *value
          = heddle_diagram_edit_value (self->diagram, heddle_operation_get_result (operation, i));

      value->name = g_strdup (left_at (statement, i)->name);
      value->dtype = declarations[i] != NULL ? declarations[i]->dtype : HEDDLE_DTYPE_UNSET;
      add_name (self, left_at (statement, i), value, declarations[i]);
    }
}

/* Sizes that nothing gives are what the callee says. */
static void
infer_sizes (HeddleEqReader *self, const HeddleOperation *operation)
{
  for (guint i = 0; operation->callee != NULL && i < heddle_operation_n_results (operation); i++)
    {
      const HeddleValue *value
          = heddle_diagram_get_value (self->diagram, heddle_operation_get_result (operation, i));

      for (guint j = 0; j < value->axes->len; j++)
        {
          const HeddleEqPlace *place = g_hash_table_lookup (self->places, heddle_ids_index (value->axes, j));
          const char *axis = heddle_ids_index (value->axes, j);

          if (heddle_diagram_get_axis (self->diagram, axis)->size == NULL && !place->declared)
            heddle_diagram_edit_axis (self->diagram, axis)->size
                = heddle_call_result_size (self->document->snapshot, self->diagram, operation, i, j);
        }
    }
}

static void
read_assignment (HeddleEqReader *self, HeddleEqStatement *statement)
{
  g_autofree const HeddleEqStatement **declarations = g_new0 (const HeddleEqStatement *, n_left (statement));
  guint values = self->diagram->values->len, operations = self->diagram->operations->len;
  g_autoptr (GArray) axes = NULL;
  g_autoptr (HeddleEqTree) tree = NULL;
  const HeddleOperation *operation;

  if (!check_left (self, statement, declarations))
    return;
  axes = slot_axes (self, statement);
  tree = read_tree (self, statement, axes);
  if (tree == NULL)
    {
      for (guint i = 0; i < n_left (statement); i++)
        set_broken (self, left_at (statement, i));
      return;
    }
  for (guint i = 1; i < n_left (statement); i++)
    {
      g_autoptr (GArray) more = slot_axes (self, left_at (statement, i));
      heddle_eq_tree_add_result (tree, more);
    }
  HeddleValue *value = heddle_eq_tree_emit (tree, self->diagram, statement->name,
      declarations[0] != NULL ? declarations[0]->dtype : HEDDLE_DTYPE_UNSET);
  place_new_objects (self, statement, values, operations);
  add_name (self, statement, value, declarations[0]);
  operation = heddle_diagram_get_producer (self->diagram, value->id);
  name_others (self, statement, operation, declarations);
  infer_sizes (self, operation);
}

static void
read_outputs (HeddleEqReader *self, HeddleEqStatement *statement)
{
  if (self->definition != NULL)
    {
      heddle_eq_error (&statement->line, 1, _ ("what a definition gives stands in its first line"));
      return;
    }
  if (self->has_outputs)
    heddle_eq_error (&statement->line, 1, _ ("the outputs are listed already: expected one list"));
  self->has_outputs = TRUE;
  self->diagram->explicit_outputs = TRUE;
  for (guint i = 0; i < statement->slots->len; i++)
    {
      const HeddleEqSlot *slot = &g_array_index (statement->slots, HeddleEqSlot, i);
      const HeddleValue *value = g_hash_table_lookup (self->names.values, slot->name);

      if (value != NULL && !heddle_ids_contain (self->diagram->outputs, value->id))
        heddle_ids_append (self->diagram->outputs, value->id);
      else if (value != NULL)
        heddle_eq_error (&statement->line, slot->column, _ ("%s occurs twice"), slot->name);
      else if (!g_hash_table_contains (self->names.broken, slot->name))
        heddle_eq_error (&statement->line, slot->column,
            _ ("“%s” is not known: expected the name of an array"), slot->name);
    }
}

static void
read_statement (HeddleEqReader *self, HeddleEqStatement *statement, guint at)
{
  if (statement->broken)
    set_broken (self, statement);
  else if (statement->kind == HEDDLE_EQ_DECLARE)
    read_declaration (self, statement, at);
  else if (statement->kind == HEDDLE_EQ_ASSIGN && !statement->is_other)
    read_assignment (self, statement);
}

/* Outputs go last: they may be listed anywhere. */
void
heddle_eq_read_meaning (HeddleEqReader *self)
{
  heddle_eq_read_axes (self);
  for (guint i = 0; i < self->statements->len; i++)
    read_statement (self, g_ptr_array_index (self->statements, i), i);
  for (guint i = 0; i < self->statements->len; i++)
    {
      HeddleEqStatement *statement = g_ptr_array_index (self->statements, i);

      if (statement->kind == HEDDLE_EQ_OUTPUTS && !statement->broken)
        read_outputs (self, statement);
    }
}
