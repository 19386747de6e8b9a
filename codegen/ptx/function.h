/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/parser.h"

G_BEGIN_DECLS

/* Reads a function, or a kernel where @entry is TRUE, from “.func” or “.entry” through its body, or through the
 * semicolon where it is only declared. The module owns it; returns FALSE, with the error of the lexer set,
 * where the text is wrong. */
gboolean ptx_parse_function (PtxParser *self, gboolean entry);

G_END_DECLS
