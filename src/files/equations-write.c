/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "files/equations-private.h"

typedef struct
{
  const HeddleDiagram *diagram;
  GString *text;
  GHashTable *sized; /* axis ids whose size is written already */
} Writer;

/* --- comments ------------------------------------------------------------------------ */

static void
append_comment_lines (Writer *self, const char *lines)
{
  g_auto (GStrv) each = lines != NULL ? g_strsplit (lines, "\n", -1) : NULL;

  for (guint i = 0; each != NULL && each[i] != NULL; i++)
    g_string_append_printf (self->text, "#%s%s\n", *each[i] != '\0' ? " " : "", each[i]);
}

/* A line of text, with what is said of the value above and behind it. */
static void
append_line (Writer *self, const HeddleValue *value, const char *before, const char *line)
{
  g_autofree char *above = NULL, *trailing = NULL;

  heddle_eq_comment_split (value->comment, &above, &trailing);
  if (trailing != NULL)
    g_strdelimit (trailing, "\n\r", ' ');
  append_comment_lines (self, above);
  g_string_append_printf (self->text, "%s%s", before != NULL ? before : "", line);
  if (trailing != NULL)
    g_string_append_printf (self->text, "  # %s", trailing);
  g_string_append_c (self->text, '\n');
}

/* --- declarations -------------------------------------------------------------------- */

static char *
size_text (Writer *self, const HeddleAxis *axis, gboolean compact)
{
  g_autoptr (HeddleEqArena) arena = heddle_eq_arena_new ();
  HeddleEqTranslation translation = { arena, self->diagram, NULL, NULL };

  return heddle_eq_node_to_string (heddle_eq_node_from_expr (&translation, axis->size), compact, FALSE);
}

static void
append_slot (Writer *self, GString *line, const char *axis_id)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (self->diagram, axis_id);
  g_autofree char *size = NULL;

  g_string_append (line, axis != NULL && axis->name != NULL ? axis->name : axis_id);
  if (axis == NULL || !g_hash_table_add (self->sized, (gpointer) axis_id) || axis->size == NULL)
    return;
  size = size_text (self, axis, TRUE);
  g_string_append_printf (line, "=%s", size);
}

/* NAME : dtype[axes] */
static char *
declaration_text (Writer *self, const HeddleValue *value, const char *name)
{
  GString *line = g_string_new (value->role == HEDDLE_ROLE_PARAMETER ? "param " : "");

  g_string_append_printf (line, "%s :", name);
  if (value->dtype != HEDDLE_DTYPE_UNSET)
    g_string_append_printf (line, " %s", heddle_dtype_to_string (value->dtype));
  else if (value->axes->len > 0)
    g_string_append_c (line, ' ');
  for (guint i = 0; i < value->axes->len; i++)
    {
      g_string_append (line, i == 0 ? "[" : ", ");
      append_slot (self, line, heddle_ids_index (value->axes, i));
    }
  if (value->axes->len > 0)
    g_string_append_c (line, ']');
  return g_string_free (line, FALSE);
}

static void
append_inputs (Writer *self)
{
  for (guint i = 0; i < self->diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (self->diagram->values, i);

      if (heddle_diagram_get_producer (self->diagram, value->id) != NULL)
        continue;
      g_autofree char *label = heddle_diagram_value_label (self->diagram, value->id);
      g_autofree char *line = declaration_text (self, value, label);
      append_line (self, value, NULL, line);
    }
}

static void
append_axes (Writer *self)
{
  for (guint i = 0; i < self->diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (self->diagram->axes, i);

      if (axis->size == NULL || !g_hash_table_add (self->sized, (gpointer) axis->id))
        continue;
      g_autofree char *size = size_text (self, axis, FALSE);
      g_string_append_printf (self->text, "axis %s = %s\n", axis->name, size);
    }
}

/* --- statements ---------------------------------------------------------------------- */

static void
append_statements (Writer *self, const HeddleEqPlan *plan)
{
  for (guint i = 0; i < self->diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->diagram->operations, i);
      const HeddleValue *value = heddle_diagram_get_value (self->diagram, operation->result);
      const char *line = g_hash_table_lookup (plan->lines, operation->result);
      g_autofree char *declaration = NULL, *before = NULL;

      if (line == NULL)
        continue;
      if (value->dtype != HEDDLE_DTYPE_UNSET)
        {
          declaration = declaration_text (self, value, heddle_eq_plan_label (plan, value->id));
          before = g_strconcat (declaration, "\n", NULL);
        }
      append_line (self, value, before, line);
    }
}

static void
append_outputs (Writer *self, const HeddleEqPlan *plan)
{
  for (guint i = 0; i < self->diagram->outputs->len; i++)
    g_string_append_printf (self->text, "%s%s", i == 0 ? "-> " : ", ",
        heddle_eq_plan_label (plan, heddle_ids_index (self->diagram->outputs, i)));
  if (self->diagram->outputs->len > 0)
    g_string_append_c (self->text, '\n');
}

/**
 * heddle_equations_write:
 * @diagram: a diagram without errors
 *
 * The canonical text of a diagram: inputs and parameters, axes with a size that no input gives, then a statement for each named value, and for
 * each unnamed one that cannot stand within the statement that reads it; sums are left out where reading puts them back. Reading this text
 * gives an isomorphic diagram, and writing that one gives this text.
 *
 * Returns: (transfer full): the text, each line ended by a newline
 */
char *
heddle_equations_write (const HeddleDiagram *diagram)
{
  Writer self = { diagram, NULL, NULL };
  g_autoptr (HeddleEqPlan) plan = NULL;

  g_return_val_if_fail (diagram != NULL, NULL);

  plan = heddle_eq_plan_new (diagram);
  self.text = g_string_new (NULL);
  self.sized = g_hash_table_new (NULL, NULL);
  append_inputs (&self);
  append_axes (&self);
  append_statements (&self, plan);
  if (diagram->explicit_outputs)
    append_outputs (&self, plan);
  append_comment_lines (&self, diagram->comment);
  g_hash_table_unref (self.sized);
  return g_string_free (self.text, FALSE);
}
