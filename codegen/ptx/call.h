/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/module.h"
#include "codegen/ptx/parser.h"

/* Reads what follows the opcode of a call, from the results to the arguments, into a new call of @in, which the
 * module owns. Returns FALSE, with the error of the lexer set, where the text is wrong. */
gboolean ptx_call_parse (PtxParser *self, PtxInstruction *in);
