/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/module.h"

/* Finds the row of the instruction that @opcode names, with all its modifiers, and puts their values and
 * types into @in. What no row covers is refused, since an unknown word might change the meaning: returns
 * NULL, with a sentence in @problem that the caller frees. */
const PtxRow *ptx_table_find (const char *opcode, PtxInstruction *in, char **problem);

/* Returns the class in which the instructions of a row are counted. */
HeddlePtxClass ptx_table_class (const PtxRow *row);
