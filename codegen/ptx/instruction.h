/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/parser.h"

G_BEGIN_DECLS

gboolean ptx_instruction_parse (PtxParser *self);

G_END_DECLS
