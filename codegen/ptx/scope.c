/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/ptx/lexer.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/scope.h"

static void
symbol_free (gpointer data)
{
  PtxSymbol *self = data;
  g_free (self->slots);
  g_strfreev (self->targets);
  g_free (self);
}

static void
fixup_clear (gpointer data)
{
  g_free (((PtxFixup *) data)->label);
}

static GArray *
fixups_new (void)
{
  GArray *fixups = g_array_new (FALSE, FALSE, sizeof (PtxFixup));
  g_array_set_clear_func (fixups, fixup_clear);
  return fixups;
}

gboolean
ptx_scope_push (PtxParser *self)
{
  guint depth = self->scope != NULL ? self->scope->depth + 1 : 0;
  if (depth > PTX_MOST_DEPTH)
    return ptx_lexer_fail (&self->lexer, self->lexer.token.line, HEDDLE_PTX_ERROR_LIMIT,
        _ ("scopes more than %d deep"), PTX_MOST_DEPTH);
  PtxScope *scope = g_new0 (PtxScope, 1);
  scope->parent = self->scope;
  scope->depth = depth;
  scope->symbols = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, symbol_free);
  scope->labels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  scope->fixups = fixups_new ();
  self->scope = scope;
  return TRUE;
}

static void
scope_free (PtxScope *scope)
{
  g_hash_table_unref (scope->symbols);
  g_hash_table_unref (scope->labels);
  g_array_unref (scope->fixups);
  g_free (scope);
}

static void
apply_fixup (PtxParser *self, const PtxFixup *fixup, guint32 target)
{
  PtxInstruction *in = &g_array_index (self->function->code, PtxInstruction, fixup->instruction);
  if (fixup->place < 0)
    in->target = target;
  else
    in->targets[fixup->place] = target;
}

/* Leaves the scope. Branches to labels that it does not have look for them in the scope around it. */
gboolean
ptx_scope_pop (PtxParser *self)
{
  PtxScope *scope = self->scope;
  PtxScope *parent = scope->parent;
  for (guint i = 0; i < scope->fixups->len; i++)
    {
      PtxFixup *fixup = &g_array_index (scope->fixups, PtxFixup, i);
      gpointer target;
      if (g_hash_table_lookup_extended (scope->labels, fixup->label, NULL, &target))
        apply_fixup (self, fixup, GPOINTER_TO_UINT (target));
      else if (parent == NULL || parent->depth == 0)
        return ptx_lexer_fail (
            &self->lexer, fixup->line, HEDDLE_PTX_ERROR_SYNTAX, _ ("there is no label “%s”"), fixup->label);
      else
        {
          g_array_append_val (parent->fixups, *fixup);
          fixup->label = NULL;
        }
    }
  self->scope = parent;
  scope_free (scope);
  return TRUE;
}

void
ptx_scope_free_all (PtxParser *self)
{
  while (self->scope != NULL)
    {
      PtxScope *parent = self->scope->parent;
      scope_free (self->scope);
      self->scope = parent;
    }
}

/* Returns a new symbol in the innermost scope; NULL, with the error set, if the name is taken there. */
PtxSymbol *
ptx_scope_add (PtxParser *self, const char *name, PtxSymbolKind kind)
{
  if (g_hash_table_contains (self->scope->symbols, name))
    {
      ptx_lexer_fail (
          &self->lexer, self->lexer.token.line, HEDDLE_PTX_ERROR_SYNTAX, _ ("“%s” is declared twice"), name);
      return NULL;
    }
  PtxSymbol *symbol = g_new0 (PtxSymbol, 1);
  symbol->kind = kind;
  symbol->slot = PTX_NO_SLOT;
  g_hash_table_insert (self->scope->symbols, g_strdup (name), symbol);
  return symbol;
}

/* Returns what @name stands for in the innermost scope that knows it; NULL if none does. */
PtxSymbol *
ptx_scope_find (PtxParser *self, const char *name)
{
  for (PtxScope *scope = self->scope; scope != NULL; scope = scope->parent)
    {
      PtxSymbol *symbol = g_hash_table_lookup (scope->symbols, name);
      if (symbol != NULL)
        return symbol;
    }
  return NULL;
}

