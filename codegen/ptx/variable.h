/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/parser.h"

G_BEGIN_DECLS

gboolean ptx_parse_variable (PtxParser *self, gboolean external);

G_END_DECLS
