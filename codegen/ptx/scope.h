/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/module.h"
#include "codegen/ptx/parser.h"

/* The scopes of the parser: names of variables, registers and labels between braces. A scope owns its symbols;
 * registers and constants get their slots when they are first used. */

/* Opens a scope within the present one. Returns FALSE with HEDDLE_PTX_ERROR_LIMIT where scopes nest more than
 * PTX_MOST_DEPTH deep. */
gboolean ptx_scope_push (PtxParser *self);

/* Closes the present scope and settles its branches; those whose label is not in it pass to the scope around
 * it. Returns FALSE, with a syntax error set, where a label is nowhere in the function. */
gboolean ptx_scope_pop (PtxParser *self);

/* Frees all open scopes without settling branches, after an error or at the end. */
void ptx_scope_free_all (PtxParser *self);

/* Declares @name in the present scope and gives the new symbol, which the scope owns. Returns NULL, with a
 * syntax error set, where the scope has the name. */
PtxSymbol *ptx_scope_add (PtxParser *self, const char *name, PtxSymbolKind kind);

/* Returns the symbol of @name in the innermost scope that has it, owned by that scope, or NULL. */
PtxSymbol *ptx_scope_find (PtxParser *self, const char *name);

/* Puts the slot of a new register of the present function into @slot. Returns FALSE with HEDDLE_PTX_ERROR_LIMIT
 * where it has PTX_MOST_REGISTERS. */
gboolean ptx_parser_new_register (PtxParser *self, guint32 *slot);

/* Puts the slot and the bits of the register @name, alone or a member of a range (“%r7”), into @slot and @bits,
 * and makes the register at its first use. Returns FALSE, with the error of the lexer set, where it is not
 * declared. */
gboolean ptx_scope_register (PtxParser *self, const char *name, guint32 *slot, guint *bits);

/* Declares label @name of the present scope at the next instruction. Returns FALSE, with a syntax error set,
 * where the scope has it. */
gboolean ptx_scope_add_label (PtxParser *self, const char *name, guint line);

/* Notes that the next instruction branches to @label, as its target @place (-1 if it has only one); the scope
 * settles it when it closes. @line is for messages. */
void ptx_scope_add_fixup (PtxParser *self, const char *label, gint place, guint line);

/* Returns the slot of a constant of the module that holds @value; equal values share one. */
guint32 ptx_parser_constant (PtxParser *self, guint64 value);

/* Returns the slot of a constant that holds the address of @variable and @offset bytes once it is loaded, and
 * notes that the present function needs the variable. */
guint32 ptx_parser_address (PtxParser *self, const PtxVariable *variable, guint64 offset);
