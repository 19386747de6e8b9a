/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/parser.h"

G_BEGIN_DECLS

gboolean ptx_parse_function (PtxParser *self, gboolean entry);

G_END_DECLS
