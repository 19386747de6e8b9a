/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "diagram/analysis/call-size.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation.h"
#include "files/equations/axes.h"
#include "files/equations/comment.h"
#include "files/equations/merge.h"
#include "files/equations/read.h"
#include "files/equations/report.h"
#include "files/equations/scope.h"
#include "files/equations/tree.h"
#include "diagram/document/snapshot.h"
#include "files/equations/arena.h"
#include "files/equations/lex.h"
#include "files/equations/nest.h"
#include "files/equations/parse.h"
#include "files/equations/parser.h"
#include "files/equations/words.h"

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

/* Returns the comments at the declaration of a computed value and at its statement, joined. */
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

/* Returns whether the statement gives the type of a formal of a definition once more, with what its first
 * line has no room for. */
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

/* Returns whether the name may be computed here. @declaration gives its type, or is NULL. */
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

static gboolean eq_need_definitions (HeddleEqReader *self, HeddleEqLine *line, const HeddleEqNode *node);

static HeddleEqTree *
read_tree (HeddleEqReader *self, HeddleEqStatement *statement, const GArray *axes)
{
  HeddleEqScope scope = { self->arena, &self->names, &statement->line };
  guint64 left = heddle_eq_left_bits (&scope, statement);

  if (!eq_need_definitions (self, &statement->line, statement->expression))
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

/* Gives several arrays on the left their names and types, which are in the text too. */
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

/* Infers the sizes that nothing gives from what the callee says. */
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
      heddle_eq_error (&statement->line, 1, _ ("the results of a definition stand in its first line"));
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

/* Reads the meaning of all statements. Outputs go last: they may be listed anywhere. */
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

/* --- names ------------------------------------------------------------------------------ */

gboolean
heddle_eq_begins_definition (const GArray *tokens)
{
  const HeddleEqToken *first = &g_array_index (tokens, HeddleEqToken, 0);

  return first->kind == HEDDLE_EQ_TOKEN_NAME && g_str_equal (first->text, "def")
         && first[1].kind == HEDDLE_EQ_TOKEN_NAME;
}

static const char *
full_name (HeddleEqDocument *self, const char *within, const GArray *tokens)
{
  g_autofree char *full = heddle_eq_join_definition (within, g_array_index (tokens, HeddleEqToken, 1).text);

  return heddle_eq_name (self->arena, full, -1);
}

/* Notes the name of a definition, which may be called above the place where it stands. Returns the name. */
const char *
heddle_eq_note_definition (
    HeddleEqDocument *self, const HeddleEqLine *line, GArray *tokens, const char *within)
{
  HeddleEqLine own = *line;
  const char *comment, *name;

  if (self->arena->n_nodes > HEDDLE_EQ_MAX_NODES || !heddle_eq_lex (self->arena, &own, tokens, &comment)
      || !heddle_eq_begins_definition (tokens))
    return NULL;
  name = full_name (self, within, tokens);
  g_hash_table_insert (self->callees, (gpointer) name, NULL);
  return name;
}

/* --- the first line ------------------------------------------------------------------------- */

/* Parses NAME [[NAME {, NAME}]]. */
static HeddleEqStatement *
parse_formal (HeddleEqParser *parser)
{
  const HeddleEqToken *name = heddle_eq_need_name (parser, _ ("the name of an array"));
  HeddleEqStatement *self;

  if (name == NULL || !heddle_eq_check_name (parser, name))
    return NULL;
  self = heddle_eq_statement_new (parser->line);
  self->kind = HEDDLE_EQ_DECLARE;
  self->is_formal = TRUE;
  self->name = name->text;
  self->column = name->column;
  if (heddle_eq_parse_slots (parser, self))
    return self;
  heddle_eq_statement_free (self);
  return NULL;
}

static gboolean
parse_formals (HeddleEqParser *parser, GPtrArray *formals)
{
  do
    {
      HeddleEqStatement *formal = parse_formal (parser);

      if (formal == NULL)
        return FALSE;
      g_ptr_array_add (formals, formal);
    }
  while (heddle_eq_accept (parser, ","));
  return TRUE;
}

static gboolean
parse_arguments (HeddleEqParser *parser, GArray *arguments)
{
  do
    {
      const HeddleEqToken *name
          = heddle_eq_need_name (parser, _ ("the name of a parameter, or of an axis whose size is given"));
      HeddleEqSlot slot = { NULL };

      if (name == NULL || !heddle_eq_check_name (parser, name))
        return FALSE;
      slot = (HeddleEqSlot){ name->text, name->column, NULL };
      g_array_append_val (arguments, slot);
    }
  while (heddle_eq_accept (parser, ","));
  return TRUE;
}

/* Parses (formals; arguments) -> outputs: */
static gboolean
parse_header (HeddleEqParser *parser, HeddleEqDefinition *self)
{
  if (!heddle_eq_need (parser, "("))
    return FALSE;
  if (!heddle_eq_at (parser, ")") && !heddle_eq_at (parser, ";")
      && !parse_formals (parser, self->reader.statements))
    return FALSE;
  if (heddle_eq_accept (parser, ";") && !parse_arguments (parser, self->arguments))
    return FALSE;
  if (!heddle_eq_accept (parser, ")"))
    return heddle_eq_expected (parser, _ ("“,”, “;” or “)”")) != NULL;
  return heddle_eq_need (parser, "->") && parse_formals (parser, self->outputs)
         && heddle_eq_need (parser, ":")
         && heddle_eq_need_end (
             parser, _ ("the end of the line: the body of a definition stands below, indented"));
}

static gboolean
check_defined_name (HeddleEqDocument *document, HeddleEqDefinition *self, const char *name)
{
  const HeddleEqDefinition *first = g_hash_table_lookup (document->named, self->name);
  const HeddleEqNames *names = &self->reader.names;

  if (heddle_eq_is_reserved (name))
    heddle_eq_error (
        &self->line, self->column, _ ("“%s” is a keyword of the language: expected another name"), name);
  else if (self->depth >= HEDDLE_EQ_MAX_DEFINITION_DEPTH)
    heddle_eq_error (&self->line, self->column, _ ("definitions are nested more than %d deep"),
        HEDDLE_EQ_MAX_DEFINITION_DEPTH);
  else if (self->parent != NULL && heddle_eq_is_shadow (names, self->name))
    heddle_eq_error (&self->line, self->column, _ ("“%s” is a definition: expected another name"), name);
  else if (first != NULL)
    heddle_eq_error (&self->line, self->column,
        _ ("%s is defined already, on line %u: expected another name"), name, first->line.number);
  else
    return TRUE;
  return FALSE;
}

HeddleEqDefinition *
heddle_eq_add_definition (HeddleEqDocument *document, HeddleEqDefinition *parent, HeddleEqLine *line,
    const GArray *tokens, const char *above, const char *trailing)
{
  HeddleEqDefinition *self = g_new0 (HeddleEqDefinition, 1);
  const HeddleEqToken *name = &g_array_index (tokens, HeddleEqToken, 1);
  HeddleEqParser parser
      = { document->arena, &self->line, (const HeddleEqToken *) tokens->data, 2, 0, &self->reader.names };
  const char *full = full_name (document, parent != NULL ? parent->name : NULL, tokens);
  HeddleDiagram *diagram = heddle_diagram_new (full);

  *self = (HeddleEqDefinition){ .line = *line,
    .name = full,
    .parent = parent,
    .column = name->column,
    .depth = parent != NULL ? parent->depth + 1 : 0 };
  self->outputs = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_eq_statement_free);
  self->arguments = g_array_new (FALSE, FALSE, sizeof (HeddleEqSlot));
  heddle_eq_reader_init (&self->reader, document, heddle_snapshot_add_diagram (document->snapshot, diagram));
  self->reader.definition = self;
  self->reader.names.within = full;
  diagram->explicit_outputs = TRUE;
  diagram->comment = heddle_eq_comment_join (above, trailing);
  self->broken = !check_defined_name (document, self, name->text) || !parse_header (&parser, self);
  g_ptr_array_add (document->definitions, self);
  if (g_hash_table_lookup (document->named, self->name) != NULL)
    return self;
  g_hash_table_insert (document->named, (gpointer) self->name, self);
  if (!self->broken)
    g_hash_table_insert (document->callees, (gpointer) self->name, diagram);
  return self;
}

