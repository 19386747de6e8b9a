/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/ptx/declaration.h"
#include "codegen/ptx/lexer.h"
#include "codegen/ptx/modifiers.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/scope.h"

static gsize
align_up (gsize value, gsize align)
{
  return (value + align - 1) & ~(align - 1);
}

static gboolean
take_align (PtxParser *self, gsize *align)
{
  guint line = self->lexer.token.line;
  guint64 number;
  if (!ptx_lexer_next (&self->lexer) || !ptx_lexer_take_number (&self->lexer, 4096, &number))
    return FALSE;
  *align = number;
  return (number != 0 && (number & (number - 1)) == 0)
         || ptx_lexer_fail (
             &self->lexer, line, HEDDLE_PTX_ERROR_SYNTAX, _ ("an alignment that is not a power of two"));
}

/* Takes a type, ".b8" and the like, alone or joined to ".reg" as in ".reg.b32". */
static gboolean
take_type (PtxParser *self, const char *word, PtxType *type)
{
  *type = word[0] == '.' ? ptx_type_from_name (word + 1) : PTX_NONE;
  if (*type == PTX_NONE)
    return ptx_lexer_fail (
        &self->lexer, self->lexer.token.line, HEDDLE_PTX_ERROR_UNKNOWN, _ ("“%s” is not a known type"), word);
  return TRUE;
}

/* Declares a range, as "%r<12>": twelve registers %r0 to %r11. */
static gboolean
declare_range (PtxParser *self, const char *prefix, PtxType type)
{
  guint64 count;
  if (!ptx_lexer_next (&self->lexer) || !ptx_lexer_take_number (&self->lexer, PTX_MOST_RANGE, &count)
      || !ptx_lexer_expect (&self->lexer, '>'))
    return FALSE;
  self->ranges += count;
  if (self->ranges > PTX_MOST_RANGES)
    return ptx_lexer_fail (&self->lexer, self->lexer.token.line, HEDDLE_PTX_ERROR_LIMIT,
        _ ("more than %u registers declared"), PTX_MOST_RANGES);
  g_autofree char *name = g_strconcat (prefix, "<", NULL);
  PtxSymbol *symbol = ptx_scope_add (self, name, PTX_SYMBOL_RANGE);
  if (symbol == NULL)
    return FALSE;
  symbol->bits = ptx_type_bits (type);
  symbol->count = (guint32) count;
  symbol->slots = g_new0 (guint32, count);
  return TRUE;
}

static gboolean
declare_register (PtxParser *self, PtxType type)
{
  g_autofree char *name = NULL;
  if (!ptx_lexer_take_word (&self->lexer, &name))
    return FALSE;
  if (self->lexer.token.kind == '<')
    return declare_range (self, name, type);
  PtxSymbol *symbol = ptx_scope_add (self, name, PTX_SYMBOL_REGISTER);
  if (symbol == NULL)
    return FALSE;
  symbol->bits = ptx_type_bits (type);
  return TRUE;
}

/* Parses ".reg .b32 %r<12>, x;" with the token at ".reg". */
gboolean
ptx_parse_register_declaration (PtxParser *self)
{
  g_autofree char *word = ptx_lexer_word (&self->lexer);
  g_autofree char *type_word = NULL;
  PtxType type;
  gboolean more = TRUE;
  if (!ptx_lexer_next (&self->lexer))
    return FALSE;
  if (strlen (word) > strlen (".reg"))
    type_word = g_strdup (word + strlen (".reg"));
  else if (!ptx_lexer_take_word (&self->lexer, &type_word))
    return FALSE;
  if (!take_type (self, type_word, &type))
    return FALSE;
  while (more)
    if (!declare_register (self, type) || !ptx_lexer_accept (&self->lexer, ',', &more))
      return FALSE;
  return ptx_lexer_expect (&self->lexer, ';');
}

/* Parses ".param .align 8 .b8 name[16]" up to the name and its size, with the token after the space.
 * Attributes of pointers (".ptr .global .align 16") say nothing about the size. */
