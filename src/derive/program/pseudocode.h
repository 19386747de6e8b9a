/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/loop-program.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* The listing (io-model section 6 as text): one line per statement, two spaces per band; @lines (optional): per line the operation id
 * it comes from (element-type const char *, NULL entries), for lighting up. Newly allocated. */
char *heddle_loop_program_to_pseudocode (
    const HeddleLoopProgram *self, const HeddleSizes *sizes, GPtrArray **lines);

G_END_DECLS
