/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/parser.h"

G_BEGIN_DECLS

gboolean ptx_parse_register_declaration (PtxParser *self);
gboolean ptx_parse_parameters (PtxParser *self, PtxSymbolKind kind, GArray *list, gsize *bytes);
gboolean ptx_parse_call_parameter (PtxParser *self);

G_END_DECLS
