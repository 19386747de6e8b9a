/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/ptx/declaration.h"
#include "codegen/ptx/function.h"
#include "codegen/ptx/lexer.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/parser.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/scope.h"

static void
parameter_clear (gpointer data)
{
  g_free (((PtxParameter *) data)->name);
}

static GArray *
parameters_new (void)
{
  GArray *parameters = g_array_new (FALSE, FALSE, sizeof (PtxParameter));
  g_array_set_clear_func (parameters, parameter_clear);
  return parameters;
}

static PtxFunction *
function_new (const char *name, gboolean entry)
{
  PtxFunction *self = g_new0 (PtxFunction, 1);
  self->name = g_strdup (name);
  self->entry = entry;
  self->parameters = parameters_new ();
  self->results = parameters_new ();
  self->code = g_array_new (FALSE, TRUE, sizeof (PtxInstruction));
  self->local_addresses = g_array_new (FALSE, FALSE, sizeof (PtxLocalAddress));
  self->variables = g_ptr_array_new ();
  return self;
}

/* The function @name, which an earlier line may have declared; NULL, with the error set, where the name is taken. */
static PtxFunction *
get_function (PtxParser *self, const char *name, gboolean entry)
{
  PtxSymbol *symbol = ptx_scope_find (self, name);
  if (symbol == NULL && self->module->functions->len >= PTX_MOST_NAMES)
    {
      ptx_lexer_fail (&self->lexer, self->lexer.token.line, HEDDLE_PTX_ERROR_LIMIT, _ ("too many functions"));
      return NULL;
    }
  if (symbol == NULL)
    {
      symbol = ptx_scope_add (self, name, PTX_SYMBOL_FUNCTION);
      symbol->function = function_new (name, entry);
      symbol->function->index = self->module->functions->len;
      g_ptr_array_add (self->module->functions, symbol->function);
    }
  if (symbol->kind == PTX_SYMBOL_FUNCTION && symbol->function->entry == entry && !symbol->function->defined)
    return symbol->function;
  ptx_lexer_fail (
      &self->lexer, self->lexer.token.line, HEDDLE_PTX_ERROR_SYNTAX, _ ("“%s” is declared twice"), name);
  return NULL;
}

/* Up to three numbers behind a directive, the missing ones 1. */
static gboolean
parse_extents (PtxParser *self, guint extents[3])
{
  gboolean more = TRUE;
  extents[0] = extents[1] = extents[2] = 1;
  for (guint i = 0; more && i < 3; i++)
    {
      guint64 number;
      if (!ptx_lexer_take_number (&self->lexer, G_MAXINT32, &number)
          || !ptx_lexer_accept (&self->lexer, ',', &more))
        return FALSE;
      extents[i] = (guint) number;
    }
  return TRUE;
}

/* Directives between the parameters and the body. Those about performance change nothing here. */
static gboolean
parse_attributes (PtxParser *self, PtxFunction *function)
{
  static const char *const numbers[]
      = { ".maxntid", ".minnctapersm", ".maxnctapersm", ".maxnreg", ".maxclusterrank", NULL };
  static const char *const words[] = { ".noreturn", ".explicitcluster", ".blocksareclusters", NULL };
  while (self->lexer.token.kind == PTX_TOKEN_WORD)
    {
      g_autofree char *word = ptx_lexer_word (&self->lexer);
      guint ignored[3];
      guint *extents = g_str_equal (word, ".reqntid")             ? function->required_block
                       : g_str_equal (word, ".reqnctapercluster") ? function->required_cluster
                                                                  : ignored;
      if (!g_strv_contains (numbers, word) && extents == ignored && !g_strv_contains (words, word))
        return ptx_lexer_fail (&self->lexer, self->lexer.token.line, HEDDLE_PTX_ERROR_UNKNOWN,
            _ ("the directive “%s” of a function is unknown"), word);
      if (!ptx_lexer_next (&self->lexer))
        return FALSE;
      if (!g_strv_contains (words, word) && !parse_extents (self, extents))
        return FALSE;
    }
  return TRUE;
}

/* A list of results before the name, which only a function has. */
static gboolean
parse_results (PtxParser *self, GArray *results, gsize *bytes)
{
  if (self->lexer.token.kind != '(')
    return TRUE;
  return ptx_parse_parameters (self, PTX_SYMBOL_CALL_PARAMETER, results, bytes);
}

static gboolean
parse_formals (PtxParser *self, PtxFunction *function, gsize *bytes)
{
  PtxSymbolKind kind = function->entry ? PTX_SYMBOL_KERNEL_PARAMETER : PTX_SYMBOL_CALL_PARAMETER;
  g_array_set_size (function->parameters, 0);
  return self->lexer.token.kind != '(' || ptx_parse_parameters (self, kind, function->parameters, bytes);
}

/* The space of a kernel's parameters is shared by all threads; that of a function belongs to the activation, and
 * the variables that its calls use lie behind. */
static gboolean
parse_rest (PtxParser *self, PtxFunction *function, gsize bytes)
{
  gboolean semicolon;
  if (!parse_formals (self, function, &bytes) || !parse_attributes (self, function)
      || !ptx_lexer_accept (&self->lexer, ';', &semicolon))
    return FALSE;
  function->parameter_bytes = bytes;
  if (semicolon)
    return TRUE;
  if (self->lexer.token.kind != '{')
    return ptx_lexer_unexpected (&self->lexer, _ ("the body of a function"));
  if (function->entry)
    g_ptr_array_add (self->module->kernels, function);
  self->function = function;
  function->call_bytes = function->entry ? 0 : bytes;
  return ptx_parse_body (self);
}

/* The name is known outside, the parameters inside the function: the scope opens before the results. */
static gboolean
parse_head (PtxParser *self, gboolean entry, GArray **results)
{
  g_autofree char *name = NULL;
  gsize bytes = 0;
  if (!parse_results (self, *results, &bytes))
    return FALSE;
  guint line = self->lexer.token.line;
  if (!ptx_lexer_take_word (&self->lexer, &name))
    return FALSE;
  PtxScope *inner = self->scope;
  self->scope = inner->parent;
  PtxFunction *function = get_function (self, name, entry);
  self->scope = inner;
  if (function == NULL)
    return FALSE;
  function->line = line;
  g_array_unref (function->results);
  function->results = g_steal_pointer (results);
  return parse_rest (self, function, bytes);
}

/* ".func (.param .b32 result) name (.param .b32 a) { … }", with the token at ".func" or ".entry". */
gboolean
ptx_parse_function (PtxParser *self, gboolean entry)
{
  GArray *results = parameters_new ();
  gboolean ok = ptx_lexer_next (&self->lexer) && ptx_scope_push (self) && parse_head (self, entry, &results)
                && ptx_scope_pop (self);
  self->function = NULL;
  g_clear_pointer (&results, g_array_unref);
  return ok;
}
