/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/module.h"

/* Reads the literal @word as a value of @type, of @bits bits, into the low bits of @value; @negative tells that
 * a minus stood before it. Takes integers, decimal numbers and the forms 0f and 0d, which give bits. Returns
 * FALSE, with no error set, where it is no literal of that type. */
gboolean ptx_literal_parse (const char *word, gboolean negative, PtxType type, guint bits, guint64 *value);
