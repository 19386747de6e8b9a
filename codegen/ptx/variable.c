/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/ptx/lexer.h"
#include "codegen/ptx/literal.h"
#include "codegen/ptx/modifiers.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/scope.h"
#include "codegen/ptx/variable.h"

/* The head of a declaration: ".shared .align 4 .b8 name[128]". */
typedef struct
{
  PtxSpace space;
  PtxType type;
  gsize align;
  gsize size;
  gboolean open;
  char *name;
} Head;

static gboolean
fail (PtxParser *self, int code, const char *problem)
{
  return ptx_lexer_fail (&self->lexer, self->lexer.token.line, code, "%s", problem);
}

/* Parses the attributes up to the name: the space first, then alignment and type. */
static gboolean
parse_attributes (PtxParser *self, Head *head)
{
  while (self->lexer.token.kind == PTX_TOKEN_WORD && self->lexer.token.start[0] == '.')
    {
      g_autofree char *word = ptx_lexer_word (&self->lexer);
      PtxModifier modifier;
      guint8 space;
      guint64 align;
      if (!ptx_lexer_next (&self->lexer))
        return FALSE;
      if (g_str_equal (word, ".align"))
        {
          if (!ptx_lexer_take_number (&self->lexer, 4096, &align))
            return FALSE;
          if (align == 0 || (align & (align - 1)) != 0)
            return fail (self, HEDDLE_PTX_ERROR_SYNTAX, _ ("an alignment that is not a power of two"));
          head->align = align;
        }
      else if (ptx_modifier_find (word + 1, PTX_M (SPACE), &modifier, &space))
        head->space = space;
      else
        head->type = ptx_type_from_name (word + 1);
    }
  if (head->type == PTX_NONE || head->type == PTX_PRED)
    return ptx_lexer_unexpected (&self->lexer, _ ("a type and a name"));
  head->align = MAX (head->align, ptx_type_bits (head->type) / 8);
  return TRUE;
}

/* Parses "[2][4]" after the name; "[]" leaves the size open. */
static gboolean
parse_extent (PtxParser *self, Head *head)
{
  gboolean bracket = TRUE;
  head->size = ptx_type_bits (head->type) / 8;
  while (TRUE)
    {
      guint64 count = 0;
      if (!ptx_lexer_accept (&self->lexer, '[', &bracket))
        return FALSE;
      if (!bracket)
        return TRUE;
      if (self->lexer.token.kind == ']')
        head->open = TRUE;
      else if (!ptx_lexer_take_number (&self->lexer, PTX_MOST_VARIABLE, &count))
        return FALSE;
      head->size *= count;
      if (head->size > PTX_MOST_VARIABLE)
        return fail (self, HEDDLE_PTX_ERROR_LIMIT, _ ("a variable that is too large"));
      if (!ptx_lexer_expect (&self->lexer, ']'))
        return FALSE;
    }
}

static gboolean
add_value (PtxParser *self, const Head *head, PtxVariable *variable, guint64 value)
{
  guint bytes = ptx_type_bits (head->type) / 8;
  if (variable->initial->len + bytes > head->size)
    return fail (self, HEDDLE_PTX_ERROR_SYNTAX, _ ("more values than the variable holds"));
  value = GUINT64_TO_LE (value);
  g_byte_array_append (variable->initial, (const guint8 *) &value, bytes);
  return TRUE;
}

/* Adds "name", "generic(name)" or "name+4", an address that is known at launch. */
static gboolean
add_address (PtxParser *self, const Head *head, PtxVariable *variable)
{
  g_autofree char *name = NULL;
  gboolean generic, plus;
  guint64 offset = 0;
  if (!ptx_lexer_take_word (&self->lexer, &name) || !ptx_lexer_accept (&self->lexer, '(', &generic))
    return FALSE;
  if (generic)
    {
      g_clear_pointer (&name, g_free);
      if (!ptx_lexer_take_word (&self->lexer, &name) || !ptx_lexer_expect (&self->lexer, ')'))
        return FALSE;
    }
  if (!ptx_lexer_accept (&self->lexer, '+', &plus)
      || (plus && !ptx_lexer_take_number (&self->lexer, PTX_MOST_VARIABLE, &offset)))
    return FALSE;
  const PtxSymbol *symbol = ptx_scope_find (self, name);
  PtxRelocation relocation = { .offset = variable->initial->len };
  if (ptx_type_bits (head->type) != 64)
    return fail (self, HEDDLE_PTX_ERROR_UNKNOWN, _ ("an address in a variable without 64 bits"));
  if (symbol != NULL && symbol->kind == PTX_SYMBOL_FUNCTION)
    relocation.function = symbol->function;
  else if (symbol != NULL && symbol->kind == PTX_SYMBOL_VARIABLE
           && (symbol->variable->space == PTX_GLOBAL || symbol->variable->space == PTX_CONST))
    relocation.variable = symbol->variable;
  else
    return fail (self, HEDDLE_PTX_ERROR_SYNTAX, _ ("the address of something unknown"));
  g_array_append_val (variable->relocations, relocation);
  return add_value (self, head, variable, offset);
}

