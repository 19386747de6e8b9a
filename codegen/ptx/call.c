/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/ptx/call.h"
#include "codegen/ptx/lexer.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/scope.h"

static gboolean
add_parameter (PtxParser *self, GArray *list)
{
  g_autofree char *name = NULL;
  if (!ptx_lexer_take_word (&self->lexer, &name))
    return FALSE;
  const PtxSymbol *symbol = ptx_scope_find (self, name);
  if (symbol == NULL || symbol->kind != PTX_SYMBOL_CALL_PARAMETER)
    return ptx_lexer_fail (&self->lexer, self->lexer.token.line, HEDDLE_PTX_ERROR_SYNTAX,
        _ ("“%s” is not a variable of the parameter space"), name);
  if (list->len >= PTX_MOST_VECTOR)
    return ptx_lexer_fail (&self->lexer, self->lexer.token.line, HEDDLE_PTX_ERROR_LIMIT,
        _ ("a call with more than %d arguments"), PTX_MOST_VECTOR);
  PtxParameter parameter = { .size = symbol->size, .offset = symbol->offset };
  g_array_append_val (list, parameter);
  return TRUE;
}

/* Parses "(a, b)", names of the parameter space. */
static gboolean
parse_list (PtxParser *self, GArray *list)
{
  gboolean more = TRUE, empty;
  if (!ptx_lexer_expect (&self->lexer, '(') || !ptx_lexer_accept (&self->lexer, ')', &empty))
    return FALSE;
  if (empty)
    return TRUE;
  while (more)
    if (!add_parameter (self, list) || !ptx_lexer_accept (&self->lexer, ',', &more))
      return FALSE;
  return ptx_lexer_expect (&self->lexer, ')');
}

/* Parses the function: its name, or a register that holds its address. */
static gboolean
parse_callee (PtxParser *self, PtxInstruction *in)
{
  g_autofree char *name = NULL;
  guint bits;
  if (!ptx_lexer_take_word (&self->lexer, &name))
    return FALSE;
  const PtxSymbol *symbol = ptx_scope_find (self, name);
  if (symbol != NULL && symbol->kind == PTX_SYMBOL_FUNCTION && !symbol->function->entry)
    {
      in->call->function = symbol->function;
      return TRUE;
    }
  if (!ptx_scope_register (self, name, &in->call->slot, &bits))
    return FALSE;
  in->reads = ptx_module_alloc (self->module, sizeof (guint32));
  in->reads[0] = in->call->slot;
  in->n_reads = 1;
  return bits == 64
         || ptx_lexer_fail (&self->lexer, self->lexer.token.line, HEDDLE_PTX_ERROR_SYNTAX,
             _ ("“%s” has no 64 bits for an address"), name);
}

/* Parses the prototype of a call through a register; the sizes of the arguments say everything that it
 * does. */
static gboolean
parse_prototype (PtxParser *self)
{
  g_autofree char *name = NULL;
  if (!ptx_lexer_take_word (&self->lexer, &name))
    return FALSE;
  const PtxSymbol *symbol = ptx_scope_find (self, name);
  if (symbol == NULL || symbol->kind != PTX_SYMBOL_PROTOTYPE)
    return ptx_lexer_fail (
        &self->lexer, self->lexer.token.line, HEDDLE_PTX_ERROR_SYNTAX, _ ("“%s” is not a prototype"), name);
  return TRUE;
}

/* Parses the arguments and the prototype after the callee, both of which may be missing. */
static gboolean
parse_rest (PtxParser *self, PtxInstruction *in)
{
  gboolean comma;
  if (!ptx_lexer_accept (&self->lexer, ',', &comma))
    return FALSE;
  if (comma && self->lexer.token.kind == '('
      && (!parse_list (self, in->call->arguments) || !ptx_lexer_accept (&self->lexer, ',', &comma)))
    return FALSE;
  return !comma || parse_prototype (self);
}

/* Reads what stands behind "call": "(results), callee, (arguments), prototype". */
gboolean
ptx_call_parse (PtxParser *self, PtxInstruction *in)
{
  PtxCall *call = ptx_module_alloc (self->module, sizeof *call);
  in->call = call;
  call->arguments = g_array_new (FALSE, FALSE, sizeof (PtxParameter));
  call->results = g_array_new (FALSE, FALSE, sizeof (PtxParameter));
  g_ptr_array_add (self->module->calls, call);
  self->function->calls = TRUE;
  if (self->lexer.token.kind == '('
      && (!parse_list (self, call->results) || !ptx_lexer_expect (&self->lexer, ',')))
    return FALSE;
  return parse_callee (self, in) && parse_rest (self, in);
}
