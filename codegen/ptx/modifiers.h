/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/module.h"

G_BEGIN_DECLS

/* How many bits a value of @type has; a predicate has one. */
guint ptx_type_bits (PtxType type);
gboolean ptx_type_is_float (PtxType type);
gboolean ptx_type_is_signed (PtxType type);
PtxType ptx_type_from_name (const char *name);
gboolean ptx_modifier_find (const char *word, guint32 allowed, PtxModifier *modifier, guint8 *value);

G_END_DECLS
