/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/parser.h"

/* Reads one instruction from its guard through its semicolon and appends it to the code of the present
 * function. Returns FALSE, with the error of the lexer set; an instruction that the tables do not hold is
 * refused. */
gboolean ptx_instruction_parse (PtxParser *self);