gboolean
ptx_parser_new_register (PtxParser *self, guint32 *slot)
{
  if (self->function->n_registers >= PTX_MOST_REGISTERS)
    return ptx_lexer_fail (&self->lexer, self->lexer.token.line, HEDDLE_PTX_ERROR_LIMIT,
        _ ("a function with more than %u registers"), PTX_MOST_REGISTERS);
  *slot = PTX_SLOT (PTX_BASE_REGISTER, self->function->n_registers++);
  return TRUE;
}

/* Returns the register range that "%r12" belongs to, and the member; NULL if there is none. */
static PtxSymbol *
find_range (PtxParser *self, const char *name, guint32 *member)
{
  gsize end = strlen (name), digits = end;
  while (digits > 0 && g_ascii_isdigit (name[digits - 1]))
    digits--;
  if (digits == end || end - digits > 9 || (name[digits] == '0' && end - digits > 1))
    return NULL;
  *member = (guint32) g_ascii_strtoull (name + digits, NULL, 10);
  g_autofree char *prefix = g_strdup_printf ("%.*s<", (int) digits, name);
  PtxSymbol *symbol = ptx_scope_find (self, prefix);
  return symbol != NULL && *member < symbol->count ? symbol : NULL;
}

/* Finds the slot of a register, which is made at its first use, and its width; sets the error if there is no
 * register @name. */
gboolean
ptx_scope_register (PtxParser *self, const char *name, guint32 *slot, guint *bits)
{
  guint32 member = 0;
  PtxSymbol *symbol = ptx_scope_find (self, name);
  if (symbol != NULL && symbol->kind == PTX_SYMBOL_REGISTER)
    {
      if (symbol->slot == PTX_NO_SLOT && !ptx_parser_new_register (self, &symbol->slot))
        return FALSE;
      *slot = symbol->slot;
      *bits = symbol->bits;
      return TRUE;
    }
  symbol = find_range (self, name, &member);
  if (symbol == NULL)
    return ptx_lexer_fail (
        &self->lexer, self->lexer.token.line, HEDDLE_PTX_ERROR_SYNTAX, _ ("“%s” is not declared"), name);
  if (symbol->slots[member] == 0)
    {
      guint32 fresh = 0;
      if (!ptx_parser_new_register (self, &fresh))
        return FALSE;
      symbol->slots[member] = fresh + 1;
    }
  *slot = symbol->slots[member] - 1;
  *bits = symbol->bits;
  return TRUE;
}

/* Adds a label at the next instruction. */
gboolean
ptx_scope_add_label (PtxParser *self, const char *name, guint line)
{
  if (g_hash_table_contains (self->scope->labels, name))
    return ptx_lexer_fail (
        &self->lexer, line, HEDDLE_PTX_ERROR_SYNTAX, _ ("the label “%s” stands twice"), name);
  g_hash_table_insert (self->scope->labels, g_strdup (name), GUINT_TO_POINTER (self->function->code->len));
  return TRUE;
}

/* Notes that the next instruction branches to @label. */
void
ptx_scope_add_fixup (PtxParser *self, const char *label, gint place, guint line)
{
  PtxFixup fixup = { self->function->code->len, place, line, g_strdup (label) };
  g_array_append_val (self->scope->fixups, fixup);
}

static guint32
add_constant (PtxParser *self, guint64 value, const PtxVariable *variable)
{
  PtxConstant constant = { value, variable };
  g_array_append_val (self->module->constants, constant);
  return PTX_SLOT (PTX_BASE_CONSTANT, self->module->constants->len - 1);
}

/* Returns the slot of a constant. */
guint32
ptx_parser_constant (PtxParser *self, guint64 value)
{
  gint64 key = (gint64) value;
  gpointer known;
  if (g_hash_table_lookup_extended (self->values, &key, NULL, &known))
    return GPOINTER_TO_UINT (known);
  guint32 slot = add_constant (self, value, NULL);
  g_hash_table_insert (self->values, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (slot));
  return slot;
}

/* Returns the slot of an address that is known at launch. */
guint32
ptx_parser_address (PtxParser *self, const PtxVariable *variable, guint64 offset)
{
  if (!g_ptr_array_find (self->function->variables, variable, NULL))
    g_ptr_array_add (self->function->variables, (gpointer) variable);
  return add_constant (self, offset, variable);
}
