/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"

/* A compilation holds what a compiler made of a kernel: PTX, machine code and its log. Whoever gets one owns it. */

/* Frees @self and all that it owns; @self may be NULL. */
void heddle_compilation_free (HeddleCompilation *self);
/* Reads registers, spills and stack from what `ptxas -v` prints. */
void heddle_compilation_read_log (HeddleCompilation *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleCompilation, heddle_compilation_free)
