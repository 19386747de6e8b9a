/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "diagram/base/dtype.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/operation.h"
#include "files/equations/arena.h"
#include "files/equations/comment.h"
#include "files/equations/definable.h"
#include "files/equations/invoke.h"
#include "files/equations/labels.h"
#include "files/equations/lex.h"
#include "files/equations/nest.h"
#include "files/equations/plan.h"
#include "files/equations/print.h"
#include "files/equations/private.h"
#include "files/equations/write.h"

typedef struct
{
  const HeddleDiagram *diagram;
  GString *text;
  GHashTable *sized; /* axis ids whose size is written already */
  const char *indent; /* before each line */
  gboolean is_definition;
} Writer;

/* --- comments ------------------------------------------------------------------------ */

/* Returns the comment with a space for each character that no text may contain; a document may contain
 * them. */
static char *
plain_comment (const char *comment)
{
  GString *plain = g_string_new (NULL);

  for (const char *at = comment; *at != '\0'; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);

      g_string_append_unichar (plain, c == '\n' || heddle_eq_may_stand_in_text (c) ? c : ' ');
    }
  return g_string_free (plain, FALSE);
}

/* Appends comment lines. Reading drops the spaces at the end of a comment, and a comment of one empty line:
 * they are not written. */
static void
append_comment_lines (Writer *self, const char *lines)
{
  g_autofree char *plain = lines != NULL ? plain_comment (lines) : NULL;
  g_auto (GStrv) each = plain != NULL ? g_strsplit (plain, "\n", -1) : NULL;

  for (guint i = 0; each != NULL && each[i] != NULL; i++)
    g_strchomp (each[i]);
  if (each != NULL && g_strv_length (each) == 1 && *each[0] == '\0')
    return;
  for (guint i = 0; each != NULL && each[i] != NULL; i++)
    g_string_append_printf (self->text, "%s#%s%s\n", self->indent, *each[i] != '\0' ? " " : "", each[i]);
}

/* Appends a line of text, with the comments above and behind it. */
static void
append_line (Writer *self, const char *comment, const char *before, const char *line)
{
  g_autofree char *above = NULL, *trailing = NULL, *behind = NULL;

  heddle_eq_comment_split (comment, &above, &trailing);
  behind = trailing != NULL ? plain_comment (trailing) : NULL;
  if (behind != NULL)
    g_strchomp (g_strdelimit (behind, "\n", ' '));
  append_comment_lines (self, above);
  g_string_append_printf (self->text, "%s%s%s", before != NULL ? before : "", self->indent, line);
  if (behind != NULL && *behind != '\0')
    g_string_append_printf (self->text, "  # %s", behind);
  g_string_append_c (self->text, '\n');
}

/* --- declarations -------------------------------------------------------------------- */

static char *
size_text (Writer *self, const HeddleAxis *axis, gboolean compact)
{
  g_autoptr (HeddleEqArena) arena = heddle_eq_arena_new ();
  HeddleEqTranslation translation = { arena, self->diagram, NULL, NULL };

  return heddle_eq_node_to_string (heddle_eq_node_from_expr (&translation, axis->size), compact);
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

/* Returns a declaration, NAME : dtype[axes]. */
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

/* Returns whether the first line of a definition says everything about an input: it does if that has neither
 * a type nor a comment. */
static gboolean
is_said_above (const Writer *self, const HeddleValue *value)
{
  return self->is_definition && value->role == HEDDLE_ROLE_INPUT && value->dtype == HEDDLE_DTYPE_UNSET
         && value->comment == NULL;
}

static void
append_input (Writer *self, const HeddleValue *value)
{
  g_autofree char *label = NULL, *line = NULL;

  if (heddle_diagram_get_producer (self->diagram, value->id) != NULL || is_said_above (self, value))
    return;
  label = heddle_diagram_value_label (self->diagram, value->id);
  line = declaration_text (self, value, label);
  append_line (self, value->comment, NULL, line);
}

/* Appends the inputs. Those of a definition come before its parameters, as they do when the text is read
 * again: the first line made them. */
static void
append_inputs (Writer *self)
{
  const GPtrArray *values = self->diagram->values;

  for (guint pass = 0; pass < (self->is_definition ? 2 : 1); pass++)
    for (guint i = 0; i < values->len; i++)
      {
        const HeddleValue *value = g_ptr_array_index (values, i);

        if (!self->is_definition || (value->role == HEDDLE_ROLE_INPUT) == (pass == 0))
          append_input (self, value);
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
      g_string_append_printf (self->text, "%saxis %s = %s\n", self->indent, axis->name, size);
    }
}

/* --- statements ---------------------------------------------------------------------- */

/* Returns the declared types of all results of the operation, each line ended by a newline; NULL if there are
 * none. */
static char *
declarations_text (Writer *self, const HeddleEqPlan *plan, const HeddleOperation *operation)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < heddle_operation_n_results (operation); i++)
    {
      const HeddleValue *value
          = heddle_diagram_get_value (self->diagram, heddle_operation_get_result (operation, i));

      if (value->dtype == HEDDLE_DTYPE_UNSET)
        continue;
      g_autofree char *line = declaration_text (self, value, heddle_eq_plan_label (plan, value->id));
      g_string_append_printf (text, "%s%s\n", self->indent, line);
    }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* Appends a topk: its values stand where its places do, in one line. */