static gboolean
parse_parameter (PtxParser *self, char **name, gsize *size, gsize *align)
{
  PtxType type = PTX_NONE;
  gsize ignored;
  guint64 count = 1;
  *align = 0;
  while (self->lexer.token.kind == PTX_TOKEN_WORD && self->lexer.token.start[0] == '.')
    {
      g_autofree char *word = ptx_lexer_word (&self->lexer);
      gboolean ok;
      if (g_str_equal (word, ".align"))
        ok = take_align (self, type == PTX_NONE ? align : &ignored);
      else if (g_strv_contains (
                   (const char *const[]){ ".ptr", ".global", ".shared", ".const", ".local", NULL }, word))
        ok = ptx_lexer_next (&self->lexer);
      else
        ok = take_type (self, word, &type) && ptx_lexer_next (&self->lexer);
      if (!ok)
        return FALSE;
    }
  if (type == PTX_NONE || type == PTX_PRED)
    return ptx_lexer_unexpected (&self->lexer, _ ("a type"));
  gboolean array;
  if (!ptx_lexer_take_word (&self->lexer, name) || !ptx_lexer_accept (&self->lexer, '[', &array)
      || (array
          && (!ptx_lexer_take_number (&self->lexer, PTX_MOST_PARAMETERS, &count)
              || !ptx_lexer_expect (&self->lexer, ']'))))
    return FALSE;
  *size = count * ptx_type_bits (type) / 8;
  *align = *align != 0 ? *align : ptx_type_bits (type) / 8;
  return TRUE;
}

/* Gives the parameter a place behind the @bytes used so far, and a name. */
static gboolean
place_parameter (PtxParser *self, PtxSymbolKind kind, PtxParameter *parameter, gsize *bytes)
{
  parameter->offset = align_up (*bytes, parameter->align);
  *bytes = parameter->offset + parameter->size;
  if (*bytes > PTX_MOST_PARAMETERS)
    return ptx_lexer_fail (&self->lexer, self->lexer.token.line, HEDDLE_PTX_ERROR_LIMIT,
        _ ("more than %u bytes of parameters"), PTX_MOST_PARAMETERS);
  PtxSymbol *symbol = ptx_scope_add (self, parameter->name, kind);
  if (symbol == NULL)
    return FALSE;
  symbol->offset = parameter->offset;
  symbol->size = parameter->size;
  return TRUE;
}

gboolean
ptx_parse_parameters (PtxParser *self, PtxSymbolKind kind, GArray *list, gsize *bytes)
{
  gboolean more = TRUE, empty;
  if (!ptx_lexer_expect (&self->lexer, '(') || !ptx_lexer_accept (&self->lexer, ')', &empty))
    return FALSE;
  if (empty)
    return TRUE;
  while (more)
    {
      PtxParameter parameter = { 0 };
      if (!ptx_lexer_is (&self->lexer, ".param"))
        return ptx_lexer_unexpected (&self->lexer, "“.param”");
      gboolean ok = ptx_lexer_next (&self->lexer)
                    && parse_parameter (self, &parameter.name, &parameter.size, &parameter.align)
                    && place_parameter (self, kind, &parameter, bytes);
      g_array_append_val (list, parameter);
      if (!ok || !ptx_lexer_accept (&self->lexer, ',', &more))
        return FALSE;
    }
  return ptx_lexer_expect (&self->lexer, ')');
}

/* Parses ".param .b32 param0;" inside a body: the space through which a call passes its arguments. */
gboolean
ptx_parse_call_parameter (PtxParser *self)
{
  PtxParameter parameter = { 0 };
  gboolean ok = ptx_lexer_next (&self->lexer)
                && parse_parameter (self, &parameter.name, &parameter.size, &parameter.align)
                && place_parameter (self, PTX_SYMBOL_CALL_PARAMETER, &parameter, &self->function->call_bytes);
  g_free (parameter.name);
  return ok && ptx_lexer_expect (&self->lexer, ';');
}