void
heddle_eq_definition_free (HeddleEqDefinition *self)
{
  heddle_eq_reader_clear (&self->reader);
  g_ptr_array_unref (self->outputs);
  g_array_unref (self->arguments);
  g_free (self);
}

/* --- what is defined --------------------------------------------------------------------------- */

static gboolean
is_formal (const HeddleEqDefinition *self, const char *name)
{
  const GPtrArray *statements = self->reader.statements;

  for (guint i = 0; i < statements->len; i++)
    {
      const HeddleEqStatement *statement = g_ptr_array_index (statements, i);

      if (statement->kind == HEDDLE_EQ_DECLARE && statement->is_formal && g_str_equal (statement->name, name))
        return TRUE;
    }
  return FALSE;
}

/* Reads a box: if a definition computes nothing, its outputs are declared and no more. */
static void
read_box (HeddleEqDefinition *self)
{
  HeddleEqReader *reader = &self->reader;

  for (guint i = 0; reader->diagram->operations->len == 0 && i < self->outputs->len; i++)
    {
      const HeddleEqStatement *output = g_ptr_array_index (self->outputs, i);
      const HeddleValue *value = g_hash_table_lookup (reader->names.values, output->name);

      if (value != NULL && value->role == HEDDLE_ROLE_INPUT && !is_formal (self, output->name))
        {
          HeddleValue *made = heddle_diagram_edit_value (reader->diagram, value->id);

          made->role = HEDDLE_ROLE_INTERMEDIATE;
          g_hash_table_insert (reader->names.values, (gpointer) output->name, made);
        }
    }
}

