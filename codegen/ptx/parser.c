/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/ptx/declaration.h"
#include "codegen/ptx/function.h"
#include "codegen/ptx/instruction.h"
#include "codegen/ptx/lexer.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/parser.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/scope.h"
#include "codegen/ptx/table.h"
#include "codegen/ptx/variable.h"

static gboolean
starts_with (PtxParser *self, const char *prefix)
{
  gsize length = strlen (prefix);
  return self->lexer.token.length >= length && memcmp (self->lexer.token.start, prefix, length) == 0;
}

static gboolean
is_one_of (PtxParser *self, const char *const *words)
{
  for (guint i = 0; words[i] != NULL; i++)
    if (ptx_lexer_is (&self->lexer, words[i]))
      return TRUE;
  return FALSE;
}

static const char *const spaces[] = { ".global", ".const", ".shared", ".local", NULL };
static const char *const line_directives[] = { ".version", ".target", ".loc", ".file", NULL };

static gboolean
skip_to (PtxParser *self, guint kind)
{
  while (self->lexer.token.kind != kind)
    {
      if (self->lexer.token.kind == PTX_TOKEN_END)
        return ptx_lexer_expect (&self->lexer, kind);
      if (!ptx_lexer_next (&self->lexer))
        return FALSE;
    }
  return ptx_lexer_next (&self->lexer);
}

/* "name: .branchtargets $L1, $L2;" with the token behind the directive. */
static gboolean
parse_targets (PtxParser *self, const char *name)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  gboolean more = TRUE;
  guint count = 0;
  PtxSymbol *symbol = ptx_scope_add (self, name, PTX_SYMBOL_TARGETS);
  if (symbol == NULL)
    return FALSE;
  while (more)
    {
      g_autofree char *label = NULL;
      if (!ptx_lexer_take_word (&self->lexer, &label) || !ptx_lexer_accept (&self->lexer, ',', &more))
        return FALSE;
      if (++count > G_MAXUINT16)
        return ptx_lexer_fail (
            &self->lexer, self->lexer.token.line, HEDDLE_PTX_ERROR_LIMIT, _ ("too many branch targets"));
      g_strv_builder_add (builder, label);
    }
  symbol->targets = g_strv_builder_end (builder);
  return ptx_lexer_expect (&self->lexer, ';');
}

/* What a label names: a place in the code, a list of branch targets or the prototype of a call. */
static gboolean
parse_label (PtxParser *self)
{
  guint line = self->lexer.token.line;
  g_autofree char *name = NULL;
  if (!ptx_lexer_take_word (&self->lexer, &name) || !ptx_lexer_expect (&self->lexer, ':'))
    return FALSE;
  if (ptx_lexer_is (&self->lexer, ".callprototype"))
    return ptx_scope_add (self, name, PTX_SYMBOL_PROTOTYPE) != NULL && skip_to (self, ';');
  if (ptx_lexer_is (&self->lexer, ".branchtargets"))
    return ptx_lexer_next (&self->lexer) && parse_targets (self, name);
  return ptx_scope_add_label (self, name, line);
}

static gboolean
parse_directive (PtxParser *self)
{
  if (starts_with (self, ".reg"))
    return ptx_parse_register_declaration (self);
  if (ptx_lexer_is (&self->lexer, ".param"))
    return ptx_parse_call_parameter (self);
  if (is_one_of (self, spaces))
    return ptx_parse_variable (self, FALSE);
  if (is_one_of (self, line_directives))
    return ptx_lexer_skip_line (&self->lexer);
  if (ptx_lexer_is (&self->lexer, ".pragma"))
    return skip_to (self, ';');
  return ptx_lexer_unexpected (&self->lexer, _ ("a statement"));
}

/* Whether the word at hand is followed by a colon. */
static gboolean
at_label (PtxParser *self, gboolean *label)
{
  PtxLexer ahead = self->lexer;
  if (!ptx_lexer_next (&ahead))
    return FALSE;
  *label = ahead.token.kind == ':';
  return TRUE;
}

static gboolean
parse_statement (PtxParser *self)
{
  gboolean label = FALSE;
  switch (self->lexer.token.kind)
    {
    case '{':
      return ptx_scope_push (self) && ptx_lexer_next (&self->lexer);
    case '}':
      return ptx_scope_pop (self) && ptx_lexer_next (&self->lexer);
    case ';':
      return ptx_lexer_next (&self->lexer);
    case '@':
      return ptx_instruction_parse (self);
    case PTX_TOKEN_WORD:
      if (self->lexer.token.start[0] == '.')
        return parse_directive (self);
      if (!at_label (self, &label))
        return FALSE;
      return label ? parse_label (self) : ptx_instruction_parse (self);
    default:
      return ptx_lexer_unexpected (&self->lexer, _ ("a statement"));
    }
}

/* A body that ends without ret returns all the same. */
static void
add_return (PtxParser *self)
{
  PtxInstruction in = { .guard = PTX_NO_SLOT, .line = self->lexer.token.line };
  g_autofree char *problem = NULL;
  in.row = ptx_table_find ("ret", &in, &problem);
  in.execute = in.row->execute;
  in.text = (guint32) (self->lexer.token.start - self->lexer.text);
  in.text_length = 1;
  g_array_append_val (self->function->code, in);
}

