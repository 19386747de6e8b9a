/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/parser.h"

/* Reads the declaration of a variable, from its space through its initial values to the semicolon; @external
 * tells that “.extern” stood before. The module owns it; returns FALSE, with the error of the lexer set, where
 * the text is wrong. */
gboolean ptx_parse_variable (PtxParser *self, gboolean external);