static void
read_results (HeddleEqDefinition *self)
{
  HeddleEqReader *reader = &self->reader;

  for (guint i = 0; i < self->outputs->len; i++)
    {
      HeddleEqStatement *output = g_ptr_array_index (self->outputs, i);
      const HeddleValue *value = g_hash_table_lookup (reader->names.values, output->name);
      gboolean same = value != NULL && value->axes->len == output->slots->len;

      for (guint j = 0; same && j < output->slots->len; j++)
        same = heddle_ids_index (value->axes, j)
               == g_hash_table_lookup (
                   reader->names.axes, g_array_index (output->slots, HeddleEqSlot, j).name);
      if (value == NULL && !g_hash_table_contains (reader->names.broken, output->name))
        heddle_eq_error (&self->line, output->column, _ ("%s should give %s, but nothing below makes it"),
            self->name, output->name);
      else if (value != NULL && !same)
        heddle_eq_error (&self->line, output->column,
            _ ("%s has other axes below: expected the same in the same order"), output->name);
      else if (value != NULL && heddle_ids_contain (reader->diagram->outputs, value->id))
        heddle_eq_error (&self->line, output->column, _ ("%s occurs twice"), output->name);
      else if (value != NULL)
        heddle_ids_append (reader->diagram->outputs, value->id);
    }
}

/* Reads the names after the semicolon: each is that of a parameter below, or of an axis. */
static void
read_arguments (HeddleEqDefinition *self)
{
  HeddleEqReader *reader = &self->reader;

  for (guint i = 0; i < self->arguments->len; i++)
    {
      const HeddleEqSlot *slot = &g_array_index (self->arguments, HeddleEqSlot, i);
      const HeddleValue *value = g_hash_table_lookup (reader->names.values, slot->name);
      const char *id = value != NULL ? value->id : g_hash_table_lookup (reader->names.axes, slot->name);

      if (id == NULL || (value != NULL && value->role != HEDDLE_ROLE_PARAMETER))
        heddle_eq_error (&self->line, slot->column,
            _ ("“%s” is neither a parameter nor an axis of what is defined: expected one of them"),
            slot->name);
      else if (heddle_ids_contain (reader->diagram->arguments, id))
        heddle_eq_error (&self->line, slot->column, _ ("%s occurs twice"), slot->name);
      else
        heddle_ids_append (reader->diagram->arguments, id);
    }
}

void
heddle_eq_read_definition (HeddleEqDefinition *self)
{
  if (self->state != HEDDLE_EQ_UNREAD)
    return;
  self->state = HEDDLE_EQ_READING;
  if (!self->broken)
    {
      guint before = self->reader.report->n_errors;

      heddle_eq_read_meaning (&self->reader);
      read_box (self);
      read_results (self);
      read_arguments (self);
      self->broken = self->reader.report->n_errors > before;
    }
  self->state = HEDDLE_EQ_DONE;
}

/* --- calls ---------------------------------------------------------------------------------------- */

static gboolean
need_definition (HeddleEqReader *self, HeddleEqLine *line, const HeddleEqNode *call)
{
  HeddleEqDocument *document = self->document;
  HeddleEqDefinition *definition = g_hash_table_lookup (document->named, call->name);

  if (definition == NULL || definition->broken)
    return FALSE; /* its error has been reported */
  if (definition->state == HEDDLE_EQ_READING)
    heddle_eq_error (
        line, call->column, _ ("%s calls itself without end: expected another definition"), call->name);
  else if (document->depth >= HEDDLE_EQ_MAX_DEFINITION_DEPTH)
    heddle_eq_error (line, call->column, _ ("definitions call one another more than %d deep"),
        HEDDLE_EQ_MAX_DEFINITION_DEPTH);
  else
    {
      document->depth++;
      heddle_eq_read_definition (definition);
      document->depth--;
      return !definition->broken;
    }
  return FALSE;
}

/* Reads the definitions that an expression calls, where that has not been done. FALSE means that one of them
 * cannot be called. */
static gboolean
eq_need_definitions (HeddleEqReader *self, HeddleEqLine *line, const HeddleEqNode *node)
{
  gboolean good = node->kind != HEDDLE_EQ_CALL || need_definition (self, line, node);

  for (guint i = 0; i < node->n_children; i++)
    good &= eq_need_definitions (self, line, node->children[i]);
  return good;
}