/* Reads the body of the function at hand, with the token at "{"; the scope of its parameters is open. */
gboolean
ptx_parse_body (PtxParser *self)
{
  guint depth = self->scope->depth;
  if (!ptx_lexer_next (&self->lexer))
    return FALSE;
  while (TRUE)
    {
      if (self->lexer.token.kind == '}' && self->scope->depth == depth)
        break;
      if (!parse_statement (self))
        return FALSE;
    }
  add_return (self);
  self->function->defined = TRUE;
  return ptx_lexer_next (&self->lexer);
}

static gboolean
skip_section (PtxParser *self)
{
  guint depth = 1;
  if (!skip_to (self, '{'))
    return FALSE;
  while (depth > 0)
    {
      depth += self->lexer.token.kind == '{';
      depth -= self->lexer.token.kind == '}';
      if (self->lexer.token.kind == PTX_TOKEN_END)
        return ptx_lexer_unexpected (&self->lexer, "“}”");
      if (!ptx_lexer_next (&self->lexer))
        return FALSE;
    }
  return TRUE;
}

static gboolean
parse_address_size (PtxParser *self)
{
  guint64 size;
  guint line = self->lexer.token.line;
  if (!ptx_lexer_next (&self->lexer) || !ptx_lexer_take_number (&self->lexer, 1024, &size))
    return FALSE;
  return size == 64
         || ptx_lexer_fail (
             &self->lexer, line, HEDDLE_PTX_ERROR_UNKNOWN, _ ("addresses have to have 64 bits"));
}

/* ".visible", ".extern" and the like, before a function or a variable. */
static gboolean
parse_linkage (PtxParser *self, gboolean *external)
{
  static const char *const words[] = { ".visible", ".extern", ".weak", ".common", NULL };
  *external = FALSE;
  while (is_one_of (self, words))
    {
      *external |= ptx_lexer_is (&self->lexer, ".extern");
      if (!ptx_lexer_next (&self->lexer))
        return FALSE;
    }
  return TRUE;
}

static gboolean
parse_top (PtxParser *self)
{
  gboolean external;
  if (is_one_of (self, line_directives))
    return ptx_lexer_skip_line (&self->lexer);
  if (ptx_lexer_is (&self->lexer, ".address_size"))
    return parse_address_size (self);
  if (ptx_lexer_is (&self->lexer, ".section"))
    return skip_section (self);
  if (ptx_lexer_is (&self->lexer, ".pragma"))
    return skip_to (self, ';');
  if (self->lexer.token.kind == ';')
    return ptx_lexer_next (&self->lexer);
  if (!parse_linkage (self, &external))
    return FALSE;
  if (ptx_lexer_is (&self->lexer, ".entry"))
    return ptx_parse_function (self, TRUE);
  if (ptx_lexer_is (&self->lexer, ".func"))
    return ptx_parse_function (self, FALSE);
  if (is_one_of (self, spaces))
    return ptx_parse_variable (self, external);
  return ptx_lexer_unexpected (&self->lexer, _ ("a function or a variable"));
}

/* A direct call has to find a body whose parameters have the sizes that it passes. */
static gboolean
check_sizes (const GArray *passed, const GArray *formal)
{
  if (passed->len != formal->len)
    return FALSE;
  for (guint i = 0; i < passed->len; i++)
    if (g_array_index (passed, PtxParameter, i).size != g_array_index (formal, PtxParameter, i).size)
      return FALSE;
  return TRUE;
}

static gboolean
check_call (PtxParser *self, const PtxInstruction *in)
{
  const PtxFunction *callee = in->call->function;
  if (callee == NULL)
    return TRUE;
  if (!callee->defined)
    return ptx_lexer_fail (&self->lexer, in->line, HEDDLE_PTX_ERROR_UNKNOWN,
        _ ("a call of “%s”, which has no body here"), callee->name);
  if (!check_sizes (in->call->arguments, callee->parameters)
      || !check_sizes (in->call->results, callee->results))
    return ptx_lexer_fail (&self->lexer, in->line, HEDDLE_PTX_ERROR_SYNTAX,
        _ ("a call that does not fit the parameters of “%s”"), callee->name);
  return TRUE;
}

/* Checks that wait until every function is known. */
static gboolean
check_calls (PtxParser *self)
{
  for (guint i = 0; i < self->module->functions->len; i++)
    {
      const PtxFunction *function = g_ptr_array_index (self->module->functions, i);
      for (guint k = 0; k < function->code->len; k++)
        {
          const PtxInstruction *in = &g_array_index (function->code, PtxInstruction, k);
          if (in->call != NULL && !check_call (self, in))
            return FALSE;
        }
    }
  return TRUE;
}

/* Reads the whole text. */
gboolean
ptx_parser_run (PtxParser *self)
{
  while (self->lexer.token.kind != PTX_TOKEN_END)
    if (!parse_top (self))
      return FALSE;
  return check_calls (self);
}
