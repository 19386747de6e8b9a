/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/typeset/label-private.h"

G_BEGIN_DECLS

const HeddleMathSymbol *heddle_math_symbol (const char *name, gsize length);

G_END_DECLS
