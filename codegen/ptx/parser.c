/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/ptx/declaration.h"
#include "codegen/ptx/instruction.h"
#include "codegen/ptx/parser.h"
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

/* Parses "name: .branchtargets $L1, $L2;" with the token after the directive's name. */
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

/* Parses what a label names: a place in the code, a list of branch targets or the prototype of a call. */
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

/* Returns whether the current word is followed by a colon. */
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

/* Adds a return: a body that ends without ret returns all the same. */
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

/* Reads the body of the current function, with the token at "{"; the scope of its parameters is open. */
static gboolean
parse_body (PtxParser *self)
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

/* Returns the function @name, which an earlier line may have declared; NULL, with the error set, if the name
 * is taken. */
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

/* Parses up to three numbers after a directive; the missing ones are 1. */
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

/* Parses the directives between the parameters and the body. Those about performance change nothing here. */
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

/* Parses a list of results before the name, which only a function has. */
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

/* Parses the rest of a function. The space of a kernel's parameters is shared by all threads; that of a
 * function belongs to the activation, and the variables that its calls use lie after it. */
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
  return parse_body (self);
}

/* Parses the head. The name is known outside, the parameters inside the function: the scope opens before the
 * results. */
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

/* Parses ".func (.param .b32 result) name (.param .b32 a) { … }", with the token at ".func" or ".entry". */
static gboolean
parse_function (PtxParser *self, gboolean entry)
{
  GArray *results = parameters_new ();
  gboolean ok = ptx_lexer_next (&self->lexer) && ptx_scope_push (self) && parse_head (self, entry, &results)
                && ptx_scope_pop (self);
  self->function = NULL;
  g_clear_pointer (&results, g_array_unref);
  return ok;
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

/* Parses ".visible", ".extern" and the like, before a function or a variable. */
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
    return parse_function (self, TRUE);
  if (ptx_lexer_is (&self->lexer, ".func"))
    return parse_function (self, FALSE);
  if (is_one_of (self, spaces))
    return ptx_parse_variable (self, external);
  return ptx_lexer_unexpected (&self->lexer, _ ("a function or a variable"));
}

/* Returns whether the parameters have the sizes that a direct call passes. */
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

/* The function that assert () calls where it fails, of the system that the kernel runs on: a correct kernel
 * never calls it. */
#define FAILED_ASSERTION "__assertfail"

static gboolean
check_call (PtxParser *self, const PtxInstruction *in)
{
  const PtxFunction *callee = in->call->function;
  if (callee == NULL)
    return TRUE;
  if (!callee->defined && !g_str_equal (callee->name, FAILED_ASSERTION))
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
static gboolean
parse_all (PtxParser *self)
{
  while (self->lexer.token.kind != PTX_TOKEN_END)
    if (!parse_top (self))
      return FALSE;
  return check_calls (self);
}

static gboolean
parse_module (HeddlePtxModule *self, gsize length, GError **error)
{
  PtxParser parser = { .module = self };
  parser.values = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  gboolean ok = ptx_lexer_init (&parser.lexer, self->text, length, error) && ptx_scope_push (&parser)
                && parse_all (&parser);
  ptx_scope_free_all (&parser);
  g_hash_table_unref (parser.values);
  return ok;
}

HeddlePtxModule *
heddle_ptx_module_new (const char *text, gssize length, GError **error)
{
  g_return_val_if_fail (text != NULL, NULL);
  gsize size = length < 0 ? strlen (text) : (gsize) length;
  if (size > PTX_MOST_TEXT)
    {
      g_set_error (error, HEDDLE_PTX_ERROR, HEDDLE_PTX_ERROR_LIMIT,
          _ ("the text has %zu bytes, more than %u"), size, PTX_MOST_TEXT);
      return NULL;
    }
  if (memchr (text, '\0', size) != NULL)
    {
      g_set_error_literal (
          error, HEDDLE_PTX_ERROR, HEDDLE_PTX_ERROR_SYNTAX, _ ("the text holds a zero byte"));
      return NULL;
    }
  g_autoptr (HeddlePtxModule) self = ptx_module_empty (text, size);
  return parse_module (self, size, error) ? g_steal_pointer (&self) : NULL;
}
