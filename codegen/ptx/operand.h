/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/module.h"
#include "codegen/ptx/parser.h"

/* Puts into @slot a constant that holds the address of @symbol and @offset bytes; for a function it is its
 * index in the window of code. Returns FALSE, with the error of the lexer set, where the name has no address.
 * */
gboolean ptx_operand_symbol (PtxParser *self, const PtxSymbol *symbol, gint64 offset, guint32 *slot);

/* Reads an operand of @in into @operand; @kind is its letter in the row of the instruction, as operand.c lists
 * them. Returns FALSE, with the error of the lexer set, where the text is no such operand. */
gboolean ptx_operand_parse (PtxParser *self, PtxInstruction *in, char kind, PtxOperand *operand);