static void
append_choice (Writer *self, const HeddleEqPlan *plan, const HeddleOperation *places, const char *values)
{
  const HeddleOperation *operation = heddle_diagram_get_producer (self->diagram, values);
  g_autofree char *one = declarations_text (self, plan, places),
                  *other = declarations_text (self, plan, operation);
  g_autofree char *before = g_strconcat (one != NULL ? one : "", other != NULL ? other : "", NULL);

  append_line (self, heddle_diagram_get_value (self->diagram, values)->comment, before,
      g_hash_table_lookup (plan->lines, values));
}

static void
append_statements (Writer *self, const HeddleEqPlan *plan)
{
  for (guint i = 0; i < self->diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->diagram->operations, i);
      const HeddleValue *value = heddle_diagram_get_value (self->diagram, operation->result);
      const char *line = g_hash_table_lookup (plan->lines, operation->result);
      const char *values = g_hash_table_lookup (plan->joined, operation->result);

      if (line == NULL || values == operation->result)
        continue;
      if (values != NULL)
        {
          append_choice (self, plan, operation, values);
          continue;
        }
      g_autofree char *before = declarations_text (self, plan, operation);
      append_line (self, value->comment, before, line);
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

static void
append_diagram (Writer *self, const HeddleEqPlan *plan)
{
  g_autoptr (GHashTable) sized = g_hash_table_new (NULL, NULL);

  self->sized = sized;
  append_inputs (self);
  append_axes (self);
  append_statements (self, plan);
  if (self->diagram->explicit_outputs && !self->is_definition)
    append_outputs (self, plan);
}

/* --- definitions --------------------------------------------------------------------- */

/* The definitions that are written, and which stand within which. */
typedef struct
{
  const HeddleSnapshot *snapshot;
  GString *text;
  GHashTable *named; /* name -> HeddleDiagram */
  GHashTable *within; /* name -> GPtrArray of HeddleDiagram */
} Definitions;

static void
append_formals (GString *text, const HeddleEqPlan *plan, const GArray *ids)
{
  for (guint i = 0; i < ids->len; i++)
    {
      const HeddleValue *value = heddle_diagram_get_value (plan->diagram, heddle_ids_index (ids, i));

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", heddle_eq_plan_label (plan, value->id));
      for (guint j = 0; j < value->axes->len; j++)
        g_string_append_printf (text, "%c%s", j == 0 ? '[' : ',',
            heddle_diagram_get_axis (plan->diagram, heddle_ids_index (value->axes, j))->name);
      g_string_append (text, value->axes->len > 0 ? "]" : "");
    }
}

/* Returns the first line, def NAME(formals; arguments) -> outputs: */
static char *
header_text (const HeddleEqPlan *plan, const char *name)
{
  const HeddleDiagram *diagram = plan->diagram;
  g_autoptr (GArray) inputs = heddle_eq_callee_slots (diagram),
                     outputs = heddle_diagram_get_outputs (diagram);
  GString *text = g_string_new (NULL);

  g_array_set_size (inputs, inputs->len - diagram->arguments->len);
  g_string_printf (text, "def %s(", name);
  append_formals (text, plan, inputs);
  for (guint i = 0; i < diagram->arguments->len; i++)
    {
      const char *id = heddle_ids_index (diagram->arguments, i);
      const HeddleValue *value = heddle_diagram_get_value (diagram, id);
      g_string_append_printf (text, "%s%s", i == 0 ? (inputs->len > 0 ? "; " : ";") : ", ",
          value != NULL ? value->name : heddle_diagram_get_axis (diagram, id)->name);
    }
  g_string_append (text, ") -> ");
  append_formals (text, plan, outputs);
  g_string_append_c (text, ':');
  return g_string_free (text, FALSE);
}

/* Appends a definition; those that stand within it come first. */
static void
append_definition (const Definitions *self, const HeddleDiagram *diagram, guint depth)
{
  const GPtrArray *inner = g_hash_table_lookup (self->within, diagram->name);
  g_autoptr (HeddleEqPlan) plan = heddle_eq_plan_new (self->snapshot, diagram, TRUE);
  g_autofree char *outside = g_strnfill (2 * depth, ' '), *inside = g_strnfill (2 * depth + 2, ' ');
  g_autofree char *header = header_text (plan, depth > 0 ? strrchr (diagram->name, '.') + 1 : diagram->name);
  Writer above = { diagram, self->text, NULL, outside, TRUE };
  Writer body = { diagram, self->text, NULL, inside, TRUE };

  append_line (&above, diagram->comment, NULL, header);
  for (guint i = 0; inner != NULL && i < inner->len; i++)
    append_definition (self, g_ptr_array_index (inner, i), depth + 1);
  append_diagram (&body, plan);
  g_string_append_c (self->text, '\n');
}

static void
place_definition (Definitions *self, HeddleDiagram *diagram, GPtrArray *outermost)
{
  g_autofree char *within = NULL;
  GPtrArray *inner;

  if (!heddle_eq_is_within (self->named, diagram->name, &within))
    {
      g_ptr_array_add (outermost, diagram);
      return;
    }
  inner = g_hash_table_lookup (self->within, within);
  if (inner == NULL)
    {
      inner = g_ptr_array_new ();
      g_hash_table_insert (self->within, g_steal_pointer (&within), inner);
    }
  g_ptr_array_add (inner, diagram);
}

/* Appends all definitions; @diagrams holds HeddleDiagrams in the order of the document. */
static void
append_definitions (GString *text, const HeddleSnapshot *snapshot, const GPtrArray *diagrams)
{
  g_autoptr (GHashTable) named = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) within
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GPtrArray) outermost = g_ptr_array_new ();
  Definitions self = { snapshot, text, named, within };

  for (guint i = 0; i < diagrams->len; i++)
    {
      HeddleDiagram *diagram = g_ptr_array_index (diagrams, i);
      g_hash_table_insert (named, diagram->name, diagram);
    }
  for (guint i = 0; i < diagrams->len; i++)
    place_definition (&self, g_ptr_array_index (diagrams, i), outermost);
  for (guint i = 0; i < outermost->len; i++)
    append_definition (&self, g_ptr_array_index (outermost, i), 0);
}

