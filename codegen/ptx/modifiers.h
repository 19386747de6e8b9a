/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/module.h"

/* Returns how many bits a value of @type has; a predicate has one. */
guint ptx_type_bits (PtxType type);

/* Returns whether @type is one of the floating-point types, packed pairs among them. */
gboolean ptx_type_is_float (PtxType type);

/* Returns whether @type is a signed integer type. */
gboolean ptx_type_is_signed (PtxType type);

/* Returns the type that PTX writes as @name, without the dot (“f32”), or PTX_NONE where there is none. */
PtxType ptx_type_from_name (const char *name);

/* Finds what the modifier @word, without its dot, says: @modifier is what it speaks of, one of the set @allowed
 * of PTX_M (), and @value is never 0. Returns FALSE where none of the set has this word. */
gboolean ptx_modifier_find (const char *word, guint32 allowed, PtxModifier *modifier, guint8 *value);
