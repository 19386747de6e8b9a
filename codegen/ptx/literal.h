/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/module.h"

G_BEGIN_DECLS

gboolean ptx_literal_parse (const char *word, gboolean negative, PtxType type, guint bits, guint64 *value);

G_END_DECLS
