/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/parser.h"

/* The parser of declarations of registers and parameters. Each function returns FALSE, with the error of the
 * lexer set, where the text is wrong or asks for more than the bounds in parser.h. */

/* Reads a declaration of registers from “.reg” up to its semicolon, and declares each name or range of names in
 * the present scope. */
gboolean ptx_parse_register_declaration (PtxParser *self);

/* Reads a list of parameters in parentheses, which may be empty. Each is appended to @list, declared as a
 * symbol of kind @kind, and placed after the @bytes that came before, which grow. */
gboolean ptx_parse_parameters (PtxParser *self, PtxSymbolKind kind, GArray *list, gsize *bytes);

/* Reads a parameter that a body declares for its calls, from “.param” up to the semicolon, and gives it room
 * among the function's bytes for calls. */
gboolean ptx_parse_call_parameter (PtxParser *self);
