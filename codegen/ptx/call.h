/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/module.h"
#include "codegen/ptx/parser.h"

G_BEGIN_DECLS

gboolean ptx_call_parse (PtxParser *self, PtxInstruction *in);

G_END_DECLS