static gboolean
parse_value (PtxParser *self, const Head *head, PtxVariable *variable)
{
  gboolean negative;
  guint64 value;
  if (!ptx_lexer_accept (&self->lexer, '-', &negative))
    return FALSE;
  if (self->lexer.token.kind != PTX_TOKEN_WORD)
    return ptx_lexer_unexpected (&self->lexer, _ ("a value"));
  if (!g_ascii_isdigit (self->lexer.token.start[0]))
    return add_address (self, head, variable);
  g_autofree char *word = ptx_lexer_word (&self->lexer);
  if (!ptx_literal_parse (word, negative, head->type, ptx_type_bits (head->type), &value))
    return ptx_lexer_unexpected (&self->lexer, _ ("a value of the type of the variable"));
  return ptx_lexer_next (&self->lexer) && add_value (self, head, variable, value);
}

/* Parses "= 5", "= {1, 2, {3, 4}}": braces only group, the values fill the variable in order. */
static gboolean
parse_initial (PtxParser *self, const Head *head, PtxVariable *variable)
{
  guint depth = 0;
  do
    {
      gboolean brace, comma;
      if (!ptx_lexer_accept (&self->lexer, '{', &brace))
        return FALSE;
      if (brace)
        {
          if (++depth > PTX_MOST_DEPTH)
            return fail (self, HEDDLE_PTX_ERROR_LIMIT, _ ("braces too deep"));
          continue;
        }
      if (!parse_value (self, head, variable))
        return FALSE;
      while (self->lexer.token.kind == '}' && depth > 0)
        {
          depth--;
          if (!ptx_lexer_next (&self->lexer))
            return FALSE;
        }
      if (!ptx_lexer_accept (&self->lexer, ',', &comma))
        return FALSE;
      if (!comma && depth > 0)
        return ptx_lexer_unexpected (&self->lexer, "“,”");
    }
  while (depth > 0 || self->lexer.token.kind != ';');
  return TRUE;
}

/* Declares a local variable. Local memory belongs to each activation of the function, so it is an offset and
 * no variable. */
static gboolean
declare_local (PtxParser *self, const Head *head)
{
  if (self->function == NULL || head->open)
    return fail (self, HEDDLE_PTX_ERROR_SYNTAX, _ ("local memory outside a function"));
  PtxSymbol *symbol = ptx_scope_add (self, head->name, PTX_SYMBOL_LOCAL);
  if (symbol == NULL)
    return FALSE;
  gsize offset = (self->function->local_bytes + head->align - 1) & ~(head->align - 1);
  if (offset + head->size > PTX_MOST_LOCAL)
    return fail (self, HEDDLE_PTX_ERROR_LIMIT, _ ("too much local memory"));
  symbol->offset = offset;
  symbol->size = head->size;
  self->function->local_bytes = offset + head->size;
  return TRUE;
}

static PtxVariable *
declare_variable (PtxParser *self, const Head *head)
{
  self->variable_bytes += head->size;
  if (self->module->variables->len >= PTX_MOST_NAMES || self->variable_bytes > PTX_MOST_VARIABLES)
    {
      fail (self, HEDDLE_PTX_ERROR_LIMIT, _ ("too many variables, or too large ones"));
      return NULL;
    }
  PtxSymbol *symbol = ptx_scope_add (self, head->name, PTX_SYMBOL_VARIABLE);
  if (symbol == NULL)
    return NULL;
  PtxVariable *variable = g_new0 (PtxVariable, 1);
  variable->name = g_strdup (head->name);
  variable->space = head->space;
  variable->align = head->align;
  variable->size = head->size;
  variable->dynamic = head->open;
  variable->owner = self->function;
  variable->index = self->module->variables->len;
  variable->initial = g_byte_array_new ();
  variable->relocations = g_array_new (FALSE, FALSE, sizeof (PtxRelocation));
  g_ptr_array_add (self->module->variables, variable);
  symbol->variable = variable;
  return variable;
}

static gboolean
declare (PtxParser *self, const Head *head, gboolean external)
{
  gboolean equals;
  if (head->space == PTX_LOCAL)
    return declare_local (self, head);
  if (external && head->space != PTX_SHARED)
    return fail (self, HEDDLE_PTX_ERROR_UNKNOWN, _ ("a variable defined in another module"));
  if (head->open && head->space != PTX_SHARED)
    return fail (self, HEDDLE_PTX_ERROR_UNKNOWN, _ ("a variable without a size"));
  PtxVariable *variable = declare_variable (self, head);
  if (variable == NULL || !ptx_lexer_accept (&self->lexer, '=', &equals))
    return FALSE;
  if (equals && head->space == PTX_SHARED)
    return fail (self, HEDDLE_PTX_ERROR_SYNTAX, _ ("an initial value in shared memory"));
  return !equals || parse_initial (self, head, variable);
}

/* Parses a variable of any space, with the token at the space; @external says that ".extern" stood before
 * it. */
gboolean
ptx_parse_variable (PtxParser *self, gboolean external)
{
  Head head = { 0 };
  gboolean ok = parse_attributes (self, &head) && ptx_lexer_take_word (&self->lexer, &head.name)
                && parse_extent (self, &head) && declare (self, &head, external);
  g_free (head.name);
  return ok && ptx_lexer_expect (&self->lexer, ';');
}
