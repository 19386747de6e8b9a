/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/module.h"
#include "codegen/ptx/parser.h"

G_BEGIN_DECLS

gboolean ptx_operand_symbol (PtxParser *self, const PtxSymbol *symbol, gint64 offset, guint32 *slot);
gboolean ptx_operand_parse (PtxParser *self, PtxInstruction *in, char kind, PtxOperand *operand);

G_END_DECLS
