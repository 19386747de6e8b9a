/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/module.h"
#include "codegen/ptx/parser.h"

G_BEGIN_DECLS

gboolean ptx_scope_push (PtxParser *self);
gboolean ptx_scope_pop (PtxParser *self);
void ptx_scope_free_all (PtxParser *self);
PtxSymbol *ptx_scope_add (PtxParser *self, const char *name, PtxSymbolKind kind);
PtxSymbol *ptx_scope_find (PtxParser *self, const char *name);
gboolean ptx_parser_new_register (PtxParser *self, guint32 *slot);
gboolean ptx_scope_register (PtxParser *self, const char *name, guint32 *slot, guint *bits);
gboolean ptx_scope_add_label (PtxParser *self, const char *name, guint line);
void ptx_scope_add_fixup (PtxParser *self, const char *label, gint place, guint line);
guint32 ptx_parser_constant (PtxParser *self, guint64 value);
guint32 ptx_parser_address (PtxParser *self, const PtxVariable *variable, guint64 offset);

G_END_DECLS