/* Collects what @diagram calls, and what that calls. */
static void
collect_called (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram, GHashTable *called)
{
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      const HeddleDiagram *callee = operation->callee != NULL
                                        ? heddle_snapshot_get_diagram_by_id (snapshot, operation->callee)
                                        : NULL;

      if (callee != NULL && g_hash_table_add (called, (gpointer) callee))
        collect_called (snapshot, callee, called);
    }
}

/* --- doors --------------------------------------------------------------------------- */

/* Adds the diagram itself, after its definitions; takes @text. */
static char *
write_main (GString *text, const HeddleSnapshot *snapshot, const HeddleDiagram *diagram)
{
  g_autoptr (HeddleEqPlan) plan = heddle_eq_plan_new (snapshot, diagram, FALSE);
  Writer self = { diagram, text, NULL, "", FALSE };

  append_diagram (&self, plan);
  append_comment_lines (&self, diagram->comment);
  return g_string_free (text, FALSE);
}

char *
heddle_equations_write (const HeddleDiagram *diagram)
{
  return write_main (g_string_new (NULL), NULL, diagram);
}

char *
heddle_equations_write_snapshot (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram)
{
  g_autoptr (GHashTable) called = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) definitions = g_ptr_array_new ();
  g_autoptr (HeddleSnapshot) definable = NULL;
  const HeddleDiagram *first;
  GString *text = g_string_new (NULL);

  g_return_val_if_fail (snapshot != NULL && diagram != NULL, NULL);

  collect_called (snapshot, diagram, called);
  definable = heddle_eq_make_definable (snapshot, called);
  first = heddle_snapshot_get_diagram (snapshot, NULL);
  for (guint i = 0; i < snapshot->diagrams->len; i++)
    {
      const HeddleDiagram *other = g_ptr_array_index (snapshot->diagrams, i);

      if (other->id != diagram->id
          && ((diagram->id == first->id && heddle_eq_can_be_defined (other->name))
              || g_hash_table_contains (called, other)))
        g_ptr_array_add (definitions, g_ptr_array_index (definable->diagrams, i));
    }
  append_definitions (text, definable, definitions);
  return write_main (text, definable, diagram);
}
